"""Between the ledger and the sessions: starting, delivering, recording, and losing what holds the shells."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, StorageFailed
from kavor.runtime import recorder
from kavor.runtime.arbiter import Arbiter
from kavor.runtime.dispatcher import Dispatcher
from kavor.runtime.observations import Ended, Observation
from kavor.runtime.turn import Turn, Work
from kavor.sessions.session import (
    HandOver,
    Outcome,
    Question,
    SessionsLost,
    SessionSpec,
    SessionState,
    WaitingFor,
)
from kavor.store import workspaces

S = AttemptState


def may_it(key: str) -> tuple[str, Question]:
    return key, Question("question-1", key, "may it?")


async def delivered(scripted: ScriptedRuntime) -> None:
    """Ten o'clock: the hourly Schedule's command reaches the shell, which is busy with it."""
    await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.eventually(session_is(scripted, WaitingFor.BUSY), True)


def session_is(scripted: ScriptedRuntime, waiting_for: WaitingFor | None) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        (session,) = await scripted.services.sessions.listing(None)
        return session["open"] and session["waiting_for"] == waiting_for

    return ask


# --- One delivery


@pytest.mark.contract("K10", "K49", "K52", "K61")
async def test_from_the_clock_to_the_ledger(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    ((_, key, text),) = scripted.sessions.delivered
    assert text == "make check"
    assert await scripted.states() == ["Delivering"]
    ended = scripted.sessions.end_latest(output="all good\n")
    await scripted.eventually(scripted.states, ["Completed"])
    (attempt,) = await scripted.attempts()
    whole = await scripted.services.attempts.get(attempt["id"])
    assert whole["nominal_at"] == "2026-11-02T10:00:00Z"
    assert whole["exit_code"] == 0
    assert whole["evidence"] == {
        "output": "all good\n",
        "truncated": False,
        "duration_ms": 250,
        "tool_calls": [],
    }
    await scripted.eventually(acknowledged(scripted), [ended.key])
    assert ended.key == key


def acknowledged(scripted: ScriptedRuntime) -> Callable[[], Awaitable[list[str]]]:
    async def ask() -> list[str]:
        return scripted.sessions.acknowledged

    return ask


async def test_keys_name_the_ledger_and_the_attempt(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    identity = await scripted.runtime.read(lambda view: workspaces.fact(view, "ledger-id"))
    assert scripted.sessions.delivered[0][1] == f"{identity}-1"


async def test_an_outcome_of_another_ledger_is_let_go(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    scripted.sessions.listener.outcome_observed(Outcome("0123456789abcdef-1", S.FAILED, exit_code=1))
    await scripted.eventually(acknowledged(scripted), ["0123456789abcdef-1"])
    assert await scripted.states() == ["Delivering"]


@pytest.mark.contract("K53")
async def test_a_question_of_the_target_is_shown_until_it_is_answered(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    scripted.sessions.listener.attention_needed(*may_it(scripted.sessions.delivered[0][1]))
    await scripted.eventually(scripted.states, ["Needs attention"])
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed"])


@pytest.mark.contract("K+7")
async def test_a_declined_delivery_is_offered_again_when_the_line_is_free(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    session = next(iter(scripted.sessions.living))
    scripted.sessions.becomes(session, WaitingFor.UNFINISHED_INPUT)
    await scripted.eventually(session_is(scripted, WaitingFor.UNFINISHED_INPUT), True)
    await scripted.at("2026-11-02T10:00:00Z")
    (attempt,) = await scripted.attempts()
    assert (attempt["state"], attempt["waiting_for"]) == ("Pending", "unfinished input")
    scripted.sessions.becomes(session)
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.eventually(scripted.states, ["Delivering"])


async def test_a_target_that_only_seemed_ready_is_asked_again_soon(scripted: ScriptedRuntime) -> None:
    """Declined without a change of state to follow: nobody would ever ask again."""
    await scripted.world()
    for _ in range(2):
        scripted.sessions.answers.append(HandOver(accepted=False, waiting_for=WaitingFor.BUSY))
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    assert len(scripted.sessions.declined) == 2
    await scripted.eventually(scripted.states, ["Delivering"])


@pytest.mark.contract("K74")
async def test_a_session_that_has_gone_unseen_blocks(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    scripted.sessions.answers.append(HandOver(accepted=False, closed=True))
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.states, ["Blocked"])


@pytest.mark.contract("K55")
async def test_a_delivery_that_is_refused_has_failed_and_says_why(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    scripted.sessions.answers.append(BadInput("the payload is too long for this shell"))
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.states, ["Failed"])
    (attempt,) = await scripted.attempts()
    assert attempt["diagnostic"] == "the payload is too long for this shell"


# --- A runtime that starts again


@pytest.mark.contract("K77")
async def test_an_outcome_that_came_while_no_runtime_was_there(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    key = scripted.sessions.delivered[0][1]
    await scripted.kill()
    scripted.sessions.told_at_start = [Outcome(key, S.FAILED, exit_code=3)]
    await scripted.start()
    await scripted.eventually(scripted.states, ["Failed"])
    assert (await scripted.attempts())[0]["exit_code"] == 3
    await scripted.eventually(acknowledged(scripted), [key])
    assert scripted.sessions.delivered == []


@pytest.mark.contract("K77")
async def test_a_command_that_still_runs_is_waited_for(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    session, key, _ = scripted.sessions.delivered[0]
    await scripted.kill()
    await scripted.start()
    assert await scripted.states() == ["Delivering"]
    scripted.sessions.listener.outcome_observed(Outcome(key, S.COMPLETED, exit_code=0))
    scripted.sessions.becomes(session)
    await scripted.eventually(scripted.states, ["Completed"])
    assert scripted.sessions.delivered == []


@pytest.mark.contract("K56", "K68", "K77")
async def test_what_nobody_observed_is_interrupted_and_names_what_lives_on(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    session = scripted.sessions.delivered[0][0]
    await scripted.kill()
    scripted.sessions.accepted = {}
    scripted.sessions.living = {}
    scripted.sessions.surviving = {session: [(4712, "sleep 20"), (4713, "nohup backup")]}
    await scripted.start()
    (attempt,) = await scripted.attempts()
    assert attempt["state"] == "Interrupted"
    assert attempt["diagnostic"].endswith("still running: sleep 20 (pid 4712), nohup backup (pid 4713)")
    assert scripted.sessions.delivered == []


@pytest.mark.contract("K56", "K68", "K77")
async def test_a_shell_that_lives_on_is_no_survivor_of_what_it_never_took(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    session = scripted.sessions.delivered[0][0]
    await scripted.kill()
    scripted.sessions.accepted = {}
    scripted.sessions.surviving = {session: [(4711, "bash")]}
    await scripted.start()
    (attempt,) = await scripted.attempts()
    assert attempt["state"] == "Interrupted"
    assert "bash" not in attempt["diagnostic"]
    assert scripted.sessions.delivered == []


async def test_what_needed_attention_is_interrupted(scripted: ScriptedRuntime) -> None:
    """Decision 15."""
    await delivered(scripted)
    scripted.sessions.listener.attention_needed(*may_it(scripted.sessions.delivered[0][1]))
    await scripted.eventually(scripted.states, ["Needs attention"])
    await scripted.kill()
    await scripted.start()
    assert await scripted.states() == ["Interrupted"]


@pytest.mark.contract("K65", "K79")
async def test_what_waited_is_blocked_and_never_delivered(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    await scripted.at("2026-11-02T11:00:00Z")
    assert await scripted.states() == ["Delivering", "Pending"]
    await scripted.kill()
    await scripted.start()
    assert await scripted.states() == ["Delivering", "Blocked"]
    assert (await scripted.attempts())[1]["diagnostic"] == "runtime stopped"
    session = next(iter(scripted.sessions.living))
    scripted.sessions.becomes(session)
    await scripted.ring()
    assert scripted.sessions.delivered == []


async def test_what_waited_holds_no_slot_for_what_is_due_at_the_start(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    await scripted.at("2026-11-02T11:00:00Z")
    await scripted.kill()
    scripted.clock.go_to("2026-11-02T12:00:10Z")
    await scripted.start()
    await scripted.eventually(scripted.states, ["Delivering", "Blocked", "Pending"])


@pytest.mark.contract("K58", "K65")
async def test_after_a_long_absence_one_row_and_no_old_work(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    await scripted.kill()
    scripted.clock.go_to("2026-11-05T10:12:00Z")
    await scripted.start()
    await scripted.eventually(scripted.states, ["Missed"])
    (attempt,) = await scripted.attempts()
    assert attempt["missed_count"] == 73
    assert attempt["actions"] == ["Run now", "Dismiss"]
    assert scripted.sessions.delivered == []


async def test_a_process_that_holds_no_sessions_any_more_is_no_reason_not_to_start(
    scripted: ScriptedRuntime,
) -> None:
    await delivered(scripted)
    await scripted.kill()
    scripted.sessions.lost = True
    await scripted.start()
    assert await scripted.states() == ["Interrupted"]


async def test_an_orderly_stop_blocks_what_waits_and_leaves_what_works(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    await scripted.at("2026-11-02T11:00:00Z")
    await scripted.stop()
    assert scripted.sessions.ended_on_stop is False
    await scripted.start()
    assert await scripted.states() == ["Delivering", "Blocked"]


@pytest.mark.contract("K+1", "K74")
async def test_the_sessions_of_running_schedules_are_opened_again(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    wanted = await scripted.terminal("wanted")
    closed = await scripted.terminal("closed on purpose")
    await scripted.terminal("of a paused one")
    await scripted.terminal("of nobody")
    await scripted.schedule("one", target="wanted")
    await scripted.schedule("two", target="closed on purpose")
    await scripted.schedule("three", target="of a paused one", resume=False)
    await scripted.services.sessions.close(closed)
    await scripted.kill()
    scripted.sessions.living = {}
    await scripted.start()
    assert [spec.id for spec in scripted.sessions.opened] == [wanted]


@pytest.mark.contract("K+1")
async def test_what_is_due_at_the_start_finds_its_session_opened_again(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    await scripted.kill()
    scripted.sessions.living = {}
    scripted.clock.go_to("2026-11-02T10:00:20Z")
    await scripted.start()
    await scripted.eventually(scripted.deliveries, 1)
    assert await scripted.states() == ["Delivering"]


async def test_a_session_that_cannot_be_opened_again_stops_no_start(
    scripted: ScriptedRuntime,
) -> None:
    await scripted.world()
    await scripted.kill()
    scripted.sessions.living = {}
    scripted.sessions.refuses_to_open = BadInput("its directory is gone")
    await scripted.start()
    await scripted.at("2026-11-02T10:00:00Z")
    assert await scripted.states() == ["Blocked"]


async def test_a_state_that_overtakes_the_answer_to_open_is_the_newer_one(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both may lie in one packet: the prompt appeared as soon as the shell had started."""
    await scripted.workspace()
    open_session = scripted.sessions.open

    async def slow_answer(spec: SessionSpec) -> SessionState:
        answer = replace(await open_session(spec), waiting_for=WaitingFor.STARTING)
        scripted.sessions.becomes(spec.id)
        return answer

    monkeypatch.setattr(scripted.sessions, "open", slow_answer)
    await scripted.terminal()
    await scripted.schedule()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)


