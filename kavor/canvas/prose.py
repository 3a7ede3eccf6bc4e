"""Markdown as it is shown: Qt's own, without HTML, and nothing that it names is fetched.

Notes and transcripts are written by agents too: a picture in them is not looked up, so that no text can make
the canvas open a file, and a link goes nowhere by itself.
"""

from __future__ import annotations

from itertools import product

from kavor.canvas import theme as themes
from kavor.canvas.qt import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
    QTextTable,
    QTextTableCell,
    QUrl,
)
from kavor.canvas.theme import Theme

FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML

_INDENT = 24 / 13
"""Of a list or a quotation, in heights of its letters; Qt's own is as wide as a small card."""
_BETWEEN = 6.0
"""Under a paragraph."""
_BOXES = {
    QTextBlockFormat.MarkerType.Checked: "☑ ",
    QTextBlockFormat.MarkerType.Unchecked: "☐ ",
}
"""Of tasks, before their words."""
_LARGEST = 1
"""Steps by which the largest heading is larger than the text."""


class ProseDocument(QTextDocument):
    """One that never loads what its text names."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None


def set_markdown(document: QTextDocument, text: str, theme: Theme) -> None:
    """Show ``text`` as the only content of ``document``."""
    document.setMarkdown(text, FEATURES)
    dress(document, QTextCursor(document), theme)


def insert_markdown(cursor: QTextCursor, text: str, theme: Theme) -> None:
    """At a cursor, whose end is behind it afterwards."""
    start = cursor.position()
    cursor.insertMarkdown(text, FEATURES)
    inserted = QTextCursor(cursor)
    inserted.setPosition(start)
    inserted.setPosition(cursor.position(), QTextCursor.MoveMode.KeepAnchor)
    dress(cursor.document(), inserted, theme)
    inserted.setPosition(start)
    first = inserted.blockFormat()
    first.setTopMargin(_BETWEEN if start else 0)
    inserted.setBlockFormat(first)


def dress(document: QTextDocument, stretch: QTextCursor, theme: Theme) -> None:
    """Our colours and letters for what was read from Markdown; the whole of it where nothing is selected."""
    first, last = stretch.selectionStart(), stretch.selectionEnd()
    if first == last:
        first, last = 0, document.characterCount() - 1
    one_edit = QTextCursor(document)  # each on its own would lay out all that follows it anew
    one_edit.beginEditBlock()
    last = _mend_tables(document, first, last)
    last = _space_blocks(document, first, last)
    _colour_fragments(document, first, last, theme)
    one_edit.endEditBlock()


def _mend_tables(document: QTextDocument, first: int, last: int) -> int:
    """After a quotation, Qt begins a table with an empty line and a plain heading; where the end is now."""
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable) and first <= table.firstPosition() <= last:
            for row, column in product(range(table.rows()), range(table.columns())):
                last -= _mend_cell(table.cellAt(row, column), is_heading=row == 0)
    return last


def _mend_cell(cell: QTextTableCell, *, is_heading: bool) -> int:
    """By how many characters it is shorter now."""
    cursor, shorter = cell.firstCursorPosition(), 0
    after = cursor.block().next()
    if not cursor.block().text() and cell.lastCursorPosition().block() == after:
        told = after.blockFormat()
        cursor.deleteChar()
        cursor.setBlockFormat(told)
        shorter = 1
    if is_heading:
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        cursor.mergeCharFormat(bold)
    return shorter


def _colour_fragments(document: QTextDocument, first: int, last: int, theme: Theme) -> None:
    for start, length, told in reversed(_fragments(document, first, last)):
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        if told.isImageFormat():
            plain = QTextCharFormat()
            plain.setForeground(theme.muted)
            cursor.insertText(f"[{told.toImageFormat().name()}]" * length, plain)
        elif told.isAnchor():
            cursor.mergeCharFormat(_link(theme))
        elif told.fontFixedPitch():
            cursor.mergeCharFormat(_code())


def _space_blocks(document: QTextDocument, first: int, last: int) -> int:
    """Room between paragraphs, and headings, indents and boxes that fit on a card; where the end is now."""
    block = document.findBlock(first)
    while block.isValid() and block.position() <= last:
        told, cursor, after = block.blockFormat(), QTextCursor(block), block.next()
        tight = block.textList() is not None and after.isValid() and after.textList() is not None
        if after.isValid() and not tight and QTextCursor(block).currentTable() is None:
            told.setBottomMargin(_BETWEEN)
        told.setTopMargin(0)
        told.setNonBreakableLines(False)  # code that is wider than its card would be cut
        if told.hasProperty(QTextFormat.Property.BlockQuoteLevel):
            told.setLeftMargin(
                document.indentWidth() * told.intProperty(QTextFormat.Property.BlockQuoteLevel)
            )
        box = _BOXES.get(told.marker()) if block.textList() is not None else None
        told.setMarker(QTextBlockFormat.MarkerType.NoMarker)
        cursor.setBlockFormat(told)
        if box is not None:
            _leave_list(cursor)
            cursor.insertText(box, QTextCharFormat())
            last += len(box)
        if told.headingLevel():
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            heading = QTextCharFormat()
            size = _LARGEST if told.headingLevel() == 1 else 0
            heading.setProperty(QTextFormat.Property.FontSizeAdjustment, size)
            heading.setFontWeight(QFont.Weight.DemiBold)
            cursor.mergeCharFormat(heading)
        block = after
    return last


def _leave_list(cursor: QTextCursor) -> None:
    """A task has a box instead of a bullet."""
    items = cursor.block().textList()
    if items is not None:
        indent = items.format().indent()
        items.remove(cursor.block())
        told = cursor.blockFormat()
        told.setIndent(0)
        told.setLeftMargin((indent - 1) * cursor.document().indentWidth())
        cursor.setBlockFormat(told)


def _fragments(document: QTextDocument, first: int, last: int) -> list[tuple[int, int, QTextCharFormat]]:
    """What is not plain text between two positions: its start, its length and its format."""
    found = []
    block = document.findBlock(first)
    while block.isValid() and block.position() <= last:
        walk = block.begin()
        while not walk.atEnd():
            fragment = walk.fragment()
            told = fragment.charFormat()
            if told.isImageFormat() or told.isAnchor() or told.fontFixedPitch():
                found.append((fragment.position(), fragment.length(), told))
            walk += 1
        block = block.next()
    return found


def _link(theme: Theme) -> QTextCharFormat:
    shown = QTextCharFormat()
    shown.setForeground(theme.accent)
    return shown


def _code() -> QTextCharFormat:
    shown = QTextCharFormat()
    shown.setFontFamilies(themes.mono_font(12).families())
    shown.setFontStyleHint(QFont.StyleHint.Monospace)
    shown.clearProperty(QTextFormat.Property.FontFixedPitch)
    return shown


def new_document(font: QFont) -> ProseDocument:
    """An empty one whose lines break wherever they must."""
    document = ProseDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    document.setDocumentMargin(0)
    document.setIndentWidth(_INDENT * font.pixelSize())
    wrap = QTextOption()
    wrap.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(wrap)
    return document
