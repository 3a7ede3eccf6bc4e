"""How the session of a Terminal or a CodingAgent is shown."""

from __future__ import annotations

from typing_extensions import TypedDict

from kavor.domain.instant import format_instant
from kavor.sessions.session import AgentSpec, Question, SessionState
from kavor.store.coding_agents import CodingAgentRow
from kavor.store.workspaces import NodeRow


class OptionView(TypedDict):
    id: str
    label: str
    kind: str


class QuestionView(TypedDict):
    """What an agent asks a person before it works on."""

    id: str
    text: str
    options: list[OptionView]


class SessionView(TypedDict):
    node: str
    name: str
    workspace: str
    kind: str
    open: bool
    state: str
    """open, closed (on purpose) or ended."""
    waiting_for: str | None
    pid: int | None
    started_at: str | None
    exit_code: int | None
    diagnostic: str
    closed_on_purpose: bool
    restart_needed: bool
    """It was started otherwise than it would be now: a shell with another environment (K+11), an agent as it
    was set up then."""
    restart_reason: str | None
    provider: str | None
    """Of an agent."""
    question: QuestionView | None
    """Of an agent."""
    own_screen: bool
    """Of an agent that is looked at and typed to as a Terminal is."""


def session_view(
    row: NodeRow, wanted: str, live: SessionState | None, restart_reason: str | None
) -> SessionView:
    """``wanted`` is "open" or "closed"; ``restart_reason`` why an open session would be another if it were
    started now."""
    on_purpose = wanted == "closed"
    is_open = live is not None and live.open
    reason = restart_reason if is_open else None
    return {
        "node": row.id,
        "name": row.name,
        "workspace": row.workspace_id,
        "kind": row.kind,
        "open": is_open,
        "state": "open" if is_open else "closed" if on_purpose else "ended",
        "waiting_for": live.waiting_for if live is not None and is_open else None,
        "pid": live.pid if live is not None and is_open else None,
        "started_at": None if live is None or live.started_at is None else format_instant(live.started_at),
        "exit_code": live.exit_code if live is not None else None,
        "diagnostic": live.diagnostic if live is not None else "",
        "closed_on_purpose": on_purpose,
        "restart_needed": reason is not None,
        "restart_reason": reason,
        "provider": live.provider if live is not None and is_open else None,
        "question": question_view(live.question) if live is not None and live.question is not None else None,
        "own_screen": live is not None and live.own_screen,
    }


def question_view(question: Question) -> QuestionView:
    options: list[OptionView] = [
        {"id": option.id, "label": option.label, "kind": option.kind} for option in question.options
    ]
    return {"id": question.id, "text": question.text, "options": options}


def agent_restart_reason(started_with: AgentSpec | None, present: CodingAgentRow) -> str | None:
    """Why an agent whose session was started so needs a restart to be as it is set up now."""
    if started_with is None:
        return None
    settings = present.settings
    pairs = {
        "provider": (started_with.provider, settings.provider),
        "command": (started_with.command, settings.command),
        "model": (started_with.model, settings.model),
        "directory": (started_with.directory, present.directory),
        "turn limit": (started_with.turn_limit_ms, settings.turn_limit_ms),
    }
    changed = [name for name, (before, now) in pairs.items() if before != now]
    return f"since its session started, it was given another {', '.join(changed)}" if changed else None
