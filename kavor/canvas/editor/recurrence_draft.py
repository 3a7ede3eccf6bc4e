"""When a Schedule fires, as it is being typed. A preset is only a way to see and change the expression:
there is one text, every field is read from it, and so nothing can drift apart (K26).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time

from kavor.domain.cron import DAY_NAMES
from kavor.domain.errors import BadInput
from kavor.domain.presets import expression_of, preset_fields
from kavor.domain.recurrence import Cron, Every, Once, Recurrence, check_occurs, recurrence_to_json

CHOICES = ("once", "hourly", "daily", "weekdays", "weekly", "monthly", "every", "custom")
"""What the editor offers (K24, decision 20)."""

PLAIN = frozenset({"once", "every"})
"""Choices that are no cron expression."""

_MONDAY_FIRST = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WORKDAYS = _MONDAY_FIRST[:5]


@dataclass(frozen=True)
class RecurrenceDraft:
    """Immutable; each change answers the next draft. What cannot be meant is kept as typed and raised as
    BadInput by ``recurrence``."""

    choice: str
    """One of CHOICES: what the person looks at. Never says something else than the text."""
    expression: str
    """The cron expression, for every choice but those of PLAIN."""
    local: datetime
    """The time of Once, the anchor of Every; naive, to the minute."""
    every: str
    """A count and a unit, such as ``2w``."""

    @classmethod
    def of(cls, recurrence: Recurrence, suggested: datetime) -> RecurrenceDraft:
        """``suggested`` is a local time to offer where the recurrence holds none."""
        start = cls("once", "0 9 * * *", suggested.replace(second=0, microsecond=0, tzinfo=None), "2w")
        if isinstance(recurrence, Once):
            return replace(start, local=recurrence.local)
        if isinstance(recurrence, Every):
            return replace(start, choice="every", every=recurrence.every, local=recurrence.anchor)
        return replace(start, choice="custom", expression=recurrence.expression).settled()

    # --- What it means

    def recurrence(self) -> Recurrence:
        """Raises BadInput for what cannot be meant, and for what never occurs."""
        if self.choice == "once":
            return Once(self.local)
        if self.choice == "every":
            return Every(self.every, self.local)
        cron = Cron(self.expression)
        check_occurs(cron)
        return cron

    def document(self) -> dict[str, object]:
        """The recurrence as the API takes it. Raises BadInput like ``recurrence``."""
        return recurrence_to_json(self.recurrence())

    # --- The fields of a preset, read from the expression

    @property
    def fields(self) -> Mapping[str, object]:
        """What the expression's own preset says; nothing where it is no cron expression."""
        try:
            return preset_fields(Cron(self.expression))
        except BadInput:
            return {}

    @property
    def preset(self) -> str:
        """What the expression is; ``custom`` also where it is no expression."""
        return str(self.fields.get("preset", "custom"))

    @property
    def minute(self) -> int:
        return int(str(self.fields.get("minute", self.time_of_day.minute)))

    @property
    def time_of_day(self) -> time:
        """The time of day; of Once and Every where the expression has not one alone."""
        said = self.fields.get("time")
        return self.local.time() if said is None else time.fromisoformat(str(said))

    @property
    def weekdays(self) -> tuple[str, ...]:
        """Monday first."""
        fields = self.fields
        match fields.get("preset"):
            case "weekly":
                return tuple(str(fields["weekday"]).split(","))
            case "weekdays":
                return _WORKDAYS
            case "daily":
                return _MONDAY_FIRST
        return self._weekday_of_local

    @property
    def _weekday_of_local(self) -> tuple[str, ...]:
        return (DAY_NAMES[self.local.isoweekday() % 7],)

    @property
    def day(self) -> int:
        """Of the month."""
        return int(str(self.fields.get("day", self.local.day)))

    # --- Changes

    def with_choice(self, choice: str) -> RecurrenceDraft:
        """Another way to see it: what is known of time and day is taken along."""
        if choice == self.choice:
            return self
        local = self.local
        if self.choice not in PLAIN:
            local = datetime.combine(local.date(), self.time_of_day)
        here = replace(self, local=local)
        if choice in PLAIN or choice == "custom":
            return replace(here, choice=choice)
        weekdays = self._weekday_of_local if self.choice in {"daily", *PLAIN} else self.weekdays
        if self.choice in PLAIN:
            return here._preset(
                choice, minute=local.minute, time=local.time(), weekday=weekdays, day=local.day
            )
        return here._preset(choice, minute=self.minute, time=self.time_of_day, weekday=weekdays, day=self.day)

    def with_expression(self, text: str) -> RecurrenceDraft:
        """As typed. A preset follows the text, to another one or to Custom; Custom stays while it is
        typed in, so that no fields come and go under the hand."""
        typed = replace(self, expression=text)
        return typed if self.choice == "custom" else replace(typed, choice=typed.preset)

    def settled(self) -> RecurrenceDraft:
        """Custom no longer, where what was typed is a preset."""
        return replace(self, choice=self.preset) if self.choice == "custom" else self

    def with_minute(self, minute: int) -> RecurrenceDraft:
        return self._preset(self.choice, minute=minute)

    def with_time(self, at: time) -> RecurrenceDraft:
        if self.choice in PLAIN:
            return replace(self, local=datetime.combine(self.local.date(), at))
        return self._preset(self.choice, time=at, weekday=self.weekdays, day=self.day)

    def with_weekdays(self, weekdays: Sequence[str]) -> RecurrenceDraft:
        """At least one: a week without a day would be no schedule."""
        return self._preset("weekly", time=self.time_of_day, weekday=tuple(weekdays)) if weekdays else self

    def with_day(self, day: int) -> RecurrenceDraft:
        return self._preset("monthly", time=self.time_of_day, day=day)

    def with_local(self, local: datetime) -> RecurrenceDraft:
        return replace(self, local=local)

    def with_every(self, every: str) -> RecurrenceDraft:
        return replace(self, every=every)

    def _preset(self, choice: str, **fields: object) -> RecurrenceDraft:
        if isinstance(fields.get("time"), time):
            fields["time"] = f"{fields['time']:%H:%M}"
        return replace(self, choice=choice, expression=expression_of(choice, fields))
