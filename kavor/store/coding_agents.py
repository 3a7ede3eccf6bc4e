"""Queries about CodingAgents: how each one's session is started, and whether it is wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from kavor.domain.agents import AgentSettings
from kavor.store.tables import coding_agents


@dataclass(frozen=True)
class CodingAgentRow:
    node_id: str
    settings: AgentSettings
    directory: str
    wanted: str
    """What the person wants of its session: "open", or "closed" on purpose (K74)."""
    conversation: str | None = None
    """The provider's own id of the conversation, to take it up again."""

    @property
    def held_by(self) -> tuple[str, tuple[str, ...], str]:
        """Who has the conversation, and alone can take it up again: provider, command and directory."""
        return self.settings.provider, self.settings.command, self.directory


def coding_agent(tx: Connection, node_id: str) -> CodingAgentRow | None:
    return coding_agents_by_id(tx, [node_id]).get(node_id)


def coding_agents_by_id(tx: Connection, ids: Iterable[str] | None = None) -> dict[str, CodingAgentRow]:
    """By its Node's id; all where no ``ids`` are given."""
    query = sa.select(coding_agents)
    if ids is not None:
        query = query.where(coding_agents.c.node_id.in_(list(ids)))
    return {row.node_id: _coding_agent(row) for row in tx.execute(query)}


def add_coding_agent(tx: Connection, row: CodingAgentRow) -> None:
    tx.execute(coding_agents.insert().values(node_id=row.node_id, **_columns(row)))


def save_coding_agent(tx: Connection, row: CodingAgentRow) -> None:
    """Write all of it."""
    tx.execute(coding_agents.update().where(coding_agents.c.node_id == row.node_id).values(**_columns(row)))


def wish(tx: Connection, node_id: str, wanted: str) -> None:
    """Its session is to be "open", or "closed" on purpose."""
    tx.execute(coding_agents.update().where(coding_agents.c.node_id == node_id).values(wanted=wanted))


def keep_conversation(tx: Connection, node_id: str, conversation: str | None) -> None:
    query = coding_agents.update().where(coding_agents.c.node_id == node_id)
    tx.execute(query.values(conversation=conversation))


def _columns(row: CodingAgentRow) -> dict[str, Any]:
    settings = row.settings
    return {
        "provider": settings.provider,
        "command": json.dumps(settings.command, ensure_ascii=False) if settings.command else None,
        "model": settings.model,
        "directory": row.directory,
        "wanted": row.wanted,
        "keep_open": settings.keep_open,
        "may_edit": settings.may_edit,
        "turn_limit_ms": settings.turn_limit_ms,
        "conversation": row.conversation,
    }


def _coding_agent(row: Row[Any]) -> CodingAgentRow:
    return CodingAgentRow(
        node_id=row.node_id,
        settings=AgentSettings(
            provider=row.provider,
            command=tuple(json.loads(row.command)) if row.command else (),
            model=row.model,
            keep_open=bool(row.keep_open),
            may_edit=bool(row.may_edit),
            turn_limit_ms=row.turn_limit_ms,
        ),
        directory=row.directory,
        wanted=row.wanted,
        conversation=row.conversation,
    )
