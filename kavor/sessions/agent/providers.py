"""The provider table: which agents there are, how each is started, and what is peculiar to it.

It is data. What comes with Kavor is in resources/agents/providers.toml; a package may add to it with an entry
point of the group ``kavor.providers``, and a person with a file ``providers.toml`` in Kavor's own folder. A
later one changes only the keys it names.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.home import Home
from kavor.resources import resource_path
from kavor.sessions.agent.own_screen import OwnScreen, read_own_screen

ENTRY_POINTS = "kavor.providers"
FILE_NAME = "providers.toml"

Table = Mapping[str, Mapping[str, Any]]


class Transport(StrEnum):
    """How a session is held."""

    ACP = "acp"
    SOCKET = "socket"
    TUI = "tui"
    """By the PTY host, with the screen that the program itself shows."""


@dataclass(frozen=True)
class Provider:
    """One kind of agent."""

    name: str
    label: str
    transport: Transport
    command: tuple[str, ...] = ()
    """The program and its arguments; empty where each agent brings its own."""
    install: str = ""
    """What a person does who does not have it."""
    needs: str = ""
    configuration: str = ""
    """Where its own configuration lives, which Kavor leaves alone."""
    sign_in: str = ""
    completion: str = ""
    """How the end of its work is observed."""
    attention: str = ""
    """How it is observed that it waits for a person."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What its program is started with beside the login shell's environment."""
    wait_for_tools_s: float = 0.0
    """How long its first prompt is held until it has listed Kavor's tools: it would begin without them."""
    model_failed: Mapping[str, Any] = field(default_factory=dict)
    """What a session update holds, by path, when the model failed and the turn's end does not say so."""
    own_tools: Mapping[str, Any] = field(default_factory=dict)
    """What a permission request holds, by path, when it is for a tool of the server that Kavor gave it.
    Never its title: that is what the model makes of it. Empty: every request is a person's."""
    screen: OwnScreen = field(default_factory=OwnScreen)
    """Of one with a screen of its own."""

    def command_of(self, own: Sequence[str]) -> tuple[str, ...]:
        """What is started, for an agent with this command of its own. Raises BadInput where there is none."""
        command = self.command or tuple(own)
        if not command:
            raise BadInput(f"the provider {self.name} needs a command", "give the agent one with --command")
        return tuple(sys.executable if part == "{python}" else part for part in command)


@dataclass(frozen=True)
class Availability:
    """Whether a provider's program is on this machine."""

    provider: Provider
    path: str | None
    """Where its program is; None where it is not found, or where each agent brings its own."""
    version: str | None = None
    """As the package it came in says; None where that is not known."""

    @property
    def installed(self) -> bool:
        return self.path is not None or not self.provider.command


class Providers:
    """All providers by name. Those that are not well described are left out, and named in ``problems``."""

    def __init__(self, home: Home) -> None:
        self.problems: list[str] = []
        self._by_name: dict[str, Provider] = {}
        tables: dict[str, dict[str, Any]] = {}
        for origin, read in _origins(home):
            try:
                found = read()
                _check_table(found, origin)
            except Exception as error:
                # A third party's entry must not take the others down with it, whatever it raises.
                self.problems.append(error.message if isinstance(error, BadInput) else f"{origin}: {error}")
                continue
            for name, table in found.items():
                self._add(name, {**tables.get(name, {}), **table}, origin, tables)

    def _add(self, name: str, table: dict[str, Any], origin: str, tables: dict[str, dict[str, Any]]) -> None:
        try:
            self._by_name[name] = _provider(name, table, origin)
        except BadInput as error:
            self.problems.append(error.message)
        else:
            tables[name] = table

    def find(self, name: str) -> Provider:
        """Raises NotFound, naming what is wrong with the table if something is."""
        if name not in self._by_name:
            hint = f"one of: {', '.join(sorted(self._by_name))}"
            raise NotFound(f"there is no provider {name}", "; ".join([hint, *self.problems]))
        return self._by_name[name]

    def all(self) -> list[Provider]:
        return list(self._by_name.values())


