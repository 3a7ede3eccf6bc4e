"""The Terminal's card: a header, and the screen of its shell beneath."""

from __future__ import annotations

from kavor.canvas.cards.brush import RADIUS, Brush
from kavor.canvas.cards.card import HEADER, SMALL_HEADER, SMALL_LINE, Card
from kavor.canvas.cards.cells import GridSize
from kavor.canvas.cards.face import Button, Face, Moment, Row
from kavor.canvas.model import Model
from kavor.canvas.qt import QPainterPath, QPointF, QRectF, QSizeF, translate
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import kind_word, waiting_words
from kavor.canvas.things import Node

_PADDING = 12.0


class TerminalCard(Card):
    """As large as the screen of its shell."""

    small_lines = 1  # the screen begins below it
    icon = "terminal"
    tone = "terminal"
    resizable = True

    def __init__(self, grid: GridSize | None = None) -> None:
        self.grid = grid or GridSize()
        self.size = self.grid.content + QSizeF(2, HEADER + 1)

    def fitted(self, content: QSizeF) -> TerminalCard:
        return TerminalCard(GridSize.within(content))

    @property
    def size_words(self) -> str:
        return f"{self.grid.columns} × {self.grid.lines}"

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        session = model.sessions.get(node.id)
        state = "" if session is None else session.state
        waiting = None if session is None else session.waiting_for
        role = node.directory or kind_word(node.kind)
        far_row = Row(waiting_words(waiting), tone="muted") if waiting else None
        buttons: tuple[Button, ...] = ()
        headline = ""
        if state in ("closed", "ended"):
            headline = translate("Terminal", "The session is closed")
            if state == "ended":
                headline = translate("Terminal", "The session ended")
            place = QRectF(self.size.width() / 2 - 60, self.content.center().y() + 10, 120, 32)
            buttons = (Button("open", place, "open-session"),)
        return Face(
            kind=node.kind,
            title=node.name,
            role=role,
            state=state,
            headline=headline,
            headline_note="" if session is None else spoken(session.diagnostic),
            buttons=buttons,
            far_row=far_row,
        )

    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        body = self._paint_screen(brush, HEADER)
        if face.headline:
            middle = body.center().y()
            line = QRectF(body.left() + _PADDING, middle - 26, body.width() - 2 * _PADDING, 20)
            brush.centred(line, face.headline, brush.fonts.body, brush.theme.screen_text)
        self.paint_buttons(brush, face, hovered)

    def paint_small_ground(self, brush: Brush) -> None:
        self._paint_screen(brush, SMALL_HEADER + 2 * SMALL_LINE)

    def _paint_screen(self, brush: Brush, top: float) -> QRectF:
        screen = QRectF(1, top, self.size.width() - 2, self.size.height() - top - 1)
        brush.painter.fillPath(_rounded_below(screen), brush.theme.screen)
        return screen


def _rounded_below(rect: QRectF) -> QPainterPath:
    """Square above, where the header ends, and round below, as the card is."""
    radius = RADIUS - 1
    path = QPainterPath(rect.topLeft())
    path.lineTo(rect.topRight())
    path.lineTo(rect.bottomRight() - QPointF(0, radius))
    path.quadTo(rect.bottomRight(), rect.bottomRight() - QPointF(radius, 0))
    path.lineTo(rect.bottomLeft() + QPointF(radius, 0))
    path.quadTo(rect.bottomLeft(), rect.bottomLeft() - QPointF(0, radius))
    path.closeSubpath()
    return path
