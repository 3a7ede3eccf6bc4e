"""The routes of the HTTP API, a module for each resource.

Each is thin: it reads the request, asks one service, and answers.
"""

from __future__ import annotations

from fastapi import APIRouter

from kavor.api import agent_tools, problems
from kavor.api.routes import (
    attempts,
    connections,
    conversations,
    nodes,
    providers,
    runtime,
    schedules,
    sessions,
    workspaces,
)

router = APIRouter(
    prefix="/api",
    responses={
        "default": {
            "description": "A problem (RFC 9457)",
            "content": {problems.MEDIA_TYPE: {"schema": problems.SCHEMA}},
        }
    },
)
for resource in (
    runtime,
    workspaces,
    nodes,
    connections,
    schedules,
    attempts,
    sessions,
    conversations,
    providers,
):
    router.include_router(resource.router)
router.include_router(agent_tools.router)
