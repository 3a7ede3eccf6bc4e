"""How many turns of agents are kept: of each agent the newest, up to a number and a size.

What is older than those goes. A turn of a message is deleted; of one of an attempt, which stays on record,
the transcript alone is: the last message and the tools that were called are the attempt's evidence.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from sqlalchemy.engine import Connection

from kavor.domain.errors import StorageFailed
from kavor.runtime.events import Change
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.store import conversations, ledger

log = logging.getLogger(__name__)

MOST_TURNS = 1_000
"""Of one agent, with their transcripts."""
MOST_BYTES = 64 * 1024 * 1024
"""Of the transcripts of one agent's turns, together."""

LOOK_SECONDS = 600.0
IN_A_STEP = 3
"""Turns let go in one transaction: what is due meanwhile waits no longer than that takes."""
PAUSE_SECONDS = 0.1


class Retention:
    """Belongs to the event loop."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def keep(self, every: float = LOOK_SECONDS) -> None:
        """Look now, then each ``every`` seconds, until cancelled."""
        while True:
            try:
                await self.look()
            except StorageFailed as error:
                log.warning("old turns could not be let go: %s", error.message)
            await asyncio.sleep(every)

    async def look(self) -> None:
        """Let go of all that is past its keeping, in small steps."""
        for agent_id in await self._runtime.read(conversations.agents_with_turns):
            there_are_more = True
            while there_are_more:
                there_are_more = await self._runtime.change(partial(_let_some_go, agent_id))
                await asyncio.sleep(PAUSE_SECONDS)


def _let_some_go(agent_id: str, turn: Turn, tx: Connection) -> bool:
    """Whether there was something."""
    old = conversations.turns_past_keeping(tx, agent_id, most=MOST_TURNS, most_bytes=MOST_BYTES)[:IN_A_STEP]
    for turn_id, attempt_id in old:
        if attempt_id is not None and ledger.attempt(tx, attempt_id) is not None:
            conversations.drop_entries(tx, turn_id)
        else:
            conversations.drop_turn(tx, turn_id)
            turn.changes.append(Change("turn", str(turn_id), "removed"))
    return bool(old)
