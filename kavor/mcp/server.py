"""The MCP server: it lists the tools, passes each call on to the runtime, and gives back what that says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

import kavor
from kavor.domain.errors import KavorError
from kavor.mcp.link import RuntimeLink
from kavor.mcp.tools import INSTRUCTIONS, TOOL_TEXTS, tools

Context = ServerRequestContext[Any, Any]

TokenOf = Callable[[Context], str]
"""Finds the token that a request came with."""

SEEN = "tools-listed"
"""What the runtime is told when an agent has read the list of tools: from now on it can call them."""

_NAMES = frozenset(text.name for text in TOOL_TEXTS)


def tool_server(link: RuntimeLink, token_of: TokenOf) -> Server[dict[str, Any]]:
    async def list_tools(ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        try:
            await link.call(token_of(ctx), SEEN, {})
        except KavorError as error:
            raise MCPError(INVALID_PARAMS, error.message) from None
        return ListToolsResult(tools=list(tools()))

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in _NAMES:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r}")
        try:
            answer = await link.call(token_of(ctx), params.name, params.arguments or {})
        except KavorError as error:
            return _refusal(error)
        return CallToolResult(
            content=[TextContent(type="text", text=json.dumps(answer, ensure_ascii=False, indent=1))],
            structured_content=answer,
        )

    return Server(
        "kavor",
        version=kavor.__version__,
        title="Kavor",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _refusal(error: KavorError) -> CallToolResult:
    """A refusal is a result: the agent shall read it, and do something about it."""
    said = f"{error.message} ({error.hint})" if error.hint else error.message
    return CallToolResult(content=[TextContent(type="text", text=f"{error.kind}: {said}")], is_error=True)
