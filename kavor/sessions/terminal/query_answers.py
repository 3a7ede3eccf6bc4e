"""What the host answers when a program asks the terminal about itself: once, and in the order of asking.

Most answers are fixed. The place of the cursor only an engine knows: the one that draws the session, or,
where nobody looks, one that is started for this question.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from kavor.domain.errors import KavorError
from kavor.sessions.terminal.marks import Query
from kavor.sessions.terminal.one_look import cursor_after
from kavor.sessions.terminal.recording import Recording

CURSOR_SECONDS = 3.0
"""How long an engine has to say where the cursor is. Then the question stays unanswered."""
_MOST_WAITING = 16


class _Waiting:
    """A question; ``answer`` is None while it is not known."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.answer: bytes | None = None if query.asks_cursor else query.answer


class QueryAnswers:
    """``send`` is called on the running loop with each answer that is due."""

    def __init__(self, recording: Recording, send: Callable[[bytes], None]) -> None:
        self._recording = recording
        self._send = send
        self._waiting: deque[_Waiting] = deque()
        self._looks: set[asyncio.Task[None]] = set()

    def asked(self, query: Query) -> None:
        """A program has asked, right behind the output recorded so far."""
        if len(self._waiting) >= _MOST_WAITING:
            return  # whoever asks like this does not read the answers
        waiting = _Waiting(query)
        self._waiting.append(waiting)
        if query.asks_cursor:
            self._find_cursor(waiting)
        self._send_known()

    def stop(self) -> None:
        """Nobody is there to be answered any more."""
        self._waiting.clear()
        for look in self._looks:
            look.cancel()

    def _find_cursor(self, waiting: _Waiting) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(CURSOR_SECONDS, self._answer, waiting, b"")
        if follower := self._recording.follower:
            follower.ask_cursor(lambda row, column: self._cursor_found(waiting, row, column))
        else:
            look = loop.create_task(self._look(waiting))
            self._looks.add(look)
            look.add_done_callback(self._looks.discard)

    async def _look(self, waiting: _Waiting) -> None:
        try:
            row, column = await cursor_after(*self._recording.replay())
        except KavorError:
            self._answer(waiting, b"")
        else:
            self._cursor_found(waiting, row, column)

    def _cursor_found(self, waiting: _Waiting, row: int, column: int) -> None:
        self._answer(waiting, waiting.query.answer % (row, column))

    def _answer(self, waiting: _Waiting, answer: bytes) -> None:
        if waiting.answer is None:
            waiting.answer = answer
            self._send_known()

    def _send_known(self) -> None:
        while self._waiting and self._waiting[0].answer is not None:
            answer = self._waiting.popleft().answer
            if answer:
                self._send(answer)
