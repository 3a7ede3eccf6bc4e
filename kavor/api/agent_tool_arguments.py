"""What an agent may say to each tool. The tools' schemas are made of these, for the API and over MCP alike.

Schemas are flat and without unions, since not every model can be given more.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from kavor.api.models import Body

MOST_OPERATIONS = 100
"""In one batch of edits."""

LONGEST_WAIT_S = 600.0
"""For the end of a command, in one call."""

LARGEST = 10**15
"""Of a number that counts something: every JSON reader has it exactly."""

Ref = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""A Node: its id, or its name where that is unique among the reachable ones."""

Revision = Annotated[
    int, Field(ge=1, le=LARGEST, description="The revision that you read; a stale one is refused.")
]
Version = Annotated[
    str,
    StringConstraints(max_length=100),
    Field(description="The version that you read; a stale one is refused."),
]
OnlyBefore = Annotated[
    int, Field(ge=1, le=LARGEST, description="Only what is older than this id: the next page.")
]


class NoArguments(Body):
    pass


class ListNodes(Body):
    kind: str = Field(
        default="",
        description="Only this kind: schedule, coding-agent, terminal, file, sticky-note or specification.",
    )


class OneNote(Body):
    note: Ref = Field(description="Id or name of a Sticky Note.")


class AppendToNote(OneNote):
    text: str = Field(description="Markdown. It begins on a line of its own.")


class ReplaceNote(OneNote):
    text: str = Field(description="The whole new text, Markdown, at most 64,000 characters.")
    revision: Revision


class ReadFile(Body):
    file: Ref = Field(description="Id or name of a File Node.")
    offset: int = Field(default=0, ge=0, le=LARGEST, description="Where to begin, in characters.")
    limit: int = Field(default=100_000, ge=1, le=200_000, description="At most so many characters.")


class ReplaceFile(Body):
    file: Ref = Field(description="Id or name of a File Node.")
    text: str = Field(description="The whole new content.")
    version: Version


class OneSpecification(Body):
    specification: Ref = Field(description="Id or name of a Specification.")


class ReplaceSpecification(OneSpecification):
    text: str = Field(description="The whole new text, Markdown.")
    version: Version


class SpecificationState(OneSpecification):
    state: str = Field(description="Draft, Ready, In progress, In review or Done.")


class OneTerminal(Body):
    terminal: Ref = Field(description="Id or name of a Terminal.")


class TerminalTail(OneTerminal):
    bytes: int = Field(default=8_192, ge=1, le=200_000, description="So much of the end of its output.")


class TerminalBuffer(OneTerminal):
    offset: int = Field(default=0, ge=0, le=LARGEST, description="The first line wanted, counted from 0.")
    limit: int = Field(default=1_000, ge=1, le=5_000, description="At most so many lines.")


class TerminalRun(OneTerminal):
    command: str = Field(
        default="", description="A shell command, not interactive. Leave it out to wait on for a `run`."
    )
    run: Annotated[str, StringConstraints(max_length=100)] = Field(
        default="", description="A command that was still running: what an earlier call named as `run`."
    )
    wait_s: float = Field(
        default=45,
        ge=0,
        le=LONGEST_WAIT_S,
        allow_inf_nan=False,
        description="How many seconds to wait, first for a free prompt and then for the command's end.",
    )


class TerminalInterrupt(OneTerminal):
    run: Annotated[str, StringConstraints(max_length=100)] = Field(
        default="", description="Only this command: what terminal_run named as `run`."
    )


class SendMessage(Body):
    agent: Ref = Field(description="Id or name of a CodingAgent.")
    text: str = Field(description="It is delivered as that agent's next prompt, in its turn.")


class ReadMessages(Body):
    peer: Annotated[str, StringConstraints(max_length=200)] = Field(
        default="", description="Only those from or to this CodingAgent."
    )
    before: OnlyBefore = LARGEST
    limit: int = Field(default=20, ge=1, le=100, description="At most so many, newest first.")


class ReadTurns(Body):
    agent: Ref = Field(description="Id or name of a CodingAgent.")
    before: OnlyBefore = LARGEST
    limit: int = Field(default=5, ge=1, le=50, description="At most so many, newest first.")


class Operation(Body):
    """One step of a batch. Each kind of step takes only the fields named for it."""

    op: Literal["create", "connect", "rename", "move", "configure_schedule"] = Field(
        description="create: kind, name, as, x, y and the kind's own fields. connect: a, b, env. "
        "rename: node, revision, name. move: node, x, y. configure_schedule: node, revision and what is to "
        "change of name, payload, recurrence, overlap, catchup, misfire_grace_s."
    )
    node: Ref = Field(default="", description="The Node meant: id, name, or @word of one made in this batch.")
    revision: Revision = Field(
        default=0, description="rename, configure_schedule: the Node's revision as you read it."
    )
    a: Ref = Field(default="", description="connect: one end.")
    b: Ref = Field(default="", description="connect: the other end.")
    env: Annotated[str, StringConstraints(max_length=200)] = Field(
        default="", description="connect, Terminal with File or Specification: the environment variable."
    )
    as_: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")] = Field(
        default="new", alias="as", description="create: a word by which later steps mean it, as @word."
    )
    kind: str = Field(
        default="",
        description="create: schedule, coding-agent, terminal, file, sticky-note or specification.",
    )
    name: str = Field(default="", description="create, rename, configure_schedule: its name.")
    x: float = Field(default=0, allow_inf_nan=False, description="create, move: canvas units to the right.")
    y: float = Field(default=0, allow_inf_nan=False, description="create, move: canvas units down.")
    text: str = Field(default="", description="create sticky-note: its text.")
    colour: str = Field(default="", description="create sticky-note: yellow, green, blue or pink.")
    path: str = Field(default="", description="create file or specification: a path inside the Workspace.")
    provider: str = Field(default="", description="create coding-agent: its provider, such as claude.")
    payload: str = Field(default="", description="Schedule: the prompt or command that it delivers.")
    recurrence: dict[str, Any] = Field(
        default_factory=dict,
        description='Schedule: {"cron": "0 9 * * 1-5"}, {"kind": "once", "local": "2026-08-01T09:00"} or '
        '{"kind": "every", "every": "2w", "anchor": "2026-10-05T09:00"}.',
    )
    overlap: str = Field(default="coalesce", description="Schedule: coalesce or replace.")
    catchup: str = Field(default="none", description="Schedule: none or latest.")
    misfire_grace_s: float = Field(default=60, allow_inf_nan=False, description="Schedule: seconds.")


class EditWorkspace(Body):
    operations: Annotated[list[Operation], Field(min_length=1, max_length=MOST_OPERATIONS)] = Field(
        description="Carried out in this order; all of them, or none."
    )
