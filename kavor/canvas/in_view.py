"""Which cards are in view, and when to look: once the canvas has come to rest."""

from __future__ import annotations

from collections.abc import Iterable

from kavor.canvas.link import Link, LinkState
from kavor.canvas.qt import QEvent, QObject, QTimer, Signal
from kavor.canvas.view import CanvasView

SETTLE_MS = 150
"""So long after the canvas moved it is looked at what is in view."""
AGAIN_MS = 1_000
"""After so long what failed is tried again."""

_CHANGES = frozenset(
    {
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.Resize,
        QEvent.Type.WindowActivate,
        QEvent.Type.WindowDeactivate,
        QEvent.Type.WindowStateChange,
    }
)


class InView(QObject):
    settled = Signal()
    """Look now: something else may be in view."""

    def __init__(self, view: CanvasView, link: Link, readable: float) -> None:
        """Below the zoom ``readable`` nothing on a card can be made out, and none counts as in view."""
        super().__init__(view)
        self._view = view
        self._link = link
        self._readable = readable
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._again = QTimer(self, interval=AGAIN_MS, singleShot=True)
        for timer in (self._settle, self._again):
            timer.timeout.connect(self.settled)
        view.zoom_changed.connect(self.soon)
        view.horizontalScrollBar().valueChanged.connect(self.soon)
        view.verticalScrollBar().valueChanged.connect(self.soon)
        view.installEventFilter(self)
        link.state_changed.connect(self.soon)
        model = view.canvas.model
        self._notices = (model.reloaded, model.node_added, model.node_moved)
        for notice in self._notices:
            notice.connect(self.soon)
        self.soon()

    def release(self) -> None:
        """Before the view goes."""
        self._settle.stop()
        self._again.stop()
        self._view.removeEventFilter(self)
        self._link.state_changed.disconnect(self.soon)
        for notice in self._notices:
            notice.disconnect(self.soon)

    def soon(self, *_: object) -> None:
        """Look when the canvas is at rest."""
        self._settle.start()

    def again(self, milliseconds: int = AGAIN_MS) -> None:
        """Look after this time at the latest."""
        self._again.start(milliseconds)

    def among(self, node_ids: Iterable[str]) -> list[str]:
        """Those whose cards are in view; none while the runtime is not reached, or nobody sees the window."""
        view = self._view
        is_seen = view.isVisible() and not view.window().isMinimized() and view.zoom >= self._readable
        if self._link.state is not LinkState.CONNECTED or not is_seen:
            return []
        shown = view.mapToScene(view.viewport().rect()).boundingRect()
        return [node_id for node_id in node_ids if shown.intersects(view.canvas.card_rect(node_id))]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CHANGES:
            self.soon()
        return super().eventFilter(watched, event)
