"""What can be looked at from anywhere: pan, zoom, and fitting what is there into view.

While a zoom moves, everything is painted plainly; when it rests, finely.
"""

from __future__ import annotations

from kavor.canvas.observe import Notice
from kavor.canvas.qt import (
    QFrame,
    QGraphicsView,
    QPainter,
    QPoint,
    QPointF,
    QRectF,
    QResizeEvent,
    Qt,
    QTimer,
    QWidget,
    Signal,
)
from kavor.canvas.scene.scene import CanvasScene

ZOOM_LEAST, ZOOM_MOST = 0.05, 4.0
ZOOM_STEP = 1.25
FIT_MARGIN = 48
"""Pixels around what is fitted into view, where nothing lies over the canvas."""
FIT_MOST = 1.0
"""Fitting never enlarges beyond 100 %."""

REVEAL_MARGIN, REVEAL_LEFT, REVEAL_BELOW = 24, 108, 72
"""Pixels around a card that is brought into view; at the left stands the palette, below the zoom."""

REST_MS = 120
"""So long after its last step a zoom rests."""

_WORLD = 200_000.0


class NavigableView(QGraphicsView):
    zoom_changed = Signal(float)

    def __init__(self, scene: CanvasScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self.canvas = scene
        self.navigated = Notice[[]]()
        """Something else is in view, or at another zoom."""
        self._fitted_once = False
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._paint_finely)
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
        self.setSceneRect(QRectF(-_WORLD, -_WORLD, 2 * _WORLD, 2 * _WORLD))

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
        self.navigated.emit()

    def reveal(self, node_id: str) -> None:
        """Bring a Node into view, where it is not, without zooming and by the shortest way."""
        card = self.mapFromScene(self.canvas.card_rect(node_id)).boundingRect()
        room = self.viewport().rect().adjusted(REVEAL_LEFT, REVEAL_MARGIN, -REVEAL_MARGIN, -REVEAL_BELOW)
        self._scroll_by(
            QPointF(
                _shortest(card.left(), card.right(), room.left(), room.right()),
                _shortest(card.top(), card.bottom(), room.top(), room.bottom()),
            )
        )

    def _fit(self, rect: QRectF) -> None:
        if rect.isEmpty():
            self._set_zoom(1.0)
            self.centerOn(QPointF(self.viewport().width() / 2, self.viewport().height() / 2))
            return
        whole = QRectF(self.viewport().rect())
        room = whole.adjusted(REVEAL_LEFT, FIT_MARGIN, -FIT_MARGIN, -REVEAL_BELOW)
        wide, high = max(1, room.width()) / rect.width(), max(1, room.height()) / rect.height()
        self._set_zoom(min(FIT_MOST, max(ZOOM_LEAST, min(wide, high))))
        self.centerOn(rect.center() + (whole.center() - room.center()) / self.zoom)
        self.navigated.emit()

    def _set_zoom(self, zoom: float) -> None:
        self.resetTransform()
        self.scale(zoom, zoom)
        self.canvas.detail = zoom
        self.zoom_changed.emit(zoom)

    def _scroll_by(self, pixels: QPointF) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() + round(pixels.x()))
        down.setValue(down.value() + round(pixels.y()))
        self.navigated.emit()

    def rest(self) -> None:
        """No zoom is to come to rest any more."""
        self._rest.stop()

    def _begin_motion(self) -> None:
        self.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._rest.start()

    def _paint_finely(self) -> None:
        self.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._fitted_once and self.viewport().height() > 1:
            self._fitted_once = True
            self.fit_all()


def _shortest(start: int, end: int, least: int, most: int) -> float:
    """How far to scroll so that what is from start to end lies within; its start, where it is too long."""
    if start < least or end - start > most - least:
        return start - least
    return max(0, end - most)
