"""What is told of an attempt beside its state, wherever it is shown."""

from __future__ import annotations

from kavor.canvas.qt import translate
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import waiting_words
from kavor.canvas.things import Attempt


def waits_words(waiting_for: str) -> str:
    return translate("History", "waits: {reason}").format(reason=waiting_words(waiting_for))


def stands_for_words(attempt: Attempt) -> str:
    """For how many times a Missed one stands; empty for a single one."""
    if attempt.missed_count is None or attempt.missed_count < 2:
        return ""
    return translate("History", "stands for {count} times").format(count=attempt.missed_count)


def told(attempt: Attempt) -> str:
    """What it waits for, for how many times it stands, and its diagnostic."""
    waits = "" if attempt.waiting_for is None else waits_words(attempt.waiting_for)
    return joined(waits, stands_for_words(attempt), spoken(attempt.diagnostic))


def joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def trigger_word(trigger: str) -> str:
    words = {
        "scheduled": translate("History", "scheduled"),
        "manual": translate("History", "manual"),
        "follow-up": translate("History", "follow-up"),
        "swarm": translate("History", "swarm"),
    }
    return words.get(trigger, trigger)
