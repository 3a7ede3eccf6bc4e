"""What is known of each target now: whether its session is open, and whether it takes a delivery."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from kavor.sessions.session import AgentSpec, SessionState, WaitingFor


@dataclass(frozen=True)
class TargetState:
    open: bool
    waiting_for: WaitingFor | None = None
    closed_because: str = ""
    """Of a target that is not open: what a Blocked attempt should say."""

    @property
    def ready(self) -> bool:
        return self.open and self.waiting_for is None


CLOSED = TargetState(open=False, closed_because="its session is closed")


WORKSPACE_GONE = "the Workspace's directory is not there"
"""Nothing is delivered where it is not (K57)."""

DIRECTORY = "the Workspace's directory"
"""What is waited for where it cannot be told whether it is there, and by messages where it is not."""

LookAtDirectories = Callable[[Collection[str]], Mapping[str, bool | None]]
"""Which of these are there; None for one whose file system does not answer just now."""


class TargetBoard:
    """The latest state of every target that has, or had, a session. Belongs to the store's thread."""

    def __init__(self) -> None:
        self._sessions: dict[str, SessionState] = {}
        self._states: dict[str, TargetState] = {}
        self._started: dict[str, AgentSpec] = {}
        self._without_directory: set[str] = set()

    def starting(self, spec: AgentSpec) -> None:
        """The session of an agent is being started so."""
        self._started[spec.id] = spec
        self.update(SessionState(spec.id, True, WaitingFor.STARTING, provider=spec.provider))

    def started_with(self, target_id: str) -> AgentSpec | None:
        """How the session of an agent was started last."""
        return self._started.get(target_id)

    def update(self, session: SessionState) -> None:
        self._sessions[session.id] = session
        self._states[session.id] = _target_state(session)

    def saw_directory(self, target_id: str, is_there: bool | None) -> None:
        """What a look at its Workspace's directory found as something was to be delivered."""
        if is_there:
            self._without_directory.discard(target_id)
        else:
            self._without_directory.add(target_id)

    def waits_for(self, target_id: str) -> str | None:
        """What keeps an open session from a delivery; None where nothing does."""
        return self.state(target_id).waiting_for or (
            DIRECTORY if target_id in self._without_directory else None
        )

    def forget(self, target_id: str) -> None:
        self._sessions.pop(target_id, None)
        self._states.pop(target_id, None)
        self._started.pop(target_id, None)
        self._without_directory.discard(target_id)

    def session(self, target_id: str) -> SessionState | None:
        return self._sessions.get(target_id)

    def sessions(self) -> list[SessionState]:
        return list(self._sessions.values())

    def state(self, target_id: str) -> TargetState:
        return self._states.get(target_id, CLOSED)


def _target_state(session: SessionState) -> TargetState:
    if session.open:
        return TargetState(open=True, waiting_for=session.waiting_for)
    return TargetState(open=False, closed_because=session.diagnostic or CLOSED.closed_because)
