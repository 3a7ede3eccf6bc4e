"""Whatever comes to an agent, in whatever order: one thing at a time, each once, first come, first served."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from ledger_world import LedgerWorld, outcome
from test_ledger_properties import empty_database

from kavor.domain.attempts import AT_WORK, FINAL, AttemptState
from kavor.domain.errors import Refused
from kavor.domain.instant import format_instant
from kavor.domain.messages import AT_WORK as MESSAGES_AT_WORK
from kavor.domain.messages import MessageState
from kavor.domain.schedule import Overlap, Policies
from kavor.runtime.observations import Answered, Asked, Ended, HandedOver, Poke, Seen
from kavor.runtime.turn import Delivery, MessageDelivery, Work
from kavor.sessions.session import HandOver, SessionState, WaitingFor
from kavor.store import conversations
from kavor.store.database import open_store

S = AttemptState

SCHEDULES = {"a": "* * * * *", "b": "*/2 * * * *", "c": "*/3 * * * *"}
SECONDS = st.integers(0, 150)

SELDOM = st.sampled_from([False] * 5 + [True])
"""For what ends everything under way: else little would ever be under way."""


class AgentUnderAnything(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="kv"))
        database = self.folder / "kavor.db"
        database.write_bytes(empty_database())
        store = open_store(database, self.folder, durable=False)
        self.world = LedgerWorld(store, self.folder, "2026-11-02T09:59:30Z")
        self.world.add_agent()
        for name, cron in SCHEDULES.items():
            policies = Policies(overlap=Overlap.REPLACE) if name == "c" else None
            self.world.add_schedule(name, cron, target="a1", policies=policies)
        # What is true of the agent, which the runtime learns only from reports.
        self.open = True
        self.at_work: Work | None = None
        self.asking = False
        self.on_the_way: list[Delivery | MessageDelivery] = []
        self.ended: dict[Work, AttemptState] = {}
        self.declined = False
        """Since the last look or report: then another follows soon."""
        self.taken_up = 0
        self.written: Counter[Work] = Counter()
        self.accepted: list[Work] = []
        """By the runtime, in this order: what it recorded as waiting or at work."""
        self.begun: list[Work] = []
        """By the agent, in this order."""

    def teardown(self) -> None:
        try:
            self._all_comes_to_its_end()
        finally:
            self.world.store.close()
            shutil.rmtree(self.folder)

    def _note(self) -> None:
        """What was accepted and offered since the last look."""
        for row in self.world.rows():
            if row.state not in FINAL and Work.attempt(row.id) not in self.accepted:
                self.accepted.append(Work.attempt(row.id))
        self.on_the_way += self.world.offered[self.taken_up :]
        self.taken_up = len(self.world.offered)

    # --- The runtime

    @rule(seconds=SECONDS)
    def time_goes_by(self, seconds: int) -> None:
        self.world.clock.go(seconds * 1000)
        self.world.claim()
        self._note()

    @rule(seconds=SECONDS)
    def the_clock_is_set_back(self, seconds: int) -> None:
        self.world.clock.set(format_instant(max(0, self.world.clock.now() - seconds * 1000)))  # type: ignore[arg-type]

    @rule()
    def somebody_says_something(self) -> None:
        try:
            self.accepted.append(Work.message(self.world.send()))
        except Refused:
            assert not self.world.targets.state("a1").open
        self._note()

    @rule(data=st.data())
    def a_message_is_withdrawn(self, data: st.DataObject) -> None:
        with self.world.store.reading() as view:
            queued = [row.id for row in conversations.queued(view, "a1")]
        if queued:
            self.world.withdraw_message(data.draw(st.sampled_from(queued)))

    @rule(it_does=SELDOM)
    def the_runtime_dies_and_the_agent_with_it(self, it_does: bool) -> None:
        if not it_does:
            return
        self.on_the_way.clear()
        self.at_work, self.asking, self.open = None, False, False
        self.ended.clear()
        self.world.targets.forget("a1")
        self.world.restart()

    # --- The agent

    @precondition(lambda self: self.on_the_way)
    @rule()
    def a_delivery_arrives(self) -> None:
        delivery = self.on_the_way.pop(0)
        if not self.open:
            self.world.observe(HandedOver(delivery.work, HandOver(accepted=False, closed=True)))
            self.declined = True
        elif self.at_work is not None:
            self.world.observe(
                HandedOver(delivery.work, HandOver(accepted=False, waiting_for=WaitingFor.BUSY))
            )
            self.declined = True
        else:
            self.written[delivery.work] += 1
            self.at_work = delivery.work
            self.begun.append(delivery.work)
            self.world.observe(HandedOver(delivery.work, HandOver(accepted=True)))
        self._note()

    @precondition(lambda self: self.at_work is not None)
    @rule(state=st.sampled_from([S.COMPLETED, S.FAILED, S.INTERRUPTED, S.FIRED]))
    def it_ends_its_turn(self, state: AttemptState) -> None:
        assert self.at_work is not None
        self.ended[self.at_work] = state
        self.at_work, self.asking = None, False

    @precondition(lambda self: self.at_work is not None and not self.asking)
    @rule()
    def it_asks(self) -> None:
        assert self.at_work is not None
        self.asking = True
        self.world.observe(Asked(self.at_work, "may it?"))

    @precondition(lambda self: self.asking)
    @rule()
    def it_is_answered(self) -> None:
        assert self.at_work is not None
        self.asking = False
        self.world.observe(Answered(self.at_work))

    @rule()
    def its_state_is_told(self) -> None:
        self.world.observe(Seen(self._state()))
        self.declined = False
        self._note()

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def an_outcome_is_told(self, data: st.DataObject) -> None:
        work = data.draw(st.sampled_from(sorted(self.ended)))
        self.world.observe(Ended(work, outcome(self.ended.pop(work)), ()))
        self._note()

    @rule(it_does=SELDOM)
    def its_session_closes(self, it_does: bool) -> None:
        if not it_does:
            return
        if self.at_work is not None:
            self.ended[self.at_work] = S.INTERRUPTED
        self.open, self.at_work, self.asking = False, None, False

    @rule()
    def its_session_opens(self) -> None:
        self.open = True

    @rule()
    def somebody_looks_again(self) -> None:
        self.world.observe(Poke("a1"))
        self.declined = False
        self._note()

    def _state(self) -> SessionState:
        waiting = WaitingFor.BUSY if self.at_work is not None else None
        waiting = WaitingFor.ANSWER if self.asking else waiting
        return SessionState("a1", open=self.open, waiting_for=waiting if self.open else None)

    # --- What holds

    @invariant()
    def one_thing_at_a_time(self) -> None:
        attempts = sum(row.state in AT_WORK for row in self.world.rows())
        messages = sum(MessageState(state) in MESSAGES_AT_WORK for state in self.world.messages())
        assert attempts + messages <= 1
        assert sum(row.state is S.PENDING for row in self.world.rows()) <= 1

    @invariant()
    def nothing_is_given_twice(self) -> None:
        assert all(times == 1 for times in self.written.values())

    @invariant()
    def nothing_passes_what_was_accepted_before(self) -> None:
        places = [self.accepted.index(work) for work in self.begun]
        assert places == sorted(places)

    @invariant()
    def nothing_waits_where_nothing_would_move_it(self) -> None:
        """An agent that is free tells of no change, and one that works tells of its end."""
        if self.world.targets.state("a1").ready and not self.declined:
            attempts = {row.state for row in self.world.rows()}
            messages = set(map(MessageState, self.world.messages()))
            is_at_work = attempts & AT_WORK or messages & MESSAGES_AT_WORK
            assert is_at_work or (S.PENDING not in attempts and MessageState.QUEUED not in messages)

    def _all_comes_to_its_end(self) -> None:
        """With an agent that does its work, nothing is left waiting."""
        for name in SCHEDULES:
            self.world.pause(name)
        self.open = True
        for _ in range(10_000):
            self.its_state_is_told()
            if self.on_the_way:
                self.a_delivery_arrives()
            elif self.at_work is not None:
                self.it_ends_its_turn(S.COMPLETED)
            elif self.ended:
                work = min(self.ended)
                self.world.observe(Ended(work, outcome(self.ended.pop(work)), ()))
                self._note()
            else:
                break
        self.one_thing_at_a_time()
        self.nothing_is_given_twice()
        self.nothing_passes_what_was_accepted_before()
        assert {row.state for row in self.world.rows()} <= FINAL
        assert not set(self.world.messages()) & {"queued", "delivering", "needs attention"}


@pytest.mark.contract("K50", "K+6", "K77")
class TestAgentUnderAnything(AgentUnderAnything.TestCase):  # type: ignore[misc, name-defined]
    settings = settings(
        max_examples=40,
        stateful_step_count=40,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
