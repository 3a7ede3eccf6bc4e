"""What agents did through Kavor's own tools, as Kavor saw it, kept with the turn in which they did it.

What an agent tells of its calls is its own, and not every agent tells any. Two things are on record whatever
it tells: each call that was refused, with the rule, and each command that it had run in a Terminal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kavor.domain.errors import KavorError
from kavor.runtime.commands import Command
from kavor.sessions.session import MOST_TOOL_CALLS, AgentSessions, Outcome, ToolCall

REFUSED = "refused"
_LONGEST = 500
"""Characters of a command, or of why something was refused."""


@dataclass
class _Noted:
    """One call, and where it stands in its agent's transcript."""

    call: ToolCall
    entry: int


class ToolRecord:
    """Belongs to the event loop."""

    def __init__(self, sessions: AgentSessions, works_on: Callable[[str], str | None]) -> None:
        """``works_on`` answers the key of the delivery that the session of an agent works on."""
        self._sessions = sessions
        self._works_on = works_on
        self._by_key: dict[str, list[_Noted]] = {}

    def refused(self, agent_id: str, tool: str, error: KavorError) -> None:
        self._note(agent_id, ToolCall(tool, "other", REFUSED, _cut(error.message)))

    def interrupted(self, agent_id: str, terminal_name: str) -> None:
        """What ran in a Terminal was interrupted by this agent."""
        self._note(agent_id, ToolCall(f"terminal_interrupt in {terminal_name!r}", "execute", "completed"))

    def ran(self, agent_id: str, terminal_name: str, text: str, command: Command) -> None:
        """A command was handed over to a Terminal; how it ends is noted as long as the turn goes on."""
        title = f"terminal_run in {terminal_name!r}: {_cut(text)}"
        noted = self._note(agent_id, ToolCall(title, "execute", "in_progress"))

        def ended(outcome: Outcome) -> None:
            code = "" if outcome.exit_code is None else f"exit code {outcome.exit_code}"
            detail = ": ".join(filter(None, (code, outcome.diagnostic)))
            noted.call = ToolCall(title, "execute", outcome.state.lower(), _cut(detail))
            self._sessions.change_call(agent_id, noted.entry, noted.call)

        command.when_ended(ended)

    def take(self, key: str) -> tuple[ToolCall, ...]:
        """What was noted during a delivery that has ended, oldest first; it is asked for once."""
        return tuple(noted.call for noted in self._by_key.pop(key, ()))

    def _note(self, agent_id: str, call: ToolCall) -> _Noted:
        key = self._works_on(agent_id)
        noted = _Noted(call, self._sessions.note_call(agent_id, key, call))
        if key is not None:
            kept = self._by_key.setdefault(key, [])
            kept.append(noted)
            if len(kept) > MOST_TOOL_CALLS:
                del kept[MOST_TOOL_CALLS // 2]
        return noted


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
