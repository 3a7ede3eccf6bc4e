"""Reading what an ACP agent sends, whatever shape it is in: agents differ, and are not to be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kavor.sessions.agent.harness import Call
from kavor.sessions.session import Option

Json = dict[str, Any]

LONGEST_TITLE = 300
LONGEST_DATA = 16 * 1024
"""Code points of a tool call's input or output that are kept."""
_OPTION_KINDS = ("allow_once", "allow_always", "reject_once", "reject_always")


def inside(content: object, path: str) -> object:
    """What lies at a path such as "_meta.codex.threadStatus"; None where nothing does."""
    for name in path.split("."):
        if not isinstance(content, Mapping):
            return None
        content = content.get(name)
    return content


def matches(content: Json, expected: Mapping[str, Any]) -> bool:
    """Whether all of this lies at these paths; never where nothing is expected."""
    return bool(expected) and all(inside(content, path) == value for path, value in expected.items())


def dicts_in(value: object) -> list[Json]:
    """The objects in a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(content: object) -> str:
    """The text of a content block; what it is, in brackets, where it is none."""
    if not isinstance(content, Mapping):
        return ""
    if content.get("type") == "text":
        return str(content.get("text") or "")
    if content.get("type") == "resource_link":
        return f"[{content.get('name') or content.get('uri')}]"
    return f"[{content.get('type')}]"


def call_of(update: Json) -> Call:
    data: Json = {}
    if update.get("rawInput"):
        data["input"] = _as_text(update["rawInput"])
    output = "\n".join(_output(update)) or _as_text(update.get("rawOutput"))
    if output:
        data["output"] = output[:LONGEST_DATA]
    return Call(
        id=str(update.get("toolCallId")),
        title=_short(update.get("title")),
        kind=_short(update.get("kind")),
        status=_short(update.get("status")),
        data=data,
    )


def _output(update: Json) -> Iterator[str]:
    for part in dicts_in(update.get("content")):
        if part.get("type") == "content":
            yield text_of(part.get("content"))
        elif part.get("type") == "diff":
            yield f"[changed {part.get('path')}]"


def plan_entry(entry: Json) -> Mapping[str, str]:
    """What is shown of it, as text."""
    return {name: _short(entry[name]) or "" for name in ("content", "priority", "status") if name in entry}


def question_text(call: Json, title_before: object = None) -> str:
    """What it wants to do, in its own words, and with what. Some name the tool as they begin the call, and in
    their question only what it is given."""
    title = _short(call.get("title")) or "it wants to use a tool, and does not say which"
    before = _short(title_before) or ""
    if before not in title:
        title = before if title in before else f"{before}: {title}"
    given = call.get("rawInput")
    command = inside(given, "command") or inside(given, "cmd")
    if isinstance(command, list):
        command = " ".join(str(part) for part in command)
    if isinstance(command, str) and command not in title:
        return f"{title}: {command[:LONGEST_DATA]}"
    return title


def option_of(option: Json) -> Option:
    kind = option.get("kind")
    # One of a kind that is not known must not look like a yes.
    known: Any = kind if kind in _OPTION_KINDS else "reject_once"
    return Option(str(option.get("optionId")), str(option.get("name") or option.get("optionId")), known)


def values_of(config_option: Json) -> list[str]:
    """What a configuration option can be set to; options may stand in groups."""
    found: list[str] = []
    for option in dicts_in(config_option.get("options")):
        inner = option.get("options")
        found += values_of({"options": inner}) if isinstance(inner, list) else [str(option.get("value"))]
    return found


def error_text(error: Exception) -> str:
    """An error's message, and the details that agents hide in its data."""
    data = getattr(error, "data", None)
    details = inside(data, "details") or inside(data, "message") or (data if isinstance(data, str) else None)
    message = str(error)
    if details is not None and str(details) not in message:
        message = f"{message}: {details}"
    return " ".join(message.split())[:LONGEST_TITLE]


def _short(value: object) -> str | None:
    return None if value is None else str(value)[:LONGEST_TITLE]


def _as_text(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:LONGEST_DATA]
