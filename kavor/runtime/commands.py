"""Commands that agents have run in Terminals: each is handed over once, and its end is waited for.

They stand in no ledger, for no Schedule caused them: they are evidence of the turn in which they were run.
The key of one is known to the sessions as an attempt's is, so that no command is run twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import NotFound
from kavor.sessions.session import HandOver, Outcome, Sessions, SessionsLost

MOST_KEPT = 100
"""Commands of one agent that can be asked for; the oldest are forgotten first."""

HOLDER_DIED = "the process that held the shell died, and nobody observed the command's end"


@dataclass
class Command:
    key: str
    agent_id: str
    terminal_id: str
    outcome: Outcome | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _tell: Callable[[Outcome], None] | None = None

    def end(self, outcome: Outcome) -> None:
        if self.outcome is not None:
            return
        self.outcome = outcome
        self.ended.set()
        if self._tell is not None:
            self._tell(outcome)

    def when_ended(self, tell: Callable[[Outcome], None]) -> None:
        """Have one told of its end; at once where it has ended already."""
        self._tell = tell
        if self.outcome is not None:
            tell(self.outcome)

    async def until_ended(self, limit_s: float) -> Outcome | None:
        """None where it goes on after so many seconds."""
        try:
            async with asyncio.timeout(limit_s):
                await self.ended.wait()
        except TimeoutError:
            return None
        return self.outcome


class Commands:
    """Belongs to the event loop."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._by_key: dict[str, Command] = {}

    async def hand_over(
        self, key: str, text: str, *, agent_id: str, terminal_id: str
    ) -> tuple[HandOver, Command]:
        """Offer a command to a Terminal; where this moment is not safe, the same key may be offered again."""
        command = Command(key, agent_id, terminal_id)
        self._by_key[key] = command  # before the offer: its outcome may be told ahead of the answer
        try:
            answer = await self._sessions.deliver(terminal_id, key, text)
        except SessionsLost:
            command.end(_interrupted(key))
            return HandOver(accepted=True), command
        except BaseException:
            self._by_key.pop(key, None)
            raise
        if not answer.accepted:
            self._by_key.pop(key, None)
        self._forget_oldest(agent_id)
        return answer, command

    def find(self, key: str, *, agent_id: str) -> Command:
        """A command of this agent's. Raises NotFound, for another agent's too."""
        command = self._by_key.get(key)
        if command is None or command.agent_id != agent_id:
            raise NotFound(f"there is no run {key!r}", "it may be long over; look at the Terminal")
        return command

    def observed(self, outcome: Outcome) -> None:
        """An outcome that is no attempt's and no message's; one that nobody knows is let go."""
        command = self._by_key.get(outcome.key)
        if command is not None:
            command.end(outcome)

    def lost(self, session_ids: Collection[str]) -> None:
        """The holder of these sessions died."""
        for command in self._by_key.values():
            if command.terminal_id in session_ids:
                command.end(_interrupted(command.key))

    def forget(self, agent_id: str) -> None:
        """This agent's session has ended."""
        for command in self._of(agent_id):
            del self._by_key[command.key]

    def _of(self, agent_id: str) -> list[Command]:
        return [command for command in self._by_key.values() if command.agent_id == agent_id]

    def _forget_oldest(self, agent_id: str) -> None:
        kept = self._of(agent_id)
        for command in kept[: max(0, len(kept) - MOST_KEPT)]:
            del self._by_key[command.key]


def _interrupted(key: str) -> Outcome:
    return Outcome(key, AttemptState.INTERRUPTED, diagnostic=HOLDER_DIED)
