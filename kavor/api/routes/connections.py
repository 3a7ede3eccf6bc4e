"""Connections."""

from __future__ import annotations

from fastapi import APIRouter

from kavor.api.asking import Ask
from kavor.api.models import NewConnection
from kavor.runtime.node_views import ConnectionView

router = APIRouter()


@router.get("/connections")
async def list_connections(ask: Ask, workspace: str | None = None) -> dict[str, list[ConnectionView]]:
    return {"connections": await ask.graph.connections(workspace)}


@router.post("/connections")
async def add_connection(ask: Ask, body: NewConnection) -> ConnectionView:
    """Of Nodes that are connected already another variable or Guardrail is chosen so; "none" takes a
    Guardrail away."""
    return await ask.graph.connect(body.a, body.b, body.env, body.guardrail)


@router.delete("/connections")
async def remove_connection(ask: Ask, a: str, b: str) -> dict[str, ConnectionView]:
    return {"removed": await ask.graph.disconnect(a, b)}
