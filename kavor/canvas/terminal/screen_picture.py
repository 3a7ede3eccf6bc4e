"""The picture of a screen: kept between frames, so that only the rows that changed are drawn again."""

from __future__ import annotations

from collections.abc import Iterable

from kavor.canvas import theme as themes
from kavor.canvas.cards.cells import CELL_HEIGHT, CELL_WIDTH, GridSize, cell_rect
from kavor.canvas.qt import QFont, QFontMetricsF, QLineF, QPainter, QPen, QPixmap, QPointF, QRectF, QSize, Qt
from kavor.canvas.terminal import box_drawing
from kavor.canvas.terminal.colours import Ink, ScreenColours
from kavor.canvas.terminal.row_cells import graphemes
from kavor.terminal_frames import UNDERLINE_SHIFT, Attributes, Row, Run, Underline

_FONT_PIXELS = 12
_FITS = 0.25
"""Within so many canvas units of its cell a character's width counts as the cell's."""


class CellFont:
    """One of the four fonts, spaced so that its characters are as wide as the cells."""

    def __init__(self, *, bold: bool, italic: bool) -> None:
        font = themes.mono_font(_FONT_PIXELS)
        font.setBold(bold)
        font.setItalic(italic)
        font.setKerning(False)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        plain = QFontMetricsF(font)
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, CELL_WIDTH - plain.horizontalAdvance("M"))
        self.font = font
        self._metrics = QFontMetricsF(font)
        self._fits: dict[str, bool] = {}
        self.baseline = (CELL_HEIGHT - plain.height()) / 2 + plain.ascent()

    def width(self, text: str) -> float:
        return self._metrics.horizontalAdvance(text)

    def lies_in_cells(self, text: str) -> bool:
        """Whether it can be drawn at once: every character has one cell, and is as wide as that."""
        if text.isascii():
            return True
        return all(self._fits_cell(character) for character in set(text))

    def _fits_cell(self, character: str) -> bool:
        if character not in self._fits:
            narrow = abs(self.width(character) - CELL_WIDTH) < _FITS
            self._fits[character] = narrow and not box_drawing.draws(character)
        return self._fits[character]


