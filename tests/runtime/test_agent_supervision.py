"""Between what is on record and the sessions of agents: opening, restoring, answering, losing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.runtime import agents_at_work, supervisor
from kavor.runtime.events import Change
from kavor.sessions.session import AgentSpec, Outcome, SessionState, ToolsAccess, WaitingFor
from kavor.store import coding_agents, workspaces

S = AttemptState


class Door:
    """Lets every agent in, and notes who is in."""

    def __init__(self) -> None:
        self.admitted: list[str] = []
        self.dismissed: list[str] = []

    async def admit(self, agent_id: str) -> ToolsAccess:
        self.admitted.append(agent_id)
        return ToolsAccess("http://127.0.0.1:1/mcp", f"word {len(self.admitted)}")

    def dismiss(self, agent_id: str) -> None:
        self.dismissed.append(agent_id)


async def agent_world(scripted: ScriptedRuntime) -> str:
    """A Workspace, an agent with an open session, and an hourly Schedule that aims at it."""
    await scripted.workspace()
    agent = await scripted.agent()
    await scripted.schedule(target="agent")
    return agent


async def delivered(scripted: ScriptedRuntime) -> str:
    agent = await agent_world(scripted)
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.eventually(waiting_for(scripted), "busy")
    return agent


def waiting_for(scripted: ScriptedRuntime) -> Callable[[], Awaitable[str | None]]:
    async def ask() -> str | None:
        (session,) = await scripted.services.sessions.listing(None)
        return session["waiting_for"] if session["open"] else session["state"]

    return ask


def messages(scripted: ScriptedRuntime, agent: str = "agent") -> Callable[[], Awaitable[list[str]]]:
    """The states of an agent's messages, oldest first."""

    async def ask() -> list[str]:
        found = await scripted.services.conversations.messages(agent, before=None, limit=100)
        return [one["state"] for one in found][::-1]

    return ask


def changes(scripted: ScriptedRuntime, kind: str) -> list[Change]:
    told = scripted.runtime.events.missed_since(0) or []
    return [event.change for event in told if event.change is not None and event.change.type == kind]


# --- One delivery


@pytest.mark.contract("K4", "K52")
async def test_a_prompt_from_the_clock_to_the_ledger(scripted: ScriptedRuntime) -> None:
    agent = await delivered(scripted)
    assert [(session, text) for session, _, text in scripted.sessions.delivered] == [(agent, "make check")]
    scripted.sessions.says("all is well")
    scripted.sessions.end_latest(output="all is well")
    await scripted.eventually(scripted.states, ["Completed"])
    (turn,) = await scripted.services.conversations.turns(agent, before=None, limit=10)
    assert (turn["attempt"], turn["prompt"], turn["last_message"]) == (1, "make check", "all is well")
    whole = await scripted.services.conversations.turn(turn["id"])
    assert [(entry["kind"], entry["text"]) for entry in whole["entries"]] == [("text", "all is well")]


async def test_keys_of_messages_are_no_attempts_keys(scripted: ScriptedRuntime) -> None:
    await agent_world(scripted)
    await scripted.services.conversations.send("agent", "good morning")
    await scripted.eventually(scripted.deliveries, 1)
    identity = await scripted.runtime.read(lambda view: workspaces.fact(view, "ledger-id"))
    assert scripted.sessions.delivered[0][1] == f"{identity}-m1"
    scripted.sessions.end_latest(output="good morning to you")
    await scripted.eventually(messages(scripted), ["completed"])
    await scripted.eventually(acknowledged(scripted), [f"{identity}-m1"])
    assert await scripted.states() == []


def acknowledged(scripted: ScriptedRuntime) -> Callable[[], Awaitable[list[str]]]:
    async def ask() -> list[str]:
        return scripted.sessions.acknowledged

    return ask


async def test_what_the_transcript_says_is_told_and_belongs_to_its_work(scripted: ScriptedRuntime) -> None:
    agent = await delivered(scripted)
    scripted.sessions.says("let me see")
    assert changes(scripted, "transcript") == [Change("transcript", agent)]
    first = await scripted.services.conversations.transcript("agent", after=0)
    assert [(entry["text"], entry["attempt"], entry["message"]) for entry in first["entries"]] == [
        ("let me see", 1, None)
    ]
    scripted.sessions.says("done")
    later = await scripted.services.conversations.transcript("agent", after=first["version"])
    assert [entry["text"] for entry in later["entries"]] == ["done"]


