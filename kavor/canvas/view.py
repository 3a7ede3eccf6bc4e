"""The view on one Workspace's scene, and the hand's gestures on it.

Far out the overview is painted instead of the items. One live widget at most lies over the card of the Node
in use, and follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kavor.canvas.callout import Callout
from kavor.canvas.grid import Grid
from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.navigation import ZOOM_STEP, NavigableView
from kavor.canvas.observe import Notice
from kavor.canvas.qt import (
    QContextMenuEvent,
    QEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSizeF,
    Qt,
    QWheelEvent,
    QWidget,
    translate,
)
from kavor.canvas.scene.overview import FAR, Overview
from kavor.canvas.scene.scene import CanvasScene

_WHEEL_NOTCH = 120
_WHEEL_PAN = 72
"""Pixels of a notch of the wheel."""


Sketch = Callable[[QPainter], None]
"""Paints what a gesture shows, in the scene's coordinates."""

Choice = Callable[[Pointer, Qt.MouseButton], Interaction | None]
"""None: the press means nothing more than a click on what is there."""


class CanvasView(NavigableView):
    def __init__(self, scene: CanvasScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self.hand_held = False
        """Whether the space bar is down: any press pans."""
        self.acted = Notice[[str, str]]()
        """A button on a card was used: Node id and action."""
        self.moved = Notice[[Mapping[str, QPointF]]]()
        """Cards were dragged: their new top left corners by Node id."""
        self.opened = Notice[[str]]()
        """A person wants to set a Node: its card was double-clicked, or Enter pressed on it."""
        self.clicked_again = Notice[[str, QPointF]]()
        """A card that was selected alone was clicked: Node id, and where on the card."""
        self.resized = Notice[[str, QSizeF]]()
        """A card was drawn to another size of its content, in canvas units."""
        self.interaction_for: Choice = lambda at, button: None
        """Which gesture a press begins."""
        self.can_resize: Callable[[str], bool] = lambda node_id: False
        """Whether that would have an effect now."""
        self.wired = Notice[[str, str]]()
        """A wire was drawn from one Node to another."""
        self.wire_dropped = Notice[[str, QPoint]]()
        """A wire from a Node was dropped where no card is; where, on the viewport."""
        self.node_wanted = Notice[[QPoint]]()
        """The bare canvas was double-clicked, at a point of the viewport."""
        self.menu_wanted = Notice[[QPoint]]()
        """A menu is asked for, at a point of the viewport; what it is about is selected."""
        self.step: Callable[[bool], bool] = lambda forward: False
        """Selects the next card, or the one before; whether there is one."""
        self._interaction: Interaction | None = None
        self._sketch: Sketch | None = None
        self._callout = Callout(self.viewport())
        self._overview = Overview(scene)
        self._grid = Grid()
        self._live: tuple[str, QWidget] | None = None
        self.setMouseTracking(True)
        self.setAccessibleName(translate("View", "Canvas"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.navigated.connect(self.place_live)
        scene.reloading.connect(self._on_reloading)

    def release(self) -> None:
        """Before it goes: let go of the scene and the model behind it."""
        self.rest()
        self._overview.release()
        self.canvas.reloading.disconnect(self._on_reloading)
        self.canvas.release()

    def _on_reloading(self) -> None:
        self.cancel_interaction()

    # --- The live widget of the Node in use

    def show_live(self, node_id: str, widget: QWidget) -> None:
        """Lay ``widget`` over the content of a Node's card. It is told the zoom with ``set_zoom``, where it
        has that, and given the card's content as its geometry."""
        self.hide_live()
        widget.setParent(self.viewport())
        self._live = (node_id, widget)
        self.place_live()
        widget.show()

    def hide_live(self) -> QWidget | None:
        """The widget that was shown, which is the caller's again."""
        if self._live is None:
            return None
        _, widget = self._live
        self._live = None
        widget.hide()
        return widget

    def content_rect(self, node_id: str) -> QRect:
        """The content of a Node's card, in the viewport's pixels."""
        item = self.canvas.node_items[node_id]
        return self.mapFromScene(item.card.content.translated(item.pos())).boundingRect()

    def place_live(self) -> None:
        """Its card may stand elsewhere, or have another size."""
        if self._live is None:
            return
        node_id, widget = self._live
        if node_id not in self.canvas.node_items:
            return
        if hasattr(widget, "set_zoom"):
            widget.set_zoom(self.zoom)
        widget.setGeometry(self.content_rect(node_id))

    # --- What gestures need

    def act(self, node_id: str, action: str) -> None:
        if node_id in self.canvas.node_items:  # else it was deleted under the hand
            self.acted.emit(node_id, action)

    def show_sketch(self, sketch: Sketch | None) -> None:
        """Paint this over the canvas, until it is called again."""
        self._sketch = sketch
        self.viewport().update()

    def say_at(self, at: QPoint, words: str) -> None:
        """A few words beside the hand, at a point of the viewport; empty: no longer."""
        self._callout.say(at, words)

    def pointer(self, at: QPoint, keys: Qt.KeyboardModifier) -> Pointer:
        """At a point of the viewport."""
        return Pointer(self.mapToScene(at), at, keys)

    def begin(self, interaction: Interaction, at: Pointer) -> None:
        """A gesture of the hand; one that was under way is cancelled."""
        self.cancel_interaction()
        self._interaction = interaction
        interaction.start(at)

    def steer(self, at: Pointer) -> None:
        """The hand moved."""
        if self._interaction is not None:
            self._interaction.move(at)
            self.place_live()

    def finish(self, at: Pointer) -> None:
        """The hand let go."""
        if self._interaction is not None:
            interaction, self._interaction = self._interaction, None
            interaction.end(at)
            self.place_live()

    def cancel_interaction(self) -> bool:
        """Whether there was one."""
        if self._interaction is None:
            return False
        interaction, self._interaction = self._interaction, None
        interaction.cancel()
        return True

    # --- Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.zoom >= FAR:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region())
        self._paint_ground(painter, QRectF(event.rect()))
        painter.setTransform(self.viewportTransform())
        self._overview.paint(painter)
        self._paint_sketch(painter)
        painter.end()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        to_view = painter.transform()
        painter.resetTransform()
        self._paint_ground(painter, to_view.mapRect(QRectF(rect)))
        painter.setTransform(to_view)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        self._paint_sketch(painter)

    def _paint_ground(self, painter: QPainter, exposed: QRectF) -> None:
        theme = self.canvas.look.theme
        painter.fillRect(exposed, theme.canvas)
        self._grid.paint(painter, exposed, self.viewportTransform(), theme.grid)

    def _paint_sketch(self, painter: QPainter) -> None:
        if self._sketch is not None:
            self._sketch(painter)

    # --- Events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._interaction is not None:
            return
        at = self._pointer(event)
        interaction = self.interaction_for(at, event.button())
        if interaction is not None:
            self.begin(interaction, at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._interaction is not None:
            self.steer(self._pointer(event))
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not event.buttons():
            self.finish(self._pointer(event))

    def _pointer(self, event: QMouseEvent) -> Pointer:
        return self.pointer(event.position().toPoint(), event.modifiers())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self._pointer(event)
        item = self.canvas.node_at(at.scene)
        if event.button() != Qt.MouseButton.LeftButton or self.hand_held:
            self.mousePressEvent(event)
        elif item is None:
            self.node_wanted.emit(at.view)
        elif item.button_at(at.scene - item.pos()) is None:
            self.opened.emit(item.node_id)
        else:
            self.mousePressEvent(event)  # the second of two quick clicks

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._interaction is not None:
            return
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self._select_for_menu(self.mapToScene(event.pos()))
            self.menu_wanted.emit(event.pos())
            return
        selected = self.canvas.selected_nodes()
        middle = self.canvas.card_rect(selected[0].node_id).center() if selected else None
        self.menu_wanted.emit(
            self.viewport().rect().center() if middle is None else self.mapFromScene(middle)
        )

    def _select_for_menu(self, at: QPointF) -> None:
        """A menu over something unselected is about that alone."""
        item = self.canvas.node_at(at) or self.canvas.connection_at(at)
        if item is not None and item.isSelected():
            return
        self.canvas.clearSelection()
        if item is not None:
            item.setSelected(True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y() or event.angleDelta().x()
            self.zoom_by(ZOOM_STEP ** (turned / _WHEEL_NOTCH), event.position())
            event.accept()
            return
        pixels = event.pixelDelta()
        if pixels.isNull():
            pixels = event.angleDelta() * _WHEEL_PAN / _WHEEL_NOTCH
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not pixels.x():
                pixels = pixels.transposed()
        self.pan_by(pixels)
        self.steer(self.pointer(event.position().toPoint(), event.modifiers()))
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_by(1 + event.value(), event.position())
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.cancel_interaction():
                self.canvas.clearSelection()
            return
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.hand_held = True
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            return
        event.ignore()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from card to card, and from the last one on to what is beside the canvas."""
        return self.step(forward) or super().focusNextPrevChild(forward)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._let_hand_go()
            return
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._let_hand_go()  # where the space bar is let go now is not told here

    def _let_hand_go(self) -> None:
        if self.hand_held:
            self.hand_held = False
            self.viewport().unsetCursor()
