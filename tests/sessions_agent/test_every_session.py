"""Terminals and agents behind one door."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from live_agent import Agent, Heard, scripted_spec, until

from kavor.domain.attempts import AttemptState as S
from kavor.home import Home
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.every import EverySession
from kavor.sessions.session import SessionSpec
from kavor.sessions.terminal.client import TerminalSessions


@pytest.fixture
async def every(home: Home, heard: Heard, user_home: Path) -> AsyncIterator[EverySession]:
    every = EverySession(TerminalSessions(home), CodingAgents(home))
    assert await every.start(heard) == []
    try:
        yield every
    finally:
        await every.stop(end_sessions=True)


async def test_each_question_goes_to_who_holds_the_session(
    every: EverySession, heard: Heard, tmp_path: Path
) -> None:
    terminal = Agent(every, heard, await every.open(SessionSpec("terminal-1", str(tmp_path), "bash")))
    agent = Agent(every, heard, await every.open(scripted_spec("agent-1", tmp_path)))
    await terminal.ready()
    await agent.ready()
    assert (every.holds("agent-1"), every.holds("terminal-1")) == (True, False)
    command, prompt = await terminal.accept("sh -c 'exit 3'"), await agent.accept("say Hello.")
    assert (await terminal.outcome(command)).exit_code == 3
    assert (await agent.outcome(prompt)).state is S.COMPLETED
    assert await every.known([command, prompt, "other"]) == {command: True, prompt: True, "other": False}
    await every.acknowledge([command, prompt])
    assert "exit 3" in (await every.screen("terminal-1")).replace("\n", "")
    assert await every.screen("agent-1") == "> say Hello.\nHello."
    for session_id in ("terminal-1", "agent-1"):
        assert not (await every.close(session_id)).open
    await until(lambda: not terminal.state.open and not agent.state.open)
