"""How the session of a Terminal or a CodingAgent is shown."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import TypedDict

from kavor.domain.instant import format_instant
from kavor.runtime.environment import restart_reason
from kavor.sessions.session import Question, SessionState
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
    """The shell has another environment than the graph gives it by now (K+11)."""
    restart_reason: str | None
    provider: str | None
    """Of an agent."""
    question: QuestionView | None
    """Of an agent."""


def session_view(
    row: NodeRow, wanted: str, live: SessionState | None, environment: Mapping[str, str]
) -> SessionView:
    """``wanted`` is "open" or "closed"; ``environment`` what the graph gives a session that starts now."""
    on_purpose = wanted == "closed"
    is_open = live is not None and live.open
    reason = None
    if live is not None and is_open:
        reason = restart_reason(live.environment, environment)
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
    }


def question_view(question: Question) -> QuestionView:
    options: list[OptionView] = [
        {"id": option.id, "label": option.label, "kind": option.kind} for option in question.options
    ]
    return {"id": question.id, "text": question.text, "options": options}
