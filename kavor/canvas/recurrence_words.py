"""What a recurrence means, in the language of the canvas."""

from __future__ import annotations

from kavor.canvas.qt import QLocale
from kavor.canvas.things import Schedule
from kavor.domain import words, words_ja
from kavor.domain.errors import KavorError
from kavor.domain.recurrence import Recurrence, parse_recurrence


def meaning_words(recurrence: Recurrence) -> str:
    japanese = QLocale().language() == QLocale.Language.Japanese
    return words_ja.describe(recurrence) if japanese else words.describe(recurrence)


def recurrence_words(schedule: Schedule) -> str:
    """The runtime's own words where this program cannot read the recurrence."""
    try:
        return meaning_words(parse_recurrence(schedule.recurrence, may_be_empty=True))
    except KavorError:
        return schedule.description