async def test_only_agents_are_talked_to(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    await scripted.terminal()
    with pytest.raises(Refused, match="is a Terminal"):
        await scripted.services.conversations.send("shell", "hello")
    with pytest.raises(Refused, match="is a Terminal"):
        await scripted.services.sessions.cancel("shell")
    await scripted.agent()
    with pytest.raises(BadInput, match="payload is empty"):
        await scripted.services.conversations.send("agent", "  ")
    with pytest.raises(BadInput, match="control character"):
        await scripted.services.conversations.send("agent", "\x1b[31mred")
    for ask in (scripted.services.conversations.message, scripted.services.conversations.turn):
        with pytest.raises(NotFound):
            await ask(10**30)


async def test_a_page_of_messages_goes_on_before_the_last_one(scripted: ScriptedRuntime) -> None:
    await agent_world(scripted)
    for number in range(5):
        await scripted.services.conversations.send("agent", f"{number}")
    ask = scripted.services.conversations.messages
    assert [one["id"] for one in await ask("agent", before=None, limit=2)] == [5, 4]
    assert [one["id"] for one in await ask("agent", before=4, limit=2)] == [3, 2]
    assert [one["id"] for one in await ask("agent", before=2, limit=2)] == [1]
    assert await ask("agent", before=-(10**30), limit=2) == []
    assert [one["id"] for one in await ask("agent", before=10**30, limit=1)] == [5]


# --- Questions


@pytest.mark.contract("K53")
async def test_a_question_is_shown_told_answered_and_the_turn_goes_on(scripted: ScriptedRuntime) -> None:
    agent = await delivered(scripted)
    scripted.sessions.asks("may it write to /etc?")
    await scripted.eventually(scripted.states, ["Needs attention"])
    await scripted.eventually(waiting_for(scripted), "an answer")
    (session,) = await scripted.services.sessions.listing(None)
    assert session["question"] == {
        "id": "q1",
        "text": "may it write to /etc?",
        "options": [{"id": "yes", "label": "Allow", "kind": "allow_once"}],
    }
    (attempt,) = await scripted.attempts()
    assert attempt["actions"] == ["Answer", "Stop"]
    (notice,) = changes(scripted, "notice")
    told = await scripted.services.present(notice, "UTC")
    assert told == {
        "about": "attempt",
        "number": 1,
        "node": agent,
        "name": "agent",
        "text": "check: attempt 1 of 2026-11-02T10:00:00Z Needs attention, may it write to /etc?",
    }
    await scripted.at("2026-11-02T11:00:00Z")
    waiting = (await scripted.attempts())[1]
    assert (waiting["state"], waiting["waiting_for"]) == ("Pending", "an answer")

    await scripted.services.sessions.answer("agent", "q1", "yes")
    assert scripted.sessions.answers_given == [(agent, "q1", "yes")]
    await scripted.eventually(scripted.states, ["Delivering", "Pending"])
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed", "Delivering"])


async def test_a_notice_of_a_message_names_it(scripted: ScriptedRuntime) -> None:
    agent = await agent_world(scripted)
    await scripted.services.conversations.send("agent", "good morning")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.asks()
    await scripted.eventually(messages(scripted), ["needs attention"])
    (notice,) = changes(scripted, "notice")
    told = await scripted.services.present(notice, "UTC")
    assert told == {
        "about": "message",
        "number": 1,
        "node": agent,
        "name": "agent",
        "text": "agent: message 1 needs attention, may it?",
    }


async def test_who_asks_nothing_gets_no_answer_and_who_does_nothing_is_not_stopped(
    scripted: ScriptedRuntime,
) -> None:
    await agent_world(scripted)
    with pytest.raises(Refused, match="asks nothing now"):
        await scripted.services.sessions.answer("agent", None, "yes")
    with pytest.raises(Refused, match="works on nothing now"):
        await scripted.services.sessions.cancel("agent")
    assert scripted.sessions.cancelled == []


@pytest.mark.contract("K56")
async def test_a_turn_that_is_stopped_is_interrupted_and_the_next_begins(scripted: ScriptedRuntime) -> None:
    agent = await delivered(scripted)
    await scripted.services.conversations.send("agent", "never mind")
    await scripted.services.sessions.cancel("agent")
    assert scripted.sessions.cancelled == [agent]
    await scripted.eventually(scripted.states, ["Interrupted"])
    await scripted.eventually(messages(scripted), ["delivering"])


# --- Losing


@pytest.mark.contract("K+14")
@pytest.mark.parametrize("gone", [False, True], ids=["idle", "gone"])
async def test_a_delivery_whose_end_is_never_told_is_settled_by_what_its_session_says(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    monkeypatch.setattr(agents_at_work, "OUTCOME_FOLLOWS_SECONDS", 0.05)
    agent = await delivered(scripted)
    await scripted.services.conversations.send("agent", "and then this")
    scripted.sessions.says("half of it")
    if gone:
        scripted.sessions.dies(agent, "the agent crashed")
    else:
        scripted.sessions.becomes(agent)
    await scripted.eventually(scripted.states, ["Interrupted"])
    (attempt,) = await scripted.attempts()
    wanted = "its session ended during the delivery" if gone else "its end was not observed"
    assert attempt["diagnostic"].startswith(wanted)
    (turn,) = await scripted.services.conversations.turns(agent, before=None, limit=10)
    whole = await scripted.services.conversations.turn(turn["id"])
    assert [entry["text"] for entry in whole["entries"]] == ["half of it"]
    await scripted.eventually(messages(scripted), ["queued"] if gone else ["delivering"])
    # A late outcome changes nothing: what is on record is on record.
    scripted.sessions.listener.outcome_observed(Outcome(scripted.sessions.delivered[0][1], S.COMPLETED))
    await scripted.ring()
    assert await scripted.states() == ["Interrupted"]


@pytest.mark.contract("K+14")
async def test_an_outcome_that_follows_the_idle_report_is_waited_for(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents_at_work, "OUTCOME_FOLLOWS_SECONDS", 0.1)
    agent = await delivered(scripted)
    key = scripted.sessions.delivered[0][1]
    scripted.sessions.becomes(agent)
    scripted.sessions.listener.outcome_observed(Outcome(key, S.COMPLETED))
    await scripted.eventually(scripted.states, ["Completed"])
    await asyncio.sleep(0.15)
    assert await scripted.states() == ["Completed"]


@pytest.mark.contract("K+14")
async def test_an_agent_that_is_idle_between_two_steps_works_on(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents_at_work, "OUTCOME_FOLLOWS_SECONDS", 0.1)
    agent = await delivered(scripted)
    scripted.sessions.becomes(agent)
    scripted.sessions.becomes(agent, WaitingFor.BUSY)
    await asyncio.sleep(0.15)
    assert await scripted.states() == ["Delivering"]


@pytest.mark.contract("K74", "K56")
async def test_closing_a_session_ends_what_it_worked_on_and_keeps_what_was_said(
    scripted: ScriptedRuntime,
) -> None:
    """Even where the session tells of no outcome."""
    agent = await delivered(scripted)
    await scripted.at("2026-11-02T11:00:00Z")
    await scripted.services.conversations.send("agent", "later, then")
    await scripted.services.sessions.close(agent)
    await scripted.eventually(scripted.states, ["Interrupted", "Blocked"])
    assert await messages(scripted)() == ["queued"]
    (waiting,) = await scripted.services.conversations.messages("agent", before=None, limit=1)
    assert waiting["waiting_for"] == "an open session"
    await scripted.services.sessions.open(agent)
    await scripted.eventually(messages(scripted), ["delivering"])


@pytest.mark.contract("K+14")
async def test_a_message_ends_with_the_process_that_held_its_agent(scripted: ScriptedRuntime) -> None:
    """Also where nothing opens that agent again."""
    door = scripted.runtime.supervisor.openings.door = Door()
    await scripted.workspace()
    agent = await scripted.agent()
    await scripted.services.conversations.send("agent", "one")
    await scripted.services.conversations.send("agent", "two")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.all_lost()
    await scripted.eventually(messages(scripted), ["interrupted", "queued"])
    (_, lost) = await scripted.services.conversations.messages("agent", before=None, limit=10)
    assert lost["diagnostic"] == "the process that held the shell died during the delivery"
    assert door.dismissed == [agent]
    await scripted.services.sessions.open(agent)
    await scripted.eventually(messages(scripted), ["interrupted", "delivering"])


async def test_only_the_sessions_that_were_lost_end(scripted: ScriptedRuntime) -> None:
    agent = await delivered(scripted)
    terminal = await scripted.terminal()
    scripted.sessions.listener.sessions_lost([terminal])
    await scripted.eventually(opened(scripted, terminal), False)
    assert await scripted.states() == ["Delivering"]
    assert scripted.runtime.targets.state(agent).open


def opened(scripted: ScriptedRuntime, node: str) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return scripted.runtime.targets.state(node).open

    return ask


def ready(scripted: ScriptedRuntime, node: str) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return scripted.runtime.targets.state(node).ready

    return ask


async def test_what_an_agent_worked_on_as_the_runtime_died_is_interrupted(scripted: ScriptedRuntime) -> None:
    """Decision 15: agents are the runtime's children. What was said and waits is delivered by the next."""
    agent = await delivered(scripted)
    await scripted.services.conversations.send("agent", "first")
    await scripted.services.conversations.send("agent", "second")
    await scripted.kill()
    await scripted.start()
    assert await scripted.states() == ["Interrupted"]
    await scripted.eventually(messages(scripted), ["delivering", "queued"])
    await scripted.eventually(scripted.deliveries, 1)
    assert [(session, text) for session, _, text in scripted.sessions.delivered] == [(agent, "first")]
    scripted.sessions.end_latest()
    await scripted.eventually(messages(scripted), ["completed", "delivering"])


async def test_a_message_at_work_as_the_runtime_died_is_not_delivered_again(
    scripted: ScriptedRuntime,
) -> None:
    await agent_world(scripted)
    await scripted.services.conversations.send("agent", "once")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.kill()
    await scripted.start()
    assert await messages(scripted)() == ["interrupted"]
    await scripted.ring()
    assert scripted.sessions.delivered == []


async def test_what_was_said_goes_to_an_agent_that_lived_on_and_is_free_by_now(
    scripted: ScriptedRuntime,
) -> None:
    agent = await agent_world(scripted)
    scripted.sessions.becomes(agent, WaitingFor.UNFINISHED_INPUT)
    await scripted.eventually(waiting_for(scripted), "unfinished input")
    await scripted.services.conversations.send("agent", "once you are free")
    await scripted.kill()
    scripted.sessions.agents.add(agent)
    scripted.sessions.living[agent] = SessionState(
        agent, open=True, waiting_for=None, provider="custom", own_screen=True
    )
    await scripted.start()
    await scripted.eventually(messages(scripted), ["delivering"])
    await scripted.eventually(scripted.deliveries, 1)


async def test_an_orderly_stop_leaves_what_was_said_in_the_inbox(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    await scripted.services.conversations.send("agent", "later")
    await scripted.at("2026-11-02T11:00:00Z")
    await scripted.stop()
    scripted.sessions.living, scripted.sessions.accepted = {}, {}
    scripted.sessions.delivered.clear()
    await scripted.start()
    assert await scripted.states() == ["Interrupted", "Blocked"]
    await scripted.eventually(messages(scripted), ["delivering"])


# --- Opening and restoring


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


def specs(scripted: ScriptedRuntime) -> Sequence[AgentSpec]:
    return [spec for spec in scripted.sessions.opened if isinstance(spec, AgentSpec)]


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


# --- The Workspace's directory


async def test_what_was_said_waits_for_the_workspace_and_goes_on_by_itself(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody tells of a directory that is there again."""
    monkeypatch.setattr(supervisor, "LOOK_AGAIN_SECONDS", 0.05)
    await agent_world(scripted)
    directory = scripted.home.data / "work"
    away = directory.rename(directory.with_name("away"))
    await scripted.services.conversations.send("agent", "are you there?")
    await asyncio.sleep(0.2)
    assert await messages(scripted)() == ["queued"]
    away.rename(directory)
    await scripted.eventually(messages(scripted), ["delivering"])
    await scripted.eventually(scripted.deliveries, 1)
