"""One line of work per agent: messages and what Schedules deliver take turns, in the order of acceptance."""

from __future__ import annotations

import json
import shutil

import pytest
from ledger_world import MINUTE, LedgerWorld, outcome

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import Refused
from kavor.domain.instant import Instant
from kavor.domain.messages import MOST_QUEUED, MessageState, SenderKind
from kavor.domain.schedule import Overlap, Policies
from kavor.runtime.events import Change
from kavor.runtime.observations import Answered, Asked, Ended, HandedOver
from kavor.runtime.turn import Turn, Work
from kavor.sessions.session import Entry, Evidence, HandOver, Outcome, ToolCall, WaitingFor
from kavor.store import conversations
from kavor.store.conversations import NewMessage, Sender

S = AttemptState

attempt, message = Work.attempt, Work.message


@pytest.fixture
def agent(world: LedgerWorld) -> LedgerWorld:
    """An idle agent, at which one Schedule aims hourly and another a quarter later."""
    world.add_agent()
    world.add_schedule("s1", "0 * * * *", target="a1", payload="review what is new")
    world.add_schedule("s2", "15 * * * *", target="a1", payload="tidy up")
    return world


# --- Messages alone


def test_a_message_to_an_idle_agent_is_delivered_at_once(agent: LedgerWorld) -> None:
    first = agent.send("good morning")
    assert agent.messages() == ["delivering"]
    assert [(delivery.target_id, delivery.payload) for delivery in agent.offered] == [("a1", "good morning")]
    assert agent.message(first).delivered_at == agent.clock.now()
    assert agent.message(first).sender_kind is SenderKind.PERSON


def test_messages_wait_for_one_another_in_their_order(agent: LedgerWorld) -> None:
    for text in ("one", "two", "three"):
        agent.send(text)
    assert agent.messages() == ["delivering", "queued", "queued"]
    agent.ends_message(1)
    agent.ends_message(2, S.FAILED)
    assert agent.messages() == ["completed", "failed", "delivering"]
    assert agent.works() == [message(1), message(2), message(3)]


def test_what_an_agent_says_names_it(agent: LedgerWorld) -> None:
    agent.send("look at the tests", sender=Sender(SenderKind.AGENT, "a2", "Reviewer"))
    assert agent.offered[0].payload == "Message from the agent 'Reviewer':\n\nlook at the tests"


def test_a_declined_message_waits_again_and_goes_first(agent: LedgerWorld) -> None:
    agent.send("one")
    agent.send("two")
    agent.observe(HandedOver(message(1), HandOver(accepted=False, waiting_for=WaitingFor.BUSY)))
    assert agent.messages() == ["queued", "queued"]
    assert agent.message(1).delivered_at is None
    agent.ready("a1")
    assert agent.works() == [message(1), message(1)]


def test_nobody_talks_to_an_agent_whose_session_is_not_open(agent: LedgerWorld) -> None:
    agent.closes("a1")
    with pytest.raises(Refused, match="session of 'a1' is not open") as refusal:
        agent.send()
    assert "kavor session open a1" in refusal.value.hint
    assert agent.messages() == []


def test_an_inbox_is_full_at_its_limit(agent: LedgerWorld) -> None:
    agent.busy("a1")
    with agent.store.transaction() as tx:
        for _ in range(MOST_QUEUED):
            again = NewMessage(Sender(SenderKind.PERSON), "again")
            conversations.add_message(tx, "a1", again, created_at=Instant(0), after_attempt=0)
    with pytest.raises(Refused, match="1,000 messages already wait"):
        agent.send()


def test_a_message_that_waits_can_be_withdrawn_and_no_other(agent: LedgerWorld) -> None:
    agent.send("one")
    agent.send("two")
    agent.withdraw_message(2)
    assert agent.messages() == ["delivering", "blocked"]
    assert agent.message(2).diagnostic == "withdrawn"
    with pytest.raises(Refused, match="message 1 is delivering"):
        agent.withdraw_message(1)
    agent.ends_message(1)
    assert agent.works() == [message(1)]


def test_a_message_whose_agent_is_removed_ends(agent: LedgerWorld) -> None:
    agent.send("one")
    agent.send("two")
    turn = Turn()
    with agent.store.transaction() as tx:
        agent.arbiter.target_removed(tx, "a1", turn)
    assert agent.messages() == ["delivering", "blocked"]
    assert agent.message(2).diagnostic == "its target was removed"


