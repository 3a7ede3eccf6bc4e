"""The routes of the HTTP API. Each is thin: it reads the request, asks one service, and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Header, Query, Request

from kavor.api import problems
from kavor.api.models import (
    InputBody,
    NewConnection,
    NewNode,
    NewSchedule,
    NewWorkspace,
    NodeEdit,
    PauseBody,
    Preview,
    ScheduleBody,
    StopBody,
)
from kavor.domain.attempts import AttemptState
from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind, parse_kind
from kavor.domain.instant import Instant, parse_instant
from kavor.domain.recurrence import parse_recurrence
from kavor.domain.schedule import ScheduleState
from kavor.domain.words import describe
from kavor.domain.zones import load_zone
from kavor.host_zone import host_zone_name
from kavor.runtime.graph_service import NodeFields
from kavor.runtime.schedule_service import ScheduleFields
from kavor.runtime.services import Services
from kavor.runtime.views import (
    AttemptView,
    ConnectionView,
    NodeView,
    ScheduleView,
    SessionView,
    WorkspaceView,
)

router = APIRouter(
    prefix="/api",
    responses={
        "default": {
            "description": "A problem (RFC 9457)",
            "content": {problems.MEDIA_TYPE: {"schema": problems.SCHEMA}},
        }
    },
)

_DEFAULT_LIMIT = 100
_MAX_LIMIT = 10_000
_MOST_DIGITS = 18
"""Of a revision: as many as the database can count."""

_SCHEDULE_FIELDS = frozenset(ScheduleFields.__annotations__)
_EVERY_NODES_FIELDS = frozenset({"name", "x", "y"})
_TERMINAL_FIELDS = frozenset({"shell", "directory", "open"})
_PATH_FIELDS = frozenset({"path"})


class RevisionMissing(BadInput):
    """An edit that does not say what it was based on."""

    status = 428
    kind = "revision-missing"


# Asynchronous although nothing is awaited: the framework sends others to a thread, for every request.


async def services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


async def viewer_zone(kavor_zone: Annotated[str | None, Header()] = None) -> str:
    """The zone of the machine the asking face runs on; the runtime's own where it does not say."""
    return load_zone(kavor_zone or host_zone_name()).key


async def revision(if_match: Annotated[str | None, Header()] = None) -> int | None:
    if if_match is None:
        return None
    text = if_match.strip().removeprefix("W/").strip('"')
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise BadInput(f"If-Match {if_match!r} is not a revision", 'send it like If-Match: "7"')
    return int(text)


Ask = Annotated[Services, Depends(services)]
Zone = Annotated[str, Depends(viewer_zone)]
Revision = Annotated[int | None, Depends(revision)]
Limit = Annotated[int, Query(ge=1, le=_MAX_LIMIT)]


def _needed(revision: int | None) -> int:
    if revision is None:
        raise RevisionMissing("an edit needs the revision it is based on", 'send If-Match: "REVISION"')
    return revision


def _states(words: list[str] | None) -> list[AttemptState]:
    by_word = {state.lower().replace(" ", ""): state for state in AttemptState}
    found = []
    for word in words or []:
        plain = word.lower().replace(" ", "").replace("-", "").replace("_", "")
        if plain not in by_word:
            raise BadInput(f"{word!r} is not a state", "use one of: " + ", ".join(AttemptState))
        found.append(by_word[plain])
    return found


def _schedule_state(word: str | None) -> ScheduleState | None:
    if word is None:
        return None
    try:
        return ScheduleState(word.capitalize())
    except ValueError:
        raise BadInput(f"{word!r} is not a state of a Schedule", "use Running or Paused") from None


def _instant(text: str | None) -> Instant | None:
    return None if text is None else parse_instant(text)


# --- The runtime


@router.get("/runtime")
async def get_runtime(ask: Ask) -> dict[str, Any]:
    return await ask.status()


@router.post("/runtime/stop")
async def stop_runtime(request: Request, body: StopBody | None = None) -> dict[str, bool]:
    stop: Callable[..., None] = request.app.state.stop
    stop(end_sessions=body is not None and body.end_sessions)
    return {"stopping": True}


# --- Workspaces


@router.get("/workspaces")
async def list_workspaces(ask: Ask, ref: str | None = None) -> dict[str, list[WorkspaceView]]:
    return {"workspaces": await ask.graph.workspaces(ref)}


