"""Clients of the tools, as an agent has them: the protocol's own, over HTTP and over stdio."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator

import httpx2
from agent_world import AgentWorld
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

PATIENCE_S = 30.0


@contextlib.asynccontextmanager
async def over_http(url: str, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, cache=None) as client,
    ):
        yield client


@contextlib.asynccontextmanager
async def over_stdio(world: AgentWorld, token: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "kavor", "mcp"],
        env={"KAVOR_HOME": str(world.scripted.home.data), "KAVOR_AGENT_TOKEN": token},
    )
    async with Client(server, cache=None) as client:
        yield client
