"""The curve of a Connection: from the side of one card that faces the other, to the side that faces back."""

from __future__ import annotations

from kavor.canvas.qt import QLineF, QPainterPath, QPointF, QRectF

_SHORTEST_BOW = 36.0


def curve(one: QRectF, other: QRectF) -> QPainterPath:
    """Between two cards, in the scene's coordinates."""
    across, down = _gaps(one, other)
    if across >= down:
        if one.center().x() <= other.center().x():
            return _bow(_right(one), _left(other), QPointF(1, 0))
        return _bow(_left(one), _right(other), QPointF(-1, 0))
    if one.center().y() <= other.center().y():
        return _bow(_bottom(one), _top(other), QPointF(0, 1))
    return _bow(_top(one), _bottom(other), QPointF(0, -1))


def chord(one: QRectF, other: QRectF) -> QLineF:
    """The straight line that stands for the curve far out."""
    path = curve(one, other)
    return QLineF(path.pointAtPercent(0), path.pointAtPercent(1))


def loose_end(start: QPointF, outward: QPointF, end: QPointF) -> QPainterPath:
    """From a handle to a point that no card holds yet; ``outward`` is the side's direction."""
    reach = max(_SHORTEST_BOW, QLineF(start, end).length() * 0.45)
    path = QPainterPath(start)
    path.cubicTo(start + outward * reach, end, end)
    return path


def _gaps(one: QRectF, other: QRectF) -> tuple[float, float]:
    across = max(other.left() - one.right(), one.left() - other.right())
    down = max(other.top() - one.bottom(), one.top() - other.bottom())
    return across, down


def _bow(start: QPointF, end: QPointF, outward: QPointF) -> QPainterPath:
    """It reaches out no further than the other card is away: between two near cards it stays between them."""
    between = QPointF.dotProduct(end - start, outward)
    reach = max(_SHORTEST_BOW, min(QLineF(start, end).length() * 0.45, between))
    path = QPainterPath(start)
    path.cubicTo(start + outward * reach, end - outward * reach, end)
    return path


def _left(rect: QRectF) -> QPointF:
    return QPointF(rect.left(), rect.center().y())


def _right(rect: QRectF) -> QPointF:
    return QPointF(rect.right(), rect.center().y())


def _top(rect: QRectF) -> QPointF:
    return QPointF(rect.center().x(), rect.top())


def _bottom(rect: QRectF) -> QPointF:
    return QPointF(rect.center().x(), rect.bottom())
