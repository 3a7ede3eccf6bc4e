"""What goes into a program with a screen of its own: a person's bytes, and prompts between them, whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from kavor.domain.errors import BadInput
from kavor.sessions.terminal.composed_input import ComposedInput
from kavor.sessions.terminal.pseudoterminal import Pseudoterminal

READ_SECONDS = 30.0
"""How long a program may take to read a prompt."""
_LOOK_SECONDS = 0.02
_SETTLE_SECONDS = 0.2
"""How long its screen must be still behind a paste before Enter follows: some take what comes at once for a
part of it…"""
_SETTLE_AT_MOST = 2.0
_BEHIND_ENTER_SECONDS = 0.05

_ENTER = b"\r"


class ProgramInput:
    """While a prompt goes in, a person's bytes are held; they follow in order, none of them lost."""

    def __init__(self, terminal: Pseudoterminal, clear_key: bytes, stirred_at: Callable[[], float]) -> None:
        """``stirred_at`` tells when the screen moved last."""
        self._terminal = terminal
        self._stirred_at = stirred_at
        self._held: bytearray | None = None
        self.composed = ComposedInput(clear_key)

    @property
    def held(self) -> int:
        """How many bytes a person has typed that wait until a prompt is in."""
        return len(self._held or b"")

    def type(self, data: bytes, *, composes: bool) -> None:
        """A person's bytes; ``composes``: they go into the program's input, not to a question of its."""
        if composes:
            self.composed.typed(data)
        if self._held is None:
            self._terminal.write(data)
        else:
            self._held += data

    def begin_prompt(self, text: str, *, as_paste: bool) -> None:
        """Raises BadInput for lines that the program would take for prompts of their own."""
        if not as_paste and not text.isprintable():
            raise BadInput(
                "this program takes prompts of one line only", "write it as one line, or name a file in it"
            )
        self._held = bytearray()
        self._terminal.write(f"\x1b[200~{text}\x1b[201~".encode() if as_paste else text.encode())

    async def submit(self, submitted: Callable[[], None]) -> bool:
        """Send it off; ``submitted`` is called right before. False: the program does not read what it is
        given."""
        try:
            if not await self._is_read():
                self.composed.left_over()
                return False
            settled = time.monotonic()
            while (moment := time.monotonic()) - settled < _SETTLE_AT_MOST:
                if moment - max(settled, self._stirred_at()) >= _SETTLE_SECONDS:
                    break
                await asyncio.sleep(_LOOK_SECONDS)
            submitted()
            self._terminal.write(_ENTER)
            read = await self._is_read()
            await asyncio.sleep(_BEHIND_ENTER_SECONDS)
            return read
        finally:
            self._release()

    async def _is_read(self) -> bool:
        end = time.monotonic() + READ_SECONDS
        while self._terminal.unwritten or self._terminal.unread:
            if time.monotonic() > end:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    def _release(self) -> None:
        held, self._held = self._held, None
        if held:
            self._terminal.write(bytes(held))
