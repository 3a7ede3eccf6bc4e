"""A small world for the synchronous core: a real database, a clock that is told the time, and targets
whose state a test sets by hand."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Literal

from sqlalchemy.engine import Connection

from kavor.domain.agents import AgentSettings
from kavor.domain.attempts import AttemptState
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant, format_instant, parse_instant
from kavor.domain.recurrence import Cron, Once, Recurrence, parse_local
from kavor.domain.schedule import Policies, ScheduleState
from kavor.runtime.arbiter import Arbiter
from kavor.runtime.conversation_service import A_PERSON
from kavor.runtime.dispatcher import Dispatcher
from kavor.runtime.observations import Ended, HandedOver, Observation, Seen
from kavor.runtime.planning import next_instant
from kavor.runtime.targets import TargetBoard
from kavor.runtime.turn import Delivery, MessageDelivery, Turn, Work
from kavor.sessions.session import Evidence, HandOver, Outcome, SessionState, WaitingFor
from kavor.store import coding_agents, conversations, ledger, schedules, workspaces
from kavor.store.coding_agents import CodingAgentRow
from kavor.store.conversations import MessageRow, NewMessage, Sender, TurnRow
from kavor.store.database import Store
from kavor.store.ledger import AttemptRow
from kavor.store.schedules import ScheduleRow
from kavor.store.workspaces import NodeRow, TerminalRow, WorkspaceRow

MINUTE = 60_000


class FakeClock:
    """Wall and monotonic time, moved together or, as by a person's hand, apart."""

    def __init__(self, at: str) -> None:
        self._wall = parse_instant(at)
        self._steady = 1_000.0

    def now(self) -> Instant:
        return self._wall

    def monotonic(self) -> float:
        return self._steady

    def go(self, milliseconds: int) -> None:
        self._wall = Instant(self._wall + milliseconds)
        self._steady += milliseconds / 1000

    def go_to(self, at: str) -> None:
        self.go(parse_instant(at) - self._wall)

    def set(self, at: str) -> None:
        self._wall = parse_instant(at)


def outcome(
    state: AttemptState,
    *,
    attempt_id: int = 0,
    exit_code: int | None = None,
    diagnostic: str = "",
    output: str = "",
    at: Instant | None = None,
) -> Outcome:
    return Outcome(
        key=f"key-{attempt_id}",
        state=state,
        exit_code=exit_code,
        diagnostic=diagnostic,
        evidence=Evidence(output=output, duration_ms=250),
        finished_at=at,
    )


