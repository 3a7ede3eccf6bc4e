"""The stream of a terminal's screen, over a WebSocket: what its engine draws is passed on unread, what the
viewer types goes to the shell. docs/terminal-stream.md describes the messages."""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from kavor.api.problems import close_reason
from kavor.domain.errors import BadInput, KavorError
from kavor.runtime.services import Services
from kavor.runtime.session_service import MAX_TYPED_BYTES
from kavor.sessions.session import SessionsLost
from kavor.sessions.terminal.screens import Look
from kavor.terminal_frames import FromViewer, Input, Problem, Resize, decode_from_viewer, encode

router = APIRouter()

_POLICY_VIOLATION = 1008

_Outgoing = asyncio.Queue[bytes | None]


@router.websocket("/api/sessions/{ref}/stream")
async def stream(socket: WebSocket, ref: str) -> None:
    services: Services = socket.app.state.services
    outgoing: _Outgoing = asyncio.Queue()
    await socket.accept()
    try:
        look = await services.sessions.look(ref, outgoing.put_nowait, lambda: outgoing.put_nowait(None))
    except KavorError as error:
        await socket.close(_POLICY_VIOLATION, close_reason(error))
        return
    sending = asyncio.create_task(_send(socket, outgoing))
    try:
        with contextlib.suppress(WebSocketDisconnect, SessionsLost, asyncio.CancelledError):
            await _receive(socket, look, outgoing)
    finally:
        look.close()
        sending.cancel()


async def _send(socket: WebSocket, outgoing: _Outgoing) -> None:
    while (message := await outgoing.get()) is not None:
        await socket.send_bytes(message)
    await socket.close()


async def _receive(socket: WebSocket, look: Look, outgoing: _Outgoing) -> None:
    while True:
        data = await socket.receive_bytes()
        try:
            await _heed(_decoded(data), look)
        except KavorError as error:
            outgoing.put_nowait(encode(Problem(error.message, error.hint)))


def _decoded(data: bytes) -> FromViewer:
    try:
        return decode_from_viewer(data)
    except ValueError as error:
        raise BadInput(f"this is no message of a viewer: {error}", "see docs/terminal-stream.md") from error


async def _heed(message: FromViewer, look: Look) -> None:
    if isinstance(message, Input):
        if len(message.data) > MAX_TYPED_BYTES:
            raise BadInput(
                f"{len(message.data):,} bytes are too many at once", f"type at most {MAX_TYPED_BYTES:,}"
            )
        await look.type(message.data)
    elif isinstance(message, Resize):
        await look.resize(message)
    else:
        look.heard(message)
