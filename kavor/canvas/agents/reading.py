"""Reads the transcripts and inboxes of the agents in view, and what is new in them as it comes."""

from __future__ import annotations

from kavor.api.client import Client, Document
from kavor.canvas.conversation import Entry, Message
from kavor.canvas.in_view import InView
from kavor.canvas.link import Link
from kavor.canvas.qt import QObject
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError
from kavor.domain.messages import MOST_QUEUED

READABLE = 0.22
"""Below this zoom nothing is read: cards are signs then."""


class Reading(QObject):
    def __init__(self, view: CanvasView, link: Link) -> None:
        super().__init__(view)
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._link = link
        self._stale: set[str] = set()
        """Agents of whose transcript there is more than was read."""
        self._known: set[str] = set()
        """Those that were read once."""
        self._asking: set[str] = set()
        self._in_view = InView(view, link, READABLE)
        self._in_view.settled.connect(self.look)
        self._model.reloaded.connect(self._on_reloaded)
        self._model.transcript_moved_on.connect(self._on_moved_on)

    def release(self) -> None:
        self._in_view.release()
        self._model.reloaded.disconnect(self._on_reloaded)
        self._model.transcript_moved_on.disconnect(self._on_moved_on)

    def look(self) -> None:
        """Read what is in view and not read to its end."""
        for node_id in self._in_view.among(filter(self._is_unread, self._canvas.node_items)):
            self._ask(node_id)

    def _is_unread(self, node_id: str) -> bool:
        is_new = node_id in self._stale or node_id not in self._known
        return self._model.nodes[node_id].agent is not None and is_new and node_id not in self._asking

    def _ask(self, node_id: str) -> None:
        first = node_id not in self._known
        after = 0 if first else self._model.conversation_of(node_id).version
        self._stale.discard(node_id)
        self._known.add(node_id)
        self._asking.add(node_id)
        if first:
            self._model.conversation_of(node_id).expect_list()

        def ask(client: Client) -> tuple[Document, list[Document] | None]:
            transcript = client.get(f"/api/nodes/{node_id}/transcript", after=after)
            if not first:
                return transcript, None
            return transcript, client.get(f"/api/nodes/{node_id}/messages", limit=MOST_QUEUED)["messages"]

        def answered(answer: tuple[Document, list[Document] | None]) -> None:
            self._asking.discard(node_id)
            if node_id in self._model.nodes:
                self._take(node_id, *answer, first=first)
            if node_id in self._stale:
                self.look()

        def failed(_: KavorError) -> None:
            self._asking.discard(node_id)
            self._known.discard(node_id)
            self._in_view.again()

        self._link.ask(ask, answered, failed)

    def _take(
        self, node_id: str, transcript: Document, messages: list[Document] | None, *, first: bool
    ) -> None:
        conversation = self._model.conversation_of(node_id)
        if first:
            conversation.begin_anew()
        conversation.take(map(Entry.read, transcript["entries"]), transcript["version"])
        if messages is not None:
            conversation.take_list(map(Message.read, messages))
        self._model.tell_conversation(node_id)

    def _on_moved_on(self, node_id: str) -> None:
        if node_id in self._canvas.node_items:
            self._stale.add(node_id)
            self.look()

    def _on_reloaded(self) -> None:
        """Events were missed, or another runtime keeps other transcripts."""
        self._known.clear()
