"""Queries about Workspaces, their Nodes and Connections. Each takes the connection of a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from kavor.domain.graph import NodeKind, ordered
from kavor.domain.guardrails import Guardrail
from kavor.domain.instant import Instant
from kavor.store.driver import select
from kavor.store.tables import connections, facts, nodes, terminals, workspaces


@dataclass(frozen=True)
class WorkspaceRow:
    id: str
    name: str
    directory: str
    revision: int
    created_at: Instant


@dataclass(frozen=True)
class NodeRow:
    id: str
    workspace_id: str
    kind: NodeKind
    name: str
    x: float
    y: float
    revision: int
    created_at: Instant


@dataclass(frozen=True)
class TerminalRow:
    node_id: str
    directory: str
    shell: str | None
    wanted: str


@dataclass(frozen=True)
class ConnectionRow:
    id: int
    a: str
    b: str
    schedule_id: str | None
    environment_name: str | None
    created_at: Instant
    guardrail: Guardrail | None

    @property
    def target_id(self) -> str | None:
        """The Node this Connection aims its Schedule at; None where no end is a Schedule."""
        if self.schedule_id is None:
            return None
        return self.other(self.schedule_id)

    def other(self, end: str) -> str:
        """The Node at the other end."""
        return self.b if self.a == end else self.a


def fact(tx: Connection, name: str) -> str | None:
    value: str | None = tx.execute(sa.select(facts.c.value).where(facts.c.name == name)).scalar()
    return value


def set_fact(tx: Connection, name: str, value: str) -> None:
    tx.execute(facts.delete().where(facts.c.name == name))
    tx.execute(facts.insert().values(name=name, value=value))


# --- Workspaces


def list_workspaces(tx: Connection) -> list[WorkspaceRow]:
    return [
        WorkspaceRow(*row)
        for row in tx.execute(sa.select(workspaces).order_by(workspaces.c.created_at, "id"))
    ]


def directories(tx: Connection) -> dict[str, str]:
    """The directory of every Workspace, by its id."""
    return dict(select(tx, "SELECT id, directory FROM workspaces"))


def workspace(tx: Connection, workspace_id: str) -> WorkspaceRow | None:
    row = tx.execute(sa.select(workspaces).where(workspaces.c.id == workspace_id)).first()
    return WorkspaceRow(*row) if row else None


def add_workspace(tx: Connection, row: WorkspaceRow) -> None:
    tx.execute(workspaces.insert().values(**vars(row)))


def remove_workspace(tx: Connection, workspace_id: str) -> None:
    tx.execute(workspaces.delete().where(workspaces.c.id == workspace_id))


# --- Nodes


def _node(row: Row[Any]) -> NodeRow:
    values = row._asdict()
    return NodeRow(**{**values, "kind": NodeKind(values["kind"])})


def list_nodes(
    tx: Connection, *, workspace_id: str | None = None, kind: NodeKind | None = None
) -> list[NodeRow]:
    query = sa.select(nodes).order_by(nodes.c.created_at, nodes.c.id)
    if workspace_id is not None:
        query = query.where(nodes.c.workspace_id == workspace_id)
    if kind is not None:
        query = query.where(nodes.c.kind == kind)
    return [_node(row) for row in tx.execute(query)]


def node(tx: Connection, node_id: str) -> NodeRow | None:
    row = tx.execute(sa.select(nodes).where(nodes.c.id == node_id)).first()
    return _node(row) if row else None


def nodes_by_id(tx: Connection, ids: Iterable[str]) -> dict[str, NodeRow]:
    rows = tx.execute(sa.select(nodes).where(nodes.c.id.in_(list(ids))))
    return {row[0]: _node(row) for row in rows}


def add_node(tx: Connection, row: NodeRow) -> None:
    tx.execute(nodes.insert().values(**vars(row)))


def change_node(tx: Connection, node_id: str, values: Mapping[str, Any]) -> None:
    if values:
        tx.execute(nodes.update().where(nodes.c.id == node_id).values(**values))


def remove_node(tx: Connection, node_id: str) -> None:
    tx.execute(nodes.delete().where(nodes.c.id == node_id))


# --- Terminals


def terminal(tx: Connection, node_id: str) -> TerminalRow | None:
    row = tx.execute(sa.select(terminals).where(terminals.c.node_id == node_id)).first()
    return TerminalRow(*row) if row else None


def list_terminals(tx: Connection) -> list[TerminalRow]:
    return [TerminalRow(*row) for row in tx.execute(sa.select(terminals))]


def add_terminal(tx: Connection, row: TerminalRow) -> None:
    tx.execute(terminals.insert().values(**vars(row)))


def change_terminal(tx: Connection, node_id: str, values: Mapping[str, Any]) -> None:
    if values:
        tx.execute(terminals.update().where(terminals.c.node_id == node_id).values(**values))


# --- Connections


def _connection(row: Row[Any]) -> ConnectionRow:
    values = row._asdict()
    rule = values["guardrail"]
    return ConnectionRow(**{**values, "guardrail": Guardrail(rule) if rule is not None else None})


def list_connections(tx: Connection, *, workspace_id: str | None = None) -> list[ConnectionRow]:
    query = sa.select(connections).order_by(connections.c.id)
    if workspace_id is not None:
        query = query.join(nodes, nodes.c.id == connections.c.a).where(nodes.c.workspace_id == workspace_id)
    return [_connection(row) for row in tx.execute(query)]


def connections_of(tx: Connection, node_id: str) -> list[ConnectionRow]:
    query = sa.select(connections).where(sa.or_(connections.c.a == node_id, connections.c.b == node_id))
    return [_connection(row) for row in tx.execute(query.order_by(connections.c.id))]


def connection_between(tx: Connection, one: str, other: str) -> ConnectionRow | None:
    a, b = ordered(one, other)
    row = tx.execute(sa.select(connections).where(connections.c.a == a, connections.c.b == b)).first()
    return _connection(row) if row else None


def target_of(tx: Connection, schedule_id: str) -> str | None:
    """The one Node a Schedule aims at, if it is connected to one."""
    row = tx.execute(sa.select(connections).where(connections.c.schedule_id == schedule_id)).first()
    return _connection(row).target_id if row else None


def targets(tx: Connection) -> dict[str, str]:
    """Schedule id → target id, for every Schedule that has one."""
    rows = tx.execute(sa.select(connections).where(connections.c.schedule_id.is_not(None)))
    found = (_connection(row) for row in rows)
    return {row.schedule_id: row.target_id for row in found if row.schedule_id and row.target_id}


def add_connection(
    tx: Connection,
    one: str,
    other: str,
    *,
    schedule_id: str | None,
    environment_name: str | None,
    guardrail: Guardrail | None = None,
    created_at: Instant,
) -> None:
    a, b = ordered(one, other)
    tx.execute(
        connections.insert().values(
            a=a,
            b=b,
            schedule_id=schedule_id,
            environment_name=environment_name,
            guardrail=guardrail,
            created_at=created_at,
        )
    )


def change_connection(
    tx: Connection, connection_id: int, *, environment_name: str | None, guardrail: Guardrail | None
) -> None:
    query = connections.update().where(connections.c.id == connection_id)
    tx.execute(query.values(environment_name=environment_name, guardrail=guardrail))


def remove_connection(tx: Connection, connection_id: int) -> None:
    tx.execute(connections.delete().where(connections.c.id == connection_id))