@router.post("/workspaces")
async def add_workspace(ask: Ask, body: NewWorkspace) -> WorkspaceView:
    return await ask.graph.add_workspace(body.directory, body.name)


@router.get("/workspaces/{ref}")
async def get_workspace(ask: Ask, ref: str) -> WorkspaceView:
    return await ask.graph.workspace(ref)


@router.delete("/workspaces/{ref}")
async def remove_workspace(ask: Ask, ref: str, nodes: str | None = None) -> dict[str, str]:
    return {"removed": await ask.graph.remove_workspace(ref, with_nodes=nodes == "remove")}


# --- Nodes and Connections


@router.get("/nodes")
async def list_nodes(
    ask: Ask, workspace: str | None = None, kind: str | None = None, ref: str | None = None
) -> dict[str, list[NodeView]]:
    chosen = None if kind is None else parse_kind(kind)
    return {"nodes": await ask.graph.nodes(workspace=workspace, kind=chosen, ref=ref)}


@router.post("/nodes")
async def add_node(ask: Ask, zone: Zone, body: NewNode) -> NodeView:
    kind = parse_kind(body.kind)
    given = body.given()
    if kind is NodeKind.SCHEDULE:
        _only(given, kind, _TERMINAL_FIELDS | _PATH_FIELDS)
        fields = cast(ScheduleFields, {name: given[name] for name in _SCHEDULE_FIELDS & given.keys()})
        made = await ask.schedules.add(fields, zone, workspace=body.workspace, target=body.target)
        return await ask.graph.node(made["id"])
    if kind is NodeKind.TERMINAL:
        _only(given, kind, (_SCHEDULE_FIELDS | _PATH_FIELDS | {"target"}) - _EVERY_NODES_FIELDS)
        return await ask.graph.add_terminal(
            given.get("name", "Terminal"),
            workspace=body.workspace,
            shell=body.shell,
            directory=body.directory,
            x=given.get("x"),
            y=given.get("y"),
            open_session=body.open,
        )
    if kind in NAMED_KINDS:
        _only(given, kind, (_SCHEDULE_FIELDS | _TERMINAL_FIELDS | {"target"}) - _EVERY_NODES_FIELDS)
        return await ask.graph.add_named_path(
            kind,
            given.get("name"),
            workspace=body.workspace,
            path=body.path,
            x=given.get("x"),
            y=given.get("y"),
        )
    raise BadInput(
        f"a {kind.label} cannot be added yet", "this version has Schedules, Terminals, Files, Specifications"
    )


def _only(given: dict[str, Any], kind: NodeKind, foreign: frozenset[str]) -> None:
    wrong = sorted(foreign & given.keys())
    if wrong:
        raise BadInput(f"a {kind.label} has no {', '.join(wrong)}", "leave that out")


@router.get("/nodes/{ref}")
async def get_node(ask: Ask, ref: str) -> NodeView:
    return await ask.graph.node(ref)


@router.patch("/nodes/{ref}")
async def edit_node(ask: Ask, ref: str, body: NodeEdit, revision: Revision) -> NodeView:
    fields = cast(NodeFields, body.given())
    if set(fields) - {"x", "y"}:
        _needed(revision)
    return await ask.graph.edit_node(ref, fields, revision=revision)


@router.delete("/nodes/{ref}")
async def remove_node(ask: Ask, ref: str) -> dict[str, str]:
    return {"removed": await ask.graph.remove_node(ref)}


@router.get("/connections")
async def list_connections(ask: Ask, workspace: str | None = None) -> dict[str, list[ConnectionView]]:
    return {"connections": await ask.graph.connections(workspace)}


@router.post("/connections")
async def add_connection(ask: Ask, body: NewConnection) -> ConnectionView:
    if body.guardrail is not None:
        raise BadInput(
            "a Guardrail binds a CodingAgent and one of its resources",
            "leave it out: this version has no CodingAgents yet",
        )
    return await ask.graph.connect(body.a, body.b, body.env)


@router.delete("/connections")
async def remove_connection(ask: Ask, a: str, b: str) -> dict[str, ConnectionView]:
    return {"removed": await ask.graph.disconnect(a, b)}


# --- Schedules


@router.get("/schedules")
async def list_schedules(
    ask: Ask, zone: Zone, workspace: str | None = None, ref: str | None = None, state: str | None = None
) -> dict[str, list[ScheduleView]]:
    found = await ask.schedules.listing(zone, workspace=workspace, ref=ref, state=_schedule_state(state))
    return {"schedules": found}


