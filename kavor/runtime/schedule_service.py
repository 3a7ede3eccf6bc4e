"""What may be asked of Schedules: define, edit, pause, resume, run now, look ahead."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.domain.payload import check_payload
from kavor.domain.recurrence import (
    Once,
    Recurrence,
    occurrence_json,
    occurrences,
)
from kavor.domain.schedule import ScheduleState
from kavor.domain.zones import format_local, load_zone
from kavor.runtime.connections import connect
from kavor.runtime.definitions import ScheduleFields, define, make_schedule
from kavor.runtime.events import Change
from kavor.runtime.find import find_node, find_schedule, find_workspace, matching_nodes
from kavor.runtime.planning import next_instant
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.runtime.views import AttemptView, ScheduleView, Views, instant_or_none
from kavor.store import ledger, schedules, workspaces
from kavor.store.schedules import ScheduleRow

MAX_PREVIEW = 1000


class ScheduleService:
    """Every method takes the viewer's zone, the one a save stamps (decision 3)."""

    def __init__(self, runtime: Runtime, views: Views) -> None:
        self._runtime = runtime
        self._views = views

    async def listing(
        self, viewer_zone: str, *, workspace: str | None, ref: str | None, state: ScheduleState | None
    ) -> list[ScheduleView]:
        def ask(view: Connection) -> list[ScheduleView]:
            workspace_id = None if workspace is None else find_workspace(view, workspace).id
            ids = None
            if ref is not None:
                found = matching_nodes(view, ref, kind=NodeKind.SCHEDULE, workspace_id=workspace_id)
                ids = [node.id for node in found]
            rows = schedules.list_schedules(view, workspace_id=workspace_id, state=state, ids=ids)
            return self._views.schedules(view, rows, viewer_zone)

        return await self._runtime.read(ask)

    async def get(self, ref: str, viewer_zone: str) -> ScheduleView:
        return await self._runtime.read(
            lambda view: self._views.schedule(view, find_schedule(view, ref), viewer_zone)
        )

    async def add(
        self, fields: ScheduleFields, viewer_zone: str, *, workspace: str | None, target: str | None
    ) -> ScheduleView:
        """Always Paused. Raises BadInput, or Refused for a target no Schedule may have, with nothing kept."""

        def make(turn: Turn, tx: Connection) -> ScheduleView:
            now = self._runtime.clock.now()
            aim = None if target is None else find_node(tx, target)
            beside = None if aim is None else aim.id
            if workspace is None and aim is not None:
                place = find_workspace(tx, aim.workspace_id)
            else:
                place = find_workspace(tx, workspace)
            node = make_schedule(tx, turn, place, fields, zone=viewer_zone, now=now, beside=beside)
            if beside is not None:
                connect(tx, turn, node.id, beside, now=now)
            return self._views.schedule(tx, find_schedule(tx, node.id), viewer_zone)

        return await self._runtime.change(make)

    async def edit(
        self, ref: str, fields: ScheduleFields, viewer_zone: str, *, revision: int
    ) -> ScheduleView:
        """Save over ``revision``, as :func:`definitions.define` says."""

        def save(turn: Turn, tx: Connection) -> ScheduleView:
            row = find_schedule(tx, ref)
            define(tx, turn, row, fields, zone=viewer_zone, revision=revision, now=self._runtime.clock.now())
            return self._answer(tx, row, viewer_zone)

        return await self._runtime.change(save)

    async def pause(self, ref: str, viewer_zone: str, reason: str | None) -> ScheduleView:
        """Stops new occurrences at once; what waits in the slot stays (decision 9)."""

        def stop(turn: Turn, tx: Connection) -> ScheduleView:
            row = find_schedule(tx, ref)
            if row.state is ScheduleState.RUNNING or reason is not None:
                schedules.pause(tx, row.id, reason)
            turn.changes.append(Change("schedule", row.id))
            return self._answer(tx, row, viewer_zone)

        return await self._runtime.change(stop)

    async def resume(self, ref: str, viewer_zone: str) -> ScheduleView:
        """Looks at future occurrences alone (K39). Raises Refused without a valid payload (K40) or for a
        Once that has passed (K41)."""

        def go(turn: Turn, tx: Connection) -> ScheduleView:
            row = find_schedule(tx, ref)
            if row.state is ScheduleState.PAUSED:
                _check_resumable_payload(row)
                at = next_instant(row.recurrence, row.zone, self._runtime.clock.now())
                if at is None:
                    raise Refused(_passed(row), "edit the Schedule and choose a time in the future")
                schedules.change_schedule(
                    tx, row.id, {"state": ScheduleState.RUNNING, "pause_reason": None, "next_due": at}
                )
                turn.changes.append(Change("schedule", row.id))
            return self._answer(tx, row, viewer_zone)

        return await self._runtime.change(go)

    async def run_now(self, ref: str) -> AttemptView:
        """A separate, manual attempt (K42–K46). Raises Refused, with no row, without a target (K21), without
        a payload, or where the slot is taken (decision 11)."""

        def run(turn: Turn, tx: Connection) -> AttemptView:
            row = find_schedule(tx, ref)
            target_id = workspaces.target_of(tx, row.id)
            if target_id is None:
                raise Refused(
                    f"{row.name!r} has no target to run at",
                    "connect it to one CodingAgent or Terminal: kavor connect SCHEDULE TARGET",
                )
            _check_resumable_payload(row)
            target = workspaces.node(tx, target_id)
            assert target is not None
            attempt_id = self._runtime.arbiter.run_now(tx, row, target, turn)
            made = ledger.attempt(tx, attempt_id)
            assert made is not None
            return self._views.attempt(made)

        return await self._runtime.change(run)

    async def coming(
        self, ref: str, viewer_zone: str, *, count: int, after: Instant | None
    ) -> list[dict[str, object]]:
        """The next occurrences, in the viewer's zone; where the Schedule's own differs, in both."""
        row = await self._runtime.read(lambda view: find_schedule(view, ref))
        return self.preview(row.recurrence, row.zone, viewer_zone, count=count, after=after)

    def preview(
        self, recurrence: Recurrence, zone: str, viewer_zone: str, *, count: int, after: Instant | None
    ) -> list[dict[str, object]]:
        """Raises BadInput for a zone that is not known, or a count that is out of range."""
        if not 1 <= count <= MAX_PREVIEW:
            raise BadInput(f"a count of {count} is out of range", f"ask for 1 to {MAX_PREVIEW}")
        own, viewers = load_zone(zone), load_zone(viewer_zone)
        start = self._runtime.clock.now() if after is None else after
        found = []
        for occurrence in occurrences(recurrence, own, start):
            shown = occurrence_json(occurrence, viewers)
            if zone != viewer_zone:
                shown["schedule_local"] = format_local(occurrence.at, own)
                shown["schedule_zone"] = zone
            found.append(shown)
            if len(found) == count:
                break
        return found

    def _answer(self, tx: Connection, before: ScheduleRow, viewer_zone: str) -> ScheduleView:
        """The Schedule as it is now, with its next time before and after the change."""
        now = find_schedule(tx, before.id)
        view = self._views.schedule(tx, now, viewer_zone)
        view["next_due_before"] = instant_or_none(before.next_due)
        view["next_due_after"] = instant_or_none(now.next_due)
        return view


def _check_resumable_payload(row: ScheduleRow) -> None:
    try:
        check_payload(row.payload)
    except BadInput as error:
        raise Refused(f"{row.name!r} cannot run: {error.message}", error.hint) from None


def _passed(row: ScheduleRow) -> str:
    if isinstance(row.recurrence, Once):
        return f"{row.name!r} was to run once at {row.recurrence.local:%Y-%m-%d %H:%M}, which has passed"
    return f"{row.name!r} has no occurrence left"
