"""The end of a session's raw output, bounded, with its changes of size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

KEPT_BYTES = 1024 * 1024
_SLACK = KEPT_BYTES // 4


@dataclass(frozen=True)
class Resize:
    """From ``offset`` on, counted in the bytes of the recording it comes with, the screen has this size."""

    offset: int
    columns: int
    rows: int


class Recording:
    """Raw output, verified marks cut out. Appending costs the same however much is kept."""

    def __init__(self, columns: int, rows: int) -> None:
        self._bytes = bytearray()
        self._dropped = 0
        self._sizes = [Resize(0, columns, rows)]  # offsets here count from the session's first byte

    def append(self, data: bytes) -> None:
        self._bytes += data
        if len(self._bytes) > KEPT_BYTES + _SLACK:
            surplus = len(self._bytes) - KEPT_BYTES
            del self._bytes[:surplus]
            self._dropped += surplus
            while len(self._sizes) > 1 and self._sizes[1].offset <= self._dropped:
                del self._sizes[0]

    def resized(self, columns: int, rows: int) -> None:
        at = self._dropped + len(self._bytes)
        if self._sizes[-1].offset == at:
            self._sizes.pop()
        self._sizes.append(Resize(at, columns, rows))

    def tail(self, most: int) -> bytes:
        """At most so many bytes, the newest."""
        return bytes(self._bytes[-most:]) if most > 0 else b""

    @property
    def everything(self) -> bytes:
        return bytes(self._bytes)

    @property
    def sizes(self) -> Sequence[Resize]:
        """The size at the beginning of what is kept, then each change."""
        return [Resize(max(0, size.offset - self._dropped), size.columns, size.rows) for size in self._sizes]
