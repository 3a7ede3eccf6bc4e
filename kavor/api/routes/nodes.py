"""Nodes of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fastapi import APIRouter, Response

from kavor.api.asking import Ask, Revision, RevisionMissing, Version, Zone, needed_revision
from kavor.api.models import NewNode, NodeEdit, TextBody
from kavor.api.routes.schedules import SCHEDULE_FIELDS
from kavor.domain.errors import BadInput
from kavor.domain.graph import TARGET_KINDS, NodeKind, parse_kind
from kavor.runtime.definitions import ScheduleFields
from kavor.runtime.node_kinds import NodeFields
from kavor.runtime.node_views import NodeView
from kavor.runtime.text_service import TextView

router = APIRouter()


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
    for everywhere in ("kind", "workspace"):
        given.pop(everywhere, None)
    if kind is NodeKind.SCHEDULE:
        _only(given, kind, SCHEDULE_FIELDS | {"target"})
        given.pop("target", None)
        made = await ask.schedules.add(
            cast(ScheduleFields, given), zone, workspace=body.workspace, target=body.target
        )
        return await ask.graph.node(made["id"])
    if kind in TARGET_KINDS:
        given.pop("open", None)
    return await ask.graph.add_node(
        kind, cast(NodeFields, given), workspace=body.workspace, open_session=body.open
    )


def _only(given: Mapping[str, object], kind: NodeKind, own: frozenset[str]) -> None:
    foreign = sorted(given.keys() - own)
    if foreign:
        raise BadInput(f"a {kind.label} has no {', '.join(foreign)}", "leave that out")


@router.get("/nodes/{ref}")
async def get_node(ask: Ask, ref: str) -> NodeView:
    return await ask.graph.node(ref)


@router.patch("/nodes/{ref}")
async def edit_node(ask: Ask, ref: str, body: NodeEdit, revision: Revision) -> NodeView:
    fields = cast(NodeFields, body.given())
    if set(fields) - {"x", "y"}:
        needed_revision(revision)
    return await ask.graph.edit_node(ref, fields, revision=revision)


@router.get("/nodes/{ref}/text")
async def get_text(ask: Ask, ref: str, response: Response) -> TextView:
    """Of a Sticky Note, a File or a Specification."""
    return _tagged(await ask.texts.get(ref), response)


@router.put("/nodes/{ref}/text")
async def save_text(ask: Ask, ref: str, body: TextBody, version: Version, response: Response) -> TextView:
    if version is None:
        raise RevisionMissing("a save needs the version it is based on", 'send If-Match: "VERSION"')
    return _tagged(await ask.texts.save(ref, body.text, version=version), response)


def _tagged(text: TextView, response: Response) -> TextView:
    response.headers["ETag"] = f'"{text["version"]}"'
    return text


@router.delete("/nodes/{ref}")
async def remove_node(ask: Ask, ref: str) -> dict[str, str]:
    return {"removed": await ask.graph.remove_node(ref)}
