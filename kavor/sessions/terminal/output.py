"""What comes out of a session's shell: recorded, watched for marks, and the questions in it answered."""

from __future__ import annotations

from asyncio import StreamWriter
from collections.abc import Callable

from kavor.sessions.terminal.backpressure import Backpressure
from kavor.sessions.terminal.checkpoints import Checkpoints
from kavor.sessions.terminal.feed import Feed
from kavor.sessions.terminal.marks import Mark, MarkWatcher, Query
from kavor.sessions.terminal.pseudoterminal import Pseudoterminal
from kavor.sessions.terminal.query_answers import QueryAnswers
from kavor.sessions.terminal.recording import Recording

_MARK = b"\x1b]133;"
_OF_A_MARK = b"]"
"""One character of it, which is looked for first: that costs a fiftieth."""


class Output:
    """``shown`` gets what a screen shows, ``marked`` the marks between, each in its order.

    ``is_asked`` tells whether a question in it is a program's that waits for the answer, ``answer`` sends it.
    """

    def __init__(
        self,
        terminal: Pseudoterminal,
        nonce: str,
        size: tuple[int, int],
        shown: Callable[[bytes], None],
        marked: Callable[[Mark], None],
        is_asked: Callable[[], bool],
        answer: Callable[[bytes], None],
    ) -> None:
        self._terminal = terminal
        self._watcher = MarkWatcher(nonce)
        self._shown = shown
        self._marked = marked
        self._is_asked = is_asked
        self._answer = answer
        self.recording = Recording(*size)
        self._backpressure = Backpressure(self.recording, terminal.pause, terminal.resume)
        self._checkpoints = Checkpoints(self.recording)
        self._answers = QueryAnswers(self.recording, self._send_answer)

    @property
    def on_alternate_screen(self) -> bool:
        return self._watcher.alternate_screen

    def arrived(self, data: bytes) -> None:
        # Nobody waits for an answer who reads lines, unless a command starts within this output.
        may_be_asked = self._terminal.character_at_a_time or (_OF_A_MARK in data and _MARK in data)
        for piece in self._watcher.feed(data, queries=may_be_asked):
            self._show(piece.shown, has_switches=piece.has_switches)
            if isinstance(piece.found, Mark):
                self._marked(piece.found)
            elif isinstance(piece.found, Query) and self._is_asked():
                self._answers.asked(piece.found)
        if self._watcher.alternate_screen:
            self._checkpoints.consider()
        self._backpressure.consider_room()

    def feed(self, writer: StreamWriter, engine: int) -> Feed:
        """What an engine that draws this screen is fed by; ``engine`` is its process."""
        return Feed(self.recording, writer, engine, self._backpressure)

    def _show(self, data: bytes, *, has_switches: bool = False) -> None:
        self.recording.append(data, has_switches=has_switches)
        self._shown(data)

    def _send_answer(self, answer: bytes) -> None:
        if self._is_asked():
            self._answer(answer)

    def rest(self) -> None:
        """There will be no more: show what was held back."""
        self._show(self._watcher.rest())

    def ended(self, reason: str) -> None:
        self._answers.stop()
        self._checkpoints.stop()
        self.recording.ended(reason)
