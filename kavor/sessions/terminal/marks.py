"""The mark watcher: reads a PTY's output beside the screen and finds the few sequences the host acts on.

It knows no screen. It finds the shell integration's marks (OSC 133 and OSC 7707, verified by a nonce and
cut out of what is shown), the switches of the alternate screen, and the device queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Mark:
    """A verified message of the shell integration: ``B``, ``C``, ``D``, ``P``, or one of its replies."""

    kind: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Query:
    """A program asks the terminal about itself; ``answer`` is what a terminal sends back.

    Where it asks for the cursor, the place ``%d;%d`` is left open: row and column, from 1.
    """

    answer: bytes
    asks_cursor: bool = False


class Piece(NamedTuple):
    """A stretch of output as it is shown, and what was found right behind it."""

    shown: bytes
    found: Mark | Query | None
    has_switches: bool = False
    """Modes are switched in it."""


_LONGEST_MARK = 1024
_ANSWERS = {
    b"c": b"\x1b[?62;22c",  # a VT220 with colour
    b"0c": b"\x1b[?62;22c",
    b">c": b"\x1b[>1;10;0c",
    b">0c": b"\x1b[>1;10;0c",
    b"5n": b"\x1b[0n",  # in working order
    b">q": b"\x1bP>|kavor\x1b\\",
    b">0q": b"\x1bP>|kavor\x1b\\",
}
_CURSOR_ANSWERS = {
    b"6n": b"\x1b[%d;%dR",
    b"?6n": b"\x1b[?%d;%dR",
}
_COLOURS = {
    b"10": b"rgb:c9c9/d1d1/dcdc",  # the ground is dark in every theme, and text on it light
    b"11": b"rgb:0c0c/0e0e/1212",
    b"12": b"rgb:c9c9/d1d1/dcdc",
}
_REFUSALS = {
    b"$q": b"\x1bP0$r\x1b\\",  # the state of a setting (DECRQSS)
    b"+q": b"\x1bP0+r\x1b\\",  # an entry of terminfo (XTGETTCAP)
}
_KNOWN_MODES = frozenset(b"1 5 6 7 9 25 47 66 1000 1002 1003 1004 1006 1007 1047 1049 2004 2026".split())
"""The private modes a program may ask for."""
_ON_AT_FIRST = frozenset({b"7", b"25"})
_MOST_MODES = 256
_ALTERNATE_SCREEN_MODES = frozenset({b"47", b"1047", b"1049"})

# One literal at the front and a look at the next byte or two: output full of colours is passed over fast.
_SEQUENCE = re.compile(
    rb"\x1b(?=[\]cP]|\[(?:[?>c]|0c|[56]n))(?:"
    rb"\](?:133|7707);(?P<mark>[^\x00-\x1f\x7f]{1,%d})(?:\x07|\x1b\\)"
    rb"|\](?P<colour>1[012]);\?(?P<end>\x07|\x1b\\)"
    rb"|\[\?(?P<modes>[0-9;]{1,64})(?P<switch>[hl])"
    rb"|\[\?(?P<mode>[0-9]{1,5})\$p"
    rb"|\[(?P<query>>?0?c|5n|>0?q|\??6n)"
    rb"|P(?P<setting>[$+]q)[^\x00-\x1f\x7f]{0,%d}\x1b\\"
    rb"|(?P<reset>c))" % (_LONGEST_MARK, _LONGEST_MARK)
)
_WELL_FORMED = re.compile(r"[BP]|C;\d+|D;\d+;\d+(?:;[a-z]+)*|[a-z]+(?:;.*)?")
_TEXT_BEGUN = rb"[^\x00-\x1f\x7f]{0,%d}\x1b?" % _LONGEST_MARK
_BEGUN = re.compile(
    rb"\x1b(?:"
    rb"\](?:1(?:3(?:3(?:;" + _TEXT_BEGUN + rb")?)?)?|7(?:7(?:0(?:7(?:;" + _TEXT_BEGUN + rb")?)?)?)?)?"
    rb"|\]1[012](?:;(?:\?\x1b?)?)?"
    rb"|P(?:[$+](?:q" + _TEXT_BEGUN + rb")?)?"
    rb"|\[(?:\?[0-9;]{0,64}\$?|>?0?|[56])?"
    rb")?\Z"
)
_LONGEST_BEGUN = _LONGEST_MARK + 8


def _begun_at(data: bytes, position: int) -> int:
    """Where behind ``position`` a sequence begins that is not whole yet; else the end of the data."""
    first = max(position, len(data) - _LONGEST_BEGUN)
    last_escape = data.rfind(b"\x1b", first)
    if last_escape == len(data) - 1:  # it may be the end of a mark that began before
        before = data.rfind(b"\x1b", first, last_escape)
        if before >= 0 and _BEGUN.match(data, before):
            return before
    if last_escape >= 0 and _BEGUN.match(data, last_escape):
        return last_escape
    return len(data)


class MarkWatcher:
    """Fed with output in any pieces; what it finds does not depend on where they are cut."""

    def __init__(self, nonce: str) -> None:
        self._signature = f"n={nonce}"
        self._begun = b""
        self._modes: dict[bytes, bool] = {}
        self._reset_matters = False
        """A mode stands otherwise than at first, so that a full reset must be seen."""
        self.alternate_screen = False

    def feed(self, data: bytes, *, queries: bool = True) -> Iterator[Piece]:
        """The output minus verified marks, cut behind each thing found. A sequence that has only begun is
        held back until it is whole. Without ``queries`` these are passed over, which is faster."""
        if self._begun:
            data = self._begun + data
            self._begun = b""
        elif b"\x1b" not in data:
            yield Piece(data, None)
            return
        shown_from = 0
        position = 0
        has_switches = False
        while (queries or self._may_tell(data, position)) and (sequence := _SEQUENCE.search(data, position)):
            position = sequence.end()
            found = self._read(sequence)
            if found is None:
                has_switches = has_switches or sequence["mark"] is None
                continue
            shown_to = sequence.start() if isinstance(found, Mark) else sequence.end()
            yield Piece(data[shown_from:shown_to], found, has_switches)
            shown_from = position
            has_switches = False
        shown_to = _begun_at(data, position)
        self._begun = data[shown_to:]
        if shown_to > shown_from:
            yield Piece(data[shown_from:shown_to], None, has_switches)

    def _may_tell(self, data: bytes, position: int) -> bool:
        """Whether a mark or a switch may lie behind ``position``. Floods of colours have none, and looking
        for one character, which costs next to nothing, spares looking for two."""
        return (
            (data.find(b"]", position) >= 0 and data.find(b"\x1b]", position) >= 0)
            or (data.find(b"?", position) >= 0 and data.find(b"\x1b[?", position) >= 0)
            or (self._reset_matters and data.find(b"\x1bc", position) >= 0)
        )

    def rest(self) -> bytes:
        """What is still held back, at the end of the output."""
        begun, self._begun = self._begun, b""
        return begun

    def _read(self, sequence: re.Match[bytes]) -> Mark | Query | None:
        if text := sequence["mark"]:
            return self._verified(text)
        if sequence["switch"]:
            self._switched(sequence["modes"].split(b";"), on=sequence["switch"] == b"h")
        elif sequence["reset"]:
            self._modes.clear()
            self._reset_matters = self.alternate_screen = False
        else:
            return self._query(sequence)
        return None

    def _switched(self, modes: Sequence[bytes], *, on: bool) -> None:
        if len(self._modes) < _MOST_MODES:
            self._modes.update(dict.fromkeys(modes, on))
        self._reset_matters = any(on != (mode in _ON_AT_FIRST) for mode, on in self._modes.items())
        if not _ALTERNATE_SCREEN_MODES.isdisjoint(modes):
            self.alternate_screen = on

    def _query(self, sequence: re.Match[bytes]) -> Query:
        if query := sequence["query"]:
            known = _ANSWERS.get(query)
            return Query(known) if known else Query(_CURSOR_ANSWERS[query], asks_cursor=True)
        if colour := sequence["colour"]:
            return Query(b"\x1b]%b;%b%b" % (colour, _COLOURS[colour], sequence["end"]))
        if mode := sequence["mode"]:
            return Query(b"\x1b[?%b;%d$y" % (mode, self._mode_report(mode)))
        return Query(_REFUSALS[sequence["setting"]])

    def _mode_report(self, mode: bytes) -> int:
        """1: on, 2: off, 0: no such mode here (DECRPM)."""
        if mode not in _KNOWN_MODES:
            return 0
        return 1 if self._modes.get(mode, mode in _ON_AT_FIRST) else 2

    def _verified(self, text: bytes) -> Mark | None:
        *fields, signature = text.decode("utf-8", "replace").split(";")
        if signature != self._signature or not _WELL_FORMED.fullmatch(";".join(fields)):
            return None
        return Mark(fields[0], tuple(fields[1:]))
