"""Sessions."""

from __future__ import annotations

from fastapi import APIRouter

from kavor.api.asking import Ask
from kavor.api.models import AnswerBody, InputBody
from kavor.runtime.session_views import SessionView

router = APIRouter()


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


@router.post("/sessions/{ref}/answer")
async def answer_session(ask: Ask, ref: str, body: AnswerBody) -> SessionView:
    """Answer what an agent asks; without an ``option`` the question is left without one."""
    return await ask.sessions.answer(ref, body.question, body.option)


@router.post("/sessions/{ref}/cancel")
async def cancel_turn(ask: Ask, ref: str) -> SessionView:
    """Stop the turn that an agent works on."""
    return await ask.sessions.cancel(ref)


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
