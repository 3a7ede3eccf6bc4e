"""A card: how one kind of Node is drawn, near and at a distance. One painter for each kind."""

from __future__ import annotations

from abc import ABC, abstractmethod

from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.face import Button, Face, Moment, Row
from kavor.canvas.model import Model
from kavor.canvas.qt import QColor, QPointF, QRectF, QSizeF
from kavor.canvas.states import action_words, look_of, state_word
from kavor.canvas.things import Node

NEAR = 0.75
"""From this level of detail on (device-independent pixels per canvas unit) a card shows all it has; below,
title, state and one line, in letters that can still be read at half size."""

HEADER = 52.0
MARGIN = 14.0
BUTTON_HEIGHT = 30.0
_BARE_ICON = 16.0
_BESIDE_ICON = 21.0
SMALL_HEADER = 76.0
"""Of a card that is drawn small."""
SMALL_LINE = 46.0
_SMALL_GAP = 17.0


class Card(ABC):
    size: QSizeF
    icon: str
    tone: str
    resizable = False
    small_lines = 3
    """That one row may take where the card is drawn small, if those after it have room too."""
    right_of_state = 0.0
    """Room at the right of the state's sign, for a button."""

    @property
    def rect(self) -> QRectF:
        return QRectF(QPointF(0, 0), self.size)

    @property
    def content(self) -> QRectF:
        """Under the header: where a live widget stands while the Node is in use."""
        return self.rect.adjusted(1, HEADER, -1, -1)

    @property
    def title(self) -> QRectF:
        """Where its name is edited."""
        return QRectF(44, 5, self.size.width() - 140, 25)

    def fitted(self, content: QSizeF) -> Card:
        """As near to this size of its content as the kind allows; itself where it has one size."""
        return self

    @property
    def size_words(self) -> str:
        """How a person names its size, where it is resizable."""
        return ""

    @abstractmethod
    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        """What this Node says now."""

    @abstractmethod
    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        """All under the header, near."""

    def paint(
        self, brush: Brush, face: Face, detail: float, *, selected: bool, hovered: Button | None
    ) -> None:
        self.paint_ground(brush, face, selected=selected)
        if detail < NEAR:
            self.paint_small(brush, face)
            return
        self.paint_header(brush, face)
        self.paint_body(brush, face, hovered)

    def paint_ground(self, brush: Brush, face: Face, *, selected: bool) -> None:
        """The card itself, under all that is on it."""
        brush.panel(self.rect, selected=selected, tone="warn" if face.calls else None)

    def paint_header(self, brush: Brush, face: Face) -> None:
        brush.kind_tile(QRectF(MARGIN, 12, 28, 28), self.icon, self.tone)
        right = self.size.width() - MARGIN
        if face.state:
            right = brush.state_chip(right - self.right_of_state, 26, face.state) - 8
        left = MARGIN + 38
        brush.text(QRectF(left, 9, right - left, 18), face.title, brush.fonts.title, brush.theme.text)
        brush.text(QRectF(left, 27, right - left, 16), face.role, brush.fonts.small, brush.theme.muted)

    def paint_small(self, brush: Brush, face: Face) -> None:
        self.paint_small_ground(brush)
        brush.kind_tile(QRectF(16, 16, 44, 44), self.icon, self.tone)
        width = self.size.width()
        brush.text(QRectF(72, 18, width - 86, 40), face.title, brush.fonts.big, brush.theme.text)
        y = SMALL_HEADER + 6
        if face.state:
            look = look_of(face.state)
            self._paint_sign_line(brush, y, look.sign, state_word(face.state), look.tone)
            y += SMALL_LINE
        rows = [row for row in (face.far_row, face.outcome) if row is not None]
        for number, row in enumerate(rows, 1):
            bottom = self.size.height() - SMALL_LINE * (len(rows) - number)
            if y > bottom - SMALL_LINE:
                break
            if row.sign:
                self._paint_sign_line(brush, y, row.sign, row.text, row.tone)
                y += SMALL_LINE
            else:
                y = self._paint_small_row(brush, row, y, bottom) + _SMALL_GAP
        if prose := self.small_prose(face):
            room = QRectF(20, y + 2, width - 40, self.size.height() - y - 18)
            brush.prose(room, prose, brush.fonts.middle)

    def _paint_small_row(self, brush: Brush, row: Row, y: float, bottom: float) -> float:
        font = brush.fonts.middle
        spacing = brush.fonts.metrics(font).lineSpacing()
        lines = max(1, min(self.small_lines, int((bottom - _SMALL_GAP - y - 3) // spacing)))
        room = QRectF(20, y + 3, self.size.width() - 36, lines * spacing)
        return brush.wrapped(room, row.text, font, brush.theme.tone(row.tone))

    def small_prose(self, face: Face) -> str:
        """Markdown under the small lines, as much as has room."""
        return ""

    def paint_small_ground(self, brush: Brush) -> None:
        """What a kind has under its small lines: nothing, unless it says otherwise."""
        return

    def _paint_sign_line(self, brush: Brush, y: float, sign: str, words: str, tone: str) -> None:
        colour = brush.theme.tone(tone)
        brush.icon(sign, colour, QPointF(20, y + 2), 28)
        brush.text(QRectF(58, y, self.size.width() - 72, 32), words, brush.fonts.middle, colour)

    def paint_buttons(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        for button in face.buttons:
            lit = button == hovered
            if not button.icon:
                continue  # a part of the card that can be pressed, and is drawn with it
            if button.bare:
                self._paint_bare(brush, button, lit)
                continue
            if not button.offered:
                ground = brush.look.tint("muted", 0.14 if lit else 0.06)
                ink = brush.theme.faint
            elif button.primary:
                ground = brush.look.tint("accent", 0.88 if lit else 1.0)
                ink = brush.theme.on_accent
            else:
                ground = brush.look.tint("muted", 0.24 if lit else 0.12)
                ink = brush.theme.text
            brush.fill(button.rect, ground, 7)
            self._paint_words(brush, button, ink)

    def _paint_words(self, brush: Brush, button: Button, ink: QColor) -> None:
        """Its icon and its words in the middle; in two small lines where one has no room."""
        words = button.words or action_words(button.action)
        font, wanted = brush.fonts.strong, brush.width(words, brush.fonts.strong) + _BESIDE_ICON + 1
        room = button.rect.width() - 4
        lines = [words]
        if wanted > room:
            font = brush.fonts.small
            lines = brush.look.broken(words, font, room - _BESIDE_ICON - 4, 2)
        left = button.rect.center().x() - min(wanted, room) / 2
        middle, spacing = button.rect.center().y(), brush.fonts.metrics(font).lineSpacing()
        brush.icon(button.icon, ink, QPointF(left, middle - 8), 16)
        line = QRectF(left + _BESIDE_ICON, middle - spacing * len(lines) / 2, min(wanted, room) - 20, spacing)
        for text in lines:
            brush.text(line, text, font, ink)
            line.translate(0, spacing)

    def _paint_bare(self, brush: Brush, button: Button, lit: bool) -> None:
        if lit:
            brush.fill(button.rect, brush.look.tint("muted", 0.16), 6)
        inset = (button.rect.width() - _BARE_ICON) / 2
        ink = brush.theme.text if lit else brush.theme.faint
        brush.icon(button.icon, ink, button.rect.topLeft() + QPointF(inset, inset), _BARE_ICON)
