"""The parts of a scenario, as they are written: what is given, and the steps.

These models are the published JSON Schema (``kavor simulate --schema``); a field they do not name is
refused, so that a misspelt one is never silently without effect.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)

from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind, parse_kind
from kavor.domain.instant import Instant, parse_instant
from kavor.domain.recurrence import parse_recurrence
from kavor.domain.zones import load_zone


def _read_instant(value: object) -> Instant:
    if not isinstance(value, str):
        raise ValueError("an instant is text such as 2026-11-05T08:00:00Z")
    at: Instant = _in_words(parse_instant, value)
    return at


def _in_words(check: Any, value: Any) -> Any:
    """Let pydantic say where, and our own rule say what is wrong."""
    try:
        return check(value)
    except KavorError as error:
        raise ValueError(error.message) from None


def _check_zone(name: str) -> str:
    _in_words(load_zone, name)
    return name


def _check_recurrence(recurrence: dict[str, Any]) -> dict[str, Any]:
    _in_words(parse_recurrence, recurrence)
    return recurrence


At = Annotated[
    Instant, BeforeValidator(_read_instant), WithJsonSchema({"type": "string", "format": "date-time"})
]
Zone = Annotated[str, AfterValidator(_check_zone), Field(description="An IANA name.")]
Recurrence = Annotated[dict[str, Any], AfterValidator(_check_recurrence)]
Kind = Annotated[
    NodeKind,
    BeforeValidator(lambda value: _in_words(parse_kind, str(value))),
    WithJsonSchema({"type": "string", "examples": ["CodingAgent", "Terminal", "coding-agent", "terminal"]}),
]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Id = Annotated[str, Field(min_length=1, max_length=200)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


# --- Given


class Target(Strict):
    """A Node that Schedules may aim at; of another kind, one they may not."""

    id: Id
    kind: Kind
    session: Literal["open", "closed"] = "open"
    busy: bool = False
    """At work on something that no Schedule delivered."""
    shell: Literal["at prompt", "starting", "busy", "unfinished input", "alternate screen"] = "at prompt"
    """Of a Terminal: whether its prompt is there, or what it waits for."""


class Schedule(Strict):
    id: Id
    recurrence: Recurrence
    zone: Zone | None = None
    """Without it, the host's."""
    state: Literal["Running", "Paused"] = "Paused"
    payload: str = ""
    target: Id | None = None
    name: str | None = None
    """Without it, the id."""
    overlap: Literal["coalesce", "replace"] = "coalesce"
    catchup: Literal["none", "latest"] = "none"
    misfire_grace_s: Seconds = 60
    pending_limit_s: Seconds | None = None


class Given(Strict):
    """What holds one minute before the first step."""

    host_zone: Zone = "UTC"
    targets: list[Target] = []
    schedules: list[Schedule] = []


# --- Steps


class Step(Strict):
    do: str
    moment: str | None = None
    """A remark, as ``why`` and ``note`` are."""
    why: str | None = None
    note: str | None = None


class Timed(Step):
    """A step at an instant to which time moves before it acts."""

    at: At


class ClockOrApplication(Timed):
    do: Literal[
        "tick",
        "suspend_machine",
        "wake_machine",
        "start_app",
        "stop_app",
        "kill_app",
        "kill_and_restart_app",
        "start_second_copy_same_profile",
        "tick_both_copies_at_once",
    ]


class RunClock(Step):
    do: Literal["run_clock_every_minute"]
    from_: At
    to: At
    target_completes_in_seconds: Seconds = 0


class SetClock(Timed):
    do: Literal["set_clock"]
    to: At


class SetHostZone(Timed):
    do: Literal["set_host_zone"]
    zone: Zone


class OfSchedule(Timed):
    """``schedule`` may be left out where there is only one; so may ``target``."""

    schedule: Id | None = None


class ScheduleAction(OfSchedule):
    do: Literal["resume", "run_now", "finish_running_attempt_record"]


class Pause(OfSchedule):
    do: Literal["pause"]
    reason: str | None = None


class Delete(OfSchedule):
    """A Schedule, or the target that is named."""

    do: Literal["delete"]
    target: Id | None = None


class Change(Strict):
    """What a save writes; ``state`` pauses or resumes after it."""

    name: str | None = None
    payload: str | None = None
    recurrence: dict[str, Any] | None = None
    overlap: str | None = None
    catchup: str | None = None
    misfire_grace_s: float | None = None
    pending_limit_s: float | None = None
    state: Literal["Running", "Paused"] | None = None

    def fields(self) -> dict[str, Any]:
        """The fields that the step has, without ``state``."""
        return self.model_dump(exclude_unset=True, exclude={"state"})


class SaveForm(OfSchedule):
    do: Literal["save_form"]
    change: Change = Change()


class ReadRevision(OfSchedule):
    do: Literal["two_writers_read_same_revision"]
    writers: Annotated[list[Id], Field(min_length=1)]


class Write(Timed):
    do: Literal["write"]
    writer: Id
    change: Change


class Join(OfSchedule):
    do: Literal["connect", "disconnect"]
    target: Id | None = None


class OfTarget(Timed):
    target: Id | None = None


class TargetAction(OfTarget):
    do: Literal[
        "target_becomes_busy",
        "target_becomes_idle",
        "target_reports_completed",
        "target_asks_for_permission",
        "human_answers_and_target_completes",
        "target_dies",
        "close_session",
        "open_session",
        "human_clears_line",
    ]


class TargetFails(OfTarget):
    do: Literal["target_reports_failed"]
    exit_code: int | None = None
    diagnostic: str = ""


class HumanTypes(OfTarget):
    do: Literal["human_types"]
    text: str = ""
    enter: bool = False


class Preview(OfSchedule):
    """``at`` is only the "after" of the question; time does not move. Of a Schedule, or of a recurrence."""

    do: Literal["preview", "preview_only"]
    count: int = 5
    recurrence: dict[str, Any] | None = None
    zone: Zone | None = None
    save_as: Id | None = None


class ReadState(Timed):
    do: Literal["read_state"]
    save_as: Id = "state"


AnyStep = Annotated[
    ClockOrApplication
    | RunClock
    | SetClock
    | SetHostZone
    | ScheduleAction
    | Pause
    | Delete
    | SaveForm
    | ReadRevision
    | Write
    | Join
    | TargetAction
    | TargetFails
    | HumanTypes
    | Preview
    | ReadState,
    Field(discriminator="do"),
]

VERBS = tuple(
    verb for model in get_args(get_args(AnyStep)[0]) for verb in get_args(model.model_fields["do"].annotation)
)
