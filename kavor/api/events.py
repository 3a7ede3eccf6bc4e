"""The event stream: every change, numbered, over a WebSocket.

First ``hello`` with the number of the last event; then each change with what it is about, as it is when
the event is sent. A face that asks for events which are no longer kept, or of another runtime, and one
that cannot keep up, is sent ``reset``: read everything anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect

from kavor.api.routes import viewer_zone
from kavor.domain.errors import KavorError
from kavor.runtime.events import Event
from kavor.runtime.services import Services

router = APIRouter()


@router.websocket("/api/events")
async def events(
    socket: WebSocket,
    after: int | None = None,
    runtime: Annotated[str | None, Query()] = None,
) -> None:
    services: Services = socket.app.state.services
    log = services.runtime.events
    try:
        zone = viewer_zone(socket.headers.get("kavor-zone"))
    except KavorError as error:
        await socket.close(code=1008, reason=error.message[:100])
        return
    await socket.accept()
    with log.subscribed() as queue, contextlib.suppress(WebSocketDisconnect, asyncio.CancelledError):
        hello = {"type": "hello", "event": log.last, "runtime": log.runtime_id}
        missed: list[Event] | None = []
        if after is not None:
            missed = log.missed_since(after) if runtime in (None, log.runtime_id) else None
        await socket.send_json(hello)
        if missed is None:
            await socket.send_json({"type": "reset", "event": hello["event"]})
        for event in missed or []:
            await socket.send_json(await _message(services, event, zone))
        gone = asyncio.create_task(_until_gone(socket))
        try:
            await _send_all(socket, queue, gone, services, zone)
        finally:
            gone.cancel()


async def _send_all(
    socket: WebSocket, queue: asyncio.Queue[Event], gone: asyncio.Task[None], services: Services, zone: str
) -> None:
    while True:
        coming = asyncio.ensure_future(queue.get())
        await asyncio.wait({coming, gone}, return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            coming.cancel()
            return
        await socket.send_json(await _message(services, coming.result(), zone))


async def _until_gone(socket: WebSocket) -> None:
    """Faces say nothing on this stream; what arrives is its end."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await socket.receive_text()


async def _message(services: Services, event: Event, zone: str) -> dict[str, Any]:
    change = event.change
    if change is None:
        return {"type": "reset", "event": event.number}
    value = None if change.kind == "removed" else await services.present(change, zone)
    return {
        "event": event.number,
        "type": change.type,
        "id": change.id,
        "change": change.kind,
        "value": value,
    }
