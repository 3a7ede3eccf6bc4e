"""Between what is on record and the sessions of agents: delivering, answering, losing."""

from __future__ import annotations

import asyncio

import pytest
from scripted_runtime import ScriptedRuntime
from supervised_agent import (
    Door,
    acknowledged,
    agent_world,
    changes,
    delivered,
    messages,
    opened,
    waiting_for,
)

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.runtime import agents_at_work, supervisor
from kavor.runtime.events import Change
from kavor.sessions.session import Outcome, Question, SessionState, WaitingFor
from kavor.store import workspaces

S = AttemptState


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


async def test_a_question_of_an_idle_agent_is_told_once(scripted: ScriptedRuntime) -> None:
    agent = await agent_world(scripted)
    question = Question("q1", None, "may it update itself?")
    for _ in range(2):
        scripted.sessions.asks_idle(agent, question)
    await scripted.eventually(waiting_for(scripted), "an answer")
    scripted.sessions.asks_idle(agent, Question("q2", None, "and restart?"))

    async def told() -> list[object]:
        notices = [await scripted.services.present(one, "UTC") for one in changes(scripted, "notice")]
        return [None if notice is None else notice["text"] for notice in notices]

    await scripted.eventually(told, ["agent asks: and restart?"] * 2)
    (_, notice) = changes(scripted, "notice")
    assert await scripted.services.present(notice, "UTC") == {
        "about": "session",
        "number": None,
        "node": agent,
        "name": "agent",
        "text": "agent asks: and restart?",
    }
    scripted.sessions.becomes(agent)
    await scripted.eventually(told, [None, None])


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
    assert lost["diagnostic"] == "the process that held the session died during the delivery"
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
    (message,) = await scripted.services.conversations.messages("agent", before=None, limit=1)
    assert message["waiting_for"] == "the Workspace's directory"
    away.rename(directory)
    await scripted.eventually(messages(scripted), ["delivering"])
    await scripted.eventually(scripted.deliveries, 1)
