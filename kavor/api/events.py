"""The event stream: every change, numbered, over a WebSocket.

First ``hello`` with the number of the last event; then each change with what it is about, as it is when
the event is sent. A face that asks for events which are no longer kept, or of another runtime, and one
that cannot keep up, is sent ``reset``: read everything anew. Where an event cannot be shown, since the
database cannot be read, the stream is closed with 1011 and the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect

from kavor.api.asking import viewer_zone
from kavor.api.problems import close_reason, problem_response
from kavor.domain.errors import KavorError
from kavor.runtime.events import Event
from kavor.runtime.services import Services

log = logging.getLogger(__name__)

router = APIRouter()

_INTERNAL_ERROR = 1011


@router.websocket("/api/events")
async def events(
    socket: WebSocket,
    after: int | None = None,
    runtime: Annotated[str | None, Query()] = None,
) -> None:
    try:
        zone = await viewer_zone(socket.headers.get("kavor-zone"))
    except KavorError as error:
        await socket.send_denial_response(problem_response(error))
        return
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, asyncio.CancelledError):
        try:
            await _tell(socket, after, runtime, zone)
        except KavorError as error:
            # Not passed over, and no reset: who comes back asks for what came after the last one it heard.
            log.warning("an event stream was broken off: %s", error.message)
            await socket.close(_INTERNAL_ERROR, close_reason(error))


async def _tell(socket: WebSocket, after: int | None, runtime: str | None, zone: str) -> None:
    """Everything, until the face is gone. Raises what keeps an event from being shown, as StorageFailed."""
    services: Services = socket.app.state.services
    events = services.runtime.events
    with events.subscribed() as queue:
        hello = {"type": "hello", "event": events.last, "runtime": events.runtime_id}
        missed: list[Event] | None = []
        if after is not None:
            missed = events.missed_since(after) if runtime in (None, events.runtime_id) else None
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
