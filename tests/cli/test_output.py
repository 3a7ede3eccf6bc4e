"""What a person is shown cannot steer the terminal it is shown on."""

from __future__ import annotations

import pytest

from kavor.cli.output import plain, print_facts, print_table, signed
from kavor.domain.attempts import AttemptState
from kavor.domain.printed import readable_output
from kavor.domain.schedule import ScheduleState


def test_every_state_has_a_sign_of_its_own_beside_its_word() -> None:
    shown = [signed(state) for state in (*AttemptState, *ScheduleState)]
    signs = [text.partition(" ")[0] for text in shown]
    assert "?" not in signs
    assert len(set(signs)) == len(signs)
    assert signed("Completed").endswith(" Completed")


def test_a_cell_is_one_line_without_control_characters() -> None:
    assert plain("a\nb\x1b[31mc\u202e") == "a b [31mc "
    assert plain(None) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m\r\n", "red\n"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;x:y\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b(B\x1b=plain\x1b7", "plain"),
        ("\x1bP1$r0m\x1b\\x", "x"),
        ("\x1b]52;c;never ended", ""),
        ("bell\x07 back\x08 \x9b31m tab\tend", "bell back 31m tab\tend"),
    ],
)
def test_output_is_made_readable(text: str, shown: str) -> None:
    assert readable_output(text) == shown


def test_a_table_into_a_pipe_is_aligned_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("id", "name"), [(1, "one"), (20, None)], empty="nothing")
    assert capsys.readouterr().out == "id  name\n1   one\n20\n"


def test_an_empty_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("id",), [], empty="There is nothing.")
    assert capsys.readouterr().out == "There is nothing.\n"


def test_a_card_leaves_out_what_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts("Title", {"id": 7, "reason": "", "exit": None, "payload": "one\ntwo", "code": 0})
    assert capsys.readouterr().out == ("Title\n  id       7\n  payload  one\n           two\n  code     0\n")


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


ROWS = [(1, "", "one two three four"), (22, "", "five")]


def test_a_table_on_a_terminal_wraps_at_words_and_leaves_empty_columns_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch, 14)
    print_table(("id", "nothing", "words"), ROWS, empty="")
    shown = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert shown == ["id  words", "1   one two", "    three four", "22  five"]


def test_a_table_that_finds_no_room_becomes_cards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch, 8)
    print_table(("id", "nothing", "words"), ROWS, empty="")
    shown = capsys.readouterr().out.splitlines()
    assert shown == ["id 1", "  words    one two three four", "id 22", "  words    five"]
