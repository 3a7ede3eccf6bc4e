"""What the faces are shown: every resource in the one shape that answers, lists and events share.

Instants are RFC 3339 in UTC with ``Z``; local times are in the viewer's zone, with their offset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy.engine import Connection
from typing_extensions import TypedDict

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, format_instant
from kavor.domain.recurrence import Once, recurrence_to_json
from kavor.domain.schedule import ScheduleState
from kavor.domain.words import describe
from kavor.domain.zones import format_local, load_zone, resolve
from kavor.runtime.clock import Clock
from kavor.runtime.environment import restart_reason
from kavor.runtime.node_views import ConnectionView, NodeView, connection_view, node_view, node_views
from kavor.runtime.session_views import SessionView, agent_restart_reason, session_view
from kavor.runtime.targets import TargetBoard
from kavor.store import ledger, workspaces
from kavor.store.coding_agents import CodingAgentRow
from kavor.store.ledger import AttemptRow
from kavor.store.schedules import ScheduleRow
from kavor.store.workspaces import ConnectionRow, NodeRow, WorkspaceRow


class WorkspaceView(TypedDict):
    id: str
    name: str
    directory: str
    revision: int
    created_at: str


class TargetView(TypedDict):
    id: str
    kind: str
    name: str


class ToolCallView(TypedDict):
    title: str
    kind: str
    status: str
    detail: str
    """Of what Kavor saw: the exit code of a command, or why it was refused."""


class EvidenceView(TypedDict):
    output: str
    """The end of a command's output, or an agent's last message."""
    truncated: bool
    duration_ms: int | None
    tool_calls: list[ToolCallView]
    """What an agent called, oldest first, and then what Kavor itself refused it and ran for it."""


class AttemptView(TypedDict):
    id: int
    schedule: str
    schedule_name: str
    target: str | None
    target_name: str | None
    trigger: str
    nominal_at: str | None
    created_at: str
    delivered_at: str | None
    finished_at: str | None
    lateness_ms: int | None
    duration_ms: int | None
    state: str
    waiting_for: str | None
    diagnostic: str
    exit_code: int | None
    missed_count: int | None
    holder: int | None
    dismissed: bool
    payload: str
    evidence: EvidenceView | None
    actions: list[str]


class ScheduleView(TypedDict, total=False):
    id: str
    name: str
    workspace: str
    workspace_name: str
    state: str
    pause_reason: str | None
    recurrence: dict[str, object]
    description: str
    zone: str
    host_zone: str
    zone_mismatch: bool
    next_due: str | None
    next_local: str | None
    payload: str
    target: TargetView | None
    overlap: str
    catchup: str
    misfire_grace_s: float
    pending_limit_s: float | None
    revision: int
    last_attempt: AttemptView | None
    actions: list[str]
    next_due_before: str | None
    next_due_after: str | None


def instant_or_none(at: Instant | None) -> str | None:
    return None if at is None else format_instant(at)


class Views:
    """Belongs to the store's thread."""

    def __init__(self, clock: Clock, targets: TargetBoard) -> None:
        self._clock = clock
        self._targets = targets

    def workspace(self, row: WorkspaceRow) -> WorkspaceView:
        return {
            "id": row.id,
            "name": row.name,
            "directory": row.directory,
            "revision": row.revision,
            "created_at": format_instant(row.created_at),
        }

    def connection(self, row: ConnectionRow) -> ConnectionView:
        return connection_view(row)

    def node(self, tx: Connection, row: NodeRow) -> NodeView:
        return node_view(tx, row, self._session)

    def nodes(self, tx: Connection, rows: Sequence[NodeRow]) -> list[NodeView]:
        """Many at once, with as many questions of the database as one costs."""
        return node_views(tx, rows, self._session)

    def session(self, tx: Connection, row: NodeRow) -> SessionView:
        """Of a Node that can have one."""
        shown = self.node(tx, row)
        return shown["session"]

    def _session(self, row: NodeRow, wanted: str, present: Mapping[str, str] | CodingAgentRow) -> SessionView:
        live = self._targets.session(row.id)
        if isinstance(present, CodingAgentRow):
            reason = agent_restart_reason(self._targets.started_with(row.id), present)
        else:
            reason = restart_reason(live.environment, present) if live is not None else None
        return session_view(row, wanted, live, reason)

    def attempt(self, row: AttemptRow, evidence: EvidenceView | None = None) -> AttemptView:
        late = None
        if row.nominal_at is not None and row.delivered_at is not None:
            late = row.delivered_at - row.nominal_at
        waiting, diagnostic = None, row.diagnostic
        if row.state is AttemptState.PENDING and row.target_id is not None:
            # Asked of the session's state each time, so that it is true at every moment.
            waiting = self._targets.waits_for(row.target_id) or "busy"
            diagnostic = diagnostic or self._said_by_session(row.target_id)
        return {
            "id": row.id,
            "schedule": row.schedule_id,
            "schedule_name": row.schedule_name,
            "target": row.target_id,
            "target_name": row.target_name,
            "trigger": row.trigger,
            "nominal_at": instant_or_none(row.nominal_at),
            "created_at": format_instant(row.created_at),
            "delivered_at": instant_or_none(row.delivered_at),
            "finished_at": instant_or_none(row.finished_at),
            "lateness_ms": late,
            "duration_ms": row.duration_ms,
            "state": row.state,
            "waiting_for": waiting,
            "diagnostic": diagnostic,
            "exit_code": row.exit_code,
            "missed_count": row.missed_count,
            "holder": row.holder_id,
            "dismissed": row.dismissed_at is not None,
            "payload": row.payload,
            "evidence": evidence,
            "actions": self._attempt_actions(row),
        }

    def _said_by_session(self, target_id: str) -> str:
        """What an open session says of itself: perhaps why nothing will ever go in."""
        session = self._targets.session(target_id)
        return session.diagnostic if session is not None and session.open else ""

    def _attempt_actions(self, row: AttemptRow) -> list[str]:
        match row.state:
            case AttemptState.PENDING:
                return ["Withdraw"]
            case AttemptState.NEEDS_ATTENTION:
                return ["Answer", "Stop"]
            case AttemptState.DELIVERING:
                session = self._targets.session(row.target_id or "")
                return ["Stop"] if session is not None and session.provider is not None else []
            case AttemptState.MISSED if row.dismissed_at is None:
                return ["Run now", "Dismiss"]
            case _:
                return []

    def attempt_whole(self, tx: Connection, row: AttemptRow) -> AttemptView:
        """With its evidence."""
        kept = ledger.evidence_of(tx, row.id)
        if kept is None:
            return self.attempt(row)
        evidence: EvidenceView = {
            "output": kept.output,
            "truncated": kept.truncated,
            "duration_ms": row.duration_ms,
            "tool_calls": [cast(ToolCallView, {"detail": "", **call}) for call in kept.tool_calls],
        }
        return self.attempt(row, evidence)

    def schedule(self, tx: Connection, row: ScheduleRow, viewer_zone: str) -> ScheduleView:
        return self.schedules(tx, [row], viewer_zone)[0]

    def schedules(self, tx: Connection, rows: Sequence[ScheduleRow], viewer_zone: str) -> list[ScheduleView]:
        last = ledger.last_attempts(tx, [row.id for row in rows])
        aims = workspaces.targets(tx)
        nodes = workspaces.nodes_by_id(tx, {aims[row.id] for row in rows if row.id in aims})
        names = {row.id: row.name for row in workspaces.list_workspaces(tx)}
        return [
            self._schedule(
                row, nodes.get(aims.get(row.id, "")), names[row.workspace_id], last.get(row.id), viewer_zone
            )
            for row in rows
        ]

    def _schedule(
        self,
        row: ScheduleRow,
        target: NodeRow | None,
        workspace_name: str,
        last: AttemptRow | None,
        viewer_zone: str,
    ) -> ScheduleView:
        limit = row.policies.pending_limit_ms
        next_local = None
        if row.next_due is not None:
            next_local = format_local(row.next_due, load_zone(viewer_zone))
        return {
            "id": row.id,
            "name": row.name,
            "workspace": row.workspace_id,
            "workspace_name": workspace_name,
            "state": row.state,
            "pause_reason": row.pause_reason,
            "recurrence": recurrence_to_json(row.recurrence),
            "description": describe(row.recurrence),
            "zone": row.zone,
            "host_zone": viewer_zone,
            "zone_mismatch": row.zone != viewer_zone,
            "next_due": instant_or_none(row.next_due),
            "next_local": next_local,
            "payload": row.payload,
            "target": None if target is None else {"id": target.id, "kind": target.kind, "name": target.name},
            "overlap": row.policies.overlap,
            "catchup": row.policies.catchup,
            "misfire_grace_s": row.policies.misfire_grace_ms / 1000,
            "pending_limit_s": None if limit is None else limit / 1000,
            "revision": row.revision,
            "last_attempt": None if last is None else self.attempt(last),
            "actions": self._actions(row, target),
        }

    def _actions(self, row: ScheduleRow, target: NodeRow | None) -> list[str]:
        """What the Canvas offers now; each of them would be accepted, as far as can be told."""
        actions = []
        if row.state is ScheduleState.RUNNING:
            actions.append("Pause")
        elif row.payload and not self._is_passed(row):
            actions.append("Resume")
        if row.payload and target is not None:
            actions.append("Run now")
        return actions

    def _is_passed(self, row: ScheduleRow) -> bool:
        if not isinstance(row.recurrence, Once):
            return False
        try:
            return resolve(row.recurrence.local, load_zone(row.zone)).at <= self._clock.now()
        except BadInput:
            return True
