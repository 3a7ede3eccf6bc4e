"""Between what is on record and the live sessions: deliveries go out, observations come back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable, Mapping, Sequence

from sqlalchemy.engine import Connection

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError, StorageFailed
from kavor.domain.messages import MessageState
from kavor.runtime import recorder
from kavor.runtime.agents_at_work import AgentsAtWork
from kavor.runtime.arbiter import RUNTIME_STOPPED
from kavor.runtime.commands import Commands
from kavor.runtime.events import Change
from kavor.runtime.failpoints import is_armed, reach
from kavor.runtime.keys import Keys
from kavor.runtime.observations import Answered, Asked, AskedIdle, HandedOver, Poke
from kavor.runtime.openings import Openings
from kavor.runtime.planning import replan_after_set_back, replan_for_zone_data
from kavor.runtime.recorder import Recorder
from kavor.runtime.turn import Delivery, MessageDelivery, Turn, Work
from kavor.runtime.turns import Turns
from kavor.sessions.session import AgentSessions, Outcome, Question, SessionsLost, SessionState
from kavor.store import conversations, ledger, workspaces
from kavor.store.conversations import MessageRow
from kavor.store.ledger import AttemptRow

log = logging.getLogger(__name__)

OFFER_AGAIN_SECONDS = 0.05

LOOK_AGAIN_SECONDS = 5.0
"""How soon a target is looked at again before which something waits for its Workspace's directory."""

REST_SECONDS = 2.0
"""How long a stop waits for deliveries that are on their way, and then for the ledger."""

LEDGER_ID = "ledger-id"

UNOBSERVED = "the runtime stopped during the delivery, and nobody observed its end"
HOLDER_DIED = "the process that held the session died during the delivery"


