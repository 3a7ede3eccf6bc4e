"""What requests may carry. What answers carry is in :mod:`kavor.runtime.views`.

A field that is not known is refused, so that a misspelt one is never silently without effect.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def is_text_that_can_be_kept(cls, values: object) -> object:
        """JSON can spell half a surrogate pair, which is no character and cannot be written anywhere."""
        if isinstance(values, bytes):
            raise PydanticCustomError(
                "no_json", "it is not sent as JSON, with Content-Type: application/json"
            )
        try:
            json.dumps(values, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"U+{ord(error.object[error.start]):04X}"
            raise PydanticCustomError("no_text", f"it has the lone surrogate {half}") from None
        return values

    def given(self) -> dict[str, Any]:
        """The fields that the request had, and no defaults."""
        return self.model_dump(exclude_unset=True)


class NewWorkspace(Body):
    directory: str
    name: str | None = None


class ScheduleBody(Body):
    """Durations in seconds. ``recurrence`` takes every form of the documentation."""

    name: str = "Schedule"
    payload: str = ""
    recurrence: dict[str, Any] = Field(default_factory=dict)
    overlap: str = "coalesce"
    catchup: str = "none"
    misfire_grace_s: float = Field(default=60, allow_inf_nan=False)
    pending_limit_s: float | None = Field(default=None, allow_inf_nan=False)
    x: float = Field(default=0, allow_inf_nan=False)
    y: float = Field(default=0, allow_inf_nan=False)


class NewSchedule(ScheduleBody):
    workspace: str | None = None
    target: str | None = None


class NodeDetails(Body):
    """What Nodes have beside a name and a place; only the fields of its kind may be given."""

    shell: str | None = None
    directory: str | None = None
    path: str | None = None
    state: str = "Draft"
    text: str = ""
    colour: str = "yellow"
    provider: str = ""
    command: list[str] | None = None
    model: str | None = None
    keep_open: bool = True
    allow_editing: bool = False
    turn_limit_s: float = Field(default=7200, allow_inf_nan=False)


class NewNode(NodeDetails, NewSchedule):
    """A Node of any kind."""

    kind: str
    open: bool = True


class NodeEdit(NodeDetails):
    name: str = ""
    x: float = Field(default=0, allow_inf_nan=False)
    y: float = Field(default=0, allow_inf_nan=False)


class TextBody(Body):
    text: str


class NewConnection(Body):
    a: str
    b: str
    env: str | None = None
    guardrail: str | None = None


class Preview(Body):
    recurrence: dict[str, Any]
    zone: str | None = None
    after: str | None = None
    count: int = 10


class PauseBody(Body):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)] | None = (
        None
    )


class StopBody(Body):
    end_sessions: bool = False


class MessageBody(Body):
    text: str


class AnswerBody(Body):
    """``question`` is the id of the one that is meant; without it, the one that is open."""

    question: str | None = None
    option: str | None = None


class InputBody(Body):
    text: str = ""
    enter: bool = False
