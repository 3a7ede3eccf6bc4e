"""Providers of coding agents."""

from __future__ import annotations

from fastapi import APIRouter
from typing_extensions import TypedDict

from kavor.api.asking import Ask
from kavor.runtime.providers import ProviderView

router = APIRouter()


class ProvidersAnswer(TypedDict):
    providers: list[ProviderView]
    problems: list[str]
    """What is wrong with the tables that people have added."""


@router.get("/providers")
async def list_providers(ask: Ask) -> ProvidersAnswer:
    found, problems = await ask.providers.listing()
    return {"providers": found, "problems": problems}
