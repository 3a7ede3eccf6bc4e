"""What each kind of Node has beside a name and a place, and how that is kept.

A Schedule is not among them: :mod:`kavor.runtime.schedule_service` makes and edits it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy.engine import Connection
from typing_extensions import TypedDict

from kavor.domain.agents import AgentSettings
from kavor.domain.environment import NAMED_KINDS
from kavor.domain.errors import BadInput, Conflict
from kavor.domain.graph import TARGET_KINDS, NodeKind
from kavor.domain.specification import parse_state
from kavor.domain.sticky_note import Colour, check_note, parse_colour
from kavor.runtime.environment import tell_terminals
from kavor.runtime.events import Change
from kavor.runtime.paths import path_of, working_directory
from kavor.runtime.text_files import ABSENT, replace_text_file
from kavor.runtime.turn import Turn
from kavor.store import coding_agents, documents, workspaces
from kavor.store.coding_agents import CodingAgentRow
from kavor.store.documents import StickyNoteRow
from kavor.store.workspaces import NodeRow, TerminalRow


class NodeFields(TypedDict, total=False):
    """What may be set of a Node when it is made or edited; what is left out stays as it is."""

    name: str
    x: float
    y: float
    shell: str | None
    directory: str | None
    path: str | None
    state: str
    text: str
    colour: str
    provider: str
    command: list[str] | None
    model: str | None
    keep_open: bool
    allow_editing: bool
    turn_limit_s: float


OF_EVERY_KIND = frozenset({"name", "x", "y"})


@dataclass(frozen=True)
class FoundPaths:
    """Where the paths that were given for a Node lead, made canonical; None for one that stays as it is."""

    directory: str | None = None
    """Of a Terminal or a CodingAgent."""
    file: str | None = None
    """Of a File or a Specification."""


NO_PATHS = FoundPaths()


@dataclass(frozen=True)
class KindRules:
    """Raises, in ``add`` and ``change``, BadInput with nothing kept."""

    own_fields: frozenset[str]
    """What may be set of it at any time."""
    add: Callable[[Connection, NodeRow, NodeFields, FoundPaths, bool], None]
    """The last says whether the Node's session, if it can have one, is to be open."""
    change: Callable[[Connection, Turn, NodeRow, NodeFields, FoundPaths], None]
    fields_at_first: frozenset[str] = frozenset()
    """What may be set of it only when it is made."""


def rules_of(kind: NodeKind) -> KindRules:
    return _RULES[kind]


def check_fields(kind: NodeKind, fields: NodeFields, *, at_first: bool = False) -> None:
    """Raises BadInput for what cannot be set of this kind of Node, or not after it was made."""
    own = OF_EVERY_KIND
    if kind in _RULES:
        own |= _RULES[kind].own_fields | (_RULES[kind].fields_at_first if at_first else frozenset())
    foreign = sorted(set(fields) - own)
    if foreign == ["text"] and kind in NAMED_KINDS:
        raise BadInput(f"the text of a {kind.label} is a file", "read and save it at /api/nodes/ID/text")
    if foreign:
        raise BadInput(f"a {kind.label} has no {', '.join(foreign)}", "leave that out")
    if "state" in fields:
        parse_state(fields["state"])


def find_paths(
    workspace: str, kind: NodeKind, name: str, fields: NodeFields, *, at_first: bool = False
) -> FoundPaths:
    """Where the paths among these fields lead, from the Workspace's directory; ``at_first``, where those that
    are left out lead. Asks the file system. Raises BadInput."""
    if kind in TARGET_KINDS and (at_first or "directory" in fields):
        return FoundPaths(directory=working_directory(workspace, fields.get("directory")))
    if kind in NAMED_KINDS and (at_first or "path" in fields):
        return FoundPaths(file=path_of(workspace, kind, name, fields.get("path")))
    return NO_PATHS


# --- Terminals


def _add_terminal(
    tx: Connection, node: NodeRow, fields: NodeFields, paths: FoundPaths, is_open: bool
) -> None:
    assert paths.directory is not None, "it was found at first"
    terminal = TerminalRow(
        node_id=node.id,
        directory=paths.directory,
        shell=fields.get("shell"),
        wanted="open" if is_open else "closed",
    )
    workspaces.add_terminal(tx, terminal)


def _change_terminal(
    tx: Connection, turn: Turn, node: NodeRow, fields: NodeFields, paths: FoundPaths
) -> None:
    values: dict[str, object] = {}
    if paths.directory is not None:
        values["directory"] = paths.directory
    if "shell" in fields:
        values["shell"] = fields["shell"]
    workspaces.change_terminal(tx, node.id, values)


# --- CodingAgents


