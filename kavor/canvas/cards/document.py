"""The cards of a File and of a Specification: where it is, when it was changed, and how it begins."""

from __future__ import annotations

from pathlib import PurePath

from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.card import HEADER, MARGIN, Card
from kavor.canvas.cards.face import Button, Face, Moment, Row
from kavor.canvas.cards.unsaved import unsaved_words
from kavor.canvas.model import Glimpse, Model
from kavor.canvas.qt import QLocale, QRectF, QSizeF, translate
from kavor.canvas.states import kind_word
from kavor.canvas.things import Node, TextFile
from kavor.canvas.times import moment_words
from kavor.domain.graph import NodeKind
from kavor.domain.layout import SIZES
from kavor.domain.zones import to_local

CHOOSE_STATE = "state"
"""What the button beside a Specification's state does."""

_BARE = 26.0
_LINE = 17.0
_TOP = HEADER + 30
"""Where the text begins, under the line that says when it was changed."""


class DocumentCard(Card):
    """What a File and a Specification have in common."""

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        file, glimpse = node.file, model.glimpses.get(node.id, Glimpse(""))
        warning = unsaved_words(model, node.id)
        changed = Row(translate("Document", "Nothing is known of it"), tone="muted")
        if file is not None:
            changed = self._changed(file, moment)
        return Face(
            kind=node.kind,
            title=node.name,
            role=_place(node, model),
            state=node.state,
            headline=changed.text,
            headline_note=glimpse.problem,
            rows=(changed,),
            outcome=Row(warning, sign="warning", tone="warn") if warning else None,
            buttons=self._buttons(),
            far_row=None if node.state and glimpse.text.strip() else changed,
            lines=tuple(line.expandtabs(4) for line in glimpse.text.splitlines()[: self._lines]),
            prose=glimpse.text,
            calls=bool(warning),
        )

    def _changed(self, file: TextFile, moment: Moment) -> Row:
        if file.exists is None:
            return Row(translate("Document", "It cannot be read just now"), sign="warning", tone="warn")
        if not file.exists or file.size is None:
            return self.absent
        size = QLocale().formattedDataSize(file.size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)
        if file.modified_at is None:  # no date that a calendar has
            return Row(size, tone="muted")
        when = moment_words(to_local(file.modified_at, moment.zone).replace(second=0), moment.today)
        words = translate("Document", "{size} · changed {when}").format(size=size, when=when)
        return Row(words, tone="muted")

    @property
    def absent(self) -> Row:
        """What is said where there is no file."""
        raise NotImplementedError

    @property
    def _lines(self) -> int:
        return int((self.size.height() - _TOP - 10) // _LINE)

    def _buttons(self) -> tuple[Button, ...]:
        edit = QRectF(self.size.width() - MARGIN - _BARE + 5, HEADER + 2, _BARE, _BARE)
        return (Button("Edit", edit, "edit", bare=True),)

    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        left, right = MARGIN, self.size.width() - MARGIN
        brush.line(HEADER, 1, self.size.width() - 1)
        first = face.outcome or face.rows[0]
        brush.noted(QRectF(left, HEADER + 6, right - left - _BARE, 18), first)
        room = QRectF(left, _TOP, right - left, self.size.height() - _TOP - 10)
        if face.headline_note:
            brush.text(
                QRectF(left, _TOP, right - left, 18), face.headline_note, brush.fonts.small, brush.theme.muted
            )
        elif face.prose.strip():
            self.paint_text(brush, face, room)
        self.paint_buttons(brush, face, hovered)

    def paint_text(self, brush: Brush, face: Face, room: QRectF) -> None:
        raise NotImplementedError


class FileCard(DocumentCard):
    size = QSizeF(*SIZES[NodeKind.FILE])
    icon = "file"
    tone = "file"

    @property
    def absent(self) -> Row:
        return Row(translate("Document", "There is no file there any more"), sign="warning", tone="warn")

    def paint_text(self, brush: Brush, face: Face, room: QRectF) -> None:
        brush.fill(room.adjusted(-6, -2, 6, 4), brush.look.tint("muted", 0.06), 6)
        for number, line in enumerate(face.lines):
            place = QRectF(room.left(), room.top() + 2 + number * _LINE, room.width(), _LINE)
            brush.text(place, line, brush.fonts.mono_small, brush.theme.text)


class SpecificationCard(DocumentCard):
    size = QSizeF(*SIZES[NodeKind.SPECIFICATION])
    icon = "specification"
    tone = "specification"
    right_of_state = _BARE - 6

    def _buttons(self) -> tuple[Button, ...]:
        beside = QRectF(self.size.width() - MARGIN - _BARE + 5, 13, _BARE, _BARE)
        return (*super()._buttons(), Button(CHOOSE_STATE, beside, "chevron-down", bare=True))

    @property
    def absent(self) -> Row:
        return Row(translate("Document", "Not written yet"), tone="muted")

    def paint_text(self, brush: Brush, face: Face, room: QRectF) -> None:
        brush.prose(room, face.prose, brush.fonts.body)

    def small_prose(self, face: Face) -> str:
        return face.prose


def _place(node: Node, model: Model) -> str:
    """Its path, from the Workspace's folder where it lies in that."""
    if node.file is None:
        return kind_word(node.kind)
    workspace = model.workspaces.get(node.workspace)
    path = PurePath(node.file.path)
    if workspace is not None and path.is_relative_to(workspace.directory):
        return str(path.relative_to(workspace.directory))
    return node.file.path
