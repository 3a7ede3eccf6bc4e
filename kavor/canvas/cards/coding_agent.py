"""The CodingAgent's card: what it says and does as it comes, what it asks, and where to write to it."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.card import HEADER, MARGIN, Card
from kavor.canvas.cards.face import Button, Face, Moment, Row
from kavor.canvas.conversation import Conversation
from kavor.canvas.model import Model
from kavor.canvas.qt import QPointF, QRectF, QSizeF, translate
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import kind_word
from kavor.canvas.things import Node, Option, Question, Session
from kavor.domain.graph import NodeKind
from kavor.domain.layout import SIZES

WRITE, STOP, ANSWER = "Write", "Stop", "answer:"
"""What its buttons do; the id of an option follows the last one."""

_SHOWN = 14
"""Entries of the transcript that are laid out for the card: more than it has room for."""
_FOOT = 48.0
_BARE = 28.0
_OPTION_HEIGHT = 28.0
_OPTIONS_AT_MOST = 6
_QUESTION_LINES = 46.0
_CLOSED_HEIGHT = 50.0
_SHORT_ANSWER = 20
"""Letters of an answer that have room beside another one."""
_ANSWERS_IN_ROWS = 3
"""So many have room one under the other."""
_GAP = 8.0


class CodingAgentCard(Card):
    size = QSizeF(*SIZES[NodeKind.CODING_AGENT])
    icon = "coding-agent"
    tone = "coding_agent"

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        session = model.sessions.get(node.id)
        conversation = model.conversations.get(node.id, _NOTHING_SAID)
        question = model.question_of(node.id)
        state = state_of_agent(session)
        is_open = session is not None and session.state == "open"
        entries = tuple(conversation.ordered()[-_SHOWN:])
        return Face(
            kind=node.kind,
            title=node.name,
            role=role_of_agent(node, model),
            state=state,
            headline="" if is_open else self._closed_words(state),
            headline_note="" if is_open or session is None else spoken(session.diagnostic),
            caption=self._inbox_words(conversation),
            outcome=None if question is None else Row(question.text, tone="warn", sign="needs-attention"),
            buttons=self._buttons(is_open, state, question, bool(entries)),
            far_row=None if question is not None else self._far_row(conversation),
            entries=entries,
            calls=question is not None,
        )

    def _closed_words(self, state: str) -> str:
        if state == "ended":
            return translate("Agent", "The session ended")
        return translate("Agent", "The session is closed")

    def _inbox_words(self, conversation: Conversation) -> str:
        count = len(conversation.inbox)
        return translate("Agent", "{count} waiting").format(count=count) if count else ""

    def _far_row(self, conversation: Conversation) -> Row | None:
        """What it did last, where that says more than its state."""
        done = next((each for each in reversed(conversation.ordered()) if each.kind == "tool"), None)
        return None if done is None else Row(" ".join(done.text.split()), tone="muted")

    def _buttons(
        self, is_open: bool, state: str, question: Question | None, was_said: bool
    ) -> tuple[Button, ...]:
        width, height = self.size.width(), self.size.height()
        top = height - _FOOT + 9
        beside = [
            Button("Edit", QRectF(width - MARGIN - _BARE + 6, top, _BARE, _BARE), "settings", bare=True),
            Button(
                "History", QRectF(width - MARGIN - 2 * _BARE + 4, top, _BARE, _BARE), "history", bare=True
            ),
        ]
        if not is_open:
            if was_said:
                place = QRectF(width - MARGIN - 110, self._closed.center().y() - 15, 110, 30)
            else:
                place = QRectF(width / 2 - 60, self._transcript(None).center().y() + 10, 120, 32)
            return (Button("open", place, "open-session"), *beside)
        field = QRectF(MARGIN, top - 2, width - 2 * MARGIN - 2 * _BARE - 6, 32)
        if state in ("working", "Needs attention"):
            beside.append(Button(STOP, QRectF(field.right() - _BARE, top, _BARE, _BARE), "stop", bare=True))
            field.setRight(field.right() - _BARE - 4)
        answers = () if question is None else self._answers(question)
        return (*answers, *beside, Button(WRITE, field, ""))

    def _answers(self, question: Question) -> tuple[Button, ...]:
        """Two in a row where all are short, above the foot."""
        columns = answers_in_a_row(question)
        width = (self.size.width() - 2 * MARGIN - _GAP * (columns - 1)) / columns
        first = self._question(question).bottom() - 6 - self._answers_height(question)
        return tuple(
            Button(
                f"{ANSWER}{option.id}",
                QRectF(
                    MARGIN + (number % columns) * (width + _GAP),
                    first + (number // columns) * (_OPTION_HEIGHT + 6),
                    width,
                    _OPTION_HEIGHT,
                ),
                "completed" if option.kind.startswith("allow") else "close",
                primary=number == 0 and option.kind.startswith("allow"),
                words=option.label,
            )
            for number, option in enumerate(_offered(question))
        )

    def _answers_height(self, question: Question) -> float:
        columns = answers_in_a_row(question)
        rows = (len(_offered(question)) + columns - 1) // columns
        return rows * (_OPTION_HEIGHT + 6)

    def _question(self, question: Question) -> QRectF:
        """The part of the card in which it is asked."""
        height = _QUESTION_LINES + self._answers_height(question) + 10
        return QRectF(1, self.size.height() - _FOOT - height, self.size.width() - 2, height)

    @property
    def _closed(self) -> QRectF:
        """Where a session that is not open says so, under what was said in it."""
        return QRectF(1, self.size.height() - _FOOT - _CLOSED_HEIGHT, self.size.width() - 2, _CLOSED_HEIGHT)

    def _transcript(self, below: QRectF | None) -> QRectF:
        bottom = self.size.height() - _FOOT if below is None else below.top()
        return QRectF(MARGIN, HEADER + 8, self.size.width() - 2 * MARGIN, bottom - HEADER - 14)

    # --- Painting

    def small_prose(self, face: Face) -> str:
        """What it said last."""
        return next((entry.text for entry in reversed(face.entries) if entry.kind == "text"), "")

    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        brush.line(HEADER, 1, self.size.width() - 1)
        below = None
        if face.outcome is not None:
            below = self._paint_question(brush, face)
        elif face.headline and face.entries:
            below = self._paint_closed_below(brush, face)
        room = self._transcript(below)
        if face.entries:
            brush.look.paint_transcript(brush.painter, room, face.entries)
        elif face.headline:
            self._paint_closed(brush, face, room)
        else:
            words = translate("Agent", "Nothing was said yet")
            brush.text(
                QRectF(room.left(), room.top(), room.width(), 20), words, brush.fonts.body, brush.theme.faint
            )
        self._paint_foot(brush, face, hovered)
        self.paint_buttons(brush, face, hovered)

    def _paint_closed(self, brush: Brush, face: Face, room: QRectF) -> None:
        middle = room.center().y()
        line = QRectF(room.left(), middle - 44, room.width(), 20)
        brush.centred(line, face.headline, brush.fonts.body, brush.theme.text)
        if face.headline_note:
            brush.centred(
                line.translated(0, 22),
                brush.look.elided(face.headline_note, brush.fonts.small, room.width()),
                brush.fonts.small,
                brush.theme.muted,
            )

    def _paint_closed_below(self, brush: Brush, face: Face) -> QRectF:
        place = self._closed
        brush.painter.fillRect(place, brush.look.tint("muted", 0.1))
        words = QRectF(MARGIN, place.top() + 6, place.width() - 2 * MARGIN - 116, 20)
        brush.text(words, face.headline, brush.fonts.strong, brush.theme.text)
        why = words.translated(0, 20)
        brush.text(why, face.headline_note, brush.fonts.small, brush.theme.muted)
        return place

    def _paint_question(self, brush: Brush, face: Face) -> QRectF:
        answers = [button.rect for button in face.buttons if button.action.startswith(ANSWER)]
        top = (
            min((rect.top() for rect in answers), default=self.size.height() - _FOOT - 10)
            - _QUESTION_LINES
            - 4
        )
        place = QRectF(1, top, self.size.width() - 2, self.size.height() - _FOOT - top)
        brush.painter.fillRect(place, brush.look.tint("warn", 0.12))
        assert face.outcome is not None
        brush.icon("needs-attention", brush.theme.warn, place.topLeft() + _QUESTION_SIGN, 16)
        words = QRectF(MARGIN + 24, top + 7, self.size.width() - 2 * MARGIN - 24, _QUESTION_LINES - 8)
        brush.wrapped(words, face.outcome.text, brush.fonts.strong, brush.theme.text)
        return place

    def _paint_foot(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        brush.line(self.size.height() - _FOOT, 1, self.size.width() - 1)
        field = next((button for button in face.buttons if button.action == WRITE), None)
        if field is None:
            return
        brush.fill(field.rect, brush.look.tint("muted", 0.14 if field == hovered else 0.08), 8)
        inner = field.rect.adjusted(12, 0, -10, 0)
        if face.caption:
            width = brush.width(face.caption, brush.fonts.chip) + 4
            place = QRectF(inner.right() - width, inner.top(), width, inner.height())
            brush.text(place, face.caption, brush.fonts.chip, brush.theme.busy)
            inner.setRight(place.left() - 8)
        words = translate("Agent", "Write to {name}…").format(name=face.title)
        brush.text(inner, words, brush.fonts.body, brush.theme.muted)


def _offered(question: Question) -> Sequence[Option]:
    return question.options[:_OPTIONS_AT_MOST]


def answers_in_a_row(question: Question) -> int:
    """Two, or one where they are too long to stand beside each other and few enough to stand in rows."""
    options = question.options
    are_long = any(len(option.label) > _SHORT_ANSWER for option in options)
    return 1 if are_long and len(options) <= _ANSWERS_IN_ROWS else 2


def role_of_agent(node: Node, model: Model) -> str:
    """Its provider, its model, and what it may do."""
    if node.agent is None:
        return kind_word(node.kind)
    said = [model.providers.get(node.agent.provider, node.agent.provider), node.agent.model or ""]
    if node.agent.allow_editing:
        said.append(translate("Agent", "may edit the Workspace"))
    return " · ".join(filter(None, said))


def state_of_agent(session: Session | None) -> str:
    """Starting, idle, working, Needs attention, closed or ended."""
    if session is None:
        return ""
    if session.state != "open":
        return session.state
    match session.waiting_for:
        case None:
            return "idle"
        case "starting":
            return "starting"
        case "an answer":
            return "Needs attention"
        case _:
            return "working"


_NOTHING_SAID = Conversation()
_QUESTION_SIGN = QPointF(MARGIN, 9)
