"""Which delivery each agent works on, so that none hangs on a report that was lost (K+14).

The PTY host answers for every command that it accepted. An agent is a program of somebody else's: where its
session says that it is idle, or gone, and no outcome follows, the delivery is over all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace

from kavor.domain.attempts import AttemptState
from kavor.runtime.keys import Keys
from kavor.runtime.observations import Ended
from kavor.runtime.tool_record import ToolRecord
from kavor.runtime.turn import Work
from kavor.sessions.session import AgentSessions, Entry, Outcome, SessionState

OUTCOME_FOLLOWS_SECONDS = 5.0
"""How long after an agent's session is idle or gone its outcome is still waited for."""

END_NOT_OBSERVED = "its end was not observed: its session is idle again, and told of no outcome"
GONE_DURING_DELIVERY = "its session ended during the delivery"


class AgentsAtWork:
    """Belongs to the event loop."""

    keys = Keys("")

    def __init__(
        self,
        sessions: AgentSessions,
        heard: Callable[[str], SessionState | None],
        note: Callable[[Ended], None],
    ) -> None:
        """``heard`` is asked what a session reported last, and ``note`` has an observation recorded."""
        self._sessions = sessions
        self._heard = heard
        self._note = note
        self._given: dict[str, str] = {}
        """Key → the session that was given it, and has not told how it ended."""
        self.tools = ToolRecord(sessions, self.works_on)

    def give(self, session_id: str, key: str) -> None:
        """A delivery is on its way. Only agents are kept."""
        if self._sessions.holds(session_id):
            self._given[key] = session_id

    def take_back(self, key: str) -> None:
        """It was not accepted."""
        self._given.pop(key, None)

    def works_on(self, session_id: str) -> str | None:
        """The key of the delivery that this agent was given last and has not ended."""
        return next((key for key, given in reversed(self._given.items()) if given == session_id), None)

    def ended(self, work: Work, outcome: Outcome) -> Ended:
        """A delivery has ended: with what its agent said, where one worked on it, and what Kavor saw."""
        session_id = self._given.pop(outcome.key, None)
        entries = None if session_id is None else self._entries(session_id, outcome.key)
        calls = outcome.evidence.tool_calls + self.tools.take(outcome.key)
        return Ended(work, replace(outcome, evidence=replace(outcome.evidence, tool_calls=calls)), entries)

    def hear(self, state: SessionState) -> None:
        """A session reports that it is in this state now."""
        if state.open and not state.ready:
            return
        for key, session_id in self._given.items():
            if session_id == state.id:
                asyncio.get_running_loop().call_later(OUTCOME_FOLLOWS_SECONDS, self._settle, key)

    def closed(self, session_id: str) -> None:
        """A session was closed, and has told all that it had to tell."""
        for key, given in list(self._given.items()):
            if given == session_id:
                self._interrupt(key, GONE_DURING_DELIVERY)

    def lost(self, session_ids: Collection[str]) -> None:
        """The holder of these sessions died; what they worked on is ended by whoever was told."""
        for key, given in list(self._given.items()):
            if given in session_ids:
                del self._given[key]
                self.tools.take(key)

    def _settle(self, key: str) -> None:
        session_id = self._given.get(key)
        if session_id is None:
            return
        state = self._heard(session_id)
        if state is None or not state.open:
            self._interrupt(key, GONE_DURING_DELIVERY)
        elif state.ready:
            self._interrupt(key, END_NOT_OBSERVED)

    def _interrupt(self, key: str, reason: str) -> None:
        work = self.keys.work(key)
        if work is not None:
            self._note(self.ended(work, Outcome(key, AttemptState.INTERRUPTED, diagnostic=reason)))
        self._given.pop(key, None)

    def _entries(self, session_id: str, key: str) -> list[Entry]:
        entries, _ = self._sessions.transcript(session_id)
        return [entry for entry in entries if entry.key == key]
