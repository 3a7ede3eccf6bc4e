"""A scenario as a whole, checked before anything is played: its ids, its order in time, its names."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from kavor.app.simulation.steps import (
    VERBS,
    AnyStep,
    Delete,
    Given,
    Preview,
    ReadRevision,
    ReadState,
    RunClock,
    SetClock,
    Step,
    Timed,
    Write,
)
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, format_instant

HINT = "docs/scenarios.md tells what a scenario may say; kavor simulate --schema prints its JSON Schema"


class Scenario(BaseModel):
    """``given`` and ``steps`` are played; anything beside them is a remark."""

    model_config = ConfigDict(title="Kavor scenario", extra="allow")

    given: Given = Given()
    steps: list[AnyStep]

    @property
    def start(self) -> Instant:
        """One minute before the first step that moves time."""
        times = [when for step in self.steps for when in _moments(step)]
        first = times[0] if times else next((step.at for step in self.steps if isinstance(step, Preview)), 0)
        return Instant(first - 60_000)

    @model_validator(mode="after")
    def _ids_and_order(self) -> Scenario:
        _check_ids(self)
        _check_order(self)
        _check_names(self)
        return self


def read_scenario(data: object) -> Scenario:
    """Raises BadInput that names the step, counted from 1, or the part of ``given`` that is at fault."""
    if not isinstance(data, Mapping):
        raise BadInput("a scenario is one JSON object with given and steps", HINT)
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = _place(first["loc"])
        raise BadInput(f"{place}: {_said(first)}" if place else _said(first), HINT) from None


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    document = Scenario.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **document}


def _place(path: tuple[int | str, ...]) -> str:
    """``step 3 (pause), schedule`` from what pydantic names."""
    words = list(path)
    if words[:1] == ["steps"] and len(words) > 1:
        step = f"step {int(words[1]) + 1}"
        rest = [str(word) for word in words[2:]]
        if rest:
            step += f" ({rest.pop(0)})"
        return ", ".join([step, *rest])
    return ".".join(str(word) for word in words)


def _said(fault: ErrorDetails) -> str:
    """What is wrong, in our words where pydantic's are about Python."""
    match fault["type"]:
        case "extra_forbidden":
            return "there is no such field"
        case "missing":
            return "it is missing"
        case "union_tag_not_found":
            return "it does not say what to do"
        case "union_tag_invalid":
            verb = fault["ctx"]["tag"]
            near = difflib.get_close_matches(verb, VERBS, 1)
            return f"there is no verb {verb!r}" + (f"; did you mean {near[0]}?" if near else "")
        case _:
            return fault["msg"].removeprefix("Value error, ")


def _moments(step: Step) -> Iterator[Instant]:
    """The instants a step moves to, in order."""
    if isinstance(step, RunClock):
        yield step.from_
        yield step.to
    elif isinstance(step, Timed) and not isinstance(step, Preview):
        yield step.at


def _check_order(scenario: Scenario) -> None:
    now = scenario.start
    for number, step in enumerate(scenario.steps, 1):
        for moment in _moments(step):
            if moment < now:
                raise ValueError(
                    f"step {number} ({step.do}) is at {format_instant(moment)}, "
                    f"when it is {format_instant(now)} already"
                )
            now = moment
        if isinstance(step, SetClock):
            now = step.to


def _check_ids(scenario: Scenario) -> None:
    given = scenario.given
    targets = [target.id for target in given.targets]
    schedules = [schedule.id for schedule in given.schedules]
    both = targets + schedules
    for twice in {name for name in both if both.count(name) > 1}:
        raise ValueError(f"given: the id {twice!r} is there twice")
    for schedule in given.schedules:
        if schedule.target is not None and schedule.target not in targets:
            raise ValueError(
                f"given: Schedule {schedule.id!r} aims at {schedule.target!r}, which is no target"
            )
    for number, step in enumerate(scenario.steps, 1):
        for word, known in (("schedule", schedules), ("target", targets)):
            _check_id(f"step {number} ({step.do})", word, step, known)


def _check_id(place: str, word: str, step: Step, known: list[str]) -> None:
    """A named id must be known; one left out must be the only one."""
    if not hasattr(step, word):
        return
    named = getattr(step, word)
    if named is not None and named not in known:
        raise ValueError(f"{place}: there is no {word} {named!r}")
    if isinstance(step, Delete):
        needless = word == "target" or step.target is not None
    else:
        needless = isinstance(step, Preview) and step.recurrence is not None
    if named is None and len(known) != 1 and not needless:
        raise ValueError(f"{place}: say which {word}; there are {len(known)}")


def _check_names(scenario: Scenario) -> None:
    writers: set[str] = set()
    for number, step in enumerate(scenario.steps, 1):
        if isinstance(step, ReadRevision):
            writers.update(step.writers)
        elif isinstance(step, Write) and step.writer not in writers:
            raise ValueError(f"step {number} (write): {step.writer!r} has read no revision before")
        elif isinstance(step, Delete) and step.schedule is not None and step.target is not None:
            raise ValueError(f"step {number} (delete): name a schedule or a target, not both")
        elif isinstance(step, Preview | ReadState) and step.save_as == "refusals":
            raise ValueError(f"step {number} ({step.do}): the answer's key 'refusals' is taken")
