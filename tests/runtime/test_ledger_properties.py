"""Whatever happens, in whatever order: nothing is delivered twice, and every instant is explained."""

from __future__ import annotations

import shutil
import tempfile
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from ledger_world import MINUTE, LedgerWorld, outcome

from kavor.domain.attempts import AT_WORK, FINAL, AttemptState, Trigger
from kavor.domain.errors import Refused
from kavor.domain.instant import Instant
from kavor.domain.schedule import Catchup, Overlap, Policies
from kavor.runtime.observations import Ended, HandedOver, Poke, Seen
from kavor.runtime.turn import Delivery, Work
from kavor.sessions.session import HandOver, SessionState, WaitingFor
from kavor.store.database import open_store
from kavor.store.ledger import AttemptRow

S = AttemptState

TARGETS = ("t1", "t2")
EVERY = {"a": 1, "b": 2, "c": 5, "d": 3, "e": 2}
"""Minutes between the occurrences of each Schedule; in UTC they fall on the multiples since the epoch."""

AIMS = {"a": "t1", "b": "t1", "c": "t2", "d": None, "e": "t2"}
POLICIES = {
    "b": Policies(overlap=Overlap.REPLACE),
    "c": Policies(catchup=Catchup.LATEST, pending_limit_ms=3 * MINUTE),
    "e": Policies(overlap=Overlap.REPLACE, misfire_grace_ms=10 * MINUTE, pending_limit_ms=MINUTE),
}

schedules = st.sampled_from(sorted(EVERY))
targets = st.sampled_from(TARGETS)


