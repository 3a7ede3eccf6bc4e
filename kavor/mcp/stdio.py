"""The tools over stdin and stdout, for one agent, whose token is in the environment."""

from __future__ import annotations

import asyncio

from mcp.server.stdio import stdio_server

from kavor.home import Home
from kavor.mcp.link import RuntimeLink
from kavor.mcp.server import tool_server


def serve_stdio(home: Home, token: str) -> None:
    """Serve until stdin ends."""
    asyncio.run(_serve(home, token))


async def _serve(home: Home, token: str) -> None:
    link = RuntimeLink(home)
    server = tool_server(link, lambda ctx: token)
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        await link.close()
