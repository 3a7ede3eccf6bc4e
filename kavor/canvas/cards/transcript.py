"""The end of a transcript on a card, laid out once for each state of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from kavor.canvas.conversation import Entry
from kavor.canvas.prose import ProseDocument, new_document
from kavor.canvas.qt import (
    QAbstractTextDocumentLayout,
    QFont,
    QPainter,
    QPalette,
    QRectF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from kavor.canvas.theme import Theme
from kavor.canvas.transcript_text import TranscriptWriter

KEPT = 64
"""Transcripts that are kept laid out; more agents are hardly in view at once."""
_BETWEEN = 5.0


class TranscriptPainter:
    def __init__(self, theme: Theme, font: QFont) -> None:
        self._theme = theme
        self._font = font
        self._writer = TranscriptWriter(theme, font, folds=False)
        self._laid_out: OrderedDict[tuple[int, float], tuple[Sequence[Entry], ProseDocument]] = OrderedDict()
        self._context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, theme.text)
        self._context.palette = palette

    def paint(self, painter: QPainter, rect: QRectF, entries: Sequence[Entry]) -> None:
        """So much of the end as has room; from the top where all of it has."""
        document = self._lay_out(entries, rect.width())
        over = _first_whole_line(document, document.size().height() - rect.height())
        painter.save()
        painter.setClipRect(rect)
        painter.translate(rect.left(), rect.top() - over)
        self._context.clip = QRectF(0, over, rect.width(), rect.height())
        document.documentLayout().draw(painter, self._context)
        painter.restore()

    def _lay_out(self, entries: Sequence[Entry], width: float) -> ProseDocument:
        key = (id(entries), width)
        kept = self._laid_out.get(key)
        if kept is None or kept[0] is not entries:
            kept = self._laid_out[key] = (entries, self._write(entries, width))
            if len(self._laid_out) > KEPT:
                self._laid_out.popitem(last=False)
        self._laid_out.move_to_end(key)
        return kept[1]

    def _write(self, entries: Sequence[Entry], width: float) -> ProseDocument:
        document = new_document(self._font)
        cursor = QTextCursor(document)
        for number, entry in enumerate(entries):
            if number:
                begin_block(cursor)
            self._writer.write(cursor, entry)
        document.setTextWidth(width)
        return document


def _first_whole_line(document: ProseDocument, least: float) -> float:
    """How much of the top is left out, at least so much, so that no line is cut through."""
    block = document.begin() if least > 0 else document.end()
    while block.isValid():
        top, lines = document.documentLayout().blockBoundingRect(block).top(), block.layout()
        for number in range(lines.lineCount()):
            if top + lines.lineAt(number).y() >= least:
                return top + lines.lineAt(number).y()
        block = block.next()
    return max(0.0, least)


def begin_block(cursor: QTextCursor) -> None:
    """A plain one, a little under what is there."""
    plain = QTextBlockFormat()
    plain.setTopMargin(_BETWEEN)
    cursor.insertBlock(plain, QTextCharFormat())
