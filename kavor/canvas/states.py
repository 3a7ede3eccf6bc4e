"""How a state looks: its word, its sign and its tone. Never the colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from kavor.canvas.qt import translate
from kavor.domain.graph import NodeKind


@dataclass(frozen=True)
class StateLook:
    """``sign`` names an icon of the shape that the command line prints; ``tone`` a colour of the theme."""

    sign: str
    tone: str


LOOKS = {
    "Running": StateLook("running", "good"),
    "Paused": StateLook("paused", "calm"),
    "Pending": StateLook("pending", "calm"),
    "Delivering": StateLook("delivering", "busy"),
    "Completed": StateLook("completed", "good"),
    "Needs attention": StateLook("needs-attention", "warn"),
    "Fired": StateLook("fired", "good"),
    "Failed": StateLook("failed", "bad"),
    "Interrupted": StateLook("interrupted", "bad"),
    "Blocked": StateLook("blocked", "warn"),
    "Missed": StateLook("missed", "warn"),
    "Coalesced": StateLook("coalesced", "calm"),
    "open": StateLook("open", "good"),
    "closed": StateLook("closed", "calm"),
    "ended": StateLook("ended", "warn"),
}
"""Schedules, attempts and sessions; the header counts them in this order."""

_OF_CARDS = {
    "starting": StateLook("pending", "calm"),
    "idle": StateLook("open", "good"),
    "working": StateLook("delivering", "busy"),
    "Draft": StateLook("edit", "calm"),
    "Ready": StateLook("open", "busy"),
    "In progress": StateLook("delivering", "busy"),
    "In review": StateLook("search", "warn"),
    "Done": StateLook("completed", "good"),
}
"""Of CodingAgents that are open, and of Specifications; nobody counts these."""

UNKNOWN = StateLook("missed", "calm")


def look_of(state: str) -> StateLook:
    return LOOKS.get(state) or _OF_CARDS.get(state, UNKNOWN)


def state_word(state: str) -> str:
    """In the person's language."""
    words = {
        "Pending": translate("State", "Pending"),
        "Delivering": translate("State", "Delivering"),
        "Completed": translate("State", "Completed"),
        "Needs attention": translate("State", "Needs attention"),
        "Fired": translate("State", "Fired"),
        "Failed": translate("State", "Failed"),
        "Interrupted": translate("State", "Interrupted"),
        "Blocked": translate("State", "Blocked"),
        "Missed": translate("State", "Missed"),
        "Coalesced": translate("State", "Coalesced"),
        "Running": translate("State", "Running"),
        "Paused": translate("State", "Paused"),
        "open": translate("State", "Open"),
        "closed": translate("State", "Closed"),
        "ended": translate("State", "Ended"),
        "starting": translate("State", "Starting"),
        "idle": translate("State", "Idle"),
        "working": translate("State", "Working"),
        "Draft": translate("State", "Draft"),
        "Ready": translate("State", "Ready"),
        "In progress": translate("State", "In progress"),
        "In review": translate("State", "In review"),
        "Done": translate("State", "Done"),
    }
    return words.get(state, state)


def kind_word(kind: NodeKind) -> str:
    return {
        NodeKind.SCHEDULE: translate("Kind", "Schedule"),
        NodeKind.CODING_AGENT: translate("Kind", "CodingAgent"),
        NodeKind.TERMINAL: translate("Kind", "Terminal"),
        NodeKind.FILE: translate("Kind", "File"),
        NodeKind.STICKY_NOTE: translate("Kind", "Sticky Note"),
        NodeKind.SPECIFICATION: translate("Kind", "Specification"),
    }[kind]


def waiting_words(waiting_for: str) -> str:
    """What an attempt waits for, as a sentence's end."""
    words = {
        "starting": translate("Waiting", "the session is starting"),
        "busy": translate("Waiting", "the target is busy"),
        "unfinished input": translate("Waiting", "somebody is typing there"),
        "alternate screen": translate("Waiting", "a full-screen program is open"),
        "an answer": translate("Waiting", "the agent waits for your answer"),
        "the Workspace's directory": translate("Waiting", "its Workspace's directory does not answer"),
    }
    return words.get(waiting_for, waiting_for)


def action_words(action: str) -> str:
    """What a button of the API's ``actions`` says."""
    words = {
        "Resume": translate("Action", "Resume"),
        "Pause": translate("Action", "Pause"),
        "Run now": translate("Action", "Run now"),
        "Dismiss": translate("Action", "Dismiss"),
        "Withdraw": translate("Action", "Withdraw"),
        "open": translate("Action", "Open"),
        "Stop": translate("Action", "Stop"),
    }
    return words.get(action, action)