class Supervisor:
    """Belongs to the event loop. Implements the sessions' Listener."""

    def __init__(self, runtime: Turns, sessions: AgentSessions) -> None:
        self._runtime = runtime
        self.sessions = sessions
        self._recorder = Recorder(runtime, self._acknowledge)
        self.openings = Openings(runtime, sessions, self._recorder.note, self._spawn)
        self._agents = AgentsAtWork(sessions, self.openings.heard, self._recorder.note)
        self.tools = self._agents.tools
        self._keys = Keys("")
        self.commands = Commands(sessions)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stuck: set[str] = set()

    # --- Start and stop

    async def take_up(self) -> None:
        """Learn what happened while no runtime was there, and end what nobody can speak for (decision 15)."""
        reach("take-up:before")
        self._keys = self._agents.keys = Keys(await self._runtime.read(_ledger_id))
        living = await self.sessions.start(self)
        reach("take-up:connected")
        at_work = await self._runtime.read(ledger.at_work)
        messages = await self._runtime.read(conversations.messages_at_work)
        works = [Work.attempt(row.id) for row in at_work] + [Work.message(row.id) for row in messages]
        try:
            known = await self.sessions.known(list(map(self._keys.of, works)))
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
            for message in messages:
                if not self._is_still_observed(message, known):
                    self._runtime.arbiter.interrupt_message(tx, message, UNOBSERVED, turn)
            reach("take-up:uncommitted")

        # Without a claim first: what waits from before must not hold a slot when new instants arrive.
        await self._runtime.change(settle, claim=False)
        for state in living:
            if state.own_screen:  # messages may have waited for it, and it may have become free meanwhile
                self._recorder.note(Poke(state.id))
        reach("take-up:settled")
        await self.openings.restore()
        # Not sooner: it claims, and what is due finds every session opened again.
        self._recorder.start()
        reach("take-up:restored")

    async def come_to_rest(self) -> None:
        """Let what is on its way be answered, agents end, and what was observed be recorded; then record no
        more.

        Takes no longer than three times REST_SECONDS; what is not on record by then, shells know.
        """
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=REST_SECONDS)
        # They end with the runtime in any case. Now, what they have done by then is still recorded.
        await asyncio.wait([asyncio.create_task(self.openings.end_agents())], timeout=REST_SECONDS)
        await self._recorder.come_to_rest(REST_SECONDS)

    async def stop(self, *, end_sessions: bool) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._recorder.stop()
        await self.sessions.stop(end_sessions=end_sessions)

    def _is_still_observed(self, row: AttemptRow | MessageRow, known: Mapping[str, bool]) -> bool:
        work = _work_of(row)
        observed = self._recorder.is_told(work) or known.get(self._keys.of(work), False)
        return row.state in (AttemptState.DELIVERING, MessageState.DELIVERING) and observed

    # --- On behalf of the services

    async def open(self, node_id: str) -> SessionState:
        """Start the session of a target, as :meth:`Openings.open` does."""
        return await self.openings.open(node_id)

    async def close(self, session_id: str) -> SessionState | None:
        """Close a session if one is open; None where there was none. What it worked on is Interrupted."""
        state = await self.openings.close(session_id)
        self._agents.closed(session_id)
        return state

    async def catch_up(self) -> None:
        """Return once what sessions have reported until now is on record; it does not take long."""
        await self._recorder.catch_up(REST_SECONDS)

    def work_of(self, key: str) -> Work | None:
        """What a delivery's key stands for; None for one that is no attempt's and no message's."""
        return self._keys.work(key)

    def new_command_key(self) -> str:
        """For a command that an agent has run in a Terminal."""
        return self._keys.new_command()

    # --- Deliveries

    def hand_over(self, deliveries: Iterable[Delivery | MessageDelivery]) -> None:
        for delivery in deliveries:
            work = delivery.work
            self._spawn(self._deliver(work, delivery), f"deliver {work.kind} {work.id}")

    def look_again(self, target_ids: Iterable[str]) -> None:
        """Have what waits before these offered again soon: nobody tells when it can be delivered."""
        for target_id in set(target_ids) - self._stuck:
            self._stuck.add(target_id)
            asyncio.get_running_loop().call_later(LOOK_AGAIN_SECONDS, self._look_again, target_id)

    def _look_again(self, target_id: str) -> None:
        self._stuck.discard(target_id)
        self._recorder.note(Poke(target_id))

    async def _deliver(self, work: Work, delivery: Delivery | MessageDelivery) -> None:
        key = self._keys.of(work)
        reach("deliver:before")
        _reach_once_sent("deliver:sent")
        self._agents.give(delivery.target_id, key)
        try:
            answer = await self.sessions.deliver(delivery.target_id, key, delivery.payload)
        except SessionsLost:
            return  # sessions_lost() ends all that was at work
        except KavorError as error:
            failed = Outcome(key, AttemptState.FAILED, diagnostic=error.message)
            self._recorder.note(self._agents.ended(work, failed))
            return
        reach("deliver:answered")
        if not answer.accepted:
            self._agents.take_back(key)
        self._recorder.note(HandedOver(work, answer))
        if not answer.accepted and not answer.closed:
            poke = Poke(delivery.target_id)
            asyncio.get_running_loop().call_later(OFFER_AGAIN_SECONDS, self._recorder.note, poke)

    # --- What sessions report (Listener)

    def session_changed(self, state: SessionState) -> None:
        before, question = self.openings.heard(state.id), state.question
        self.openings.hear(state)
        # What is asked about a delivery is told as `attention_needed`.
        if question is not None and question.key is None and (before is None or before.question != question):
            self._recorder.note(AskedIdle(state.id))
        self._agents.hear(state)

    def attention_needed(self, key: str, question: Question) -> None:
        work = self._keys.work(key)
        if work is not None:
            self._recorder.note(Asked(work, question.text))

    def attention_settled(self, key: str) -> None:
        work = self._keys.work(key)
        if work is not None:
            self._recorder.note(Answered(work))

    def transcript_changed(self, session_id: str) -> None:
        self._runtime.events.publish([Change("transcript", session_id)])

    def outcome_observed(self, outcome: Outcome) -> None:
        reach("outcome:heard")
        work = self._keys.work(outcome.key)
        if work is not None:
            self._recorder.note(self._agents.ended(work, outcome))
        else:
            self.commands.observed(outcome)
            self._spawn(self._acknowledge([outcome.key]), "acknowledge")

    def sessions_lost(self, session_ids: Collection[str]) -> None:
        gone = frozenset(session_ids)
        self.commands.lost(gone)
        self.openings.lost(gone)
        self._agents.lost(gone)
        self._spawn(self._end_lost(gone), "sessions lost")

    async def _end_lost(self, gone: Collection[str]) -> None:
        log.error(HOLDER_DIED)
        at_work, messages = await self._runtime.read(lambda view: self._forget_sessions(view, gone))
        diagnostics = {row.id: await self._with_survivors(row, HOLDER_DIED) for row in at_work}

        def end(turn: Turn, tx: Connection) -> None:
            for row in ledger.at_work(tx):
                if row.id in diagnostics and not self._recorder.is_told(_work_of(row)):
                    self._runtime.arbiter.interrupt(tx, row, diagnostics[row.id], turn)
            for message in messages:
                if not self._recorder.is_told(_work_of(message)):
                    self._runtime.arbiter.interrupt_message(tx, message, HOLDER_DIED, turn)
            for session_id in gone:
                self._runtime.arbiter.block_waiting(tx, session_id, "its session is gone", turn)
                turn.changes.append(Change("session", session_id))

        while True:
            try:
                await self._runtime.change(end, claim=False)
                break
            except StorageFailed:  # told once by the runtime; no attempt may hang on it (K+14)
                await asyncio.sleep(recorder.RECORD_AGAIN_SECONDS)
        await self.openings.restore()

    def _forget_sessions(
        self, view: Connection, gone: Collection[str]
    ) -> tuple[list[AttemptRow], list[MessageRow]]:
        """From now on these are closed to a claim. The attempts and messages that were at work there."""
        for session_id in gone:
            self._runtime.targets.forget(session_id)
        return (
            [row for row in ledger.at_work(view) if row.target_id in gone],
            [row for row in conversations.messages_at_work(view) if row.agent_id in gone],
        )

    async def _with_survivors(self, row: AttemptRow, reason: str) -> str:
        if row.target_id is None:
            return reason
        survivors = await self.sessions.survivors(row.target_id)
        if not survivors:
            return reason
        return f"{reason}; still running: " + ", ".join(f"{name} (pid {pid})" for pid, name in survivors)

    async def _acknowledge(self, keys: Sequence[str]) -> None:
        reach("acknowledge:before")
        _reach_once_sent("acknowledge:sent")
        try:
            await self.sessions.acknowledge(keys)
            reach("acknowledge:after")
        except SessionsLost:
            log.info("outcomes are on record, but the process that held them is gone")

    def _spawn(self, work: Coroutine[object, object, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("%s failed", task.get_name(), exc_info=task.exception())


def _work_of(row: AttemptRow | MessageRow) -> Work:
    return Work.message(row.id) if isinstance(row, MessageRow) else Work.attempt(row.id)


def _reach_once_sent(fail_point: str) -> None:
    """Come there when the request that follows has been written, and its answer is awaited."""
    if is_armed():
        asyncio.get_running_loop().call_soon(reach, fail_point)


def _ledger_id(view: Connection) -> str:
    found = workspaces.fact(view, LEDGER_ID)
    assert found is not None, "a database is given its identity when it is opened"
    return found
