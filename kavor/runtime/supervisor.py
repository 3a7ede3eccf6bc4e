"""Between the ledger and the live sessions: deliveries go out, observations come back in order.

What sessions report is queued and recorded in groups. A report that could not be recorded is kept and
tried again; the sessions remember an outcome until it is acknowledged, so none is lost on the way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from sqlalchemy.engine import Connection

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError, StorageFailed
from kavor.domain.schedule import ScheduleState
from kavor.runtime.arbiter import (
    RUNTIME_STOPPED,
    Arbiter,
    Asked,
    Ended,
    HandedOver,
    Observation,
    Poke,
    Seen,
)
from kavor.runtime.clock import Clock
from kavor.runtime.environment import session_spec
from kavor.runtime.events import Change
from kavor.runtime.failpoints import reach
from kavor.runtime.planning import replan_after_set_back, replan_for_zone_data
from kavor.runtime.targets import TargetBoard
from kavor.runtime.turn import Delivery, Turn
from kavor.sessions.session import Outcome, Question, Sessions, SessionsLost, SessionSpec, SessionState
from kavor.store import ledger, schedules, workspaces
from kavor.store.ledger import AttemptRow

log = logging.getLogger(__name__)

T = TypeVar("T")

OFFER_AGAIN_SECONDS = 0.05
RECORD_AGAIN_SECONDS = 2.0

MOST_IN_A_GROUP = 1_000
"""Observations recorded in one transaction: what is due meanwhile waits no longer than that takes."""

REST_SECONDS = 2.0
"""How long a stop waits for deliveries that are on their way, and then for the ledger."""

LEDGER_ID = "ledger-id"

UNOBSERVED = "the runtime stopped during the delivery, and nobody observed its end"
HOLDER_DIED = "the process that held the shell died during the delivery"


class Turns(Protocol):
    """What the supervisor needs of the runtime it serves: the store, one turn after the other."""

    clock: Clock
    targets: TargetBoard
    arbiter: Arbiter

    async def read(self, question: Callable[[Connection], T]) -> T: ...

    async def change(self, operation: Callable[[Turn, Connection], T], *, claim: bool = True) -> T: ...

    async def perform(self, operation: Callable[[Turn], T], *, claim: bool = True) -> T: ...


class Supervisor:
    """Belongs to the event loop. Implements the sessions' Listener."""

    def __init__(self, runtime: Turns, sessions: Sessions) -> None:
        self._runtime = runtime
        self.sessions = sessions
        self._key_prefix = ""
        self._observed: list[Observation] = []
        self._something_observed = asyncio.Event()
        self._heard: dict[str, SessionState] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._recorder: asyncio.Task[None] | None = None
        self._resting = False

    # --- Start and stop

    async def take_up(self) -> None:
        """Learn what happened while no runtime was there, and end what nobody can speak for (decision 15)."""
        reach("take-up:before")
        self._key_prefix = await self._runtime.read(_ledger_id) + "-"
        living = await self.sessions.start(self)
        reach("take-up:connected")
        at_work = await self._runtime.read(ledger.at_work)
        try:
            known = await self.sessions.known([self._key(row.id) for row in at_work])
        except SessionsLost:
            known = {}
        reach("take-up:known")
        lost = [row for row in at_work if not self._is_still_observed(row, known)]
        # The shell of a session that lives on is no survivor of it.
        alive = {state.id for state in living if state.open}
        diagnostics = {
            row.id: UNOBSERVED if row.target_id in alive else await self._with_survivors(row, UNOBSERVED)
            for row in lost
        }

        def settle(turn: Turn, tx: Connection) -> None:
            now = self._runtime.clock.now()
            replan_for_zone_data(tx, now)
            if (ledger.newest_record(tx) or now) > now:
                replan_after_set_back(tx, now, turn)
            for state in living:
                self._runtime.targets.update(state)
            self._runtime.arbiter.block_waiting(tx, None, RUNTIME_STOPPED, turn)
            for row in lost:
                self._runtime.arbiter.interrupt(tx, row, diagnostics[row.id], turn)
            reach("take-up:uncommitted")

        # Without a claim first: what waits from before must not hold a slot when new instants arrive.
        await self._runtime.change(settle, claim=False)
        reach("take-up:settled")
        await self._restore()
        # Not sooner: it claims, and what is due finds every session opened again.
        self._recorder = asyncio.create_task(self._record_observations(), name="recorder")
        reach("take-up:restored")

    async def come_to_rest(self) -> None:
        """Let what is on its way be answered and what was observed be recorded, then record no more.

        Takes no longer than twice REST_SECONDS; what is not on record by then, the sessions know.
        """
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=REST_SECONDS)
        self._resting = True
        self._something_observed.set()
        if self._recorder is not None:
            await asyncio.wait([self._recorder], timeout=REST_SECONDS)

    async def stop(self, *, end_sessions: bool) -> None:
        unfinished = [*self._tasks, *([self._recorder] if self._recorder is not None else [])]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        await self.sessions.stop(end_sessions=end_sessions)

    def _is_still_observed(self, row: AttemptRow, known: Mapping[str, bool]) -> bool:
        observed = self._is_told(row) or known.get(self._key(row.id), False)
        return row.state is AttemptState.DELIVERING and observed

    def _is_told(self, row: AttemptRow) -> bool:
        """Whether its outcome has come and waits to be recorded."""
        return any(isinstance(seen, Ended) and seen.attempt_id == row.id for seen in self._observed)

    async def _restore(self) -> None:
        """Open the sessions that a Running Schedule aims at, unless closed on purpose (K+1, K74)."""
        specs = await self._runtime.read(self._to_restore)
        await asyncio.gather(*(self._restore_one(spec) for spec in specs))

    async def _restore_one(self, spec: SessionSpec) -> None:
        try:
            await self.open(spec)
        except (KavorError, SessionsLost) as error:
            log.warning("the session of %s could not be restored: %s", spec.id, error)

    def _to_restore(self, view: Connection) -> list[SessionSpec]:
        running = {row.id for row in schedules.list_schedules(view, state=ScheduleState.RUNNING)}
        aimed_at = {target for schedule, target in workspaces.targets(view).items() if schedule in running}
        return [
            session_spec(view, row)
            for row in workspaces.list_terminals(view)
            if row.wanted == "open"
            and row.node_id in aimed_at
            and not self._runtime.targets.state(row.node_id).open
        ]

    # --- Sessions, on behalf of the services

    async def open(self, spec: SessionSpec) -> SessionState:
        self._heard.pop(spec.id, None)
        state = await self.sessions.open(spec)
        # What was told of it meanwhile is newer than the answer.
        state = self._heard.get(spec.id, state)
        self._note(Seen(state))
        # At once too, so that what is due now finds it open; the recorder hands over what waited for it.
        await self._runtime.read(lambda view: self._runtime.targets.update(state))
        return state

    async def close(self, session_id: str) -> SessionState | None:
        """Close a session if one is open; None where there was none."""
        known = await self._runtime.read(lambda view: self._runtime.targets.session(session_id))
        if known is None or not known.open:
            return known
        state = await self.sessions.close(session_id)
        self._note(Seen(state))
        await self._runtime.read(lambda view: self._runtime.targets.update(state))
        return state

    # --- Deliveries

    def hand_over(self, deliveries: Iterable[Delivery]) -> None:
        for delivery in deliveries:
            self._spawn(self._deliver(delivery), f"deliver {delivery.attempt_id}")

    async def _deliver(self, delivery: Delivery) -> None:
        reach("deliver:before")
        _reach_once_sent("deliver:sent")
        try:
            answer = await self.sessions.deliver(
                delivery.target_id, self._key(delivery.attempt_id), delivery.payload
            )
        except SessionsLost:
            return  # sessions_lost() ends every attempt that was at work
        except KavorError as error:
            failed = Outcome(self._key(delivery.attempt_id), AttemptState.FAILED, diagnostic=error.message)
            self._note(Ended(delivery.attempt_id, failed))
            return
        reach("deliver:answered")
        self._note(HandedOver(delivery.attempt_id, answer))
        if not answer.accepted and not answer.closed:
            poke = Poke(delivery.target_id)
            asyncio.get_running_loop().call_later(OFFER_AGAIN_SECONDS, self._note, poke)

    # --- What sessions report (Listener)

    def session_changed(self, state: SessionState) -> None:
        self._heard[state.id] = state
        self._note(Seen(state))

    def attention_needed(self, key: str, question: Question) -> None:
        attempt_id = self._attempt_of(key)
        if attempt_id is not None:
            self._note(Asked(attempt_id, question.text))

    def attention_settled(self, key: str) -> None: ...

    def transcript_changed(self, session_id: str) -> None: ...

    def outcome_observed(self, outcome: Outcome) -> None:
        reach("outcome:heard")
        attempt_id = self._attempt_of(outcome.key)
        if attempt_id is not None:
            self._note(Ended(attempt_id, outcome))
        else:
            self._spawn(self._acknowledge([outcome.key]), "acknowledge")

    def sessions_lost(self, session_ids: Collection[str]) -> None:
        self._spawn(self._end_lost(frozenset(session_ids)), "sessions lost")

    async def _end_lost(self, gone: Collection[str]) -> None:
        log.error(HOLDER_DIED)
        at_work = await self._runtime.read(lambda view: self._forget_sessions(view, gone))
        diagnostics = {row.id: await self._with_survivors(row, HOLDER_DIED) for row in at_work}

        def end(turn: Turn, tx: Connection) -> None:
            for row in ledger.at_work(tx):
                if row.id in diagnostics and not self._is_told(row):
                    self._runtime.arbiter.interrupt(tx, row, diagnostics[row.id], turn)
            for session_id in gone:
                self._runtime.arbiter.block_waiting(tx, session_id, "its session is gone", turn)
                turn.changes.append(Change("session", session_id))

        while True:
            try:
                await self._runtime.change(end, claim=False)
                break
            except StorageFailed:  # told once by the runtime; no attempt may hang on it (K+14)
                await asyncio.sleep(RECORD_AGAIN_SECONDS)
        await self._restore()

    def _forget_sessions(self, view: Connection, gone: Collection[str]) -> list[AttemptRow]:
        """From now on these are closed to a claim. The attempts that were at work there."""
        for session_id in gone:
            self._runtime.targets.forget(session_id)
        return [row for row in ledger.at_work(view) if row.target_id in gone]

    async def _with_survivors(self, row: AttemptRow, reason: str) -> str:
        if row.target_id is None:
            return reason
        survivors = await self.sessions.survivors(row.target_id)
        if not survivors:
            return reason
        return f"{reason}; still running: " + ", ".join(f"{name} (pid {pid})" for pid, name in survivors)

    # --- Recording

    def _note(self, observation: Observation) -> None:
        self._observed.append(observation)
        self._something_observed.set()

    async def _record_observations(self) -> None:
        while self._observed or not self._resting:
            await self._something_observed.wait()
            self._something_observed.clear()
            group = self._observed[:MOST_IN_A_GROUP]
            if not group:
                continue
            try:
                await self._record(group)
            except StorageFailed:
                await asyncio.sleep(RECORD_AGAIN_SECONDS)
                self._something_observed.set()
            else:
                del self._observed[: len(group)]
                if self._observed:
                    self._something_observed.set()

    async def _record(self, group: Sequence[Observation]) -> None:
        """Record a group in one transaction. What makes no sense is logged, and holds up nothing else."""
        reach("record:before")
        try:
            await self._runtime.perform(self._observer(group), claim=not self._resting)
        except StorageFailed:
            raise
        except Exception:
            if len(group) == 1:
                # Not the observation itself: it has what a shell printed.
                log.exception("an observation could not be recorded: %s", type(group[0]).__name__)
                return
            for observation in group:
                await self._record([observation])
            return
        ended = [seen.outcome.key for seen in group if isinstance(seen, Ended)]
        if ended:
            await self._acknowledge(ended)

    def _observer(self, group: Sequence[Observation]) -> Callable[[Turn], None]:
        return lambda turn: turn.add(self._runtime.arbiter.observe(group))

    async def _acknowledge(self, keys: Sequence[str]) -> None:
        reach("acknowledge:before")
        _reach_once_sent("acknowledge:sent")
        try:
            await self.sessions.acknowledge(keys)
            reach("acknowledge:after")
        except SessionsLost:
            log.info("outcomes are on record, but the process that held them is gone")

    def _key(self, attempt_id: int) -> str:
        """Attempts of another database must never be taken for ours, so a key names the ledger too."""
        return f"{self._key_prefix}{attempt_id}"

    def _attempt_of(self, key: str) -> int | None:
        """None for a key of a database that is no longer here, and for one that is no attempt's."""
        ours = self._key_prefix and key.startswith(self._key_prefix)
        number = key.removeprefix(self._key_prefix) if ours else ""
        return int(number) if number.isdecimal() else None

    def _spawn(self, work: Coroutine[object, object, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("%s failed", task.get_name(), exc_info=task.exception())


def _reach_once_sent(fail_point: str) -> None:
    """Come there when the request that follows has been written, and its answer is awaited."""
    asyncio.get_running_loop().call_soon(reach, fail_point)


def _ledger_id(view: Connection) -> str:
    found = workspaces.fact(view, LEDGER_ID)
    assert found is not None, "a database is given its identity when it is opened"
    return found
