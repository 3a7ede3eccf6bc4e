"""Pictures of a window, step by step, for the documentation: kept where ``KAVOR_PICTURES`` names a folder."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from kavor.canvas.qt import (
    QApplication,
    QColor,
    QImage,
    QPainter,
    QPen,
    QPixmap,
    QPoint,
    QPointF,
    QPolygonF,
    Qt,
    QWidget,
)
from kavor.canvas.window import CanvasWindow

_POINTER = QPolygonF(
    [QPointF(x, y) for x, y in ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))]
)

_LIKE = 0xE0E0E0
"""The bits of a colour by which it is told from another kind of colour."""


def with_few_colours(image: QImage) -> QImage:
    """The same in 256 of its colours: a third of the file, and no difference to the eye. Of like colours the
    most frequent one is kept, then the most frequent of all."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    found = [colour for colour, _ in Counter(memoryview(image.constBits()).cast("I")).most_common()]
    of_each_kind = {colour & _LIKE: colour for colour in reversed(found)}
    kept = list(dict.fromkeys([*of_each_kind.values(), *found]))[:256]
    return image.convertToFormat(QImage.Format.Format_Indexed8, kept, Qt.ImageConversionFlag.ThresholdDither)


def are_wanted() -> bool:
    return "KAVOR_PICTURES" in os.environ


class Pictures:
    """Of one story: ``<story>-<number>.png``, in the order in which they are taken."""

    def __init__(self, window: CanvasWindow, story: str) -> None:
        self._window = window
        self._story = story
        self._folder = os.environ.get("KAVOR_PICTURES")
        self._taken = 0

    def take(self, pointer: QPoint | None = None, of: QWidget | None = None) -> None:
        """As the window is now, with the mouse at a point of the canvas in front, or of the widget ``of``."""
        if not self._folder:
            return
        QApplication.processEvents()
        picture = self._window.grab()
        over = of if of is not None else self._window.view
        if pointer is not None and over is not None:
            self._draw_pointer(picture, over.mapTo(self._window, pointer))
        self._taken += 1
        place = Path(self._folder) / f"{self._story}-{self._taken}.png"
        with_few_colours(picture.toImage()).save(str(place))

    def _draw_pointer(self, picture: QPixmap, at: QPoint) -> None:
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(QPointF(at))
        painter.setPen(QPen(QColor("white"), 1.5))
        painter.setBrush(QColor("black"))
        painter.drawPolygon(_POINTER)
        painter.end()
