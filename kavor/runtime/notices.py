"""What a person is told of by itself: in the words of a notice."""

from __future__ import annotations

from typing_extensions import TypedDict

from kavor.runtime.conversation_views import MessageView
from kavor.runtime.session_views import SessionView
from kavor.runtime.views import AttemptView


class NoticeView(TypedDict):
    about: str
    """attempt, message or session."""
    number: int | None
    """Of the attempt or the message."""
    node: str | None
    """The target that wants something."""
    name: str
    text: str


def attempt_notice(attempt: AttemptView) -> NoticeView:
    return {
        "about": "attempt",
        "number": attempt["id"],
        "node": attempt["target"],
        "name": attempt["target_name"] or "",
        "text": attempt_in_words(attempt),
    }


def message_notice(message: MessageView, agent_name: str) -> NoticeView:
    return {
        "about": "message",
        "number": message["id"],
        "node": message["agent"],
        "name": agent_name,
        "text": f"{agent_name}: message {message['id']} {message['state']}, {message['diagnostic']}",
    }


def session_notice(session: SessionView) -> NoticeView | None:
    """None where it asks nothing any more."""
    question = session["question"]
    if question is None:
        return None
    return {
        "about": "session",
        "number": None,
        "node": session["node"],
        "name": session["name"],
        "text": f"{session['name']} asks: {question['text']}",
    }


def attempt_in_words(attempt: AttemptView) -> str:
    when = f" of {attempt['nominal_at']}" if attempt["nominal_at"] else ""
    words = f"{attempt['schedule_name']}: attempt {attempt['id']}{when} {attempt['state']}"
    if attempt["diagnostic"]:
        words += f", {attempt['diagnostic']}"
    if (attempt["missed_count"] or 0) > 1:
        words += f" ({attempt['missed_count']} times)"
    if "Run now" in attempt["actions"]:
        words += "; Run now is offered"
    return words
