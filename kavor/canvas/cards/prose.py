"""Markdown on cards, laid out once for each text and width."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from kavor.canvas.prose import ProseDocument, new_document, set_markdown
from kavor.canvas.qt import QAbstractTextDocumentLayout, QFont, QPainter, QPalette, QRectF
from kavor.canvas.theme import Theme

KEPT = 400
"""Documents that are kept laid out; the one that was painted longest ago goes."""
MOST_SHOWN = 4_000
"""Characters of a text that are laid out for a card: more than the largest one shows."""


@dataclass(frozen=True)
class _LaidOut:
    document: ProseDocument
    shown: float
    """The height of it that is shown."""


class ProsePainter:
    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._laid_out: OrderedDict[tuple[str, float, float, str], _LaidOut] = OrderedDict()
        self._context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, theme.text)
        self._context.palette = palette

    def paint(self, painter: QPainter, rect: QRectF, text: str, font: QFont) -> None:
        """As much as has room, in whole lines."""
        prose = self._lay_out(text[:MOST_SHOWN], rect, font)
        painter.save()
        painter.setClipRect(QRectF(rect.left(), rect.top(), rect.width(), prose.shown))
        painter.translate(rect.topLeft())
        self._context.clip = QRectF(0, 0, rect.width(), prose.shown)
        prose.document.documentLayout().draw(painter, self._context)
        painter.restore()

    def _lay_out(self, text: str, rect: QRectF, font: QFont) -> _LaidOut:
        key = (text, rect.width(), rect.height(), font.key())
        prose = self._laid_out.get(key)
        if prose is None:
            document = new_document(font)
            set_markdown(document, text, self._theme)
            document.setTextWidth(rect.width())
            prose = self._laid_out[key] = _LaidOut(document, _whole_lines(document, rect.height()))
            if len(self._laid_out) > KEPT:
                self._laid_out.popitem(last=False)
        self._laid_out.move_to_end(key)
        return prose


def _whole_lines(document: ProseDocument, height: float) -> float:
    """The height of what fits without cutting a line through."""
    layout = document.documentLayout()
    if document.size().height() <= height:
        return height
    fits = 0.0
    block = document.begin()
    while block.isValid():
        top = layout.blockBoundingRect(block).top()
        lines = block.layout()
        for number in range(lines.lineCount()):
            line = lines.lineAt(number)
            bottom = top + line.y() + line.height()
            if bottom > height:
                return fits or height
            fits = bottom
        block = block.next()
    return height
