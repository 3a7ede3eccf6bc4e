"""Attempts."""

from __future__ import annotations

from fastapi import APIRouter

from kavor.api.asking import DEFAULT_LIMIT, Ask, Limit, States, attempt_states, instant_or_none
from kavor.runtime.views import AttemptView

router = APIRouter()


@router.get("/attempts")
async def list_attempts(
    ask: Ask,
    target: str | None = None,
    schedule: str | None = None,
    since: str | None = None,
    state: States = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, list[AttemptView]]:
    found = await ask.attempts.listing(
        schedule=schedule,
        target=target,
        states=attempt_states(state),
        since=instant_or_none(since),
        limit=limit,
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
