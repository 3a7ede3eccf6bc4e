"""Agents that show a screen of their own, and are held by the PTY host: what is peculiar to each, as data."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kavor.domain.errors import BadInput
from kavor.resources import resource_path
from kavor.sessions.session import AgentSpec, Program, ToolsAccess
from kavor.sessions.terminal.notices import FIFO

MEANINGS = frozenset({"began", "asks", "went on", "ended", "failed"})

_HOOKS, _TOOLS = "hooks.json", "tools.json"


@dataclass(frozen=True)
class OwnScreen:
    """A provider's table ``screen``. `kavor.sessions.session.Program` says what most of these mean."""

    signs: Mapping[str, str] = field(default_factory=dict)
    hook_events: tuple[str, ...] = ()
    """The events it has a hook called for. They are in the file ``{hooks}``, which has the form that Claude
    Code, Gemini CLI and Qwen Code read."""
    ready_mark: str = ""
    quiet_s: float = 1.0
    takes_pastes: bool = True
    stop_key: str = "\x1b"
    clear_key: str = ""
    model_option: tuple[str, ...] = ()
    """The arguments that stand before a model's name."""
    tools_option: tuple[str, ...] = ()
    """The arguments that make Kavor's tools known: ``{tools}`` is a file of MCP servers, ``{url}`` where they
    are."""
    tools_environment: Mapping[str, str] = field(default_factory=dict)
    """The same as variables, which may have the ``{token}`` too."""


def read_own_screen(table: Mapping[str, Any], where: str) -> OwnScreen:
    """Raises BadInput naming the key; ``where`` is what stands before it."""
    known = {field.name: field.default for field in fields(OwnScreen)}
    for key, value in table.items():
        if key not in known:
            raise BadInput(f"{where}.{key} is not known", f"known are: {', '.join(known)}")
        if not _fits(key, value):
            raise BadInput(f"{where}.{key} cannot be {value!r}")
    for pattern in (*table.get("signs", {}), table.get("ready_mark", "")):
        try:
            re.compile(pattern)
        except re.error as error:
            raise BadInput(f"{where}: {pattern!r} is no pattern: {error}") from error
    if unknown := set(table.get("signs", {}).values()) - MEANINGS:
        raise BadInput(
            f"{where}.signs: {unknown.pop()!r} is no meaning", f"use {', '.join(sorted(MEANINGS))}"
        )
    read: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    return OwnScreen(**read)


def _fits(key: str, value: object) -> bool:
    if key in ("signs", "tools_environment"):
        return isinstance(value, Mapping) and all(isinstance(word, str) for word in value.values())
    if key in ("hook_events", "model_option", "tools_option"):
        return isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value)
    if key == "quiet_s":
        return isinstance(value, (int, float)) and 0 < value <= 60
    return isinstance(value, bool if key == "takes_pastes" else str)


def program_of(
    spec: AgentSpec,
    screen: OwnScreen,
    command: Sequence[str],
    environment: Mapping[str, str],
    inherited: Mapping[str, str],
    folder: Path,
) -> Program:
    """What the PTY host starts. ``environment`` is what its provider adds to the ``inherited`` one, which
    stays as it is; ``folder`` is the session's private one. The token of Kavor's tools goes into a file there
    or into the environment, never into an argument."""
    places = {"{hooks}": str(folder / _HOOKS), "{tools}": str(folder / _TOOLS)}
    arguments = [*command]
    files, variables = {}, dict(environment)
    if screen.hook_events:
        files[_HOOKS] = _hooks_file(screen.hook_events, folder / FIFO)
    if spec.model is not None:
        arguments += [*screen.model_option, spec.model]
    if spec.tools is not None:
        places["{url}"] = spec.tools.url
        files[_TOOLS] = _tools_file(spec.tools)
        arguments += screen.tools_option
        variables |= {
            name: _filled(value, {**places, "{token}": spec.tools.token})
            for name, value in screen.tools_environment.items()
        }
    return Program(
        provider=spec.provider,
        command=tuple(_filled(argument, places) for argument in arguments),
        environment={
            **inherited,
            **{name: _filled(value, places) for name, value in variables.items()},
        },
        files=files,
        signs=screen.signs,
        ready_mark=screen.ready_mark,
        quiet_ms=round(screen.quiet_s * 1000),
        takes_pastes=screen.takes_pastes,
        stop_key=screen.stop_key,
        clear_key=screen.clear_key,
        turn_limit_ms=spec.turn_limit_ms,
    )


def _filled(text: str, places: Mapping[str, str]) -> str:
    for place, value in places.items():
        text = text.replace(place, value)
    return text


def _hooks_file(events: Sequence[str], fifo: Path) -> str:
    command = shlex.join(
        [sys.executable, "-I", "-S", str(resource_path("agents", "tell_sign.py")), str(fifo)]
    )
    told = [{"matcher": "*", "hooks": [{"type": "command", "command": command}]}]
    return json.dumps({"hooks": dict.fromkeys(events, told)})


def _tools_file(tools: ToolsAccess) -> str:
    server = {"type": "http", "url": tools.url, "headers": {"Authorization": f"Bearer {tools.token}"}}
    return json.dumps({"mcpServers": {"kavor": server}})
