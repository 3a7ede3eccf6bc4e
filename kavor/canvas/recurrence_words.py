"""What a recurrence means, and what bends its times, in the language of the canvas."""

from __future__ import annotations

from kavor.canvas.qt import QLocale
from kavor.canvas.things import Schedule
from kavor.domain import words, words_ja
from kavor.domain.errors import KavorError
from kavor.domain.recurrence import Occurrence, Recurrence, parse_recurrence


def meaning_words(recurrence: Recurrence) -> str:
    return words_ja.describe(recurrence) if _in_japanese() else words.describe(recurrence)


def note_words(occurrence: Occurrence) -> str:
    """Why it is where it is; empty where nothing bent it (X1)."""
    return words_ja.note(occurrence.reasons) if _in_japanese() else occurrence.note or ""


def recurrence_words(schedule: Schedule) -> str:
    """The runtime's own words where this program cannot read the recurrence."""
    try:
        return meaning_words(parse_recurrence(schedule.recurrence, may_be_empty=True))
    except KavorError:
        return schedule.description


def _in_japanese() -> bool:
    return QLocale().language() == QLocale.Language.Japanese