@pytest.mark.contract("K74")
def test_messages_outlast_a_closed_session(agent: LedgerWorld) -> None:
    agent.send("one")
    agent.send("two")
    agent.ends_message(1, S.INTERRUPTED)
    agent.observe(HandedOver(message(2), HandOver(accepted=False, closed=True)))
    agent.closes("a1")
    assert agent.messages() == ["interrupted", "queued"]
    agent.ready("a1")
    assert agent.messages() == ["interrupted", "delivering"]


def test_a_message_that_was_at_work_when_the_runtime_died_is_not_delivered_again(agent: LedgerWorld) -> None:
    """Decision 15; what only waited was accepted, and is delivered later (decision 13)."""
    agent.send("one")
    agent.send("two")
    agent.restart()
    assert agent.messages() == ["interrupted", "queued"]
    agent.ready("a1")
    assert agent.messages() == ["interrupted", "delivering"]
    assert agent.works().count(message(1)) == 1


# --- Messages and attempts


@pytest.mark.contract("K50", "K+6")
def test_an_occurrence_waits_for_the_message_that_is_worked_on(agent: LedgerWorld) -> None:
    agent.send()
    agent.at("2026-11-02T10:00:00Z")
    assert agent.states() == ["Pending"]
    agent.ends_message(1)
    assert agent.states() == ["Delivering"]


@pytest.mark.contract("K50", "K+6")
def test_an_occurrence_never_goes_ahead_of_a_message_that_waits(agent: LedgerWorld) -> None:
    agent.busy("a1")
    agent.send()
    agent.at("2026-11-02T10:00:00Z")
    assert agent.states() == ["Pending"]
    agent.ready("a1")
    assert (agent.messages(), agent.states()) == (["delivering"], ["Pending"])
    agent.ends_message(1)
    assert agent.works() == [message(1), attempt(1)]


@pytest.mark.contract("K50", "K+6")
def test_even_a_ready_agent_gets_first_what_was_accepted_first(agent: LedgerWorld) -> None:
    """A claim may come between the moment an agent is ready and that in which this is on record."""
    agent.busy("a1")
    agent.send()
    agent.targets.update(agent.session("a1"))
    agent.at("2026-11-02T10:00:00Z")
    assert agent.states() == ["Pending"]


@pytest.mark.contract("K50", "K+6")
def test_a_message_goes_behind_the_attempt_that_waits(agent: LedgerWorld) -> None:
    agent.at("2026-11-02T10:00:00Z")
    agent.at("2026-11-02T10:15:00Z")
    agent.send()
    agent.ends(1)
    assert (agent.states(), agent.messages()) == (["Completed", "Delivering"], ["queued"])
    agent.ends(2)
    assert agent.works() == [attempt(1), attempt(2), message(1)]


@pytest.mark.contract("K+6")
def test_the_order_is_that_of_acceptance_whatever_the_clock_says(agent: LedgerWorld) -> None:
    """Decision 7: a time recorded by a wrong clock silences nothing, and lets nothing pass."""
    agent.busy("a1")
    agent.send("accepted by a clock that is an hour ahead")
    agent.clock.set("2026-11-02T08:59:30Z")
    agent.at("2026-11-02T10:00:00Z")
    agent.clock.set("2026-11-02T09:00:00Z")
    agent.send("accepted last, and by the clock before the attempt")
    agent.ready("a1")
    agent.ends_message(1)
    agent.ends(1)
    assert agent.works() == [message(1), attempt(1), message(2)]


def test_an_attempt_that_an_agent_declined_goes_before_a_message_that_came_later(agent: LedgerWorld) -> None:
    agent.at("2026-11-02T10:00:00Z")
    agent.send()
    agent.declines(1, WaitingFor.BUSY)
    agent.ready("a1")
    assert agent.works() == [attempt(1), attempt(1)]


def test_an_attempt_that_replaces_another_goes_behind_what_was_accepted_meanwhile(world: LedgerWorld) -> None:
    world.add_agent(state="busy")
    world.add_schedule("s1", "*/5 * * * *", target="a1", policies=Policies(overlap=Overlap.REPLACE))
    world.at("2026-11-02T10:00:00Z")
    world.send()
    world.at("2026-11-02T10:05:00Z")
    assert world.states() == ["Coalesced", "Pending"]
    world.ready("a1")
    assert world.works() == [message(1)]


