"""How fast the frames of one terminal may come: the engine sends only what was granted to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum

from kavor.canvas.qt import QObject, Qt, QTimer
from kavor.terminal_frames import FRAMES_IN_FLIGHT


class Attention(Enum):
    """How closely a person looks: the shortest time between two frames in milliseconds, and how many may
    be on their way."""

    IN_USE = (16, FRAMES_IN_FLIGHT)
    IN_VIEW = (50, FRAMES_IN_FLIGHT)
    IN_BACKGROUND = (250, 1)
    """The window has not the person's focus."""

    @property
    def interval_ms(self) -> int:
        return self.value[0]

    @property
    def in_flight(self) -> int:
        return self.value[1]


class Pace(QObject):
    """The first frame after a pause comes at once; those of a flood at the pace of the attention."""

    def __init__(self, grant: Callable[[int], None], parent: QObject) -> None:
        super().__init__(parent)
        self.attention = Attention.IN_VIEW
        self._grant = grant
        self._on_their_way = self.attention.in_flight
        self._last = 0.0
        self._later = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._later.timeout.connect(self._pay)

    def begin(self) -> int:
        """The credit that a new stream begins with."""
        self._later.stop()
        self._on_their_way = self.attention.in_flight
        return self._on_their_way

    def taken(self) -> None:
        """One frame was drawn."""
        self._on_their_way = max(0, self._on_their_way - 1)
        if self._later.isActive():
            return
        waited_ms = (time.monotonic() - self._last) * 1000
        if waited_ms >= self.attention.interval_ms:
            self._pay()
        else:
            self._later.start(round(self.attention.interval_ms - waited_ms))

    def attend(self, attention: Attention) -> None:
        closer = attention.interval_ms < self.attention.interval_ms
        self.attention = attention
        if closer:
            self._pay()

    def stop(self) -> None:
        self._later.stop()

    def _pay(self) -> None:
        owed = self.attention.in_flight - self._on_their_way
        self._last = time.monotonic()
        if owed > 0:
            self._on_their_way += owed
            self._grant(owed)