def program_path(provider: Provider, program: str, search_path: str, directory: str) -> str:
    """Where a program is; a path that is not absolute begins in the agent's ``directory``. Raises Refused,
    saying what to install."""
    named = _named(program, directory)
    found = shutil.which(named, path=search_path)
    if found is None:
        if present := shutil.which(named, mode=os.F_OK, path=search_path):
            raise Refused(f"{present} is not executable", f"make it so: chmod +x {shlex.quote(present)}")
        needs = f" (it needs {provider.needs})" if provider.needs else ""
        raise Refused(
            f"{provider.label} is not installed: there is no {program}",
            f"to install it: {provider.install}{needs}; if it is there, restart the runtime, which has the "
            "PATH that it was started with: kavor runtime stop, kavor runtime start",
        )
    return found


def is_found(program: str, search_path: str, directory: str) -> bool:
    return shutil.which(_named(program, directory), path=search_path) is not None


def _named(program: str, directory: str) -> str:
    return str(Path(directory, program)) if os.sep in program else program


def look_for(provider: Provider, search_path: str) -> Availability:
    """Whether its program is there; no program is started to find out."""
    if not provider.command:
        return Availability(provider, None)
    found = shutil.which(provider.command_of(())[0], path=search_path)
    return Availability(provider, found, _version_of(found) if found else None)


def _version_of(program: str) -> str | None:
    """From the description of the npm package that a program lies in."""
    for folder in list(Path(program).resolve().parents)[:4]:
        try:
            described = json.loads((folder / "package.json").read_text())
        except (OSError, ValueError):
            continue
        version = described.get("version") if isinstance(described, dict) else None
        return version if isinstance(version, str) else None
    return None


# --- Where entries come from, and what one must be


def _origins(home: Home) -> list[tuple[str, Callable[[], Table]]]:
    own = resource_path("agents", FILE_NAME)
    origins: list[tuple[str, Callable[[], Table]]] = [(str(own), lambda: _read_file(own))]
    origins += [
        (f"the entry point {point.name} ({point.value})", _entry_point_reader(point.load))
        for point in entry_points(group=ENTRY_POINTS)
    ]
    settings = home.data / FILE_NAME
    with suppress(OSError):  # a home that cannot be looked into is somebody else's complaint
        if settings.exists():
            origins.append((str(settings), lambda: _read_file(settings)))
    return origins


def _entry_point_reader(load: Callable[[], Any]) -> Callable[[], Table]:
    """An entry point is a table, or a function that makes one."""

    def read() -> Table:
        loaded = load()
        table: Table = loaded() if callable(loaded) else loaded
        return table

    return read


def _read_file(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}", "mend it, or take it away") from error


def _check_table(found: object, origin: str) -> None:
    if not isinstance(found, Mapping):
        raise BadInput(f"{origin}: it is no table of providers")
    for name, table in found.items():
        if not isinstance(table, Mapping):
            raise BadInput(f"{origin}: {name} is no table", f"write [{name}]")


_KEYS: Mapping[str, type | tuple[type, ...]] = {
    "label": str,
    "transport": str,
    "command": (list, tuple),
    "install": str,
    "needs": str,
    "configuration": str,
    "sign_in": str,
    "completion": str,
    "attention": str,
    "environment": Mapping,
    "wait_for_tools_s": (int, float),
    "model_failed": Mapping,
    "own_tools": Mapping,
    "screen": Mapping,
}


def _provider(name: str, table: Mapping[str, Any], origin: str) -> Provider:
    """Raises BadInput naming the file and the key."""
    for key, value in table.items():
        if key not in _KEYS:
            raise BadInput(f"{origin}: {name}.{key} is not known", f"known are: {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise BadInput(f"{origin}: {name}.{key} cannot be {value!r}")
    for key in ("label", "transport"):
        if key not in table:
            raise BadInput(f"{origin}: {name}.{key} is missing")
    if table["transport"] not in list(Transport):
        raise BadInput(f"{origin}: {name}.transport is one of {', '.join(Transport)}")
    command = table.get("command", ())
    if not all(isinstance(part, str) and part for part in command):
        raise BadInput(f"{origin}: {name}.command is a list of words")
    if not all(isinstance(value, str) for value in table.get("environment", {}).values()):
        raise BadInput(f"{origin}: the values of {name}.environment are strings")
    read = {
        "name": name,
        "transport": Transport(table["transport"]),
        "command": tuple(command),
        "screen": read_own_screen(table.get("screen", {}), f"{origin}: {name}.screen"),
    }
    return Provider(**{**table, **read})
