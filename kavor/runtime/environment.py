"""What a Terminal's shell is given from the graph: the paths of its Files and Specifications (K9, K+11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy.engine import Connection

from kavor.domain.environment import NAMED_KINDS, check_variable, variable_for
from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.runtime.events import Change
from kavor.runtime.turn import Turn
from kavor.sessions.session import SessionSpec
from kavor.store import documents, workspaces
from kavor.store.workspaces import ConnectionRow, NodeRow, TerminalRow


def session_spec(view: Connection, terminal: TerminalRow) -> SessionSpec:
    """How the session of a Terminal is started as the graph is now."""
    found = workspaces.connections_of(view, terminal.node_id)
    paths = documents.paths(view, [connection.other(terminal.node_id) for connection in found])
    return SessionSpec(
        id=terminal.node_id,
        directory=terminal.directory,
        shell=terminal.shell,
        environment=environment_of(terminal.node_id, found, paths),
    )


def environment_of(
    terminal_id: str, found: Iterable[ConnectionRow], paths: Mapping[str, str]
) -> dict[str, str]:
    """The variables that these Connections give a Terminal; ``paths`` are by Node."""
    return {
        connection.environment_name: paths[connection.other(terminal_id)]
        for connection in found
        if connection.environment_name is not None and connection.other(terminal_id) in paths
    }


def restart_reason(started_with: Mapping[str, str], present: Mapping[str, str]) -> str | None:
    """Why a shell that was started with one environment needs a restart to have the present one."""
    if started_with == present:
        return None
    words = []
    for name in sorted(started_with.keys() | present.keys()):
        if name not in started_with:
            words.append(f"${name} is new")
        elif name not in present:
            words.append(f"${name} is gone")
        elif started_with[name] != present[name]:
            words.append(f"${name} names another path")
    return f"since its shell started, {', '.join(words)}"


def variable_of(tx: Connection, a: NodeRow, b: NodeRow, wanted: str | None) -> str | None:
    """The variable that a Connection of these two shall have; None where such a one has none.

    Without a wish it is named after the Node. Raises BadInput or Refused.
    """
    ends = {a.kind, b.kind}
    if NodeKind.TERMINAL not in ends or not ends & NAMED_KINDS:
        if wanted is not None:
            raise BadInput(
                f"a Connection of a {a.kind.label} and a {b.kind.label} has no environment variable",
                "only a Terminal's Connection to a File or a Specification has one",
            )
        return None
    terminal, named = (a, b) if a.kind is NodeKind.TERMINAL else (b, a)
    others = {
        connection.environment_name: connection.other(terminal.id)
        for connection in workspaces.connections_of(tx, terminal.id)
        if connection.environment_name is not None and connection.other(terminal.id) != named.id
    }
    if wanted is None:
        return variable_for(named.name, frozenset(others))
    if check_variable(wanted) in others:
        holder = workspaces.node(tx, others[wanted])
        raise Refused(
            f"{terminal.name!r} has ${wanted} from {holder.name if holder else 'another Node'!r} already",
            "choose another name with --env",
        )
    return wanted


def tell_terminals(tx: Connection, turn: Turn, *node_ids: str) -> None:
    """What these Nodes give to Terminals, or get, changes: whether a shell needs a restart may too."""
    for node_id in node_ids:
        for connection in workspaces.connections_of(tx, node_id):
            if connection.environment_name is not None:
                turn.changes += [Change("session", end) for end in (connection.a, connection.b)]
