"""The way from the tools to the runtime: one request of its API for each call, on behalf of one agent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2

from kavor.api.agent_tool_arguments import LONGEST_WAIT_S
from kavor.api.connection import error_from_problem, unreachable
from kavor.domain.errors import KavorError
from kavor.home import Home

ANSWER_LIMIT_S = LONGEST_WAIT_S + 30
"""How long a call may take: as long as a command is waited for, and some more."""

CONNECT_LIMIT_S = 10.0

Document = dict[str, Any]


class RuntimeLink:
    """Asks the runtime of one home. A call that is given up is given up there too."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._client = httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(uds=str(home.socket), limits=_NO_LIMITS),
            base_url="http://kavor",
            timeout=httpx2.Timeout(ANSWER_LIMIT_S, connect=CONNECT_LIMIT_S),
            trust_env=False,  # no proxy between here and a socket of this machine
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def call(self, token: str, tool: str, arguments: Mapping[str, Any]) -> Document:
        """What the tool answers. Raises what the runtime refuses, as a KavorError."""
        try:
            answer = await self._client.post(
                f"/api/agent-tools/{tool}",
                content=json.dumps(arguments).encode(),
                headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            )
        except httpx2.TransportError as error:
            raise unreachable(_cause(error), self._home) from error
        document = _object(answer.content)
        if answer.status_code >= 400:
            raise error_from_problem(document)
        return document


def _cause(error: Exception) -> Exception:
    """What the operating system said."""
    while isinstance(error.__cause__ or error.__context__, Exception):
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return error


_NO_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
"""Many agents may wait for commands at once; the runtime closes no connection that is in use."""


def _object(content: bytes) -> Document:
    try:
        document = json.loads(content)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise KavorError("the runtime's answer cannot be read", "it may be of another version of Kavor")
    return document
