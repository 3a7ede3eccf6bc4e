"""Workspaces."""

from __future__ import annotations

from fastapi import APIRouter

from kavor.api.asking import Ask
from kavor.api.models import NewWorkspace
from kavor.runtime.views import WorkspaceView

router = APIRouter()


@router.get("/workspaces")
async def list_workspaces(ask: Ask, ref: str | None = None) -> dict[str, list[WorkspaceView]]:
    return {"workspaces": await ask.workspaces.listing(ref)}


@router.post("/workspaces")
async def add_workspace(ask: Ask, body: NewWorkspace) -> WorkspaceView:
    return await ask.workspaces.add(body.directory, body.name)


@router.get("/workspaces/{ref}")
async def get_workspace(ask: Ask, ref: str) -> WorkspaceView:
    return await ask.workspaces.get(ref)


@router.delete("/workspaces/{ref}")
async def remove_workspace(ask: Ask, ref: str, nodes: str | None = None) -> dict[str, str]:
    return {"removed": await ask.workspaces.remove(ref, with_nodes=nodes == "remove")}
