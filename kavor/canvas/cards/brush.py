"""The few strokes that every card is made of. All sizes are canvas units: pixels at 100 %."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from kavor.canvas import theme as themes
from kavor.canvas.cards.face import Row
from kavor.canvas.cards.prose import ProsePainter
from kavor.canvas.cards.transcript import TranscriptPainter
from kavor.canvas.conversation import Entry
from kavor.canvas.lines import broken_lines
from kavor.canvas.qt import QColor, QFont, QFontMetricsF, QPainter, QPen, QPointF, QRectF, Qt
from kavor.canvas.states import look_of, state_word
from kavor.canvas.theme import Theme, mixed

RADIUS = 10.0

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


class Fonts:
    """Made once; each with its metrics."""

    def __init__(self) -> None:
        weight = QFont.Weight
        self.title = themes.ui_font(14, weight.DemiBold)
        self.body = themes.ui_font(13)
        self.strong = themes.ui_font(13, weight.Medium)
        self.small = themes.ui_font(11)
        self.chip = themes.ui_font(11, weight.DemiBold)
        self.caption = themes.ui_font(10, weight.DemiBold)
        self.caption.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.6)
        self.mono = themes.mono_font(12)
        self.mono_small = themes.mono_font(11)
        self.big = themes.ui_font(24, weight.DemiBold)
        self.middle = themes.ui_font(22, weight.Medium)
        self._metrics: dict[str, QFontMetricsF] = {}

    def metrics(self, font: QFont) -> QFontMetricsF:
        key = font.key()
        if key not in self._metrics:
            self._metrics[key] = QFontMetricsF(font)
        return self._metrics[key]


class Look:
    """A theme and the fonts, with the mixtures that cards need, made once."""

    def __init__(self, theme: Theme, fonts: Fonts | None = None) -> None:
        self.theme = theme
        self.fonts = fonts or Fonts()
        self._tints: dict[tuple[str, float], QColor] = {}
        self._elided: dict[tuple[str, str, float], str] = {}
        self._broken: dict[tuple[str, str, float, int], list[str]] = {}
        self._prose = ProsePainter(theme)
        self._transcripts = TranscriptPainter(theme, self.fonts.body)

    def paint_prose(self, painter: QPainter, rect: QRectF, text: str, font: QFont) -> None:
        """Markdown, as many lines as have room."""
        self._prose.paint(painter, rect, text, font)

    def paint_transcript(self, painter: QPainter, rect: QRectF, entries: Sequence[Entry]) -> None:
        """The end of it, as much as has room."""
        self._transcripts.paint(painter, rect, entries)

    def tint(self, tone: str, share: float) -> QColor:
        """A tone thinned on the card's ground."""
        key = (tone, share)
        if key not in self._tints:
            self._tints[key] = mixed(self.theme.tone(tone), self.theme.card, share)
        return self._tints[key]

    def elided(self, text: str, font: QFont, width: float) -> str:
        key = (text, font.key(), width)
        if key not in self._elided:
            if len(self._elided) > 20_000:
                self._elided.clear()
            metrics = self.fonts.metrics(font)
            self._elided[key] = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        return self._elided[key]

    def broken(self, text: str, font: QFont, width: float, most: int) -> list[str]:
        """In at most so many lines, between words; what has no room is with the last one."""
        key = (text, font.key(), width, most)
        if key not in self._broken:
            if len(self._broken) > 20_000:
                self._broken.clear()
            self._broken[key] = broken_lines(text, font, width, most)
        return self._broken[key]

    @cached_property
    def border_pen(self) -> QPen:
        return QPen(self.theme.border, 1)

    @cached_property
    def selected_pen(self) -> QPen:
        return QPen(self.theme.accent, 2)