@router.post("/schedules")
async def add_schedule(ask: Ask, zone: Zone, body: NewSchedule) -> ScheduleView:
    given = body.given()
    fields = cast(ScheduleFields, {name: given[name] for name in _SCHEDULE_FIELDS & given.keys()})
    return await ask.schedules.add(fields, zone, workspace=body.workspace, target=body.target)


@router.get("/schedules/{ref}")
async def get_schedule(ask: Ask, zone: Zone, ref: str) -> ScheduleView:
    return await ask.schedules.get(ref, zone)


@router.patch("/schedules/{ref}")
async def edit_schedule(
    ask: Ask, zone: Zone, ref: str, body: ScheduleBody, revision: Revision
) -> ScheduleView:
    fields = cast(ScheduleFields, body.given())
    return await ask.schedules.edit(ref, fields, zone, revision=_needed(revision))


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
    found = await ask.schedules.coming(ref, zone, count=count, after=_instant(after))
    return {"occurrences": found}


@router.get("/schedules/{ref}/history")
async def history(
    ask: Ask,
    ref: str,
    state: Annotated[list[str] | None, Query()] = None,
    limit: Limit = _DEFAULT_LIMIT,
) -> dict[str, list[AttemptView]]:
    found = await ask.attempts.listing(schedule=ref, states=_states(state), limit=limit)
    return {"attempts": found}


@router.post("/preview")
async def preview(ask: Ask, zone: Zone, body: Preview) -> dict[str, Any]:
    recurrence = parse_recurrence(body.recurrence, may_be_empty=True)
    found = ask.schedules.preview(
        recurrence, body.zone or zone, zone, count=body.count, after=_instant(body.after)
    )
    return {"occurrences": found, "description": describe(recurrence)}


# --- Attempts


@router.get("/attempts")
async def list_attempts(
    ask: Ask,
    target: str | None = None,
    schedule: str | None = None,
    since: str | None = None,
    state: Annotated[list[str] | None, Query()] = None,
    limit: Limit = _DEFAULT_LIMIT,
) -> dict[str, list[AttemptView]]:
    found = await ask.attempts.listing(
        schedule=schedule, target=target, states=_states(state), since=_instant(since), limit=limit
    )
    return {"attempts": found}


@router.get("/attempts/{attempt_id}")
async def get_attempt(ask: Ask, attempt_id: int) -> AttemptView:
    return await ask.attempts.get(attempt_id)


@router.post("/attempts/{attempt_id}/withdraw")
async def withdraw_attempt(ask: Ask, attempt_id: int) -> AttemptView:
    return await ask.attempts.withdraw(attempt_id)


@router.post("/attempts/{attempt_id}/dismiss")
async def dismiss_attempt(ask: Ask, attempt_id: int) -> AttemptView:
    return await ask.attempts.dismiss(attempt_id)


# --- Sessions


@router.get("/sessions")
async def list_sessions(ask: Ask, workspace: str | None = None) -> dict[str, list[SessionView]]:
    return {"sessions": await ask.sessions.listing(workspace)}


@router.post("/sessions/{ref}/open")
async def open_session(ask: Ask, ref: str) -> SessionView:
    return await ask.sessions.open(ref)


@router.post("/sessions/{ref}/close")
async def close_session(ask: Ask, ref: str) -> SessionView:
    return await ask.sessions.close(ref)


@router.post("/sessions/{ref}/restart")
async def restart_session(ask: Ask, ref: str) -> SessionView:
    return await ask.sessions.restart(ref)


@router.get("/sessions/{ref}/screen")
async def session_screen(ask: Ask, ref: str, full: bool = False) -> dict[str, str]:
    """With ``full``, what has scrolled out of the screen comes first, as far as it is recorded."""
    return {"screen": await ask.sessions.screen(ref, whole=full)}


@router.get("/sessions/{ref}/tail")
async def session_tail(ask: Ask, ref: str, bytes: int = 65_536) -> dict[str, str]:
    return {"tail": await ask.sessions.tail(ref, bytes)}


@router.post("/sessions/{ref}/input")
async def session_input(ask: Ask, ref: str, body: InputBody) -> SessionView:
    return await ask.sessions.type(ref, body.text, enter=body.enter)
