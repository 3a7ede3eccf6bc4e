"""Draw the figures of the canvas's benchmark.

KAVOR_PEERS_PYTHON=… python benchmarks/canvas.py --json > docs/img/frame-times.json
python docs/img/frame_times.py docs/img/frame-times.json docs/img/frame-times.png
"""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPen

PANELS = ("pan 1x", "zoom 1x", "pan 0.35x", "zoom 0.35x", "pan fitted", "zoom fitted")
COLOURS = {"kavor": "#2f63e0", "NodeGraphQt": "#b9bec9", "qtpynodeeditor": "#858c9b"}
AIMS = {"pan": 8.3, "zoom": 16.7}
LEAST_MS, MOST_MS = 0.5, 3000.0
WIDTH, HEIGHT = 1000, 560
PANEL = QRectF(0, 0, 270, 170)


def main(figures: Path, picture: Path) -> None:
    QGuiApplication([])
    frames = json.loads(figures.read_text())["frames"]
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    legend(painter)
    for number, movement in enumerate(PANELS):
        across, down = divmod(number, 2)
        panel = PANEL.translated(60 + across * 315, 90 + down * 235)
        draw_panel(painter, panel, movement, frames)
    painter.end()
    image.save(str(picture))


def legend(painter: QPainter) -> None:
    text(
        painter,
        QRectF(20, 14, 900, 22),
        "CPU time of a frame, 95th percentile, ms (logarithmic)",
        14,
        bold=True,
    )
    left = 20.0
    for subject, colour in COLOURS.items():
        painter.fillRect(QRectF(left, 45, 12, 12), QColor(colour))
        text(painter, QRectF(left + 18, 40, 160, 22), subject, 12)
        left += 140
    painter.setPen(QPen(QColor("#c02626"), 1.2, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(left, 51), QPointF(left + 24, 51))
    text(painter, QRectF(left + 30, 40, 420, 22), "the aim at 1,000 Nodes: pan 8.3 ms, zoom 16.7 ms", 12)


def draw_panel(painter: QPainter, panel: QRectF, movement: str, frames: list[dict[str, Any]]) -> None:
    title = QRectF(panel.left(), panel.top() - 24, panel.width(), 20)
    text(painter, title, movement.replace("1x", "at 100 %").replace("0.35x", "at 35 %"), 12, bold=True)
    for power in range(4):
        level = height_of(panel, 10.0**power)
        painter.setPen(QColor("#e6e8ee"))
        painter.drawLine(QPointF(panel.left(), level), QPointF(panel.right(), level))
        text(painter, QRectF(panel.left() - 44, level - 9, 38, 18), f"{10**power:,}", 10, right=True)
    sizes = sorted({frame["nodes"] for frame in frames})
    for place, nodes in enumerate(sizes):
        middle = panel.left() + panel.width() * (place + 0.5) / len(sizes)
        for offset, subject in enumerate(COLOURS):
            found = [each for each in frames if (each["subject"], each["nodes"]) == (subject, nodes)]
            draw_bar(painter, panel, middle + (offset - 1) * 24, found[0][movement]["p95"], COLOURS[subject])
        text(painter, QRectF(middle - 45, panel.bottom() + 3, 90, 18), f"{nodes:,} Nodes", 10, centre=True)
    painter.setPen(QPen(QColor("#c02626"), 1.2, Qt.PenStyle.DashLine))
    aim = height_of(panel, AIMS[movement.split()[0]])
    painter.drawLine(QPointF(panel.left(), aim), QPointF(panel.right(), aim))


def draw_bar(painter: QPainter, panel: QRectF, middle: float, value: float, colour: str) -> None:
    top = height_of(panel, value)
    painter.fillRect(QRectF(middle - 10, top, 20, panel.bottom() - top), QColor(colour))
    words = f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
    text(painter, QRectF(middle - 20, top - 13, 40, 12), words, 8, centre=True)


def height_of(panel: QRectF, value: float) -> float:
    part = math.log(value / LEAST_MS) / math.log(MOST_MS / LEAST_MS)
    return panel.bottom() - part * panel.height()


def text(
    painter: QPainter,
    where: QRectF,
    words: str,
    pixels: int,
    *,
    bold: bool = False,
    right: bool = False,
    centre: bool = False,
) -> None:
    font = QFont("sans-serif")
    font.setPixelSize(pixels)
    font.setBold(bold)
    painter.setFont(font)
    painter.setPen(QColor("#1b1f28"))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    side = Qt.AlignmentFlag.AlignHCenter if centre else side
    painter.drawText(where, side | Qt.AlignmentFlag.AlignVCenter, words)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
