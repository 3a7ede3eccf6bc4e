"""What comes out of a session's shell: recorded, watched for marks, and the questions in it answered."""

from __future__ import annotations

from collections.abc import Callable

from kavor.sessions.terminal.checkpoints import Checkpoints
from kavor.sessions.terminal.marks import Mark, MarkWatcher, Query
from kavor.sessions.terminal.query_answers import QueryAnswers
from kavor.sessions.terminal.recording import Recording

_MARK = b"\x1b]133;"


class Output:
    """``shown`` gets what a screen shows, ``marked`` the marks between, each in its order.

    ``is_asked`` tells whether a question in it is a program's that waits for the answer, ``answer`` sends it.
    ``may_be_asked`` is quicker: without it nobody waits, unless a command starts within this output.
    """

    def __init__(
        self,
        nonce: str,
        size: tuple[int, int],
        shown: Callable[[bytes], None],
        marked: Callable[[Mark], None],
        may_be_asked: Callable[[], bool],
        is_asked: Callable[[], bool],
        answer: Callable[[bytes], None],
    ) -> None:
        self._watcher = MarkWatcher(nonce)
        self._shown = shown
        self._marked = marked
        self._may_be_asked = may_be_asked
        self._is_asked = is_asked
        self._answer = answer
        self.recording = Recording(*size)
        self._checkpoints = Checkpoints(self.recording)
        self._answers = QueryAnswers(self.recording, self._send_answer)

    @property
    def on_alternate_screen(self) -> bool:
        return self._watcher.alternate_screen

    def arrived(self, data: bytes) -> None:
        for piece in self._watcher.feed(data, queries=self._may_be_asked() or _MARK in data):
            self._show(piece.shown, has_switches=piece.has_switches)
            if isinstance(piece.found, Mark):
                self._marked(piece.found)
            elif isinstance(piece.found, Query) and self._is_asked():
                self._answers.asked(piece.found)
        if self._watcher.alternate_screen:
            self._checkpoints.consider()

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
