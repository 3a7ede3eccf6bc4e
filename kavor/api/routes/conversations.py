"""Conversations with agents: messages, turns, transcripts."""

from __future__ import annotations

from fastapi import APIRouter

from kavor.api.asking import Ask, IdempotencyKey, Limit
from kavor.api.models import MessageBody
from kavor.runtime.conversation_views import MessageView, TranscriptView, TurnView

router = APIRouter()

_MESSAGES = 100
_TURNS = 20


@router.post("/nodes/{ref}/messages")
async def send_message(ask: Ask, ref: str, body: MessageBody, key: IdempotencyKey) -> MessageView:
    """Sent again under the same ``Idempotency-Key``, it is not another message."""
    return await ask.conversations.send(ref, body.text, key)


@router.get("/nodes/{ref}/messages")
async def list_messages(
    ask: Ask, ref: str, before: int | None = None, limit: Limit = _MESSAGES
) -> dict[str, list[MessageView]]:
    """Newest first; with ``before`` only those with a lower id."""
    return {"messages": await ask.conversations.messages(ref, before=before, limit=limit)}


@router.get("/messages/{message_id}")
async def get_message(ask: Ask, message_id: int) -> MessageView:
    return await ask.conversations.message(message_id)


@router.post("/messages/{message_id}/withdraw")
async def withdraw_message(ask: Ask, message_id: int) -> MessageView:
    return await ask.conversations.withdraw(message_id)


@router.get("/nodes/{ref}/turns")
async def list_turns(
    ask: Ask, ref: str, before: int | None = None, limit: Limit = _TURNS
) -> dict[str, list[TurnView]]:
    """Those that have ended, newest first and without entries; with ``before`` only with a lower id."""
    return {"turns": await ask.conversations.turns(ref, before=before, limit=limit)}


@router.get("/turns/{turn_id}")
async def get_turn(ask: Ask, turn_id: int) -> TurnView:
    return await ask.conversations.turn(turn_id)


@router.get("/nodes/{ref}/transcript")
async def transcript(ask: Ask, ref: str, after: int = 0) -> TranscriptView:
    """What the session has said since that version, in this run of the runtime."""
    return await ask.conversations.transcript(ref, after=after)
