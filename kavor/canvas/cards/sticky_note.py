"""The Sticky Note's card: paper in its colour, and what is written on it."""

from __future__ import annotations

from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.card import Card
from kavor.canvas.cards.face import Button, Face, Moment, Row
from kavor.canvas.cards.unsaved import unsaved_words
from kavor.canvas.model import Model
from kavor.canvas.qt import QRectF, QSizeF, translate
from kavor.canvas.states import kind_word
from kavor.canvas.things import Node
from kavor.domain.graph import NodeKind
from kavor.domain.layout import SIZES
from kavor.domain.sticky_note import Colour

_EDGE = 14.0
_TOP = 32.0
_SPOKEN = 400
"""Characters of a note that a screen reader is told with its card."""


class StickyNoteCard(Card):
    size = QSizeF(*SIZES[NodeKind.STICKY_NOTE])
    icon = "sticky-note"
    tone = "sticky_note"

    @property
    def content(self) -> QRectF:
        return self.rect.adjusted(1, _TOP - 2, -1, -1)

    @property
    def title(self) -> QRectF:
        return QRectF(_EDGE - 7, 3, self.size.width() - 2 * _EDGE + 14, 26)

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        text = "" if node.note is None else node.note.text
        lines = [line.lstrip("#>-*` ") for line in text.splitlines() if line.strip("#>-*` ")]
        first = lines[0] if lines else translate("StickyNote", "Nothing is written here yet")
        warning = unsaved_words(model, node.id)
        return Face(
            kind=node.kind,
            title=node.name,
            role=kind_word(node.kind),
            state="",
            headline=text[:_SPOKEN],
            prose=text,
            paper=Colour.YELLOW if node.note is None else node.note.colour,
            outcome=Row(warning, sign="warning", tone="warn") if warning else None,
            far_row=Row(first, tone="text" if lines else "muted"),
            calls=bool(warning),
        )

    def paint_ground(self, brush: Brush, face: Face, *, selected: bool) -> None:
        paper = brush.theme.of_note(face.paper)
        brush.panel(self.rect, selected=selected, tone="warn" if face.calls else None, ground=paper)

    def paint_header(self, brush: Brush, face: Face) -> None:
        room = QRectF(_EDGE, 9, self.size.width() - 2 * _EDGE, 18)
        brush.text(room, face.title, brush.fonts.chip, brush.theme.muted)

    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        room = QRectF(_EDGE, _TOP, self.size.width() - 2 * _EDGE, self.size.height() - _TOP - 12)
        if face.outcome is not None:
            brush.noted(QRectF(room.left(), room.bottom() - 16, room.width(), 18), face.outcome)
            room.setBottom(room.bottom() - 22)
        if face.prose.strip():
            brush.prose(room, face.prose, brush.fonts.body)
        else:
            hint = translate("StickyNote", "Nothing is written here yet")
            brush.text(
                QRectF(room.left(), room.top(), room.width(), 20), hint, brush.fonts.body, brush.theme.muted
            )

    def paint_small(self, brush: Brush, face: Face) -> None:
        room = QRectF(18, 16, self.size.width() - 36, 34)
        brush.text(room, face.title, brush.fonts.big, brush.theme.text)
        room = QRectF(18, 58, self.size.width() - 36, self.size.height() - 66)
        if face.outcome is not None:
            line = QRectF(room.left(), room.bottom() - 32, room.width(), 32)
            brush.text(line, face.outcome.text, brush.fonts.middle, brush.theme.warn)
            room.setBottom(line.top())
        brush.prose(room, face.prose, brush.fonts.middle)