@pytest.mark.contract("K69", "K59", "K70")
def test_messages_take_no_slot_and_the_slot_is_one(agent: LedgerWorld) -> None:
    """Decision 1: a later attempt is Coalesced and names the one that waits, however many messages wait."""
    for text in ("one", "two", "three"):
        agent.send(text)
    agent.at("2026-11-02T10:00:00Z")
    agent.at("2026-11-02T10:15:00Z")
    assert agent.states() == ["Pending", "Coalesced"]
    assert agent.row(2).holder_id == 1
    assert agent.messages() == ["delivering", "queued", "queued"]


def test_run_now_waits_behind_messages_too(agent: LedgerWorld) -> None:
    agent.send()
    agent.run_now("s1")
    assert agent.states() == ["Pending"]
    with pytest.raises(Refused, match="attempt 1 already waits"):  # decision 11
        agent.run_now("s2")


@pytest.mark.contract("K57")
def test_without_the_workspace_attempts_are_blocked_and_messages_wait(agent: LedgerWorld) -> None:
    agent.busy("a1")
    agent.at("2026-11-02T10:00:00Z")
    agent.send()
    shutil.rmtree(agent.directory)
    agent.ready("a1")
    assert (agent.states(), agent.messages()) == (["Blocked"], ["queued"])
    agent.directory.mkdir()
    agent.ready("a1")
    assert agent.messages() == ["delivering"]


# --- Questions


@pytest.mark.contract("K53")
def test_what_needs_attention_holds_the_line_until_it_has_its_answer_and_an_end(agent: LedgerWorld) -> None:
    agent.at("2026-11-02T10:00:00Z")
    turn = agent.observe(Asked(attempt(1), "may it write to /etc?"))
    assert Change("notice", "attempt-1", "created") in turn.changes
    agent.at("2026-11-02T10:15:00Z")
    agent.at("2026-11-02T11:00:00Z")
    agent.send()
    assert agent.states() == ["Needs attention", "Pending", "Coalesced"]
    agent.observe(Answered(attempt(1)))
    assert agent.states() == ["Delivering", "Pending", "Coalesced"]
    assert agent.row(1).diagnostic == ""
    agent.ends(1)
    assert agent.states() == ["Completed", "Delivering", "Coalesced"]
    assert agent.messages() == ["queued"]


def test_a_message_can_need_attention_too(agent: LedgerWorld) -> None:
    agent.send()
    turn = agent.observe(Asked(message(1), "may it?"))
    assert Change("notice", "message-1", "created") in turn.changes
    assert agent.messages() == ["needs attention"]
    assert agent.message(1).diagnostic == "may it?"
    agent.at("2026-11-02T10:00:00Z")
    assert agent.states() == ["Pending"]
    agent.observe(Answered(message(1)))
    assert agent.messages() == ["delivering"]
    agent.ends_message(1)
    assert (agent.messages(), agent.states()) == (["completed"], ["Delivering"])


def test_an_answer_to_what_is_over_changes_nothing(agent: LedgerWorld) -> None:
    agent.send()
    agent.ends_message(1)
    assert agent.observe(Answered(message(1)), Asked(message(1), "may it?"), Answered(message(9))) == Turn()


# --- Turns on record


def entry(number: int, text: str, key: str = "k") -> Entry:
    return Entry(number, number, "text", text, {}, Instant(number), key)


@pytest.mark.contract("K11", "K61")
def test_a_turn_is_kept_with_what_was_said_and_called(agent: LedgerWorld) -> None:
    agent.at("2026-11-02T10:00:00Z")
    agent.clock.go(30_000)
    calls = (ToolCall("read_sticky_note", "read", "completed"), ToolCall("make check", "execute", "failed"))
    ended = Outcome("k", S.COMPLETED, evidence=Evidence("all is well", duration_ms=30_000, tool_calls=calls))
    turn = agent.observe(Ended(attempt(1), ended, [entry(1, "let me see"), entry(2, "all is well")]))
    assert Change("turn", "1", "created") in turn.changes
    (kept,) = agent.turns()
    assert (kept.attempt_id, kept.message_id) == (1, None)
    assert (kept.prompt, kept.last_message, kept.state) == ("review what is new", "all is well", "Completed")
    assert kept.finished_at - kept.started_at == 30_000
    assert [one["text"] for one in json.loads(kept.entries)] == ["let me see", "all is well"]


