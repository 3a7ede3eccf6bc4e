"""Recurrences as they are written down: JSON in the API and the database, one line of text for a person."""

from __future__ import annotations

from collections.abc import Mapping

from kavor.domain.errors import BadInput
from kavor.domain.kinds import Cron, Every, Once, Recurrence, parse_local
from kavor.domain.presets import FIELDS_OF, PRESETS, expression_of, preset_of

_KINDS = ("once", "cron", "every")


def parse_recurrence(data: Mapping[str, object], *, may_be_empty: bool = False) -> Recurrence:
    """A recurrence from any of its JSON forms; names of kinds and presets in any case.

    Raises BadInput for what cannot be meant. A cron expression that can never occur is refused too, unless
    ``may_be_empty``: a preview shows it as empty at once.
    """
    name = _name_of(data)
    if name == "once":
        _only(data, name, {"local", "once"})
        return Once(parse_local(_text(data, "local", "once")))
    if name == "every":
        _only(data, name, {"every", "anchor", "at"})
        return Every(_text(data, "every"), parse_local(_text(data, "anchor", "at")))
    if name == "cron":
        _only(data, name, {"expression", "cron"})
        cron = Cron(_text(data, "expression", "cron"))
    else:
        _only(data, name, FIELDS_OF.get(name, set()))
        cron = Cron(expression_of(name, data))
    if not may_be_empty:
        check_occurs(cron)
    return cron


def recurrence_to_json(recurrence: Recurrence) -> dict[str, object]:
    """The one form that is stored and shown; ``preset`` is derived."""
    if isinstance(recurrence, Once):
        return {"kind": "once", "local": recurrence.local.isoformat(timespec="minutes")}
    if isinstance(recurrence, Every):
        anchor = recurrence.anchor.isoformat(timespec="minutes")
        return {"kind": "every", "every": recurrence.every, "anchor": anchor}
    return {"kind": "cron", "expression": recurrence.expression, "preset": preset_of(recurrence)}


def parse_recurrence_text(text: str) -> Recurrence:
    """A recurrence from one line: a cron expression, or a preset with what it needs, such as ``daily 09:00``,
    ``hourly 20``, ``weekly mon,thu 09:00``, ``monthly 31 09:00``. One that never occurs is let through, to be
    previewed as empty. Raises BadInput.
    """
    words = text.split()
    name = words[0].lower() if words else ""
    if name not in FIELDS_OF:
        return Cron(text)
    fields: dict[str, object] = {"preset": name}
    for word in words[1:]:
        key = "time" if ":" in word else _DETAIL.get(name, "time")
        if key in fields:
            raise BadInput(f"{text!r} says its {key} twice", _LINES)
        fields[key] = word
    return parse_recurrence(fields, may_be_empty=True)


_LINES = "write it like: daily 09:00, hourly 20, weekly mon,thu 09:00, monthly 31 09:00"
_DETAIL = {"hourly": "minute", "weekly": "weekday", "monthly": "day"}


def check_occurs(recurrence: Recurrence) -> None:
    """Raises BadInput for a cron expression that no day of any year matches."""
    if isinstance(recurrence, Cron) and recurrence.grid.never:
        first = recurrence.grid.days[0]
        raise BadInput(
            f"{recurrence.expression!r} never occurs: no month it names has a day {first}",
            "name a day that the month has",
        )


def _name_of(data: Mapping[str, object]) -> str:
    """``once``, ``every``, ``cron`` or the name of a preset."""
    if "expression" in data:
        return "cron"
    for key in ("preset", "kind"):
        if key in data:
            name = str(data[key]).strip().lower()
            if name == "custom":
                return "cron"
            if name in _KINDS or name in PRESETS:
                return name
            raise BadInput(f"{data[key]!r} is not a {key} of recurrence", _FORMS)
    for name in _KINDS:
        if name in data:
            return name
    if "local" in data:
        return "once"
    raise BadInput("the recurrence does not say when", _FORMS)


_FORMS = "use once, cron or every, or a preset: hourly, daily, weekdays, weekly, monthly, custom"


def _only(data: Mapping[str, object], name: str, allowed: set[str]) -> None:
    unknown = sorted(set(data) - allowed - {"kind", "preset"})
    if unknown:
        known = ", ".join(sorted(allowed))
        raise BadInput(f"a recurrence of {name!r} has no {unknown[0]!r}", f"it may say: {known}")


def _text(data: Mapping[str, object], *keys: str) -> str:
    for key in keys:
        value = data.get(key)
        if isinstance(value, str):
            return value
        if value is not None:
            raise BadInput(f"{key} must be text, not {value!r}", _FORMS)
    raise BadInput(f"the recurrence lacks {keys[0]!r}", _FORMS)