class Brush:
    """A painter on one card, at one level of detail (device pixels per canvas unit)."""

    def __init__(self, painter: QPainter, look: Look, detail: float) -> None:
        self.painter = painter
        self.look = look
        self.theme = look.theme
        self.fonts = look.fonts
        self._ratio = next((step for step in (0.5, 1.0, 2.0, 3.0) if detail <= step), 4.0)

    def panel(
        self, rect: QRectF, *, selected: bool, tone: str | None = None, ground: QColor | None = None
    ) -> None:
        """The card itself, with its border; ``tone`` colours the border of one that calls for a person."""
        if selected:
            self.painter.setPen(self.look.selected_pen)
        else:
            self.painter.setPen(QPen(self.theme.tone(tone), 2) if tone else self.look.border_pen)
        self.painter.setBrush(ground or self.theme.card)
        self.painter.drawRoundedRect(rect, RADIUS, RADIUS)

    def fill(self, rect: QRectF, colour: QColor, radius: float) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour)
        self.painter.drawRoundedRect(rect, radius, radius)

    def text(self, rect: QRectF, text: str, font: QFont, colour: QColor, *, right: bool = False) -> None:
        """One line, cut with an ellipsis where there is no room."""
        self.painter.setFont(font)
        self.painter.setPen(colour)
        shown = self.look.elided(text, font, rect.width())
        self.painter.drawText(rect, _RIGHT if right else _LEFT, shown)

    def wrapped(self, rect: QRectF, text: str, font: QFont, colour: QColor) -> float:
        """Over as many lines as have room, from the top; the last one says with "…" that there is more.
        Answers where it ends."""
        spacing = self.fonts.metrics(font).lineSpacing()
        line = QRectF(rect.left(), rect.top(), rect.width(), spacing)
        for words in self.look.broken(text, font, rect.width(), int(rect.height() // spacing)):
            self.text(line, words, font, colour)
            line.translate(0, spacing)
        return line.top()

    def prose(self, rect: QRectF, text: str, font: QFont) -> None:
        """Markdown, as many lines as have room."""
        self.look.paint_prose(self.painter, rect, text, font)

    def centred(self, rect: QRectF, text: str, font: QFont, colour: QColor) -> None:
        self.painter.setFont(font)
        self.painter.setPen(colour)
        self.painter.drawText(rect, _CENTRE, text)

    def width(self, text: str, font: QFont) -> float:
        return self.fonts.metrics(font).horizontalAdvance(text)

    def icon(self, name: str, colour: QColor, at: QPointF, size: float) -> None:
        picture = themes.pixmap(name, colour, round(size), self._ratio)
        self.painter.drawPixmap(QRectF(at.x(), at.y(), size, size), picture, QRectF(picture.rect()))

    def line(self, y: float, left: float, right: float) -> None:
        self.painter.setPen(self.look.border_pen)
        self.painter.drawLine(QPointF(left, y), QPointF(right, y))

    def noted(self, rect: QRectF, row: Row) -> None:
        """A line, with its sign before it where it has one."""
        colour = self.theme.tone(row.tone)
        if row.sign:
            self.icon(row.sign, colour, QPointF(rect.left(), rect.center().y() - 7), 14)
            rect = rect.adjusted(19, 0, 0, 0)
        self.text(rect, row.text, self.fonts.small, colour)

    def kind_tile(self, rect: QRectF, icon: str, tone: str) -> None:
        """The icon of a kind on a tile in its colour."""
        self.fill(rect, self.look.tint(tone, 0.16), rect.width() * 0.26)
        size = rect.width() * 0.64
        inset = (rect.width() - size) / 2
        self.icon(icon, self.theme.tone(tone), rect.topLeft() + QPointF(inset, inset), size)

    def state_chip(self, right: float, middle: float, state: str) -> float:
        """Sign and word on a tinted ground, ending at ``right``; answers where it begins."""
        look, word = look_of(state), state_word(state)
        width = self.width(word, self.fonts.chip) + 30
        rect = QRectF(right - width, middle - 10, width, 20)
        colour = self.theme.tone(look.tone)
        self.fill(rect, self.look.tint(look.tone, 0.14), 10)
        self.icon(look.sign, colour, QPointF(rect.left() + 7, middle - 6.5), 13)
        self.painter.setFont(self.fonts.chip)
        self.painter.setPen(colour)
        self.painter.drawText(rect.adjusted(22, 0, -6, 0), _LEFT, word)
        return rect.left()
