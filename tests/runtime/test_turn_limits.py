"""A turn that takes too long, of a real agent; the limit is shorter than anybody may set it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripted_runtime import ScriptedRuntime
from sqlalchemy.engine import Connection

from kavor.domain.graph import NodeKind
from kavor.runtime.turn import Turn
from kavor.sessions.agent.sessions import CodingAgents
from kavor.store import coding_agents


@pytest.fixture
async def live(scripted: ScriptedRuntime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedRuntime:
    """A runtime whose agents are processes, in a Workspace with one that is closed."""
    monkeypatch.setenv("HOME", str(tmp_path))
    await scripted.stop()
    scripted.sessions = CodingAgents(scripted.home)  # type: ignore[assignment]
    await scripted.start()
    await scripted.workspace()
    fields = {"name": "a", "provider": "scripted"}
    await scripted.services.graph.add_node(NodeKind.CODING_AGENT, fields, workspace=None, open_session=False)
    return scripted


def limit_turns(turn: Turn, tx: Connection) -> None:
    (row,) = coding_agents.coding_agents_by_id(tx).values()
    coding_agents.save_coding_agent(tx, replace(row, settings=replace(row.settings, turn_limit_ms=300)))


@pytest.mark.contract("K56", "K+14")
async def test_a_turn_longer_than_its_limit_is_interrupted_and_the_next_begins(live: ScriptedRuntime) -> None:
    await live.runtime.change(limit_turns)
    await live.services.sessions.open("a")
    await live.services.conversations.send("a", "say so far\nhang")
    await live.services.conversations.send("a", "say and on")

    async def states() -> list[str]:
        return [turn["state"] for turn in await live.services.conversations.turns("a", before=None, limit=9)]

    await live.eventually(states, ["Completed", "Interrupted"])
    later, first = await live.services.conversations.turns("a", before=None, limit=9)
    assert first["diagnostic"].startswith("it was stopped: it took longer than")
    assert first["last_message"].startswith("so far")
    assert later["last_message"] == "and on"
