"""Reads how the Files and Specifications in view begin, anew when they were changed outside."""

from __future__ import annotations

from kavor.api.client import Document
from kavor.canvas.in_view import InView
from kavor.canvas.link import Link
from kavor.canvas.model import Glimpse
from kavor.canvas.qt import QObject
from kavor.canvas.runtime_words import message_words
from kavor.canvas.things import TextFile
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError

READABLE = 0.4
"""Below this zoom nothing is read."""
KEPT = 4_000
"""Characters of a text that are kept: more than the largest card shows."""


class Glimpses(QObject):
    def __init__(self, view: CanvasView, link: Link) -> None:
        super().__init__(view)
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._link = link
        self._read: dict[str, TextFile] = {}
        """By Node, as which file its text was read, or is being read."""
        self._in_view = InView(view, link, READABLE)
        self._in_view.settled.connect(self.look)
        link.state_changed.connect(self._on_link)
        self._model.node_changed.connect(self._in_view.soon)

    def release(self) -> None:
        self._link.state_changed.disconnect(self._on_link)
        self._model.node_changed.disconnect(self._in_view.soon)
        self._in_view.release()

    def look(self) -> None:
        """Read what is in view and was not read as it is now."""
        for node_id in self._in_view.among(filter(self._is_unread, self._canvas.node_items)):
            self._ask(node_id)

    def _is_unread(self, node_id: str) -> bool:
        file = self._model.nodes[node_id].file
        return file is not None and self._read.get(node_id) != file

    def _ask(self, node_id: str) -> None:
        file = self._model.nodes[node_id].file
        assert file is not None, "only of those that have one"
        self._read[node_id] = file

        def answered(document: Document) -> None:
            self._model.tell_glimpse(node_id, Glimpse(document["text"][:KEPT]))

        def failed(error: KavorError) -> None:
            self._model.tell_glimpse(node_id, Glimpse("", message_words(error) if file.exists else ""))

        self._link.ask(lambda client: client.get(f"/api/nodes/{node_id}/text"), answered, failed)

    def _on_link(self, *_: object) -> None:
        self._read.clear()  # much may have happened while there was no runtime
