"""Sessions of agents are opened, restored and closed: once each, and as they were wished for."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from scripted_runtime import ScriptedRuntime
from supervised_agent import Door, agent_world, opened, ready, specs, waiting_for

from kavor.domain.errors import Refused, Unreachable
from kavor.sessions.session import AgentSpec, SessionState, WaitingFor
from kavor.store import coding_agents


@pytest.mark.contract("K+1", "K74")
async def test_agents_kept_open_are_restored_where_a_running_schedule_aims_at_them(
    scripted: ScriptedRuntime,
) -> None:
    await scripted.workspace()
    wanted = await scripted.agent("wanted")
    closed = await scripted.agent("closed on purpose")
    await scripted.agent("of a paused one")
    await scripted.agent("not kept open", keep_open=False)
    await scripted.agent("of nobody")
    for number, target in enumerate(("wanted", "closed on purpose", "of a paused one", "not kept open")):
        await scripted.schedule(f"s{number}", target=target, resume=target != "of a paused one")
    await scripted.services.sessions.close(closed)
    await scripted.kill()
    await scripted.start()
    await scripted.eventually(ready(scripted, wanted), True)
    (spec,) = scripted.sessions.opened
    assert isinstance(spec, AgentSpec)
    assert (spec.id, spec.conversation) == (wanted, f"conversation of {wanted}")
    assert (spec.provider, spec.command, spec.turn_limit_ms) == ("custom", ("agent",), 7_200_000)


@pytest.mark.contract("K+1")
async def test_what_is_due_while_an_agent_is_being_restored_waits_for_it(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting one takes its time, and the runtime does not wait with it."""
    await agent_world(scripted)
    await scripted.kill()
    may_open = asyncio.Event()
    open_session = scripted.sessions.open

    async def slow(spec: Any) -> SessionState:
        await may_open.wait()
        return await open_session(spec)

    monkeypatch.setattr(scripted.sessions, "open", slow)
    scripted.clock.go_to("2026-11-02T10:00:20Z")
    await scripted.start()
    await scripted.eventually(scripted.states, ["Pending"])
    (attempt,) = await scripted.attempts()
    assert attempt["waiting_for"] == "starting"
    may_open.set()
    await scripted.eventually(scripted.states, ["Delivering"])


