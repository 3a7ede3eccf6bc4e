"""Real agents – the project's own scripted one, as a process – with a home of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from live_agent import Agent, Heard, OpenAgent, scripted_spec

from kavor.home import Home
from kavor.sessions.agent.sessions import CodingAgents

SCRIPTED = [sys.executable, "-P", "-m", "kavor.sessions.agent.scripted"]


@pytest.fixture
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The HOME that login shells and agents have: an empty folder."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("ENV", "BASH_ENV", "ZDOTDIR", "KAVOR_HOME", "KAVOR_SESSION"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def agents(home: Home, heard: Heard, user_home: Path) -> AsyncIterator[CodingAgents]:
    agents = CodingAgents(home)
    await agents.start(heard)
    try:
        yield agents
    finally:
        await agents.stop(end_sessions=True)


@pytest.fixture
async def open_agent(agents: CodingAgents, heard: Heard, home: Home, tmp_path: Path) -> OpenAgent:
    """Open a scripted agent, started with these flags."""
    work = tmp_path / "work"
    work.mkdir()

    async def open_agent(*flags: str, node: str = "agent-1", wait: bool = True, **spec: object) -> Agent:
        if flags:
            command = json.dumps([*SCRIPTED, *flags])
            (home.data / "providers.toml").write_text(f"[scripted]\ncommand = {command}\n")
        state = await agents.open(scripted_spec(node, work, **spec))
        agent = Agent(agents, heard, state)
        if wait:
            await agent.ready()
        return agent

    return open_agent


@pytest.fixture
async def agent(open_agent: OpenAgent) -> Agent:
    """A scripted agent that takes prompts."""
    return await open_agent()