# --- The holder of the shells dies


@pytest.mark.contract("K56")
async def test_when_the_holder_dies_what_worked_is_interrupted_and_what_waited_blocked(
    scripted: ScriptedRuntime,
) -> None:
    await delivered(scripted)
    session = scripted.sessions.delivered[0][0]
    await scripted.at("2026-11-02T11:00:00Z")
    scripted.sessions.surviving = {session: [(4712, "sleep 20")]}
    scripted.sessions.all_lost()
    await scripted.eventually(scripted.states, ["Interrupted", "Blocked"])
    first, second = await scripted.attempts()
    assert "still running: sleep 20 (pid 4712)" in first["diagnostic"]
    assert second["diagnostic"] == "its session is gone"
    await scripted.eventually(opened(scripted), [session, session])


def opened(scripted: ScriptedRuntime) -> Callable[[], Awaitable[list[str]]]:
    async def ask() -> list[str]:
        return [spec.id for spec in scripted.sessions.opened]

    return ask


async def test_an_outcome_that_came_before_the_holder_died_is_kept(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    key = scripted.sessions.delivered[0][1]
    scripted.sessions.listener.outcome_observed(Outcome(key, S.FAILED, exit_code=3))
    scripted.sessions.all_lost()
    await scripted.eventually(scripted.states, ["Failed"])
    assert (await scripted.attempts())[0]["exit_code"] == 3


async def test_an_outcome_that_could_not_be_recorded_yet_survives_the_holder(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await delivered(scripted)
    monkeypatch.setattr(recorder, "RECORD_AGAIN_SECONDS", 0.2)
    failures = fail_to_observe(monkeypatch, times=1)
    key = scripted.sessions.delivered[0][1]
    scripted.sessions.listener.outcome_observed(Outcome(key, S.FAILED, exit_code=3))
    await scripted.eventually(count(failures), 1)
    scripted.sessions.all_lost()
    await scripted.eventually(scripted.states, ["Failed"])


async def test_a_delivery_that_finds_the_holder_dead_is_interrupted_with_the_rest(
    scripted: ScriptedRuntime,
) -> None:
    await scripted.world()
    await scripted.terminal("other")
    await scripted.schedule("second", target="other", cron="0 12 * * *")  # 11:00Z
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.answers.append(SessionsLost())
    await scripted.at("2026-11-02T11:00:00Z")
    scripted.sessions.all_lost()
    await scripted.eventually(states_of(scripted, "second"), ["Interrupted"])


@pytest.mark.contract("K57")
async def test_what_is_due_while_the_loss_is_looked_into_finds_its_session_closed(
    scripted: ScriptedRuntime,
) -> None:
    await scripted.world()
    sessions = scripted.sessions
    looking = asyncio.Event()
    go_on = asyncio.Event()
    first_survivors = sessions.survivors

    async def survivors(session_id: str) -> Sequence[tuple[int, str]]:
        looking.set()
        await go_on.wait()
        return await first_survivors(session_id)

    await scripted.terminal("other")
    await scripted.schedule("second", target="other", cron="0 12 * * *")  # 11:00Z
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    sessions.survivors = survivors
    sessions.all_lost()
    await asyncio.wait_for(looking.wait(), 10)
    await scripted.at("2026-11-02T11:00:00Z")
    assert await states_of(scripted, "second")() == ["Blocked"]
    go_on.set()
    await scripted.eventually(states_of(scripted, "check"), ["Blocked", "Interrupted"])


def states_of(scripted: ScriptedRuntime, schedule: str) -> Callable[[], Awaitable[list[str]]]:
    async def ask() -> list[str]:
        return [attempt["state"] for attempt in await scripted.services.attempts.listing(schedule=schedule)]

    return ask


# --- Recording


def fail_to_observe(monkeypatch: pytest.MonkeyPatch, times: int) -> list[StorageFailed]:
    """The disk is full for the next so many groups of observations."""
    failures: list[StorageFailed] = []
    observe = Arbiter.observe

    def failing(self: Arbiter, observations: Iterable[Observation]) -> Turn:
        if len(failures) < times:
            failures.append(StorageFailed("the disk is full", "free some space"))
            raise failures[-1]
        return observe(self, observations)

    monkeypatch.setattr(Arbiter, "observe", failing)
    return failures


def count(things: list[StorageFailed]) -> Callable[[], Awaitable[int]]:
    async def ask() -> int:
        return len(things)

    return ask


async def test_an_outcome_that_cannot_be_recorded_is_tried_again_and_only_then_acknowledged(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await delivered(scripted)
    monkeypatch.setattr(recorder, "RECORD_AGAIN_SECONDS", 0.02)
    failures = fail_to_observe(monkeypatch, times=3)
    ended = scripted.sessions.end_latest()
    await scripted.eventually(count(failures), 3)
    assert scripted.sessions.acknowledged == []
    await scripted.eventually(scripted.states, ["Completed"])
    await scripted.eventually(acknowledged(scripted), [ended.key])


async def test_an_observation_that_makes_no_sense_holds_up_no_other(
    scripted: ScriptedRuntime, caplog: pytest.LogCaptureFixture
) -> None:
    await delivered(scripted)
    key = scripted.sessions.delivered[0][1]
    nonsense = Outcome(key, S.MISSED)
    with caplog.at_level(logging.ERROR):
        scripted.runtime.supervisor._recorder._observed += [Ended(Work.attempt(1), nonsense)]
        scripted.sessions.end_latest()
        await scripted.eventually(scripted.states, ["Completed"])
    assert "an observation could not be recorded" in caplog.text
    assert "Missed" in caplog.text


async def test_a_delivery_is_on_record_before_its_shell_hears_of_it(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.world()
    seen: list[list[str]] = []
    deliver = scripted.sessions.deliver

    async def watch(session_id: str, key: str, text: str) -> HandOver:
        seen.append(await scripted.states())
        return await deliver(session_id, key, text)

    monkeypatch.setattr(scripted.sessions, "deliver", watch)
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    assert seen == [["Delivering"]]


# --- Nothing is lost between two turns


async def test_a_turn_that_nobody_waits_for_any_more_is_handed_over_all_the_same(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.world()
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    begun, given_up = threading.Event(), threading.Event()
    claim = Dispatcher.claim_due

    def slow(self: Dispatcher) -> Turn:
        begun.set()
        given_up.wait(10)
        return claim(self)

    monkeypatch.setattr(Dispatcher, "claim_due", slow)
    asking = asyncio.create_task(scripted.ring())
    await asyncio.to_thread(begun.wait, 10)
    asking.cancel()
    await asyncio.sleep(0)
    given_up.set()
    await scripted.eventually(scripted.deliveries, 1)


@pytest.mark.contract("K56", "K57")
@pytest.mark.parametrize(
    ("accepted", "states"), [(True, ["Delivering"]), (False, ["Blocked"])], ids=["accepted", "declined"]
)
async def test_a_stop_waits_for_the_answer_to_a_delivery(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch, accepted: bool, states: list[str]
) -> None:
    """So that the next runtime finds on record what became of it, not a delivery nobody knows of."""
    await scripted.world()
    deliver = scripted.sessions.deliver
    asked = asyncio.Event()

    async def slow(session_id: str, key: str, text: str) -> HandOver:
        asked.set()
        await asyncio.sleep(0.05)
        if not accepted:
            scripted.sessions.becomes(session_id, WaitingFor.UNFINISHED_INPUT)
        return await deliver(session_id, key, text)

    monkeypatch.setattr(scripted.sessions, "deliver", slow)
    await scripted.at("2026-11-02T10:00:00Z")
    await asked.wait()
    await scripted.stop()
    await scripted.start()
    assert await scripted.states() == states


async def test_what_comes_due_while_it_stops_is_left_to_the_next_runtime(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    await scripted.stop()
    assert scripted.sessions.delivered == []
    await scripted.start()
    await scripted.eventually(scripted.deliveries, 1)


@pytest.mark.contract("K+1")
async def test_nothing_is_claimed_before_every_session_is_opened_again(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.workspace()
    await scripted.terminal("first")
    await scripted.terminal("second")
    await scripted.schedule("one", target="first", cron="30 * * * *")
    await scripted.schedule("two", target="second")
    await scripted.kill()
    scripted.sessions.living = {}
    scripted.clock.go_to("2026-11-02T10:00:20Z")
    open_session = scripted.sessions.open

    async def slow(spec: SessionSpec) -> SessionState:
        await asyncio.sleep(0.05)
        return await open_session(spec)

    monkeypatch.setattr(scripted.sessions, "open", slow)
    await scripted.start()
    await scripted.eventually(scripted.states, ["Delivering"])


async def test_a_session_that_is_ready_before_its_opening_is_kept_stays_ready(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wish to have it open is written after its prompt was seen."""
    await scripted.world()
    terminal = next(iter(scripted.sessions.living))
    await scripted.services.sessions.close(terminal)
    open_session = scripted.runtime.supervisor.open

    async def starting(node_id: str) -> SessionState:
        await open_session(node_id)
        return SessionState(node_id, open=True, waiting_for=WaitingFor.STARTING)

    monkeypatch.setattr(scripted.runtime.supervisor, "open", starting)
    await scripted.services.sessions.open(terminal)
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)


@pytest.mark.contract("K+14")
async def test_a_full_disk_as_the_holder_dies_leaves_no_attempt_hanging(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await delivered(scripted)
    monkeypatch.setattr(recorder, "RECORD_AGAIN_SECONDS", 0.01)
    interrupt = Arbiter.interrupt
    failures = 0

    def failing(self: Arbiter, *given: object) -> None:
        nonlocal failures
        failures += 1
        if failures <= 2:
            raise StorageFailed("the disk is full")
        interrupt(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Arbiter, "interrupt", failing)
    scripted.sessions.all_lost()
    await scripted.eventually(scripted.states, ["Interrupted"])
