"""What may be asked of conversations with agents: send, look at the inbox, page through turns, read along."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.messages import MessageState, SenderKind, check_key
from kavor.domain.payload import check_payload
from kavor.runtime.conversation_views import (
    MessageView,
    TranscriptView,
    TurnView,
    message_view,
    transcript_view,
    turn_view,
    whole_turn_view,
)
from kavor.runtime.find import LARGEST_ID, find_node
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.store import conversations
from kavor.store.conversations import MessageRow, NewMessage, Sender, TurnRow
from kavor.store.workspaces import NodeRow

A_PERSON = Sender(SenderKind.PERSON)


class ConversationService:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    # --- Messages

    async def send(self, ref: str, text: str, key: str | None = None) -> MessageView:
        """Put a person's message into an agent's inbox; it is delivered after all that was accepted before.

        What was sent under this ``key`` before is not sent again: that message is answered, as it is now.
        Raises BadInput for a text that cannot be delivered, and for a key that was another message's; Refused
        where the agent's session is not open or too many messages wait for it.
        """
        new = NewMessage(
            A_PERSON, check_payload(text), idempotency_key=None if key is None else check_key(key)
        )

        def accept(turn: Turn, tx: Connection) -> MessageView:
            agent = _find_agent(tx, ref)
            before = None if key is None else conversations.message_sent_under(tx, key)
            if before is None:
                return self.show_message(tx, self._runtime.arbiter.accept_message(tx, agent, new, turn))
            if (before.agent_id, before.text) != (agent.id, new.text):
                raise BadInput(
                    f"the idempotency key {key!r} was that of message {before.id}, which says something else",
                    "send each message under a key of its own",
                )
            return self.show_message(tx, before.id)

        return await self._runtime.change(accept)

    async def messages(self, ref: str, *, before: int | None, limit: int) -> list[MessageView]:
        """Newest first; with ``before`` only those with a lower id."""

        def ask(view: Connection) -> list[MessageView]:
            agent = _find_agent(view, ref)
            rows = conversations.list_messages(view, agent.id, before=_bounded(before), limit=limit)
            waiting = self._waits_for(agent.id)
            return [message_view(row, waiting) for row in rows]

        return await self._runtime.read(ask)

    async def message(self, message_id: int) -> MessageView:
        return await self._runtime.read(lambda view: self.show_message(view, message_id))

    async def withdraw(self, message_id: int) -> MessageView:
        """Raises Refused unless it waits."""

        def take_back(turn: Turn, tx: Connection) -> MessageView:
            self._runtime.arbiter.withdraw_message(tx, _find_message(tx, message_id), turn)
            return self.show_message(tx, message_id)

        return await self._runtime.change(take_back)

    def show_message(self, view: Connection, message_id: int) -> MessageView:
        """Within a turn of the store. Raises NotFound."""
        row = _find_message(view, message_id)
        if row.state is not MessageState.QUEUED:
            return message_view(row, None)  # its agent may be no more
        return message_view(row, self._waits_for(row.agent_id))

    def _waits_for(self, agent_id: str) -> str:
        if not self._runtime.targets.state(agent_id).open:
            return "an open session"
        return self._runtime.targets.waits_for(agent_id) or "busy"

    # --- Turns

    async def turns(self, ref: str, *, before: int | None, limit: int) -> list[TurnView]:
        """Those that have ended, newest first and without entries; with ``before`` only with a lower id."""

        def ask(view: Connection) -> list[TurnView]:
            agent = _find_agent(view, ref)
            rows = conversations.list_turns(view, agent.id, before=_bounded(before), limit=limit)
            return [turn_view(row) for row in rows]

        return await self._runtime.read(ask)

    async def turn(self, turn_id: int) -> TurnView:
        """With its entries. Raises NotFound."""

        return await self._runtime.read(lambda view: whole_turn_view(_find_turn(view, turn_id)))

    def show_turn(self, view: Connection, turn_id: int) -> TurnView:
        """Within a turn of the store, without its entries. Raises NotFound."""
        return turn_view(_find_turn(view, turn_id))

    async def transcript(self, ref: str, *, after: int) -> TranscriptView:
        """What an agent's session has said since a version of it; of this run of the runtime alone."""
        agent = await self._runtime.read(lambda view: _find_agent(view, ref))
        supervisor = self._runtime.supervisor
        entries, version = supervisor.sessions.transcript(agent.id, after)
        works = [None if entry.key is None else supervisor.work_of(entry.key) for entry in entries]
        return transcript_view(agent.id, version, list(zip(entries, works, strict=True)))


def _find_agent(view: Connection, ref: str) -> NodeRow:
    node = find_node(view, ref)
    if node.kind is not NodeKind.CODING_AGENT:
        raise Refused(f"{node.name!r} is a {node.kind.label}", "only a CodingAgent is talked to")
    return node


def _find_message(view: Connection, message_id: int) -> MessageRow:
    row = conversations.message(view, message_id) if 0 < message_id <= LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no message {message_id}", "kavor message list NODE shows them")
    return row


def _find_turn(view: Connection, turn_id: int) -> TurnRow:
    row = conversations.turn(view, turn_id) if 0 < turn_id <= LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no turn {turn_id}", "kavor turn list NODE shows them")
    return row


def _bounded(before: int | None) -> int | None:
    """No id is less or greater, and the database cannot be asked for all that a request can name."""
    return None if before is None else max(0, min(before, LARGEST_ID))
