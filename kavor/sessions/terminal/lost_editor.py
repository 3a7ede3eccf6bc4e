"""Says why a shell takes no delivery any more: the line editor, or the marks, that one needs are gone.

A person may take them away at any time, and the shell goes on as any other; only deliveries would wait for
ever. Nothing is written to find out: it is seen from outside, by looks that become seldom.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from kavor.sessions.session import WaitingFor
from kavor.sessions.terminal.backoff import Backoff
from kavor.sessions.terminal.line_editor import LineEditor
from kavor.sessions.terminal.phase import Phase
from kavor.sessions.terminal.shell_process import ShellProcess
from kavor.sessions.terminal.shell_reading import ShellReading

WAITS_SECONDS = 2.0
"""How long the shell must have waited for input, seen at two looks at least, to be judged by that."""
_SECONDS_BETWEEN_LOOKS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)

_NOTHING = "nothing can be delivered to this shell"
_RESTART = "restart this Terminal"
_SWITCHED_OFF = f"{_NOTHING}: its line editor is switched off; switch it on again, or {_RESTART}"
_SILENT = f"{_NOTHING}: its line editor no longer answers; {_RESTART}"
_NO_PROMPT = (
    "the shell waits for input, but has reported no prompt: either a command in it asks for something, or "
    f"what marks its prompt is gone; then {_RESTART}"
)


class LostEditor:
    """``phase`` tells where the shell is, ``changed`` is called when there is something else to say."""

    def __init__(
        self,
        process: ShellProcess,
        reading: ShellReading,
        editor: LineEditor,
        phase: Callable[[], Phase],
        changed: Callable[[], None],
    ) -> None:
        self._process = process
        self._reading = reading
        self._editor = editor
        self._phase = phase
        self._changed = changed
        self._waits_since: float | None = None
        self._looks = Backoff(self._look, _SECONDS_BETWEEN_LOOKS)
        self.diagnostic = ""
        """What is missing and what to do about it; empty while nothing is known to be."""

    def consider(self, waiting: WaitingFor | None) -> None:
        """Called with each sign of the session, and what it waits for by now."""
        if waiting is None or waiting is WaitingFor.UNFINISHED_INPUT:
            self.stop()
            self.diagnostic = ""
        else:
            self._looks.look_later()

    def stop(self) -> None:
        self._looks.stop()
        self._looks.soon()
        self._waits_since = None

    def something_typed(self) -> None:
        """What was said may be over."""
        if self.diagnostic:
            self.stop()

    def _look(self) -> None:
        said, self.diagnostic = self.diagnostic, self._reason()
        if self.diagnostic != said:
            self._changed()
        self._looks.look_later()

    def _reason(self) -> str:
        if program := self._process.replaced_by:
            return f"{_NOTHING}: it was replaced by {program} (exec); {_RESTART}"
        phase = self._phase()
        if phase is Phase.PROMPT and self._editor.is_silent:
            return _SILENT
        if phase is Phase.STARTING or not self._has_waited():
            return ""
        if phase is Phase.RUNNING or self._reading.has_terminal:
            return "" if phase is Phase.PROMPT else _NO_PROMPT
        return _SWITCHED_OFF

    def _has_waited(self) -> bool:
        now = time.monotonic()
        if not self._reading.reads_itself:
            self._waits_since = None
        elif self._waits_since is None:
            self._waits_since = now
        return self._waits_since is not None and now - self._waits_since >= WAITS_SECONDS
