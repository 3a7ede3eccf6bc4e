"""What outlives a runtime of the door for agents, since agents with a screen of their own outlive it too.

The port they were told, and digests of their tokens: no token is ever written down.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kavor.home import Home

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DoorMemory:
    port: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    """Of tokens, by agent."""


def recall(home: Home) -> DoorMemory:
    """What the runtime before this one kept. Where it cannot be read, there is none."""
    try:
        kept: Any = json.loads(home.agent_door.read_text(encoding="utf-8"))
        return DoorMemory(int(kept["port"]), {str(agent): str(of) for agent, of in kept["digests"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return DoorMemory()


def keep(home: Home, memory: DoorMemory) -> None:
    text = json.dumps({"port": memory.port, "digests": dict(memory.digests)})
    fresh = home.agent_door.with_suffix(".new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(home.agent_door)
    except OSError as error:
        log.warning("agents that outlive this runtime will have no tools: %s", error)
