"""The view on one Workspace's scene: pan and zoom, and the hand's gestures.

While a zoom moves, everything is painted plainly; when it rests, finely. Far out the overview is painted
instead of the items. One live widget at most lies over the card of the Node in use, and follows it.
"""

from __future__ import annotations

from collections.abc import Mapping

from kavor.canvas.grid import Grid
from kavor.canvas.interactions.interaction import Interaction, Pointer
from kavor.canvas.observe import Notice
from kavor.canvas.qt import (
    QEvent,
    QFrame,
    QGraphicsView,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QResizeEvent,
    Qt,
    QTimer,
    QWheelEvent,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.scene.overview import FAR, Overview
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.theme import mixed

ZOOM_LEAST, ZOOM_MOST = 0.05, 4.0
ZOOM_STEP = 1.25
FIT_MARGIN = 48
FIT_MOST = 1.0
"""Fitting never enlarges beyond 100 %."""

REST_MS = 120
"""So long after its last step a zoom rests."""

_WHEEL_NOTCH = 120
_WHEEL_PAN = 72
"""Pixels of a notch of the wheel."""
_KEY_PAN = 80
_WORLD = 200_000.0


class CanvasView(QGraphicsView):
    zoom_changed = Signal(float)

    def __init__(self, scene: CanvasScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self.canvas = scene
        self.hand_held = False
        """Whether the space bar is down: any press pans."""
        self.acted = Notice[[str, str]]()
        """A button on a card was used: Node id and action."""
        self.moved = Notice[[Mapping[str, QPointF]]]()
        """Cards were dragged: their new top left corners by Node id."""
        self.opened = Notice[[str]]()
        """A person wants to set a Node: its card was double-clicked, or Enter pressed on it."""
        self._interaction: Interaction | None = None
        self._area: QRectF | None = None
        self._overview = Overview(scene)
        self._grid = Grid()
        self._live: tuple[str, QWidget] | None = None
        self._fitted_once = False
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rest)
        self._set_up()

    def _set_up(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setMouseTracking(True)
        self.setSceneRect(QRectF(-_WORLD, -_WORLD, 2 * _WORLD, 2 * _WORLD))
        self.setAccessibleName(translate("View", "Canvas"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def release(self) -> None:
        """Before it goes: let go of the scene and the model behind it."""
        self._rest.stop()
        self._overview.release()
        self.canvas.release()

    # --- Zoom and pan

    @property
    def zoom(self) -> float:
        return self.transform().m11()

    def zoom_by(self, factor: float, anchor: QPointF | None = None) -> None:
        """The point of the view at ``anchor``, or its middle, stays where it is."""
        spot = anchor if anchor is not None else QRectF(self.viewport().rect()).center()
        target = min(ZOOM_MOST, max(ZOOM_LEAST, self.zoom * factor))
        fixed = self.viewportTransform().inverted()[0].map(spot)
        self._begin_motion()
        self._set_zoom(target)
        self._scroll_by(self.viewportTransform().map(fixed) - spot)

    def set_zoom(self, zoom: float) -> None:
        self.zoom_by(zoom / self.zoom)

    def pan_by(self, moved: QPoint) -> None:
        """Pixels that the contents move right and down."""
        self._scroll_by(QPointF(-moved.x(), -moved.y()))

    def fit_all(self) -> None:
        self._fit(self.canvas.contents_rect())

    def fit_selection(self) -> None:
        """All, where nothing is selected."""
        found = QRectF()
        for item in self.canvas.selected_nodes():
            found = found.united(self.canvas.card_rect(item.node_id))
        self._fit(self.canvas.contents_rect() if found.isNull() else found)

    def show_node(self, node_id: str) -> None:
        """Bring a Node into the middle, without zooming."""
        self.centerOn(self.canvas.card_rect(node_id).center())
        self._place_live()

    def _fit(self, rect: QRectF) -> None:
        if rect.isEmpty():
            self._set_zoom(1.0)
            self.centerOn(QPointF(self.viewport().width() / 2, self.viewport().height() / 2))
            return
        room = self.viewport().size()
        wide = max(1, room.width() - 2 * FIT_MARGIN) / rect.width()
        high = max(1, room.height() - 2 * FIT_MARGIN) / rect.height()
        self._set_zoom(min(FIT_MOST, max(ZOOM_LEAST, min(wide, high))))
        self.centerOn(rect.center())
        self._place_live()

    def _set_zoom(self, zoom: float) -> None:
        self.resetTransform()
        self.scale(zoom, zoom)
        self.canvas.detail = zoom
        self.zoom_changed.emit(zoom)

    def _scroll_by(self, pixels: QPointF) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() + round(pixels.x()))
        down.setValue(down.value() + round(pixels.y()))
        self._place_live()

    def _begin_motion(self) -> None:
        self.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._rest.start()

    def _on_rest(self) -> None:
        self.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self.viewport().update()

    # --- The live widget of the Node in use

    def show_live(self, node_id: str, widget: QWidget) -> None:
        """Lay ``widget`` over the content of a Node's card. It is told the zoom with ``set_zoom``, where it
        has that, and given the card's content as its geometry."""
        self.hide_live()
        widget.setParent(self.viewport())
        self._live = (node_id, widget)
        self._place_live()
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

    def _place_live(self) -> None:
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
        self.acted.emit(node_id, action)

    def move_nodes(self, places: Mapping[str, QPointF]) -> None:
        self.moved.emit(places)

    def show_area(self, area: QRectF | None) -> None:
        """The rectangle of a selection in the making."""
        self._area = area
        self.viewport().update()

    def pointer(self, event: QMouseEvent) -> Pointer:
        at = event.position().toPoint()
        return Pointer(self.mapToScene(at), at, event.modifiers())

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
        self._paint_area(painter)
        painter.end()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        to_view = painter.transform()
        painter.resetTransform()
        self._paint_ground(painter, to_view.mapRect(QRectF(rect)))
        painter.setTransform(to_view)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        self._paint_area(painter)

    def _paint_ground(self, painter: QPainter, exposed: QRectF) -> None:
        theme = self.canvas.look.theme
        painter.fillRect(exposed, theme.canvas)
        self._grid.paint(painter, exposed, self.viewportTransform(), theme.grid)

    def _paint_area(self, painter: QPainter) -> None:
        if self._area is None:
            return
        accent = self.canvas.look.theme.accent
        thin = mixed(accent, self.canvas.look.theme.canvas, 0.5)
        thin.setAlphaF(0.18)
        painter.setPen(QPen(accent, 0))
        painter.setBrush(thin)
        painter.drawRect(self._area)

    # --- Events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        from kavor.canvas.interactions.choose import (
            choose_interaction,
        )  # it knows every gesture, they the view

        if self._interaction is not None:
            return
        at = self.pointer(event)
        self._interaction = choose_interaction(self, at, event.button())
        if self._interaction is not None:
            self._interaction.start(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._interaction is not None:
            self._interaction.move(self.pointer(event))
            self._place_live()
            return
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._interaction is None or event.buttons():
            return
        interaction, self._interaction = self._interaction, None
        interaction.end(self.pointer(event))
        self._place_live()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self.pointer(event)
        item = self.canvas.node_at(at.scene)
        on_card = item is not None and item.button_at(at.scene - item.pos()) is None
        if item is not None and on_card and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(item.node_id)
        else:
            self.mousePressEvent(event)  # the second of two quick clicks

    def cancel_interaction(self) -> bool:
        """Whether there was one."""
        if self._interaction is None:
            return False
        interaction, self._interaction = self._interaction, None
        interaction.cancel()
        return True

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
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_by(1 + event.value(), event.position())
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.cancel_interaction():
            return
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.hand_held = True
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            selected = self.canvas.selected_nodes()
            if len(selected) == 1:
                self.opened.emit(selected[0].node_id)
                return
        way = _ARROWS.get(event.key())
        if way is not None:
            self.pan_by(way * _KEY_PAN)
            return
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.hand_held = False
            self.viewport().unsetCursor()
            return
        super().keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._fitted_once and self.viewport().height() > 1:
            self._fitted_once = True
            self.fit_all()


_ARROWS: dict[int, QPoint] = {
    Qt.Key.Key_Left: QPoint(1, 0),
    Qt.Key.Key_Right: QPoint(-1, 0),
    Qt.Key.Key_Up: QPoint(0, 1),
    Qt.Key.Key_Down: QPoint(0, -1),
}
