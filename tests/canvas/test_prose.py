"""Markdown of persons and agents: no HTML, and nothing that it names is opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from kavor.canvas.agents.transcript_view import SHOWN_FIRST, TranscriptView
from kavor.canvas.cards.prose import ProsePainter
from kavor.canvas.conversation import Conversation, Entry
from kavor.canvas.prose import insert_markdown, new_document, set_markdown
from kavor.canvas.qt import (
    QDesktopServices,
    QFont,
    QPainter,
    QPixmap,
    QRectF,
    QTextCursor,
    QTextDocument,
    QTextTable,
    QTextTableCell,
    QUrl,
)
from kavor.canvas.theme import Theme, load_theme


@pytest.fixture
def theme(qtbot: QtBot) -> Theme:
    return load_theme("light")


def shown(theme: Theme, markdown: str) -> str:
    document = new_document(QFont())
    set_markdown(document, markdown, theme)
    return document.toPlainText()


def test_html_is_shown_as_it_is_written(theme: Theme) -> None:
    said = shown(theme, "before <b>bold</b>\n\n<script>alert(1)</script>\n\n<img src='x'>")
    assert "<b>bold</b>" in said
    assert "<script>alert(1)</script>" in said
    assert "<img src='x'>" in said


def test_tasks_have_boxes_and_what_follows_has_none(theme: Theme) -> None:
    said = shown(theme, "# To do\n\n- [x] one\n- [ ] **two**\n\nand so on")
    assert said.splitlines() == ["To do", "☑ one", "☐ two", "and so on"]


def cells(document: QTextDocument) -> list[list[tuple[str, bool]]]:
    """The text of each cell of every table, row by row, and whether all of it is bold."""
    return [
        [cell(table.cellAt(row, column)) for column in range(table.columns())]
        for table in document.rootFrame().childFrames()
        if isinstance(table, QTextTable)
        for row in range(table.rows())
    ]


def cell(of: QTextTableCell) -> tuple[str, bool]:
    cursor = of.firstCursorPosition()
    cursor.setPosition(of.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText(), cursor.charFormat().fontWeight() >= QFont.Weight.Bold


TABLE = "| a | `b` |\n| - | -: |\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    "before", ["", "> quoted\n\n", "> - quoted\n\n", f"> quoted\n\n{TABLE}\n> again\n\n"]
)
def test_the_headings_of_a_table_are_bold_whatever_is_before_it(theme: Theme, before: str) -> None:
    document = new_document(QFont())
    set_markdown(document, f"{before}{TABLE}\n**after** `it`", theme)
    assert cells(document)[-2:] == [[("a", True), ("b", True)], [("1", False), ("2", False)]]
    assert document.toPlainText().splitlines()[-1] == "after it"


def test_an_empty_heading_leaves_no_empty_line_in_the_next_row(theme: Theme) -> None:
    document = new_document(QFont())
    set_markdown(document, "> quoted\n\n| |\n| - |\n| 1 |\n", theme)
    assert [row[0][0] for row in cells(document)] == ["", "1"]


def test_what_follows_a_mended_table_stays_as_it_is(theme: Theme) -> None:
    document = new_document(QFont())
    cursor = QTextCursor(document)
    cursor.insertText("\ntail")
    told = cursor.blockFormat()
    told.setTopMargin(17)
    cursor.setBlockFormat(told)
    cursor.setPosition(0)
    insert_markdown(cursor, f"> quoted\n\n{TABLE}", theme)
    assert (document.lastBlock().text(), document.lastBlock().blockFormat().topMargin()) == ("tail", 17)


def test_a_long_line_of_code_breaks_where_the_card_ends(theme: Theme) -> None:
    document = new_document(QFont())
    set_markdown(document, f"```\n{'wide ' * 40}\n```", theme)
    document.setTextWidth(200)
    assert document.size().width() <= 200
    assert document.begin().layout().lineCount() > 3


def test_a_picture_is_named_and_never_opened(theme: Theme, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # whoever opened it would hang here for ever
    picture = QPixmap(200, 200)
    painter = QPainter(picture)
    prose = ProsePainter(theme)
    prose.paint(painter, QRectF(0, 0, 180, 180), f"see ![that]({pipe}) here", QFont())
    painter.end()
    assert shown(theme, f"![that]({pipe})![again]({pipe})") == f"[{pipe}][{pipe}]"
    secret = tmp_path / "secret"
    secret.write_text("secret")
    picture_of_it = QTextDocument.ResourceType.ImageResource.value
    assert new_document(QFont()).resource(picture_of_it, QUrl.fromLocalFile(str(secret))) is None


def entry(number: int, kind: str = "text", text: str = "", **data: object) -> Entry:
    return Entry(number, kind, text or f"entry {number}", data)


def test_much_that_is_marked_up_is_laid_out_once(theme: Theme) -> None:
    document = new_document(QFont())
    document.documentLayout()
    laid_out: list[int] = []
    document.contentsChange.connect(lambda *_: laid_out.append(1))
    set_markdown(document, " ".join(f"**w{number}** `c`" for number in range(200)), theme)
    assert len(laid_out) <= 4  # each of them lays out all that follows it


def test_a_transcript_grows_at_its_end(theme: Theme, qtbot: QtBot) -> None:
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    conversation = Conversation()
    conversation.take([entry(1, "prompt", "do it"), entry(2, "text", "I ")], 2)
    view.show_entries(conversation.ordered())
    conversation.take([entry(2, "text", "I **am** at it"), entry(3, "tool", "Read x", status="completed")], 4)
    view.show_entries(conversation.ordered())
    assert view.toPlainText().splitlines() == ["do it", "I am at it", "✓ Read x"]
    conversation.take([entry(3, "tool", "Read x", status="failed")], 5)
    view.show_entries(conversation.ordered())
    assert view.toPlainText().splitlines() == ["do it", "I am at it", "✗ Read x"]


def test_an_open_code_block_swallows_nothing_that_follows(theme: Theme, qtbot: QtBot) -> None:
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    view.show_entries(
        [entry(1, "text", "```\nx = 1"), entry(2, "text", "# no code"), entry(3, "prompt", "# as typed")]
    )
    assert view.toPlainText().splitlines() == ["x = 1", "no code", "# as typed"]


def test_what_is_folded_unfolds_by_its_link(theme: Theme, qtbot: QtBot) -> None:
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    thought = "so " * 200
    view.show_entries(
        [entry(1, "thought", thought), entry(2, "tool", "Run", input="make", output="all well")]
    )
    assert len(view.toPlainText()) < 200
    assert "all well" not in view.toPlainText()
    for number in (1, 2):
        view.anchorClicked.emit(QUrl(f"fold:{number}"))
    assert thought.strip() in view.toPlainText()
    assert "all well" in view.toPlainText()


def test_only_a_person_opens_a_link_and_only_of_the_web(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    view.show_entries([entry(1, "text", "[a](https://a.example) [b](file:///etc/passwd)")])
    assert opened == []
    for link in ("https://a.example", "file:///etc/passwd", "javascript:alert(1)"):
        view.anchorClicked.emit(QUrl(link))
    assert opened == ["https://a.example"]


def test_a_long_transcript_shows_its_end_first(theme: Theme, qtbot: QtBot) -> None:
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    entries = [entry(number) for number in range(1, 3 * SHOWN_FIRST)]
    view.show_entries(entries)
    assert "entry 1\n" not in view.toPlainText()
    assert view.toPlainText().splitlines()[0] == "Show earlier"
    view.anchorClicked.emit(QUrl("earlier:"))
    view.anchorClicked.emit(QUrl("earlier:"))
    assert view.toPlainText().splitlines()[0] == "entry 1"
    assert view.toPlainText().splitlines()[-1] == f"entry {3 * SHOWN_FIRST - 1}"


def test_who_reads_further_up_is_left_there(theme: Theme, qtbot: QtBot) -> None:
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    view.resize(200, 100)
    view.show()
    entries = [entry(number) for number in range(1, 60)]
    view.show_entries(entries)
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    view.show_entries([*entries, entry(60)])
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    view.show_entries([*entries, entry(60), entry(61)])
    assert bar.value() == 10


def test_what_is_marked_stays_marked_while_more_comes(theme: Theme, qtbot: QtBot) -> None:
    view = TranscriptView(theme, QFont())
    qtbot.addWidget(view)
    view.show_entries([entry(1, "text", "copy me"), entry(2)])
    cursor = view.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(7, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    view.show_entries([entry(1, "text", "copy me"), entry(2), entry(3)])
    assert view.textCursor().selectedText() == "copy me"