def _add_agent(tx: Connection, node: NodeRow, fields: NodeFields, paths: FoundPaths, is_open: bool) -> None:
    assert paths.directory is not None, "it was found at first"
    if "provider" not in fields:
        raise BadInput(
            "a CodingAgent needs a provider", "give one with --provider; GET /api/providers names them"
        )
    row = CodingAgentRow(
        node_id=node.id,
        settings=_settings(AgentSettings(provider=fields["provider"]), fields),
        directory=paths.directory,
        wanted="open" if is_open else "closed",
    )
    coding_agents.add_coding_agent(tx, row)


def _change_agent(tx: Connection, turn: Turn, node: NodeRow, fields: NodeFields, paths: FoundPaths) -> None:
    row = coding_agents.coding_agent(tx, node.id)
    assert row is not None, "a CodingAgent Node has its row"
    settings = row.settings
    if fields.get("provider", settings.provider) != settings.provider:
        settings = replace(settings, provider=fields["provider"], command=(), model=None)
    changed = replace(row, settings=_settings(settings, fields))
    if paths.directory is not None:
        changed = replace(changed, directory=paths.directory)
    if changed.held_by != row.held_by:
        changed = replace(changed, conversation=None)  # it is not to be found there
    coding_agents.save_coding_agent(tx, changed)
    turn.changes.append(Change("session", node.id))  # whether it needs a restart may be another


def _settings(present: AgentSettings, fields: NodeFields) -> AgentSettings:
    """Raises BadInput."""
    limit_s = fields.get("turn_limit_s")
    settings = AgentSettings(
        provider=present.provider,
        command=tuple(fields.get("command", present.command) or ()),
        model=fields.get("model", present.model),
        keep_open=fields.get("keep_open", present.keep_open),
        may_edit=fields.get("allow_editing", present.may_edit),
        turn_limit_ms=present.turn_limit_ms if limit_s is None else round(limit_s * 1000),
    )
    settings.check()
    return settings


# --- Files and Specifications


def _add_file(tx: Connection, node: NodeRow, fields: NodeFields, paths: FoundPaths, is_open: bool) -> None:
    assert paths.file is not None, "it was found at first"
    documents.add_path(tx, node.kind, node.id, paths.file)


def _change_file(tx: Connection, turn: Turn, node: NodeRow, fields: NodeFields, paths: FoundPaths) -> None:
    if paths.file is not None:
        documents.change_path(tx, node.kind, node.id, paths.file)
        tell_terminals(tx, turn, node.id)


def _add_specification(
    tx: Connection, node: NodeRow, fields: NodeFields, paths: FoundPaths, is_open: bool
) -> None:
    _add_file(tx, node, fields, paths, is_open)
    if "state" in fields:
        documents.change_specification_state(tx, node.id, parse_state(fields["state"]))


def write_first_text(path: str, text: str) -> None:
    """Of a Specification that is to be made. Raises BadInput where there is a file already."""
    try:
        replace_text_file(path, text, version=ABSENT)
    except Conflict:
        raise BadInput(
            f"there is a file {path} already", "leave the text out to take it as it is, or give another path"
        ) from None


def _change_specification(
    tx: Connection, turn: Turn, node: NodeRow, fields: NodeFields, paths: FoundPaths
) -> None:
    _change_file(tx, turn, node, fields, paths)
    if "state" in fields:
        documents.change_specification_state(tx, node.id, parse_state(fields["state"]))


# --- Sticky Notes


def _add_note(tx: Connection, node: NodeRow, fields: NodeFields, paths: FoundPaths, is_open: bool) -> None:
    note = StickyNoteRow(
        node_id=node.id,
        text=check_note(fields.get("text", "")),
        colour=parse_colour(fields["colour"]) if "colour" in fields else Colour.YELLOW,
    )
    documents.add_sticky_note(tx, note)


def _change_note(tx: Connection, turn: Turn, node: NodeRow, fields: NodeFields, paths: FoundPaths) -> None:
    values: dict[str, object] = {}
    if "text" in fields:
        values["text"] = check_note(fields["text"])
    if "colour" in fields:
        values["colour"] = parse_colour(fields["colour"])
    documents.change_sticky_note(tx, node.id, values)


_RULES = {
    NodeKind.TERMINAL: KindRules(frozenset({"shell", "directory"}), _add_terminal, _change_terminal),
    NodeKind.CODING_AGENT: KindRules(
        frozenset(
            {"provider", "command", "model", "directory", "keep_open", "allow_editing", "turn_limit_s"}
        ),
        _add_agent,
        _change_agent,
    ),
    NodeKind.FILE: KindRules(frozenset({"path"}), _add_file, _change_file),
    NodeKind.SPECIFICATION: KindRules(
        frozenset({"path", "state"}),
        _add_specification,
        _change_specification,
        fields_at_first=frozenset({"text"}),
    ),
    NodeKind.STICKY_NOTE: KindRules(frozenset({"text", "colour"}), _add_note, _change_note),
}