class LedgerWorld:
    """``offered`` collects every delivery that the core asked for, oldest first."""

    def __init__(self, store: Store, directory: Path, at: str) -> None:
        self.store = store
        self.clock = FakeClock(at)
        self.directory = directory
        self.targets = TargetBoard()
        self.silent: set[Path] = set()
        """Directories whose file system does not answer."""
        self.dispatcher = Dispatcher(store, self.clock, self.targets, self.directories)
        self.arbiter = Arbiter(store, self.clock, self.targets, self.directories)
        self.offered: list[Delivery | MessageDelivery] = []
        self._order = 0
        with store.transaction() as tx:
            workspaces.add_workspace(tx, WorkspaceRow("w", "work", str(directory), 1, self.clock.now()))

    def directories(self, paths: Collection[str]) -> dict[str, bool | None]:
        return {path: None if Path(path) in self.silent else Path(path).is_dir() for path in paths}

    # --- Setting up

    def add_terminal(self, name: str = "t1", *, state: Literal["ready", "busy", "closed"] = "ready") -> str:
        with self.store.transaction() as tx:
            workspaces.add_node(tx, self._node(name, NodeKind.TERMINAL))
            workspaces.add_terminal(tx, TerminalRow(name, str(self.directory), None, "open"))
        if state != "closed":
            self.targets.update(self.session(name, WaitingFor.BUSY if state == "busy" else None))
        return name

    def add_agent(self, name: str = "a1", *, state: Literal["ready", "busy", "closed"] = "ready") -> str:
        with self.store.transaction() as tx:
            workspaces.add_node(tx, self._node(name, NodeKind.CODING_AGENT))
            row = CodingAgentRow(name, AgentSettings("scripted"), str(self.directory), wanted="open")
            coding_agents.add_coding_agent(tx, row)
        if state != "closed":
            self.targets.update(self.session(name, WaitingFor.BUSY if state == "busy" else None))
        return name

    def add_schedule(
        self,
        name: str,
        when: str | Recurrence,
        *,
        target: str | None = "t1",
        running: bool = True,
        policies: Policies | None = None,
        zone: str = "UTC",
        payload: str = "make check",
    ) -> str:
        """``when`` is a cron expression, or the local time of a Once."""
        recurrence: Recurrence
        if isinstance(when, str):
            recurrence = Once(parse_local(when)) if "T" in when else Cron(when)
        else:
            recurrence = when
        with self.store.transaction() as tx:
            workspaces.add_node(tx, self._node(name, NodeKind.SCHEDULE))
            definition = schedules.definition_columns(recurrence, zone, payload, policies or Policies())
            schedules.add_schedule(tx, name, definition)
            if target is not None:
                workspaces.add_connection(
                    tx, name, target, schedule_id=name, environment_name=None, created_at=self.clock.now()
                )
        if running:
            self.resume(name)
        return name

    def _node(self, name: str, kind: NodeKind) -> NodeRow:
        self._order += 1
        return NodeRow(name, "w", kind, name, 0, 0, 1, Instant(self._order))

    def resume(self, name: str) -> None:
        with self.store.transaction() as tx:
            row = schedules.schedule(tx, name)
            assert row is not None
            at = next_instant(row.recurrence, row.zone, self.clock.now())
            assert at is not None
            values = {"state": ScheduleState.RUNNING, "pause_reason": None, "next_due": at}
            schedules.change_schedule(tx, name, values)

    def pause(self, name: str) -> None:
        with self.store.transaction() as tx:
            schedules.pause(tx, name, None)

    # --- Time passes

    def claim(self) -> Turn:
        return self._take(self.dispatcher.claim_due())

    def at(self, when: str) -> Turn:
        """Time goes by until then, and what is due then is claimed."""
        self.clock.go_to(when)
        return self.claim()

    def expire(self) -> Turn:
        return self._take(self.arbiter.expire())

    # --- Targets report

    @staticmethod
    def session(target: str, waiting_for: WaitingFor | None = None) -> SessionState:
        return SessionState(id=target, open=True, waiting_for=waiting_for)

    def observe(self, *observations: Observation) -> Turn:
        return self._take(self.arbiter.observe(observations))

    def busy(self, target: str = "t1", waiting_for: WaitingFor = WaitingFor.BUSY) -> Turn:
        return self.observe(Seen(self.session(target, waiting_for)))

    def ready(self, target: str = "t1") -> Turn:
        return self.observe(Seen(self.session(target)))

    def closes(self, target: str = "t1", diagnostic: str = "") -> Turn:
        return self.observe(Seen(SessionState(target, open=False, waiting_for=None, diagnostic=diagnostic)))

    def accepts(self, attempt_id: int, at: Instant | None = None) -> Turn:
        return self.observe(HandedOver(Work.attempt(attempt_id), HandOver(accepted=True, delivered_at=at)))

    def declines(self, attempt_id: int, waiting_for: WaitingFor = WaitingFor.UNFINISHED_INPUT) -> Turn:
        return self.observe(
            HandedOver(Work.attempt(attempt_id), HandOver(accepted=False, waiting_for=waiting_for))
        )

    def ends_message(self, message_id: int, state: AttemptState = AttemptState.COMPLETED) -> Turn:
        return self.observe(Ended(Work.message(message_id), outcome(state, exit_code=None), ()))

    def ends(
        self, attempt_id: int, state: AttemptState = AttemptState.COMPLETED, code: int | None = 0
    ) -> Turn:
        return self.observe(
            Ended(Work.attempt(attempt_id), outcome(state, attempt_id=attempt_id, exit_code=code))
        )

    def run_now(self, schedule: str) -> int:
        turn = Turn()
        with self.store.transaction() as tx:
            row = schedules.schedule(tx, schedule)
            target_id = workspaces.target_of(tx, schedule)
            assert row is not None
            assert target_id is not None
            target = workspaces.node(tx, target_id)
            assert target is not None
            made = self.arbiter.run_now(tx, row, target, turn)
        self._take(turn)
        return made

    def send(self, text: str = "look at this", agent: str = "a1", sender: Sender = A_PERSON) -> int:
        turn = Turn()
        with self.store.transaction() as tx:
            node = workspaces.node(tx, agent)
            assert node is not None
            made = self.arbiter.accept_message(tx, node, NewMessage(sender, text), turn)
        self._take(turn)
        return made

    def withdraw_message(self, message_id: int) -> None:
        turn = Turn()
        with self.store.transaction() as tx:
            self.arbiter.withdraw_message(tx, self.message(message_id, tx), turn)
        self._take(turn)

    def withdraw(self, attempt_id: int) -> None:
        turn = Turn()
        with self.store.transaction() as tx:
            row = ledger.attempt(tx, attempt_id)
            assert row is not None
            self.arbiter.withdraw(tx, row, turn)
        self._take(turn)

    def restart(self, observed: Collection[int] = ()) -> None:
        """What a runtime that starts does with what it finds; of ``observed`` an outcome is still to come,
        or has come (decision 15)."""
        turn = Turn()
        with self.store.transaction() as tx:
            self.arbiter.block_waiting(tx, None, "runtime stopped", turn)
            for row in ledger.at_work(tx):
                if row.id not in observed:
                    self.arbiter.interrupt(tx, row, "nobody observed its end", turn)
            for message in conversations.messages_at_work(tx):
                self.arbiter.interrupt_message(tx, message, "nobody observed its end", turn)
        self._take(turn)

    def _take(self, turn: Turn) -> Turn:
        self.offered += turn.deliveries
        return turn

    # --- What is on record

    def rows(self, schedule: str | None = None) -> list[AttemptRow]:
        """Attempts, oldest first."""
        with self.store.reading() as view:
            return ledger.list_attempts(view, schedule_id=schedule)[::-1]

    def row(self, attempt_id: int) -> AttemptRow:
        with self.store.reading() as view:
            found = ledger.attempt(view, attempt_id)
        assert found is not None
        return found

    def message(self, message_id: int, view: Connection | None = None) -> MessageRow:
        if view is None:
            with self.store.reading() as view:
                return self.message(message_id, view)
        found = conversations.message(view, message_id)
        assert found is not None
        return found

    def messages(self, agent: str = "a1") -> list[str]:
        """The states of an agent's messages, oldest first."""
        with self.store.reading() as view:
            rows = conversations.list_messages(view, agent, before=None, limit=10_000)
        return [str(row.state) for row in rows][::-1]

    def turns(self, agent: str = "a1") -> list[TurnRow]:
        """Oldest first, with their entries."""
        with self.store.reading() as view:
            rows = conversations.list_turns(view, agent, before=None, limit=10_000)[::-1]
            whole = [conversations.turn(view, row.id) for row in rows]
        return [row for row in whole if row is not None]

    def works(self) -> list[Work]:
        """All that was offered to a target, oldest first."""
        return [delivery.work for delivery in self.offered]

    def states(self, schedule: str | None = None) -> list[str]:
        return [str(row.state) for row in self.rows(schedule)]

    def nominals(self, schedule: str | None = None) -> list[str]:
        return [format_instant(row.nominal_at) for row in self.rows(schedule) if row.nominal_at is not None]

    def schedule(self, name: str) -> ScheduleRow:
        with self.store.reading() as view:
            found = schedules.schedule(view, name)
        assert found is not None
        return found

    def next_due(self, name: str) -> str | None:
        at = self.schedule(name).next_due
        return None if at is None else format_instant(at)

    def deliveries(self, attempt_id: int) -> int:
        return sum(delivery.work == Work.attempt(attempt_id) for delivery in self.offered)
