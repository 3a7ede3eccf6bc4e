"""The runtime itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request

from kavor.api.asking import Ask
from kavor.api.models import StopBody

router = APIRouter()


@router.get("/runtime")
async def get_runtime(ask: Ask) -> dict[str, Any]:
    return await ask.status()


@router.post("/runtime/stop")
async def stop_runtime(request: Request, body: StopBody | None = None) -> dict[str, bool]:
    stop: Callable[..., None] = request.app.state.stop
    stop(end_sessions=body is not None and body.end_sessions)
    return {"stopping": True}
