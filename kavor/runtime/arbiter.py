"""One line of work per target: who is handed over next, and how what was observed is recorded.

Observations arrive in groups, each group one transaction, in the order they were made. Nothing here
waits or knows of an event loop.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from sqlalchemy.engine import Connection

from kavor.domain.attempts import OPEN, AttemptState, Trigger
from kavor.domain.errors import Refused
from kavor.domain.schedule import Overlap
from kavor.domain.slot import Line, place
from kavor.runtime.agent_turns import record_turn
from kavor.runtime.clock import Clock
from kavor.runtime.events import Change
from kavor.runtime.failpoints import reach
from kavor.runtime.inbox import Inbox
from kavor.runtime.observations import Answered, Asked, AskedIdle, Ended, HandedOver, Observation, Poke, Seen
from kavor.runtime.targets import WORKSPACE_GONE, LookAtDirectories, TargetBoard
from kavor.runtime.turn import Delivery, Turn, Work, WorkKind
from kavor.sessions.session import Entry, HandOver, Outcome, SessionState
from kavor.store import coding_agents, conversations, ledger, schedules, workspaces
from kavor.store.conversations import MessageRow, NewMessage
from kavor.store.database import Store
from kavor.store.ledger import AttemptRow
from kavor.store.schedules import ScheduleRow
from kavor.store.workspaces import NodeRow

log = logging.getLogger(__name__)

RUNTIME_STOPPED = "runtime stopped"


class Arbiter:
    """Belongs to the store's thread."""

    def __init__(
        self, store: Store, clock: Clock, targets: TargetBoard, directories: LookAtDirectories
    ) -> None:
        self._store = store
        self._clock = clock
        self._targets = targets
        self._directories = directories
        self._inbox = Inbox(clock)

    def observe(self, observations: Iterable[Observation]) -> Turn:
        """Record a group of observations, all or none. Raises StorageFailed."""
        turn = Turn()
        with self._store.transaction() as tx:
            for observation in observations:
                self._observe(tx, observation, turn)
            reach("record:uncommitted")
        reach("record:committed")
        return turn

    def _observe(self, tx: Connection, observation: Observation, turn: Turn) -> None:
        match observation:
            case HandedOver(Work(WorkKind.ATTEMPT, attempt_id), answer):
                self._handed_over(tx, attempt_id, answer, turn)
            case HandedOver(Work(WorkKind.MESSAGE, message_id), answer):
                self._inbox.handed_over(tx, message_id, answer, turn)
            case Asked(Work(WorkKind.ATTEMPT, attempt_id), question):
                self._asked(tx, attempt_id, question, turn)
            case Asked(Work(WorkKind.MESSAGE, message_id), question):
                self._inbox.asked(tx, message_id, question, turn)
            case AskedIdle(target_id):
                turn.session_needs_attention(target_id)
            case Answered(Work(WorkKind.ATTEMPT, attempt_id)):
                self._answered(tx, attempt_id, turn)
            case Answered(Work(WorkKind.MESSAGE, message_id)):
                self._inbox.answered(tx, message_id, turn)
            case Ended(Work(WorkKind.ATTEMPT, attempt_id), outcome, entries):
                self._ended(tx, attempt_id, outcome, entries, turn)
            case Ended(Work(WorkKind.MESSAGE, message_id), outcome, entries):
                agent_id = self._inbox.ended(tx, message_id, outcome, entries or (), turn)
                if agent_id is not None:
                    self._promote(tx, agent_id, turn)
            case Seen(session):
                self._seen(tx, session, turn)
            case Poke(target_id):
                self._promote(tx, target_id, turn)

    def run_now(self, tx: Connection, schedule: ScheduleRow, target: NodeRow, turn: Turn) -> int:
        """Make a manual attempt (K42). Raises Refused, with no row, where the slot is taken (decision 11)."""
        attempt_id = ledger.next_id(tx)
        is_there = self._has_directory(tx, target, turn)
        blocked = self._blocked_because(target.id, is_there)
        state = AttemptState.BLOCKED
        if not blocked:
            line = ledger.lines(tx, target.id).get(target.id, Line())
            placement = place(
                line,
                ready=self._targets.state(target.id).ready and is_there is True,
                attempt_id=attempt_id,
                schedule_id=schedule.id,
                overlap=Overlap.COALESCE,
            )
            state = placement.state
            if state is AttemptState.COALESCED:
                raise Refused(
                    f"attempt {placement.holder} already waits for {target.name!r}",
                    f"wait for it, or withdraw it: kavor attempt withdraw {placement.holder}",
                )
        made = ledger.new_attempt(
            attempt_id,
            schedule,
            (target.id, target.name),
            Trigger.MANUAL,
            state,
            self._clock.now(),
            diagnostic=blocked,
            pending_limit_ms=schedule.policies.pending_limit_ms,
        )
        ledger.insert(tx, [made])
        if state is AttemptState.DELIVERING:
            turn.deliveries.append(Delivery(attempt_id, target.id, schedule.payload))
        elif is_there is None:
            turn.stuck.append(target.id)
        turn.changes.append(Change("attempt", str(attempt_id), "created"))
        turn.changes.append(Change("schedule", schedule.id))
        return attempt_id

    def withdraw(self, tx: Connection, row: AttemptRow, turn: Turn, reason: str = "withdrawn") -> None:
        """Take a waiting attempt out of its slot for good (decision 9). Raises Refused."""
        if row.state is not AttemptState.PENDING:
            raise Refused(
                f"attempt {row.id} is {row.state}, not Pending",
                "only an attempt that waits in a slot can be withdrawn",
            )
        self._block(tx, row, reason, turn)

    def accept_message(self, tx: Connection, agent: NodeRow, message: NewMessage, turn: Turn) -> int:
        """Take a message into an agent's inbox; it is delivered at once where nothing stands before it.

        Raises Refused where the agent's session is not open, or too much waits for it already.
        """
        if not self._targets.state(agent.id).open:
            raise Refused(
                f"the session of {agent.name!r} is not open", f"open it: kavor session open {agent.id}"
            )
        message_id = self._inbox.accept(tx, agent.id, agent.name, message, turn)
        self._promote(tx, agent.id, turn)
        return message_id

    def withdraw_message(self, tx: Connection, row: MessageRow, turn: Turn) -> None:
        """Take a message back that waits in an inbox. Raises Refused."""
        self._inbox.withdraw(tx, row, turn)

    def target_removed(self, tx: Connection, target_id: str, turn: Turn) -> None:
        """End all that waits before a target whose Node is no more."""
        reason = "its target was removed"
        self.block_waiting(tx, target_id, reason, turn)
        self._inbox.end_waiting(tx, target_id, reason, turn)

    def block_waiting(self, tx: Connection, target_id: str | None, reason: str, turn: Turn) -> None:
        """End what waits in a target's slot, or in every slot, as Blocked. Messages stay in their inboxes."""
        for row in ledger.open_attempts(tx, target_id):
            if row.state is AttemptState.PENDING:
                self._block(tx, row, reason, turn)

    def interrupt(self, tx: Connection, row: AttemptRow, reason: str, turn: Turn) -> None:
        """End what a target worked on, and whose end nobody observed (decision 15)."""
        unobserved = Outcome("", AttemptState.INTERRUPTED, diagnostic=reason)
        self._end(tx, row, unobserved, _entries_of(tx, row), turn)

    def interrupt_message(self, tx: Connection, row: MessageRow, reason: str, turn: Turn) -> None:
        """End what an agent worked on, and whose end nobody observed (decision 15)."""
        self._inbox.interrupt(tx, row, reason, turn)

    def expire(self) -> Turn:
        """Block what has waited longer than its Schedule allows (decision 6)."""
        turn = Turn()
        now = self._clock.now()
        with self._store.reading() as view:
            first = ledger.next_expiry(view)
        if first is None or first > now:
            return turn
        with self._store.transaction() as tx:
            for row in ledger.expired(tx, now):
                limit = ((row.expires_at or row.created_at) - row.created_at) / 1000
                self._block(tx, row, f"waited longer than {limit:,.0f} s", turn)
        return turn

    def _handed_over(self, tx: Connection, attempt_id: int, answer: HandOver, turn: Turn) -> None:
        row = ledger.attempt(tx, attempt_id)
        if row is None:
            return
        if answer.accepted:
            if row.state is AttemptState.PENDING:
                ledger.move(tx, row.id, AttemptState.DELIVERING)
            ledger.note(tx, row.id, delivered_at=answer.delivered_at or row.delivered_at)
            reach("record:handed-over")
            turn.attempt_changed(row.id, row.schedule_id)
        elif row.state is AttemptState.DELIVERING:
            if answer.closed:
                reason = self._targets.state(row.target_id or "").closed_because
                self._block(tx, row, reason or "its session is closed", turn)
            else:
                self._return_to_slot(tx, row, turn)

    def _return_to_slot(self, tx: Connection, row: AttemptRow, turn: Turn) -> None:
        """Nothing was written: the attempt waits again, ahead of one that came later.

        Under overlap "replace" a later one of its own Schedule has taken the slot for good.
        """
        assert row.target_id is not None
        later = ledger.lines(tx, row.target_id)[row.target_id].waiting
        schedule = schedules.schedule(tx, row.schedule_id)
        if later is not None:
            replaces = schedule is not None and schedule.policies.overlap is Overlap.REPLACE
            if replaces and later.schedule_id == row.schedule_id:
                reason = f"attempt {later.attempt_id}, a newer one of this Schedule, took the slot"
                self._coalesce(tx, row, later.attempt_id, reason, turn)
                return
            waiting = ledger.attempt(tx, later.attempt_id)
            assert waiting is not None
            self._coalesce(tx, waiting, row.id, f"attempt {row.id} holds the target's slot", turn)
        limit = None
        if schedule is not None and schedule.policies.pending_limit_ms is not None:
            limit = row.created_at + schedule.policies.pending_limit_ms
        ledger.move(tx, row.id, AttemptState.PENDING, delivered_at=None, expires_at=limit)
        turn.attempt_changed(row.id, row.schedule_id)

    def _coalesce(self, tx: Connection, row: AttemptRow, holder: int, reason: str, turn: Turn) -> None:
        ledger.move(
            tx,
            row.id,
            AttemptState.COALESCED,
            holder_id=holder,
            diagnostic=reason,
            delivered_at=None,
            finished_at=self._clock.now(),
        )
        turn.attempt_changed(row.id, row.schedule_id)

    def _asked(self, tx: Connection, attempt_id: int, question: str, turn: Turn) -> None:
        """The target stays taken until the attempt has ended (K53, decision 1)."""
        row = ledger.attempt(tx, attempt_id)
        if row is None or row.state not in OPEN:
            return
        if row.state is AttemptState.PENDING:
            ledger.move(tx, row.id, AttemptState.DELIVERING)
        if row.state is not AttemptState.NEEDS_ATTENTION:
            ledger.move(tx, row.id, AttemptState.NEEDS_ATTENTION)
        ledger.note(tx, row.id, diagnostic=question)
        turn.attempt_changed(row.id, row.schedule_id)
        turn.needs_attention(Work.attempt(row.id))

    def _answered(self, tx: Connection, attempt_id: int, turn: Turn) -> None:
        row = ledger.attempt(tx, attempt_id)
        if row is not None and row.state is AttemptState.NEEDS_ATTENTION:
            ledger.move(tx, row.id, AttemptState.DELIVERING, diagnostic="")
            turn.attempt_changed(row.id, row.schedule_id)

    def _ended(
        self,
        tx: Connection,
        attempt_id: int,
        outcome: Outcome,
        entries: Sequence[Entry] | None,
        turn: Turn,
    ) -> None:
        row = ledger.attempt(tx, attempt_id)
        if row is None or row.state not in OPEN:
            return  # on record already: outcomes are told again until they are acknowledged
        if row.state is AttemptState.PENDING:
            ledger.move(tx, row.id, AttemptState.DELIVERING)
        self._end(tx, row, outcome, _entries_of(tx, row) if entries is None else entries, turn)
        evidence = outcome.evidence
        calls = json.dumps([asdict(call) for call in evidence.tool_calls]) if evidence.tool_calls else None
        ledger.keep_evidence(tx, row.id, evidence.output, truncated=evidence.truncated, tool_calls=calls)
        reach("record:ended")
        if row.target_id is not None:
            self._promote(tx, row.target_id, turn)

    def _end(
        self, tx: Connection, row: AttemptRow, outcome: Outcome, entries: Sequence[Entry] | None, turn: Turn
    ) -> None:
        """``entries`` are None where the target is no agent, which alone has turns on record."""
        delivered_at = outcome.delivered_at or row.delivered_at
        finished_at = outcome.finished_at or self._clock.now()
        ledger.move(
            tx,
            row.id,
            outcome.state,
            exit_code=outcome.exit_code,
            diagnostic=outcome.diagnostic,
            delivered_at=delivered_at,
            finished_at=finished_at,
            duration_ms=outcome.evidence.duration_ms,
        )
        turn.attempt_changed(row.id, row.schedule_id)
        if entries is not None and row.target_id is not None:
            record_turn(
                tx,
                turn,
                agent_id=row.target_id,
                work=Work.attempt(row.id),
                prompt=row.payload,
                outcome=outcome,
                entries=entries,
                started_at=delivered_at or row.created_at,
                finished_at=finished_at,
            )

    def _seen(self, tx: Connection, session: SessionState, turn: Turn) -> None:
        self._targets.update(session)
        self._keep_conversation(tx, session)
        turn.changes.append(Change("session", session.id))
        if session.open:
            line = ledger.lines(tx, session.id).get(session.id)
            if line is not None and line.waiting is not None:
                turn.changes.append(Change("attempt", str(line.waiting.attempt_id)))
            self._promote(tx, session.id, turn)
        else:
            reason = self._targets.state(session.id).closed_because
            self.block_waiting(tx, session.id, reason, turn)

    def _keep_conversation(self, tx: Connection, session: SessionState) -> None:
        """So that the agent's next session takes up again what this one began. What it is held by must be
        the same: another provider knows nothing of it."""
        if session.conversation is None:
            return
        agent = coding_agents.coding_agent(tx, session.id)
        if agent is None or agent.conversation == session.conversation:
            return
        started = self._targets.started_with(session.id)
        if started is None or (started.provider, started.command, started.directory) == agent.held_by:
            coding_agents.keep_conversation(tx, session.id, session.conversation)

    def _promote(self, tx: Connection, target_id: str, turn: Turn) -> None:
        """Hand over what was accepted first of all that waits, if the target takes a delivery now."""
        if not self._targets.state(target_id).ready:
            return
        line = ledger.lines(tx, target_id).get(target_id)
        if line is None or line.at_work is not None:
            return
        message = None
        if line.messages:
            if conversations.message_at_work(tx, target_id) is not None:
                return
            message = conversations.first_queued(tx, target_id)
        waiting = ledger.attempt(tx, line.waiting.attempt_id) if line.waiting is not None else None
        target = workspaces.node(tx, target_id)
        is_there = True if target is None else self._has_directory(tx, target, turn)
        if is_there is None:
            turn.stuck.append(target_id)
        elif reason := self._blocked_because(target_id, is_there):
            if waiting is not None:
                self._block(tx, waiting, reason, turn)
            if message is not None:
                turn.stuck.append(target_id)
        elif message is not None and (waiting is None or waiting.id > message.after_attempt):
            self._inbox.deliver(tx, message, turn)
        elif waiting is not None:
            self._deliver(tx, waiting, target_id, turn)

    def _deliver(self, tx: Connection, row: AttemptRow, target_id: str, turn: Turn) -> None:
        # Delivering is on record before the first byte can reach the target.
        ledger.move(tx, row.id, AttemptState.DELIVERING, delivered_at=self._clock.now())
        reach("record:promoted")
        turn.deliveries.append(Delivery(row.id, target_id, row.payload))
        turn.attempt_changed(row.id, row.schedule_id)

    def _has_directory(self, tx: Connection, target: NodeRow, turn: Turn) -> bool | None:
        """Whether the directory of a target's Workspace is there; None where that cannot be told just now."""
        workspace = workspaces.workspace(tx, target.workspace_id)
        assert workspace is not None, "a Node is in a Workspace"
        if workspace.directory not in turn.directories:
            turn.directories.update(self._directories([workspace.directory]))
        is_there = turn.directories[workspace.directory]
        self._targets.saw_directory(target.id, is_there)
        return is_there

    def _blocked_because(self, target_id: str, is_there: bool | None) -> str:
        """Why nothing can be delivered to a target at present (K57); empty where it can, or may wait."""
        return WORKSPACE_GONE if is_there is False else self._targets.state(target_id).closed_because

    def _block(self, tx: Connection, row: AttemptRow, reason: str, turn: Turn) -> None:
        ledger.move(
            tx,
            row.id,
            AttemptState.BLOCKED,
            diagnostic=reason,
            finished_at=self._clock.now(),
            delivered_at=None,
        )
        turn.attempt_changed(row.id, row.schedule_id)


def _entries_of(tx: Connection, row: AttemptRow) -> Sequence[Entry] | None:
    """Of an attempt whose transcript nobody has, as when another runtime delivered it: none, where its target
    is an agent."""
    is_agents = row.target_id is not None and coding_agents.coding_agent(tx, row.target_id) is not None
    return () if is_agents else None