class RowPainter:
    """Draws rows with a painter that is in canvas units, from the screen's top left."""

    def __init__(self, colours: ScreenColours) -> None:
        self.colours = colours
        self._fonts: dict[tuple[bool, bool], CellFont] = {}

    def font_for(self, attributes: int) -> CellFont:
        style = (bool(attributes & Attributes.BOLD), bool(attributes & Attributes.ITALIC))
        if style not in self._fonts:
            self._fonts[style] = CellFont(bold=style[0], italic=style[1])
        return self._fonts[style]

    def paint_row(
        self, painter: QPainter, row: Row, line: int, columns: int, *, reversed_screen: bool
    ) -> None:
        ground = self.colours.text if reversed_screen else self.colours.ground
        painter.fillRect(cell_rect(0, line, columns), ground)
        inked: list[tuple[int, Run, Ink]] = []
        column = 0
        for run in row.runs:
            ink = self.colours.ink(run, reversed_screen=reversed_screen)
            if ink.ground is not None:
                painter.fillRect(cell_rect(column, line, run.width), ink.ground)
            inked.append((column, run, ink))
            column += run.width
        for column, run, ink in inked:  # after every ground, for letters may lean over their cell
            self._paint_text(painter, run, column, line, ink)

    def paint_grapheme(self, painter: QPainter, text: str, place: QRectF, ink: Ink) -> None:
        """One, in the plain font, as the cursor and an input method show it."""
        painter.setFont(self.font_for(0).font)
        painter.setPen(ink.text)
        self._paint_grapheme(painter, text, place, ink, self.font_for(0))

    def _paint_text(self, painter: QPainter, run: Run, column: int, line: int, ink: Ink) -> None:
        if run.attributes & Attributes.INVISIBLE:
            return
        font = self.font_for(run.attributes)
        painter.setFont(font.font)
        painter.setPen(ink.text)
        if run.cells == len(run.text) and font.lies_in_cells(run.text):
            if not run.text.isspace():
                painter.drawText(QPointF(column * CELL_WIDTH, line * CELL_HEIGHT + font.baseline), run.text)
        else:
            self._paint_graphemes(painter, run, column, line, ink, font)
        self._paint_strokes(painter, run, column, line, ink)

    def _paint_graphemes(
        self, painter: QPainter, run: Run, column: int, line: int, ink: Ink, font: CellFont
    ) -> None:
        for text, cells in graphemes(run):
            self._paint_grapheme(painter, text, cell_rect(column, line, cells), ink, font)
            column += cells

    def _paint_grapheme(self, painter: QPainter, text: str, place: QRectF, ink: Ink, font: CellFont) -> None:
        if box_drawing.draws(text[:1]):
            box_drawing.draw(painter, text[0], place, ink.text)
            painter.setPen(ink.text)
        elif text.strip():
            inset = (place.width() - font.width(text)) / 2
            painter.drawText(QPointF(place.left() + inset, place.top() + font.baseline), text)

    def _paint_strokes(self, painter: QPainter, run: Run, column: int, line: int, ink: Ink) -> None:
        """Lines under, through and over the text."""
        place = cell_rect(column, line, run.width)
        underline = run.attributes >> UNDERLINE_SHIFT
        if run.link and not underline:
            underline = Underline.DOTTED
        if underline:
            styles = {Underline.DOTTED: Qt.PenStyle.DotLine, Underline.DASHED: Qt.PenStyle.DashLine}
            painter.setPen(QPen(ink.underline, 1, styles.get(Underline(underline), Qt.PenStyle.SolidLine)))
            self._stroke(painter, place, CELL_HEIGHT - 1.5)
            if underline in (Underline.DOUBLE, Underline.CURLY):
                self._stroke(painter, place, CELL_HEIGHT - 3.5)
        if run.attributes & Attributes.STRIKETHROUGH:
            painter.setPen(QPen(ink.text, 1))
            self._stroke(painter, place, CELL_HEIGHT / 2)
        if run.attributes & Attributes.OVERLINE:
            painter.setPen(QPen(ink.text, 1))
            self._stroke(painter, place, 0.5)

    def _stroke(self, painter: QPainter, place: QRectF, down: float) -> None:
        y = place.top() + down
        painter.drawLine(QLineF(place.left(), y, place.right(), y))


class ScreenPicture:
    """At one scale (device pixels per canvas unit). Another scale or size begins it anew, empty."""

    def __init__(self) -> None:
        self.size = GridSize()
        self.scale = 0.0
        self._pixmap = QPixmap()

    def fit(self, size: GridSize, scale: float) -> bool:
        """Whether every row must be drawn again, because it is another picture."""
        if (size, scale) == (self.size, self.scale):
            return False
        self.size, self.scale = size, scale
        extent = size.extent * scale
        self._pixmap = QPixmap(QSize(max(1, round(extent.width())), max(1, round(extent.height()))))
        return True

    def forget(self) -> None:
        """Begin anew at the next ``fit``."""
        self.scale = 0.0

    def paint_rows(
        self, painter: RowPainter, rows: Iterable[tuple[int, Row]], *, reversed_screen: bool
    ) -> None:
        """Draw these rows, each on its line."""
        drawing = QPainter(self._pixmap)
        drawing.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        drawing.scale(self.scale, self.scale)
        for line, row in rows:
            drawing.setClipRect(cell_rect(0, line, self.size.columns))
            painter.paint_row(drawing, row, line, self.size.columns, reversed_screen=reversed_screen)
        drawing.end()

    def show(self, painter: QPainter, place: QRectF) -> None:
        """Paint it into a rectangle of the painter, which is pixel for pixel at the picture's own scale."""
        painter.drawPixmap(place, self._pixmap, QRectF(self._pixmap.rect()))

    def show_sharp(self, painter: QPainter, corner: QPointF, ratio: float) -> None:
        """Pixel for pixel, with the painter in device-independent pixels, ``ratio`` device pixels each."""
        painter.drawPixmap(
            QRectF(corner, self._pixmap.size().toSizeF() / ratio), self._pixmap, QRectF(self._pixmap.rect())
        )
