"""Reads how the Files and Specifications in view begin, anew when they were changed outside."""

from __future__ import annotations

from kavor.api.client import Document
from kavor.canvas.link import Link, LinkState
from kavor.canvas.model import Glimpse
from kavor.canvas.qt import QObject, QTimer
from kavor.canvas.runtime_words import message_words
from kavor.canvas.things import TextFile
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError

READABLE = 0.4
"""Below this zoom nothing is read."""
SETTLE_MS = 150
"""So long after the canvas moved it is looked at what is in view."""
KEPT = 4_000
"""Characters of a text that are kept: more than the largest card shows."""


class Glimpses(QObject):
    def __init__(self, view: CanvasView, link: Link) -> None:
        super().__init__(view)
        self._view = view
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._link = link
        self._read: dict[str, TextFile] = {}
        """By Node, as which file its text was read, or is being read."""
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self.look)
        view.zoom_changed.connect(self._look_soon)
        view.horizontalScrollBar().valueChanged.connect(self._look_soon)
        view.verticalScrollBar().valueChanged.connect(self._look_soon)
        link.state_changed.connect(self._on_link)
        self._model.reloaded.connect(self._look_soon)
        for notice in (self._model.node_added, self._model.node_changed, self._model.node_moved):
            notice.connect(self._look_soon)
        self._settle.start()

    def release(self) -> None:
        self._settle.stop()
        self._link.state_changed.disconnect(self._on_link)
        self._model.reloaded.disconnect(self._look_soon)
        for notice in (self._model.node_added, self._model.node_changed, self._model.node_moved):
            notice.disconnect(self._look_soon)

    def look(self) -> None:
        """Read what is in view and was not read as it is now."""
        view = self._view
        if self._link.state is not LinkState.CONNECTED or not view.isVisible() or view.zoom < READABLE:
            return
        shown = view.mapToScene(view.viewport().rect()).boundingRect()
        for node_id in self._canvas.node_items:
            node = self._model.nodes[node_id]
            if node.file is None or self._read.get(node_id) == node.file:
                continue
            if shown.intersects(self._canvas.card_rect(node_id)):
                self._ask(node_id, node.file)

    def _ask(self, node_id: str, file: TextFile) -> None:
        self._read[node_id] = file

        def answered(document: Document) -> None:
            self._model.tell_glimpse(node_id, Glimpse(document["text"][:KEPT]))

        def failed(error: KavorError) -> None:
            self._model.tell_glimpse(node_id, Glimpse("", message_words(error) if file.exists else ""))

        self._link.ask(lambda client: client.get(f"/api/nodes/{node_id}/text"), answered, failed)

    def _look_soon(self, *_: object) -> None:
        self._settle.start()

    def _on_link(self, *_: object) -> None:
        self._read.clear()  # much may have happened while there was no runtime
        self._settle.start()