def test_a_message_has_its_turn_too(agent: LedgerWorld) -> None:
    agent.send("good morning")
    agent.observe(Ended(message(1), outcome(S.FAILED, diagnostic="the model failed", output="hm"), ()))
    (kept,) = agent.turns()
    assert (kept.attempt_id, kept.message_id, kept.prompt) == (None, 1, "good morning")
    assert (kept.state, kept.diagnostic, kept.last_message) == ("Failed", "the model failed", "hm")


def test_an_outcome_that_is_told_again_makes_no_second_turn(agent: LedgerWorld) -> None:
    agent.send()
    agent.ends_message(1)
    assert agent.ends_message(1) == Turn()
    assert len(agent.turns()) == 1


def test_what_a_dead_runtime_left_is_a_turn_that_was_interrupted(agent: LedgerWorld) -> None:
    agent.at("2026-11-02T10:00:00Z")
    agent.restart()
    assert [(kept.attempt_id, kept.state) for kept in agent.turns()] == [(1, "Interrupted")]


def test_a_terminal_has_no_turns(world: LedgerWorld) -> None:
    world.add_terminal()
    world.add_schedule("s1", "0 * * * *")
    world.at("2026-11-02T10:00:00Z")
    world.ends(1)
    world.at("2026-11-02T11:00:00Z")
    world.restart()
    assert world.states() == ["Completed", "Interrupted"]
    assert world.turns("t1") == []


def test_of_a_turn_too_long_to_be_kept_the_end_is(agent: LedgerWorld) -> None:
    agent.send()
    entries = [entry(number, f"{number} " + "x" * 300_000) for number in range(1, 11)]
    agent.observe(Ended(message(1), outcome(S.COMPLETED), entries))
    kept = json.loads(agent.turns()[0].entries)
    assert [one["number"] for one in kept] == [7, 8, 9, 10]
    assert kept[0]["text"] == "7 earlier entries are not kept: together they are too long"


# --- Many Schedules, one agent


@pytest.mark.contract("K59", "K69", "K70", "K71", "K79")
def test_five_schedules_every_minute_with_turns_of_ninety_seconds(world: LedgerWorld) -> None:
    """Decision 1: one is worked on, one waits, the rest are Coalesced and name it; no burst afterwards."""
    world.add_agent()
    for number in range(1, 6):
        world.add_schedule(f"s{number}", "* * * * *", target="a1", payload=f"job {number}")
    busy_until: dict[int, int] = {}
    for _ in range(20 * 60 // 30):
        world.clock.go(30_000)
        for attempt_id, ends_at in list(busy_until.items()):
            if world.clock.now() >= ends_at:
                del busy_until[attempt_id]
                world.ends(attempt_id, code=None)
        world.claim()
        at_work = [row for row in world.rows() if row.state is S.DELIVERING]
        waiting = [row for row in world.rows() if row.state is S.PENDING]
        assert len(at_work) <= 1
        assert len(waiting) <= 1
        for row in at_work:
            busy_until.setdefault(row.id, world.clock.now() + 90_000)
    rows = world.rows()
    assert len(rows) == 20 * 5
    by_id = {row.id: row for row in rows}
    for row in rows:
        if row.state is S.COALESCED:
            assert row.holder_id is not None
            holder = by_id[row.holder_id]
            assert holder.created_at <= row.created_at
            assert holder.state is not S.COALESCED
    assert len(world.offered) == sum(row.state in (S.COMPLETED, S.DELIVERING) for row in rows)
    assert 12 <= len(world.offered) <= 14, "twenty minutes have room for no more turns of ninety seconds"
    # Paused, what waits is handed over once, and then nothing more comes.
    for number in range(1, 6):
        world.pause(f"s{number}")
    for _ in range(10):
        world.clock.go(MINUTE)
        for row in world.rows():
            if row.state is S.DELIVERING:
                world.ends(row.id, code=None)
        world.claim()
    left = len(world.offered)
    assert left <= 15
    assert {str(row.state) for row in world.rows()} == {"Completed", "Coalesced"}


def test_states_of_messages_are_those_of_attempts() -> None:
    """In lower case, and queued for Pending; Missed and Coalesced are for what has a time."""
    words = {str(state).lower() for state in AttemptState} - {"missed", "coalesced", "pending"}
    assert {str(state) for state in MessageState} == words | {"queued"}