async def test_an_agent_that_cannot_be_restored_blocks_what_waits_and_says_why(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent_world(scripted)
    await scripted.kill()
    scripted.sessions.refuses_to_open = Refused("its program is not there", "install it")
    scripted.clock.go_to("2026-11-02T10:00:20Z")
    await scripted.start()
    await scripted.eventually(scripted.states, ["Blocked"])
    (attempt,) = await scripted.attempts()
    assert attempt["diagnostic"] == "its program is not there"


async def test_a_conversation_is_kept_for_the_next_session(scripted: ScriptedRuntime) -> None:
    agent = await agent_world(scripted)

    async def kept() -> str | None:
        row = await scripted.runtime.read(lambda view: coding_agents.coding_agent(view, agent))
        return None if row is None else row.conversation

    await scripted.eventually(kept, f"conversation of {agent}")
    await scripted.services.sessions.restart(agent)
    assert [spec.conversation for spec in specs(scripted)] == [None, f"conversation of {agent}"]


async def test_a_conversation_is_kept_for_those_alone_who_have_it(scripted: ScriptedRuntime) -> None:
    agent = await agent_world(scripted)

    async def kept() -> str | None:
        row = await scripted.runtime.read(lambda view: coding_agents.coding_agent(view, agent))
        return None if row is None else row.conversation

    await scripted.eventually(kept, f"conversation of {agent}")
    await scripted.services.graph.edit_node(agent, {"command": ["another"]}, revision=1)
    assert await kept() is None
    # Its session is still the former one, and goes on telling of its conversation.
    scripted.sessions.becomes(agent, WaitingFor.BUSY)
    await scripted.eventually(waiting_for(scripted), "busy")
    assert await kept() is None
    await scripted.services.sessions.restart(agent)
    assert [spec.conversation for spec in specs(scripted)] == [None, None]


async def test_each_session_of_an_agent_is_let_in_anew_and_out_at_its_end(scripted: ScriptedRuntime) -> None:
    door = scripted.runtime.supervisor.openings.door = Door()
    agent = await agent_world(scripted)
    await scripted.services.sessions.open(agent)  # it is open: what it has stays good
    assert [spec.tools.token for spec in specs(scripted) if spec.tools is not None] == ["word 1"]
    assert "word" not in repr(specs(scripted)[0])
    scripted.sessions.dies(agent)
    assert door.dismissed == [agent]
    await scripted.eventually(opened(scripted, agent), False)
    await scripted.services.sessions.open(agent)
    assert door.admitted == [agent, agent]
    await scripted.services.sessions.close(agent)
    assert door.dismissed == [agent, agent]


async def test_an_agent_that_does_not_open_is_let_out_again(scripted: ScriptedRuntime) -> None:
    door = scripted.runtime.supervisor.openings.door = Door()
    await scripted.workspace()
    agent = await scripted.agent(open_session=False)
    scripted.sessions.refuses_to_open = Refused("its program is not there", "install it")
    with pytest.raises(Refused, match="its program is not there"):
        await scripted.services.sessions.open(agent)
    assert (door.admitted, door.dismissed) == ([agent], [agent])
    (session,) = await scripted.services.sessions.listing(None)
    assert (session["state"], session["diagnostic"]) == ("closed", "its program is not there")


async def test_an_agent_that_two_open_at_once_is_started_once(scripted: ScriptedRuntime) -> None:
    """Else the one that is started last would void what the other was let in with."""
    door = scripted.runtime.supervisor.openings.door = Door()
    await scripted.workspace()
    agent = await scripted.agent(open_session=False)
    await asyncio.gather(*(scripted.services.sessions.open(agent) for _ in range(2)))
    assert door.admitted == [agent]
    assert len(specs(scripted)) == 1


@pytest.mark.contract("K74")
@pytest.mark.parametrize("restored", [False, True], ids=["by a person", "at the start"])
async def test_an_agent_that_is_closed_while_it_opens_is_closed(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch, restored: bool
) -> None:
    agent = await agent_world(scripted)
    if restored:
        await scripted.kill()
    else:
        await scripted.services.sessions.close(agent)
    may_open, begun = asyncio.Event(), asyncio.Event()
    open_session = scripted.sessions.open

    async def slow(spec: Any) -> SessionState:
        begun.set()
        await may_open.wait()
        return await open_session(spec)

    monkeypatch.setattr(scripted.sessions, "open", slow)
    if restored:
        await scripted.start()
    opening = asyncio.create_task(scripted.services.sessions.open(agent))
    await begun.wait()
    closing = asyncio.create_task(scripted.services.sessions.close(agent))
    for _ in range(10):  # time enough for a close that does not wait
        await scripted.ring()
    may_open.set()
    await asyncio.gather(opening, closing)
    (session,) = await scripted.services.sessions.listing(None)
    assert (session["state"], session["closed_on_purpose"]) == ("closed", True)
    assert not scripted.sessions.living[agent].open


# --- A stop while something is being opened


async def test_an_agent_that_is_being_opened_as_the_runtime_stops_is_given_up(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.workspace()
    agent = await scripted.agent(open_session=False)
    started, given_up = asyncio.Event(), asyncio.Event()

    async def slow(spec: Any) -> SessionState:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()
        raise AssertionError("nobody ends that wait")

    monkeypatch.setattr(scripted.sessions, "open", slow)
    opening = asyncio.create_task(scripted.services.sessions.open(agent))
    await started.wait()
    await scripted.stop()
    assert given_up.is_set()
    with pytest.raises(Unreachable, match="the runtime is stopping"):
        await opening


async def test_one_that_cannot_be_given_up_any_more_is_closed(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.workspace()
    agent = await scripted.agent(open_session=False)
    started, open_session = asyncio.Event(), scripted.sessions.open

    async def late(spec: Any) -> SessionState:
        started.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.sleep(0.1)
        return await open_session(spec)

    monkeypatch.setattr(scripted.sessions, "open", late)
    opening = asyncio.create_task(scripted.services.sessions.open(agent))
    await started.wait()
    await scripted.stop()
    assert not scripted.sessions.living[agent].open
    await asyncio.wait([opening])


async def test_nothing_is_opened_once_the_runtime_is_to_stop(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    agent = await scripted.agent(open_session=False)
    shell = await scripted.terminal(open_session=False)
    scripted.runtime.supervisor.openings.stop_opening()
    for node in (agent, shell):
        with pytest.raises(Unreachable, match="the runtime is stopping"):
            await scripted.services.sessions.open(node)
    assert scripted.sessions.opened == []
