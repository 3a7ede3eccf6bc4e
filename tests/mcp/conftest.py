"""The world of an agent, fresh for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from agent_world import AgentWorld, agent_world

from kavor.home import Home


@pytest.fixture
async def world(home: Home) -> AsyncIterator[AgentWorld]:
    async with agent_world(home) as world:
        yield world
