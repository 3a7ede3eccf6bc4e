"""Draw a wire from a handle of one card to another card, or to a bare place where a new one shall stand."""

from __future__ import annotations

from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.interactions.sketches import paint_chosen, paint_lit, paint_veiled, paint_wire
from kavor.canvas.pairs import why_not
from kavor.canvas.qt import QApplication, QLineF, QPainter, QPointF, QRectF
from kavor.canvas.runtime_words import refusal_words
from kavor.canvas.scene.curve import loose_end
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError


class ConnectNodes(Interaction):
    """Cards where the wire may end are lit, the others veiled; over one of those it says why."""

    def __init__(self, view: CanvasView, item: NodeItem, handle: QPointF) -> None:
        self._view = view
        self._node_id = item.node_id
        self._start = item.pos() + handle
        self._outward = _outward(handle - item.card.rect.center(), item.card.rect)
        self._from: Pointer | None = None
        self._drawn = False
        self._end = QPointF()
        self._over: str | None = None
        self._refusals: dict[str, KavorError | None] = {}

    def start(self, at: Pointer) -> None:
        self._from = at
        model = self._view.canvas.model
        self._refusals = {
            node_id: why_not(model, self._node_id, node_id)
            for node_id in self._view.canvas.node_items
            if node_id != self._node_id
        }

    def move(self, at: Pointer) -> None:
        assert self._from is not None
        far = (at.view - self._from.view).manhattanLength()
        self._drawn = self._drawn or far >= QApplication.startDragDistance()
        if not self._drawn:
            return
        item = self._view.canvas.node_at(at.scene)
        self._over = None if item is None or item.node_id == self._node_id else item.node_id
        self._end = at.scene
        refusal = self._refusal
        self._view.say_at(at.view, "" if refusal is None else refusal_words(refusal))
        self._view.show_sketch(self._paint)

    def end(self, at: Pointer) -> None:
        self.cancel()
        if not self._drawn:
            return
        if self._over is None:
            if self._view.canvas.node_at(at.scene) is None:
                self._view.wire_dropped.emit(self._node_id, at.view)
        elif self._refusal is None:
            self._view.wired.emit(self._node_id, self._over)

    def cancel(self) -> None:
        self._view.show_sketch(None)
        self._view.say_at(self._view.rect().center(), "")

    @property
    def _refusal(self) -> KavorError | None:
        """Of the card under the hand."""
        return None if self._over is None else self._refusals.get(self._over)

    def _paint(self, painter: QPainter) -> None:
        canvas, theme = self._view.canvas, self._view.canvas.look.theme
        seen = self._view.mapToScene(self._view.viewport().rect()).boundingRect()
        there = self._refusals.keys() & canvas.node_items.keys()
        cards = {each: card for each in there if (card := canvas.card_rect(each)).intersects(seen)}
        paint_veiled(painter, theme, [card for each, card in cards.items() if self._refusals[each]])
        paint_lit(painter, theme, [card for each, card in cards.items() if not self._refusals[each]])
        if self._over in cards and self._refusal is None:
            paint_chosen(painter, theme, cards[self._over])
        path = loose_end(self._start, self._outward, self._end)
        paint_wire(painter, theme, path, refused=self._refusal is not None)


def _outward(from_middle: QPointF, card: QRectF) -> QPointF:
    """The direction of the side that a handle is on."""
    line = QLineF(QPointF(0, 0), QPointF(from_middle.x() / card.width(), from_middle.y() / card.height()))
    if abs(line.dx()) >= abs(line.dy()):
        return QPointF(1 if line.dx() > 0 else -1, 0)
    return QPointF(0, 1 if line.dy() > 0 else -1)