@cache
def empty_database() -> bytes:
    """A migrated one; migrating anew for each example would be most of the time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kavor.db")
        open_store(path, Path(folder, "backups")).close()
        return path.read_bytes()


@dataclass
class Shell:
    """What a target truly does, which the runtime learns only from reports."""

    open: bool = True
    typing: bool = False
    at_work: int | None = None

    def state(self, target: str) -> SessionState:
        waiting = WaitingFor.UNFINISHED_INPUT if self.typing else None
        waiting = WaitingFor.BUSY if self.at_work is not None else waiting
        return SessionState(target, open=self.open, waiting_for=waiting if self.open else None)


class LedgerUnderAnything(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="kv"))
        database = self.folder / "kavor.db"
        database.write_bytes(empty_database())
        self.world = LedgerWorld(
            open_store(database, self.folder, durable=False), self.folder, "2026-11-02T09:59:30Z"
        )
        self.shells = {target: Shell() for target in TARGETS}
        for target in TARGETS:
            self.world.add_terminal(target)
        for name, minutes in EVERY.items():
            self.world.add_schedule(
                name,
                f"*/{minutes} * * * *" if minutes > 1 else "* * * * *",
                target=AIMS[name],
                policies=POLICIES.get(name),
            )
        self.running_since: dict[str, Instant] = dict.fromkeys(EVERY, self.world.clock.now())
        self.passed: dict[str, list[int]] = {name: [] for name in EVERY}
        self.on_the_way: list[Delivery] = []
        self.taken_up = 0
        self.declined: Counter[int] = Counter()
        self.written: Counter[int] = Counter()
        self.outcomes: dict[int, AttemptState] = {}
        self.over: dict[int, AttemptRow] = {}

    def teardown(self) -> None:
        try:
            self._nothing_is_stuck()
        finally:
            self.world.store.close()
            shutil.rmtree(self.folder)

    # --- The runtime

    def _turn(self) -> None:
        """What the runtime does before each of its operations, and what it asked for on the way."""
        now = self.world.clock.now()
        for name, since in self.running_since.items():
            step = EVERY[name] * MINUTE
            self.passed[name] += range((since // step + 1) * step, now + 1, step)
            self.running_since[name] = now
        self.world.claim()
        self.world.expire()
        self._collect()

    def _collect(self) -> None:
        self.on_the_way += self.world.offered[self.taken_up :]
        self.taken_up = len(self.world.offered)

    @rule(seconds=st.integers(0, 150))
    def time_goes_by(self, seconds: int) -> None:
        self.world.clock.go(seconds * 1000)
        self._turn()

    @rule()
    def the_next_instant_is_near(self) -> None:
        self.world.dispatcher.look_ahead()

    @rule(minutes=st.integers(1, 3000))
    def nothing_runs_for_a_while(self, minutes: int) -> None:
        self.world.clock.go(minutes * MINUTE + 500)
        self._turn()

    @precondition(lambda self: self.on_the_way)
    @rule()
    def a_delivery_arrives(self) -> None:
        delivery = self.on_the_way.pop(0)
        answer = self._deliver(delivery)
        self.world.observe(HandedOver(delivery.work, answer))
        if not answer.accepted and not answer.closed:
            self.world.observe(Poke(delivery.target_id))
        self._collect()

    def _deliver(self, delivery: Delivery) -> HandOver:
        shell = self.shells[delivery.target_id]
        if self.written[delivery.work.id]:
            return HandOver(accepted=True)
        if not shell.open:
            self.declined[delivery.work.id] += 1
            return HandOver(accepted=False, closed=True)
        if shell.typing or shell.at_work is not None:
            self.declined[delivery.work.id] += 1
            return HandOver(accepted=False, waiting_for=WaitingFor.BUSY)
        self.written[delivery.work.id] += 1
        shell.at_work = delivery.work.id
        return HandOver(accepted=True)

    @rule(reaches=st.booleans())
    def the_runtime_dies_and_starts_again(self, reaches: bool) -> None:
        """What was on its way may have reached its shell just before, unseen."""
        lost, self.on_the_way = self.on_the_way, []
        for delivery in lost:
            if reaches:
                self._deliver(delivery)
        spoken_for = [n for n, count in self.written.items() if count]
        self.world.restart(spoken_for)
        for target in TARGETS:
            self.world.targets.update(self.shells[target].state(target))
        for attempt_id, state in self.outcomes.items():
            self.world.observe(Ended(Work.attempt(attempt_id), outcome(state)))
        self._turn()

    # --- The targets

    @rule(where=targets, told=st.booleans())
    def a_person_types(self, where: str, told: bool) -> None:
        self.shells[where].typing = True
        if told:
            self._report(where)

    @rule(where=targets)
    def a_person_begins_to_type_as_it_fires(self, where: str) -> None:
        self.shells[where].typing = True
        self.time_goes_by(60)
        for _ in range(len(self.on_the_way)):
            self.a_delivery_arrives()

    @rule(where=targets)
    def a_person_clears_the_line(self, where: str) -> None:
        self.shells[where].typing = False
        self._report(where)

    @rule(where=targets, state=st.sampled_from([S.COMPLETED, S.FAILED]), told=st.booleans())
    def the_work_ends(self, where: str, state: AttemptState, told: bool) -> None:
        shell = self.shells[where]
        if shell.at_work is None:
            return
        attempt_id, shell.at_work = shell.at_work, None
        self.outcomes[attempt_id] = state
        if told:
            self.world.observe(Ended(Work.attempt(attempt_id), outcome(state)))
        self._report(where)

    @precondition(lambda self: self.outcomes)
    @rule(data=st.data())
    def an_outcome_is_told_again(self, data: st.DataObject) -> None:
        attempt_id = data.draw(st.sampled_from(sorted(self.outcomes)))
        self.world.observe(Ended(Work.attempt(attempt_id), outcome(self.outcomes[attempt_id])))
        self._collect()

    @rule(where=targets)
    def a_session_closes(self, where: str) -> None:
        shell = self.shells[where]
        if shell.at_work is not None:
            self.outcomes[shell.at_work] = S.INTERRUPTED
            self.world.observe(Ended(Work.attempt(shell.at_work), outcome(S.INTERRUPTED)))
        self.shells[where] = Shell(open=False)
        self._report(where)

    @rule(where=targets)
    def a_session_opens(self, where: str) -> None:
        self.shells[where].open = True
        self._report(where)

    def _report(self, target: str) -> None:
        self.world.observe(Seen(self.shells[target].state(target)))
        self._collect()

    # --- The person

    @rule(name=schedules)
    def pause(self, name: str) -> None:
        self._turn()
        self.world.pause(name)
        self.running_since.pop(name, None)

    @rule(name=schedules)
    def resume(self, name: str) -> None:
        self._turn()
        if name not in self.running_since:
            self.world.resume(name)
            self.running_since[name] = self.world.clock.now()

    @rule(name=schedules.filter(lambda name: AIMS[name] is not None))
    def run_now(self, name: str) -> None:
        self._turn()
        waiting = [row for row in self.world.rows() if row.state is S.PENDING and row.target_id == AIMS[name]]
        try:
            self.world.run_now(name)
        except Refused:
            assert waiting
        else:
            assert not waiting
        self._collect()

    @rule()
    def withdraw_what_waits(self) -> None:
        self._turn()
        for row in self.world.rows():
            if row.state is S.PENDING:
                self.world.withdraw(row.id)

    # --- What must hold

    @invariant()
    def nothing_is_offered_twice_unless_it_was_declined(self) -> None:
        offers = Counter(delivery.work.id for delivery in self.world.offered)
        for attempt_id, count in offers.items():
            assert count <= 1 + self.declined[attempt_id]
            assert self.written[attempt_id] <= 1

    @invariant()
    def one_is_at_work_and_one_waits_at_most(self) -> None:
        rows = self.world.rows()
        assert max(Counter(row.target_id for row in rows if row.state is S.PENDING).values(), default=0) <= 1
        assert max(Counter(row.target_id for row in rows if row.state in AT_WORK).values(), default=0) <= 1

    @invariant()
    def what_was_written_is_on_record_as_delivered(self) -> None:
        for row in self.world.rows():
            if self.written[row.id]:
                assert row.state in AT_WORK | {S.COMPLETED, S.FAILED, S.INTERRUPTED}, row

    @invariant()
    def what_is_over_stays_as_it_is(self) -> None:
        for row in self.world.rows():
            assert self.over.get(row.id, row) == row
            if row.state in FINAL:
                self.over[row.id] = row

    @invariant()
    def every_instant_that_passed_while_running_is_explained_once(self) -> None:
        for name, passed in self.passed.items():
            explained: list[int] = []
            for row in self.world.rows(name):
                if row.trigger is Trigger.SCHEDULED:
                    assert row.nominal_at in passed, row
                    end = bisect_right(passed, row.nominal_at)
                    explained += passed[end - (row.missed_count or 1) : end]
            assert sorted(explained) == passed, name

    def _nothing_is_stuck(self) -> None:
        """Left in peace, every attempt comes to its end."""
        for name in EVERY:
            self.pause(name)
        for target in TARGETS:
            self.a_session_opens(target)
            self.a_person_clears_the_line(target)
        for _ in range(6):
            while self.on_the_way:
                self.a_delivery_arrives()
            for attempt_id, state in list(self.outcomes.items()):
                self.world.observe(Ended(Work.attempt(attempt_id), outcome(state)))
            for target in TARGETS:
                self.the_work_ends(target, S.COMPLETED, True)
        assert {row.state for row in self.world.rows()} <= FINAL


@pytest.mark.contract("K63", "K69", "K71", "K77", "K79")
class TestLedgerUnderAnything(LedgerUnderAnything.TestCase):  # type: ignore[misc, name-defined]
    settings = settings(
        max_examples=30,
        stateful_step_count=40,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
