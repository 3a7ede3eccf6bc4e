"""What a model says next: the prompt is the script.

A line of the newest prompt that begins with ``model>`` is one step, and the k-th is played once k tools have
answered; the rest of the prompt is prose.

    model> say TEXT           text, and the turn's normal end
    model> call TOOL JSON     a call of the offered tool whose name is, or ends with, TOOL
    model> refuse             the model's own refusal
    model> run_out            cut off at the limit of tokens
    model> error STATUS       an HTTP error
    model> drop               some words, then the connection breaks
    model> hang SECONDS       some words, then nothing for so long

Used up, or without a script, it says how it stands. A request that offers no tools is for a title or a
summary, and is given one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

STEP = re.compile(r"^\s*model> (say|call|refuse|run_out|error|drop|hang)\b[ \t]*(.*)$", re.MULTILINE)

TITLE = "A title from the stand-in"
NOTHING_TO_DO = "There is nothing in my script."

Verb = Literal["say", "call", "refuse", "run_out", "error", "drop", "hang"]


@dataclass(frozen=True)
class Tool:
    """One that the agent offers; some give theirs a namespace."""

    name: str
    namespace: str | None = None


@dataclass(frozen=True)
class Turn:
    """A piece of the conversation: of the user, the assistant, a tool, or the system."""

    role: str
    text: str


@dataclass(frozen=True)
class Conversation:
    """One request of an agent, whichever dialect it was in."""

    turns: Sequence[Turn]
    tools: Sequence[Tool]


@dataclass(frozen=True)
class Reply:
    verb: Verb
    text: str = ""
    tool: Tool = Tool("")
    arguments: dict[str, Any] = field(default_factory=dict)
    number: float = 0
    """The status of an error; the seconds of a silence."""


def next_reply(conversation: Conversation) -> Reply:
    if not conversation.tools:
        return Reply("say", TITLE)
    turns = conversation.turns
    prompts = [place for place, turn in enumerate(turns) if turn.role == "user" and STEP.search(turn.text)]
    if not prompts:
        return Reply("say", NOTHING_TO_DO)
    steps = STEP.findall(turns[prompts[-1]].text)
    answers = [turn.text for turn in turns[prompts[-1] + 1 :] if turn.role == "tool"]
    if len(answers) >= len(steps):
        return Reply("say", f"My script is used up. The last tool said: {answers[-1][:300]}")
    verb, rest = steps[len(answers)]
    return _reply(verb, rest.strip(), conversation.tools)


def _reply(verb: Verb, rest: str, tools: Sequence[Tool]) -> Reply:
    match verb:
        case "call":
            name, _, arguments = rest.partition(" ")
            tool = _offered(name, tools)
            if tool is None:
                return Reply("say", f"The tool {name} was not offered to me.")
            return Reply(verb, tool=tool, arguments=json.loads(arguments or "{}"))
        case "error" | "hang":
            return Reply(verb, "I am thinking about it", number=float(rest or 30))
        case "drop" | "run_out":
            return Reply(verb, rest or "This sentence has no end because")
        case _:
            return Reply(verb, rest)


def _offered(name: str, tools: Sequence[Tool]) -> Tool | None:
    exact = [tool for tool in tools if tool.name == name]
    ending = [tool for tool in tools if tool.name.endswith(name)]
    return next(iter(exact + ending), None)
