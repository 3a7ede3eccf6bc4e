"""The runtime while it runs: one event loop for everything that waits, one thread for everything stored.

Every operation runs on the store's thread, after what is due has been claimed there, so that an edit or
a pause never hides an instant that had already passed. What the operation commits is then told to the
faces, and what it asks to be delivered is handed to the sessions.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

from sqlalchemy.engine import Connection

from kavor.domain.errors import StorageFailed
from kavor.domain.instant import Instant
from kavor.runtime.alarm import MakeAlarm, SystemAlarm
from kavor.runtime.arbiter import RUNTIME_STOPPED, Arbiter
from kavor.runtime.clock import Clock
from kavor.runtime.dispatcher import Dispatcher
from kavor.runtime.events import Change, EventLog
from kavor.runtime.failpoints import reach
from kavor.runtime.file_access import FileAccess
from kavor.runtime.planning import replan_after_set_back
from kavor.runtime.supervisor import Supervisor
from kavor.runtime.targets import TargetBoard
from kavor.runtime.turn import Turn
from kavor.sessions.session import AgentSessions
from kavor.store import workspaces
from kavor.store.database import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

STORAGE_RETRY_SECONDS = 5.0


class Runtime:
    """Owns the store's thread and its tasks. All methods belong to the event loop."""

    def __init__(
        self,
        store: Store,
        thread: Executor,
        clock: Clock,
        sessions: AgentSessions,
        make_alarm: MakeAlarm = SystemAlarm,
        files: FileAccess | None = None,
    ) -> None:
        """``store`` must have been opened on ``thread``, which has one worker."""
        self.clock = clock
        self.events = EventLog()
        self.targets = TargetBoard()
        self.started_at = clock.now()
        self.storage_problem: str | None = None
        self.files = files or FileAccess()
        self.dispatcher = Dispatcher(store, clock, self.targets, self.files.directories)
        self.arbiter = Arbiter(store, clock, self.targets, self.files.directories)
        self.supervisor = Supervisor(self, sessions)
        self._store = store
        self._thread = thread
        self._wake = asyncio.Event()
        self._alarm = make_alarm(clock, self._wake.set, self._clock_jumped, self._look_ahead)
        self._set_back = False
        self._loop_task: asyncio.Task[None] | None = None
        self._turns: set[asyncio.Future[Any]] = set()

    async def start(self) -> None:
        """Take up what lives on from before, then begin to dispatch."""
        await self.supervisor.take_up()
        self._alarm.start()
        self._wake.set()
        self._loop_task = asyncio.create_task(self._dispatch(), name="dispatcher")

    async def stop(self, *, end_sessions: bool = False) -> None:
        """Stop dispatching; what waits is Blocked, what is at work goes on in its shell (decision 15)."""
        self._alarm.stop()
        if self._loop_task is not None:
            self._loop_task.cancel()
            await asyncio.gather(self._loop_task, return_exceptions=True)
        if self._turns:
            await asyncio.wait(self._turns)
        await self._end_waiting()
        await self.supervisor.come_to_rest()
        await self._end_waiting()  # what a session declined in its last moment waits again
        await self.supervisor.stop(end_sessions=end_sessions)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)

    async def _end_waiting(self) -> None:
        def block(turn: Turn, tx: Connection) -> None:
            self.arbiter.block_waiting(tx, None, RUNTIME_STOPPED, turn)

        try:
            # Without a claim: what comes due now is the next runtime's, in time or as Missed.
            await self.change(block, claim=False)
        except StorageFailed as error:
            log.error("what waits could not be ended: %s", error.message)

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Ask the store. Raises what ``question`` raises, and StorageFailed."""

        def work() -> T:
            with self._store.reading() as view:
                return question(view)

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def change(self, operation: Callable[[Turn, Connection], T], *, claim: bool = True) -> T:
        """Claim what is due, then run ``operation`` in one transaction of its own.

        Raises what ``operation`` raises, with nothing of it kept.
        """

        def work(turn: Turn) -> T:
            own = Turn()
            with self._store.transaction() as tx:
                result = operation(own, tx)
            turn.add(own)
            return result

        return await self.perform(work, claim=claim)

    async def perform(self, operation: Callable[[Turn], T], *, claim: bool = True) -> T:
        """Run ``operation`` on the store's thread, then see to what it and the claim before it ask for.

        ``operation`` adds to the turn only what it has committed. Whoever gives up waiting for a turn does
        not undo it: what it commits is told and handed over all the same.
        """
        taken = asyncio.ensure_future(self._take_turn(operation, claim=claim))
        self._turns.add(taken)
        taken.add_done_callback(self._turns.discard)
        return await asyncio.shield(taken)

    async def _take_turn(self, operation: Callable[[Turn], T], *, claim: bool) -> T:
        turn = Turn()
        wakes: list[Instant | None] = []

        def work() -> T:
            if claim:
                # A slot whose limit has passed is free for what is due now.
                turn.add(self.arbiter.expire())
                turn.add(self.dispatcher.claim_due())
            try:
                return operation(turn)
            finally:
                wakes.append(self.dispatcher.next_wake())

        try:
            result = await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except StorageFailed as error:
            self._storage_failed(error)
            raise
        else:
            if turn.changes:  # something was written, and not only read
                self._storage_works(turn)
            return result
        finally:
            reach("turn:ended")
            if wakes:
                self._alarm.set(wakes[0])
            # Before anybody is told, who would then ask and be answered first.
            self.supervisor.hand_over(turn.deliveries)
            self.supervisor.look_again(turn.stuck)
            self.events.publish(turn.changes)

    async def _dispatch(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                if self._set_back:
                    await self._plan_from_the_present()
                if self.storage_problem is None:
                    await self.perform(lambda turn: None)
                else:
                    await self.change(_try_to_write)
            except StorageFailed:
                continue  # told once, and tried again soon; what passes meanwhile will be Missed
            except Exception:
                log.exception("the dispatcher failed; it goes on with the next wake")
                asyncio.get_running_loop().call_later(STORAGE_RETRY_SECONDS, self._wake.set)

    def _look_ahead(self) -> None:
        self._thread.submit(_quietly, self.dispatcher.look_ahead)

    def _clock_jumped(self, seconds: float) -> None:
        log.warning("the wall clock jumped by %+.1f s", seconds)
        self._set_back = self._set_back or seconds < 0
        self._wake.set()

    async def _plan_from_the_present(self) -> None:
        def replan(turn: Turn, tx: Connection) -> None:
            replan_after_set_back(tx, self.clock.now(), turn)

        self._set_back = False  # first, so that a jump meanwhile is not forgotten
        try:
            await self.change(replan, claim=False)
        except StorageFailed:
            self._set_back = True
            raise

    def _storage_failed(self, error: StorageFailed) -> None:
        # Look again soon, and deliver nothing meanwhile that could not be recorded.
        asyncio.get_running_loop().call_later(STORAGE_RETRY_SECONDS, self._wake.set)
        if self.storage_problem != error.message:
            log.error("%s (%s)", error.message, error.hint)
            self.storage_problem = error.message
            self.events.publish([Change("runtime", "runtime")])

    def _storage_works(self, turn: Turn) -> None:
        if self.storage_problem is not None:
            log.info("the database can be written again")
            self.storage_problem = None
            turn.changes.append(Change("runtime", "runtime"))


def _quietly(look_ahead: Callable[[], None]) -> None:
    """Nothing depends on what comes of it; a disk that fails is told of by the claim that follows."""
    try:
        look_ahead()
    except StorageFailed:
        pass
    except Exception:
        log.exception("the look ahead failed")


def _try_to_write(turn: Turn, tx: Connection) -> None:
    workspaces.set_fact(tx, "last-written", "after a failure")
    turn.changes.append(Change("runtime", "runtime"))
