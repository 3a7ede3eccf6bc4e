"""Lines and blocks of U+2500 to U+259F, drawn by us: a font's own leave gaps between our cells.

What each looks like is read from its Unicode name.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from kavor.canvas.qt import QColor, QPainter, QPainterPath, QPen, QRectF, Qt

_SIDES = {
    "LEFT": ("left",),
    "RIGHT": ("right",),
    "UP": ("up",),
    "DOWN": ("down",),
    "HORIZONTAL": ("left", "right"),
    "VERTICAL": ("up", "down"),
}
_WEIGHTS = frozenset({"LIGHT", "SINGLE", "HEAVY", "DOUBLE"})
_NUMBERS = {"ONE": 1, "THREE": 3, "FIVE": 5, "SEVEN": 7}
_THICKNESS = {"LIGHT": 1.0, "SINGLE": 1.0, "HEAVY": 2.0, "DOUBLE": 1.0}
_GAP = 1.5
"""From the middle of a double line to each of its two."""
_SHADES = {"LIGHT SHADE": 0.25, "MEDIUM SHADE": 0.5, "DARK SHADE": 0.75}


def draws(char: str) -> bool:
    """Whether this module draws the character."""
    return len(char) == 1 and "─" <= char <= "▟" and bool(_arms(char) or _blocks(char) or _shade(char))


def draw(painter: QPainter, char: str, cell: QRectF, colour: QColor) -> None:
    """One that ``draws`` answers for."""
    if _is_arc(char):
        _draw_arc(painter, char, cell, colour)
        return
    for side, weight in _arms(char):
        for offset in (-_GAP, _GAP) if weight == "DOUBLE" else (0.0,):
            painter.fillRect(_arm(cell, side, _THICKNESS[weight], offset), colour)
    for x, y, width, height in _blocks(char):
        part = QRectF(
            cell.x() + x * cell.width(),
            cell.y() + y * cell.height(),
            width * cell.width(),
            height * cell.height(),
        )
        painter.fillRect(part, colour)
    if _shade(char):
        thinned = QColor(colour)
        thinned.setAlphaF(_shade(char))
        painter.fillRect(cell, thinned)


def _name(char: str) -> str:
    return unicodedata.name(char, "")


@cache
def _arms(char: str) -> tuple[tuple[str, str], ...]:
    """Sides with the weight of the line from the middle to them."""
    words = _name(char).removeprefix("BOX DRAWINGS ")
    if words == _name(char) or "DASH" in words or "DIAGONAL" in words:
        return ()
    arms: list[tuple[str, str]] = []
    weight = "LIGHT"
    for part in words.split(" AND "):
        tokens = part.split()
        weight = next((token for token in tokens if token in _WEIGHTS), weight)
        arms += [(side, weight) for token in tokens for side in _SIDES.get(token, ())]
    return tuple(arms)


@cache
def _is_arc(char: str) -> bool:
    return " ARC " in _name(char)


@cache
def _shade(char: str) -> float:
    return _SHADES.get(_name(char), 0.0)


@cache
def _blocks(char: str) -> tuple[tuple[float, float, float, float], ...]:
    """Left, top, width and height of each filled part, as shares of the cell."""
    name = _name(char)
    if name == "FULL BLOCK":
        return ((0, 0, 1, 1),)
    if name.startswith("QUADRANT "):
        corners = name.removeprefix("QUADRANT ").split(" AND ")
        return tuple((0.5 * ("RIGHT" in each), 0.5 * ("LOWER" in each), 0.5, 0.5) for each in corners)
    if not name.endswith(" BLOCK"):
        return ()
    side, *size, _ = name.split()
    share = _NUMBERS[size[0]] / {"QUARTER": 4, "QUARTERS": 4}.get(size[1], 8) if len(size) > 1 else 0.5
    match side:
        case "UPPER":
            return ((0, 0, 1, share),)
        case "LOWER":
            return ((0, 1 - share, 1, share),)
        case "LEFT":
            return ((0, 0, share, 1),)
        case _:
            return ((1 - share, 0, share, 1),)


def _arm(cell: QRectF, side: str, thickness: float, offset: float) -> QRectF:
    """From a little past the middle, so that corners close."""
    half = thickness / 2
    reach = half + abs(offset)
    middle = cell.center()
    match side:
        case "left":
            return QRectF(
                cell.left(), middle.y() + offset - half, middle.x() - cell.left() + reach, thickness
            )
        case "right":
            left = middle.x() - reach
            return QRectF(left, middle.y() + offset - half, cell.right() - left, thickness)
        case "up":
            return QRectF(middle.x() + offset - half, cell.top(), thickness, middle.y() - cell.top() + reach)
        case _:
            top = middle.y() - reach
            return QRectF(middle.x() + offset - half, top, thickness, cell.bottom() - top)


def _draw_arc(painter: QPainter, char: str, cell: QRectF, colour: QColor) -> None:
    sides = {side for side, _ in _arms(char)}
    middle = cell.center()
    x = cell.left() if "left" in sides else cell.right()
    y = cell.top() if "up" in sides else cell.bottom()
    path = QPainterPath()
    path.moveTo(x, middle.y())
    path.quadTo(middle.x(), middle.y(), middle.x(), y)
    painter.setPen(QPen(colour, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
