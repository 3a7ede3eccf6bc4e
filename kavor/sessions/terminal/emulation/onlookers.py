"""Who looks at an engine's screen, and what each is to be shown next.

Rows are read from the engine once, however many look; each onlooker is sent what has changed since its own
last frame, and only against credit. So a slow one is never behind: what it missed is one frame.
"""

from __future__ import annotations

from collections.abc import Iterator

from kavor.sessions.terminal.emulation.engine import Engine
from kavor.terminal_frames import Cursor, Frame, Row, encode

_MOST_CREDIT = 8


class _Onlooker:
    def __init__(self, credit: int) -> None:
        self.credit = min(credit, _MOST_CREDIT)
        self.seen = 0
        """The state of the screen that its last frame showed; 0 is none."""
        self.title = ""
        self.frames = 0


class Onlookers:
    """Draws the screen of one engine for all who look."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._onlookers: dict[int, _Onlooker] = {}
        self._state = 1
        """Counts up with every change of what a frame tells."""
        self._size = engine.size
        self._rows = [Row(y, False, ()) for y in range(self._size[1])]
        self._changed_in = [1] * self._size[1]
        """For each row the state that changed it last."""
        self._resized_in = 1
        self._rest: tuple[Cursor, int, int, str] = (Cursor(), 0, 0, "")
        """Cursor, modes, scrollback, title."""

    def attach(self, number: int, credit: int) -> None:
        self._onlookers[number] = _Onlooker(credit)

    def detach(self, number: int) -> None:
        self._onlookers.pop(number, None)

    def grant(self, number: int, frames: int) -> None:
        if onlooker := self._onlookers.get(number):
            onlooker.credit = min(onlooker.credit + max(0, frames), _MOST_CREDIT)

    @property
    def wait(self) -> bool:
        """Whether one could be sent a frame now."""
        return any(onlooker.credit for onlooker in self._onlookers.values())

    def look(self) -> None:
        """Take over what the engine shows by now."""
        state = self._state + 1
        if self._engine.size != self._size:
            self._size = self._engine.size
            self._rows = [Row(y, False, ()) for y in range(self._size[1])]
            self._changed_in = [state] * self._size[1]
            self._state = self._resized_in = state
        for row in self._engine.changed_rows():
            if self._rows[row.y] != row:
                self._rows[row.y] = row
                self._changed_in[row.y] = self._state = state
        engine = self._engine
        rest = (engine.cursor, int(engine.modes), engine.scrollback, engine.title)
        if rest != self._rest:
            self._rest = rest
            self._state = state

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """A frame for each who has credit and has not seen this; with the onlooker's number."""
        for number, onlooker in self._onlookers.items():
            if onlooker.credit and onlooker.seen < self._state:
                yield number, encode(self._frame(onlooker))

    def up_to_date(self) -> list[int]:
        """Those whose last frame shows the screen as it is."""
        return [number for number, one in self._onlookers.items() if one.seen == self._state]

    def _frame(self, onlooker: _Onlooker) -> Frame:
        cursor, modes, scrollback, title = self._rest
        full = onlooker.seen < self._resized_in
        onlooker.credit -= 1
        onlooker.frames += 1
        seen, onlooker.seen = onlooker.seen, self._state
        shown_title, onlooker.title = onlooker.title, title
        return Frame(
            number=onlooker.frames,
            columns=self._size[0],
            lines=self._size[1],
            cursor=cursor,
            modes=modes,
            scrollback=scrollback,
            full=full,
            title=title if full or title != shown_title else None,
            rows=[row for row in self._rows if full or self._changed_in[row.y] > seen],
        )
