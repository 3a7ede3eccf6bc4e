"""A transcript that can be read, scrolled, selected from and unfolded; it follows what comes at its end."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas.cards.transcript import begin_block
from kavor.canvas.conversation import Entry
from kavor.canvas.prose import ProseDocument, new_document
from kavor.canvas.qt import (
    QDesktopServices,
    QFont,
    QFrame,
    QResizeEvent,
    QTextBrowser,
    QTextCursor,
    QUrl,
    QWidget,
    translate,
)
from kavor.canvas.theme import Theme
from kavor.canvas.transcript_text import FOLD, TranscriptWriter

SHOWN_FIRST = 200
"""Entries, the newest; each step to earlier ones shows twice as many."""
_EARLIER = "earlier:"
_AT_END = 24
"""Pixels above the end that still count as its end."""
_MAY_BE_OPENED = frozenset({"http", "https", "mailto"})


class TranscriptView(QTextBrowser):
    def __init__(self, theme: Theme, font: QFont, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAccessibleName(translate("Transcript", "Transcript"))
        self.anchorClicked.connect(self._on_link)
        self._entries: Sequence[Entry] = ()
        self._limit = SHOWN_FIRST
        self._unfolded: set[int] = set()
        self._starts: list[tuple[int, Entry]] = []
        """Of each entry that is written: the position where it begins, and the entry."""
        self._written: ProseDocument | None = None
        self.set_look(theme, font)

    def set_look(self, theme: Theme, font: QFont) -> None:
        self._font = font
        self._writer = TranscriptWriter(theme, font, folds=True)
        self._write_anew()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Only what is different is written again: mostly the last one, which grows."""
        self._entries = entries
        shown = list(entries[-self._limit :])
        same = 0
        for (_, before), now in zip(self._starts, shown, strict=False):
            if before != now:
                break
            same += 1
        if same == 0 or same < len(self._starts) - _REWRITTEN:
            self._write_anew()
        elif same < len(shown) or same < len(self._starts):
            self._write_from(same, shown)

    def _write_anew(self) -> None:
        place, follows = self.verticalScrollBar().value(), self._is_at_end()
        document = new_document(self._font)
        document.setParent(self)
        document.setDocumentMargin(6)
        self.setDocument(document)
        if self._written is not None:
            self._written.deleteLater()
        self._written = document
        self._starts = []
        shown = list(self._entries[-self._limit :])
        cursor = QTextCursor(document)
        if len(self._entries) > len(shown):
            words = translate("Transcript", "Show earlier")
            cursor.insertHtml(f'<a href="{_EARLIER}">{words}</a>')
        self._append(cursor, shown)
        self._keep_place(place, follows=follows)

    def _write_from(self, number: int, shown: Sequence[Entry]) -> None:
        place, follows = self.verticalScrollBar().value(), self._is_at_end()
        cursor = QTextCursor(self.document())
        if number < len(self._starts):
            start = self._starts[number][0]
            del self._starts[number:]
            cursor.setPosition(max(0, start - 1))  # with the break before it
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._append(cursor, shown[number:])
        self._keep_place(place, follows=follows)

    def _append(self, cursor: QTextCursor, entries: Sequence[Entry]) -> None:
        cursor.beginEditBlock()
        for entry in entries:
            if cursor.position() > 0:
                begin_block(cursor)
            self._starts.append((cursor.position(), entry))
            self._writer.write(cursor, entry, unfolded=entry.number in self._unfolded)
            cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.endEditBlock()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Who looks at the end goes on doing so, as what is under it comes and goes."""
        follows = self._is_at_end()
        super().resizeEvent(event)
        if follows:
            self.to_end()

    def _is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - _AT_END

    def _keep_place(self, place: int, *, follows: bool) -> None:
        """Who reads further up is left there."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum() if follows else place)

    def to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _on_link(self, link: QUrl) -> None:
        target = link.toString()
        if target.startswith(FOLD):
            self._unfolded ^= {int(target.removeprefix(FOLD))}
            self._write_keeping_place()
        elif target.startswith(_EARLIER):
            self._limit *= 2
            self._write_anew()
        elif link.scheme() in _MAY_BE_OPENED:
            QDesktopServices.openUrl(link)  # because a person clicked it

    def _write_keeping_place(self) -> None:
        place = self.verticalScrollBar().value()
        self._write_anew()
        self.verticalScrollBar().setValue(place)


_REWRITTEN = 20
"""From so many entries before the end on, a change writes all anew."""
