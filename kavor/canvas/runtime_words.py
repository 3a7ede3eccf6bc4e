"""What the runtime says, in the words of the window: its sentences are found by their form, never guessed at.

An unknown sentence is shown as it came, which is in English.
"""

from __future__ import annotations

import re
from functools import cache

from kavor.canvas.qt import translate
from kavor.canvas.runtime_hints import HINTS, HINTS_OF_THE_CANVAS
from kavor.canvas.runtime_texts import MESSAGES
from kavor.canvas.states import kind_word, state_word
from kavor.domain.cron import FIELDS
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind

_GAP = re.compile(r"\{(\w+)\}")
_KINDS = {kind.label: kind for kind in NodeKind}


def spoken(sentence: str) -> str:
    """A message, a diagnostic or a reason of the runtime, in the person's language."""
    return _fill(sentence, *found) if (found := _find(sentence)) else sentence


def message_words(error: KavorError) -> str:
    """What went wrong, beginning as a sentence does."""
    return as_sentence(spoken(error.message))


def hint_words(error: KavorError) -> str:
    """What to do about it: with the button that does it, where other faces name a command."""
    return as_sentence(spoken(error.hint))


def refusal_words(error: KavorError) -> str:
    """Both, in a line each."""
    return "\n".join(filter(None, (message_words(error), hint_words(error))))


def as_sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _fill(sentence: str, form: re.Pattern[str], words: str) -> str:
    found = form.fullmatch(sentence)
    assert found is not None
    gaps = {name: _gap_words(name, text) for name, text in found.groupdict().items()}
    return translate("Runtime", words).format(**gaps)


def _gap_words(name: str, text: str) -> str:
    if name.startswith("kind"):
        return kind_word(_KINDS[text])
    match name:
        case "field":
            field, _, written = text.partition(" ")
            return f"{_field_word(field)} {written}".rstrip()
        case "state":
            return state_word(text)
        case "why":
            return spoken(text)
        case _:
            return text


def _find(sentence: str) -> tuple[re.Pattern[str], str] | None:
    return next(((form, words) for form, words in _forms() if form.fullmatch(sentence)), None)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """By their form, those with more fixed text first: what says more exactly what it is."""
    said = {sentence: sentence for sentence in map(str, (*MESSAGES, *HINTS))}
    said |= {sentence: str(words) for sentence, words in HINTS_OF_THE_CANVAS.items()}
    by_fixed_text = sorted(said.items(), key=lambda pair: -len(_GAP.sub("", pair[0])))
    return tuple((_form(sentence), words) for sentence, words in by_fixed_text)


def _form(sentence: str) -> re.Pattern[str]:
    """What matches a sentence, whatever its gaps hold."""
    fixed = _GAP.split(sentence)
    parts = [re.escape(text) if number % 2 == 0 else _gap(text) for number, text in enumerate(fixed)]
    return re.compile("".join(parts), re.DOTALL)


def _gap(name: str) -> str:
    holds = ".+"
    if name.startswith("kind"):
        holds = "|".join(map(re.escape, _KINDS))
    elif name == "field":
        names = "|".join(re.escape(field.name) for field in FIELDS)
        holds = f"(?:{names})(?: .+)?"
    elif name == "numbers":
        holds = r"[\d,*/-]+"
    return f"(?P<{name}>{holds})"


def _field_word(field: str) -> str:
    """Of a cron expression."""
    return {
        "minute": translate("CronField", "minute"),
        "hour": translate("CronField", "hour"),
        "day-of-month": translate("CronField", "day-of-month"),
        "month": translate("CronField", "month"),
        "day-of-week": translate("CronField", "day-of-week"),
    }[field]
