"""The mark watcher: finds the same things wherever the output is cut, and believes only the nonce."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from kavor.sessions.terminal.marks import Mark, MarkWatcher, Query

NONCE = "0123456789abcdef" * 2
SIGNED = b"n=" + NONCE.encode()

STREAM = (
    b"one \x1b[31mred\x1b[0m\x1b]133;D;0;1;" + SIGNED + b"\x07"
    b"\x1b]0;a title\x07$ \x1b]133;B;" + SIGNED + b"\x1b\\ls -l\x1b[?2004h"
    b"\x1b]133;C\x07\x1b]133;D;0;9;n=deadbeef\x07\x1b]133;B;n=deadbeef\x07\x1b]133;D;0;9\x07\x1b]8;;http://x/a;b\x07link\x1b]8;;\x1b\\"
    b"\x1bPq133;D;0\x1b\\\x1b_G133;D;0\x1b\\\x1b[c\x1b[?1049h\x1b[?1049;25l\x1b[6n\x1b[5n"
    b"\x1b\x1b]7707;accepted;abc;" + SIGNED + b"\x07\x1b]133;D;7;2;stopped;" + SIGNED + b"\x07end\x1b[0"
)
MARKS = [
    Mark("D", ("0", "1")),
    Mark("B"),
    Query(b"\x1b[?62;22c"),
    Query(b"\x1b[%d;%dR", asks_cursor=True),
    Query(b"\x1b[0n"),
    Mark("accepted", ("abc",)),
    Mark("D", ("7", "2", "stopped")),
]


def watch(pieces: list[bytes]) -> tuple[bytes, list[Mark | Query], bool]:
    watcher = MarkWatcher(NONCE)
    shown, found = b"", []
    for piece in pieces:
        for part in watcher.feed(piece):
            shown += part.shown
            if part.found is not None:
                found.append(part.found)
    return shown + watcher.rest(), found, watcher.alternate_screen


def test_finds_verified_marks_and_queries_and_cuts_only_the_marks_out() -> None:
    shown, found, alternate = watch([STREAM])
    assert found == MARKS
    assert not alternate
    assert NONCE.encode() not in shown
    assert b"\x1b]133;D;0;9;n=deadbeef\x07" in shown, "a mark of somebody else is output like any other"
    assert b"\x1b]8;;http://x/a;b\x07link" in shown
    assert b"\x1b[c" in shown
    assert shown.endswith(b"end\x1b[0")


def test_the_same_wherever_the_stream_is_cut_in_two() -> None:
    whole = watch([STREAM])
    for at in range(len(STREAM) + 1):
        assert watch([STREAM[:at], STREAM[at:]]) == whole, at


def test_the_same_byte_by_byte_and_in_random_pieces() -> None:
    whole = watch([STREAM])
    assert watch([bytes([byte]) for byte in STREAM]) == whole
    chance = random.Random(7)
    for _ in range(200):
        cuts = [0, *sorted(chance.sample(range(len(STREAM)), 9)), len(STREAM)]
        assert watch([STREAM[a:b] for a, b in pairwise(cuts)]) == whole


@pytest.mark.parametrize(
    ("output", "alternate"),
    [
        (b"\x1b[?1049h", True),
        (b"\x1b[?47h", True),
        (b"\x1b[?25;1047h", True),
        (b"\x1b[?1049h\x1b[?1049l", False),
        (b"\x1b[?1049h\x1bc", False),
        (b"\x1b[?2004h", False),
        (b"\x1b[?10490h", False),
    ],
)
def test_follows_the_alternate_screen(output: bytes, alternate: bool) -> None:
    assert watch([output])[2] is alternate


def test_holds_back_no_more_than_a_mark_can_be_long() -> None:
    watcher = MarkWatcher(NONCE)
    held = 0
    for _ in range(200):
        shown = sum(len(part.shown) for part in watcher.feed(b"\x1b]133;" if not held else b"A" * 5000))
        held += 6 if not held else 5000
        held -= shown
        assert held < 1200
    found = [part.found for part in watcher.feed(b"\x07\x1b]133;B;" + SIGNED + b"\x07")]
    assert Mark("B") in found, "and it finds the next mark"


def test_any_bytes_at_all_come_out_again() -> None:
    chance = random.Random(11)
    alphabet = [
        b"\x1b",
        b"]",
        b"133;",
        b"7707;",
        b"[?",
        b"1049",
        b"h",
        b"\x07",
        b"\\",
        b"x",
        b"\x9d",
        b"c",
        b"[",
    ]
    for _ in range(300):
        stream = b"".join(chance.choice(alphabet) for _ in range(80))
        cut = chance.randrange(len(stream))
        assert watch([stream[:cut], stream[cut:]])[0] == stream


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (b"\x1b[c", b"\x1b[?62;22c"),
        (b"\x1b[>c", b"\x1b[>1;10;0c"),
        (b"\x1b[>0q", b"\x1bP>|kavor\x1b\\"),
        (b"\x1b]10;?\x07", b"\x1b]10;rgb:c9c9/d1d1/dcdc\x07"),
        (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:0c0c/0e0e/1212\x1b\\"),
        (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
        (b"\x1b[?25$p", b"\x1b[?25;1$y"),
        (b"\x1b[?2004h\x1b[?2004$p", b"\x1b[?2004;1$y"),
        (b"\x1b[?25l\x1bc\x1b[?25$p", b"\x1b[?25;1$y"),
        (b"\x1b[?2048$p", b"\x1b[?2048;0$y"),
        (b"\x1bP$q q\x1b\\", b"\x1bP0$r\x1b\\"),
        (b"\x1bP+q696e646e\x1b\\", b"\x1bP0+r\x1b\\"),
    ],
)
def test_a_question_has_its_answer_wherever_it_is_cut(asked: bytes, answer: bytes) -> None:
    for at in range(len(asked)):
        shown, found, _ = watch([asked[:at], asked[at:]])
        assert (shown, found) == (asked, [Query(answer)]), at


@pytest.mark.parametrize("output", [b"\x1b]11;#000000\x07", b"\x1b[?u", b"\x1bPq#0~\x1b\\", b"\x1b]110\x07"])
def test_what_asks_nothing_is_no_question(output: bytes) -> None:
    assert watch([output]) == (output, [], False)
