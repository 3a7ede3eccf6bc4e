"""Messages between agents, and what other agents have done in their turns."""

from __future__ import annotations

from typing import Any

from sqlalchemy.engine import Connection

from kavor.domain.errors import Refused
from kavor.domain.graph import NodeKind
from kavor.domain.instant import format_instant
from kavor.domain.messages import SenderKind, as_delivered, check_hops
from kavor.domain.payload import check_payload
from kavor.runtime.agent_access.sight import Sight, look
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.runtime.views import instant_or_none
from kavor.store import conversations
from kavor.store.conversations import MessageRow, NewMessage, Sender, TurnRow


class Conversing:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def send(self, agent_id: str, ref: str, text: str) -> dict[str, Any]:
        """Into another agent's inbox, behind all that was accepted before. Raises BadInput or Refused."""
        checked = check_payload(text)

        def accept(turn: Turn, tx: Connection) -> dict[str, Any]:
            sight = look(tx, agent_id)
            check_payload(as_delivered(checked, SenderKind.AGENT, sight.agent.name))
            peer = sight.find(ref, NodeKind.CODING_AGENT)
            if peer.id == agent_id:
                raise Refused("a message to yourself is not sent", "name another CodingAgent")
            hops = check_hops(conversations.hops_behind(tx, agent_id) + 1)
            new = NewMessage(Sender(SenderKind.AGENT, agent_id, sight.agent.name), checked, hops)
            message_id = self._runtime.arbiter.accept_message(tx, peer, new, turn)
            made = conversations.message(tx, message_id)
            assert made is not None, "it was just accepted"
            return {"message": made.id, "to": peer.id, "state": made.state}

        return await self._runtime.change(accept)

    async def messages(self, agent_id: str, peer_ref: str, *, before: int, limit: int) -> dict[str, Any]:
        """Newest first: those to this agent, and those from it to agents that it reaches."""

        def ask(view: Connection) -> dict[str, Any]:
            sight = look(view, agent_id)
            peer = sight.find(peer_ref, NodeKind.CODING_AGENT).id if peer_ref else None
            found = conversations.messages_of(
                view, agent_id, recipients=_agents(sight), peer=peer, before=before, limit=limit
            )
            return {"messages": [_message(row) for row in found], "before": _next_page(found, limit)}

        return await self._runtime.read(ask)

    async def turns(self, agent_id: str, ref: str, *, before: int, limit: int) -> dict[str, Any]:
        """The completed turns of a reachable agent, newest first."""

        def ask(view: Connection) -> dict[str, Any]:
            peer = look(view, agent_id).find(ref, NodeKind.CODING_AGENT)
            found = conversations.list_turns(view, peer.id, before=before, limit=limit)
            return {
                "agent": peer.id,
                "turns": [_turn(row) for row in found],
                "before": _next_page(found, limit),
            }

        return await self._runtime.read(ask)


def _agents(sight: Sight) -> list[str]:
    return [row.id for row in sight.nodes.values() if row.kind is NodeKind.CODING_AGENT]


def _next_page(found: list[MessageRow] | list[TurnRow], limit: int) -> int | None:
    """What to ask for to go on; None at the end."""
    return found[-1].id if len(found) == limit else None


def _message(row: MessageRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "from": {"kind": row.sender_kind, "agent": row.sender_id, "name": row.sender_name},
        "to": row.agent_id,
        "text": row.text,
        "hops": row.hops,
        "at": format_instant(row.created_at),
        "state": row.state,
        "diagnostic": row.diagnostic,
    }


def _turn(row: TurnRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "prompt": row.prompt,
        "state": row.state,
        "diagnostic": row.diagnostic,
        "started_at": format_instant(row.started_at),
        "finished_at": instant_or_none(row.finished_at),
        "last_message": row.last_message,
    }
