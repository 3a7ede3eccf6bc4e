"""Schedules, and previews of recurrences."""

from __future__ import annotations

from typing import Any, cast

from fastapi import APIRouter

from kavor.api.asking import (
    DEFAULT_LIMIT,
    Ask,
    Limit,
    Revision,
    States,
    Zone,
    attempt_states,
    instant_or_none,
    needed_revision,
)
from kavor.api.models import NewSchedule, PauseBody, Preview, ScheduleBody
from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind
from kavor.domain.recurrence import parse_recurrence
from kavor.domain.schedule import ScheduleState
from kavor.domain.words import describe
from kavor.runtime.definitions import ScheduleFields
from kavor.runtime.views import AttemptView, ScheduleView

router = APIRouter()

SCHEDULE_FIELDS = frozenset(ScheduleFields.__annotations__)


@router.get("/schedules")
async def list_schedules(
    ask: Ask, zone: Zone, workspace: str | None = None, ref: str | None = None, state: str | None = None
) -> dict[str, list[ScheduleView]]:
    found = await ask.schedules.listing(zone, workspace=workspace, ref=ref, state=_schedule_state(state))
    return {"schedules": found}


@router.post("/schedules")
async def add_schedule(ask: Ask, zone: Zone, body: NewSchedule) -> ScheduleView:
    given = body.given()
    fields = cast(ScheduleFields, {name: given[name] for name in SCHEDULE_FIELDS & given.keys()})
    return await ask.schedules.add(fields, zone, workspace=body.workspace, target=body.target)


@router.get("/schedules/{ref}")
async def get_schedule(ask: Ask, zone: Zone, ref: str) -> ScheduleView:
    return await ask.schedules.get(ref, zone)


@router.patch("/schedules/{ref}")
async def edit_schedule(
    ask: Ask, zone: Zone, ref: str, body: ScheduleBody, revision: Revision
) -> ScheduleView:
    fields = cast(ScheduleFields, body.given())
    return await ask.schedules.edit(ref, fields, zone, revision=needed_revision(revision))


@router.delete("/schedules/{ref}")
async def remove_schedule(ask: Ask, ref: str) -> dict[str, str]:
    return {"removed": await ask.graph.remove_node(ref, NodeKind.SCHEDULE)}


@router.post("/schedules/{ref}/pause")
async def pause_schedule(ask: Ask, zone: Zone, ref: str, body: PauseBody | None = None) -> ScheduleView:
    return await ask.schedules.pause(ref, zone, body.reason if body is not None else None)


@router.post("/schedules/{ref}/resume")
async def resume_schedule(ask: Ask, zone: Zone, ref: str) -> ScheduleView:
    return await ask.schedules.resume(ref, zone)


@router.post("/schedules/{ref}/run")
async def run_schedule(ask: Ask, ref: str) -> AttemptView:
    return await ask.schedules.run_now(ref)


@router.get("/schedules/{ref}/next")
async def next_occurrences(
    ask: Ask, zone: Zone, ref: str, count: int = 10, after: str | None = None
) -> dict[str, Any]:
    found = await ask.schedules.coming(ref, zone, count=count, after=instant_or_none(after))
    return {"occurrences": found}


@router.get("/schedules/{ref}/history")
async def history(
    ask: Ask,
    ref: str,
    state: States = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, list[AttemptView]]:
    found = await ask.attempts.listing(schedule=ref, states=attempt_states(state), limit=limit)
    return {"attempts": found}


@router.post("/preview")
async def preview(ask: Ask, zone: Zone, body: Preview) -> dict[str, Any]:
    recurrence = parse_recurrence(body.recurrence, may_be_empty=True)
    found = ask.schedules.preview(
        recurrence, body.zone or zone, zone, count=body.count, after=instant_or_none(body.after)
    )
    return {"occurrences": found, "description": describe(recurrence)}


def _schedule_state(word: str | None) -> ScheduleState | None:
    if word is None:
        return None
    try:
        return ScheduleState(word.capitalize())
    except ValueError:
        raise BadInput(f"{word!r} is not a state of a Schedule", "use Running or Paused") from None
