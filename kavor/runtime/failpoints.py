"""A testing seam: named places around a claim and a delivery at which a test can end the process.

``reach`` does nothing unless the composition root has armed it. All names are listed here, so that a
campaign of kills can go through every one of them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from kavor.domain.errors import BadInput

FAIL_POINTS = (
    # A claim: on the store's thread.
    "claim:begun",
    "claim:planned",
    "claim:inserted",
    "claim:committed",
    # The same turn, back on the event loop, before anything is told or handed over.
    "turn:ended",
    # A delivery.
    "deliver:before",
    "deliver:sent",
    "deliver:answered",
    # What was observed of it: heard, in the transaction that records it, and after.
    "outcome:heard",
    "record:before",
    "record:handed-over",
    "record:ended",
    "record:promoted",
    "record:uncommitted",
    "record:committed",
    "acknowledge:before",
    "acknowledge:sent",
    "acknowledge:after",
    # Taking up what an earlier runtime left.
    "take-up:before",
    "take-up:connected",
    "take-up:known",
    "take-up:uncommitted",
    "take-up:settled",
    "take-up:restored",
)

_watch: Callable[[str], None] | None = None


def reach(name: str) -> None:
    """Say that the process has come to this place."""
    if _watch is not None:
        _watch(name)


def is_armed() -> bool:
    """Whether anybody hears of it; what is done for that alone can be left otherwise."""
    return _watch is not None


def arm(watch: Callable[[str], None] | None) -> None:
    """Let ``watch`` hear of every place from now on; None ends that. For the composition root alone."""
    global _watch
    _watch = watch


def killer(text: str) -> Callable[[str], None]:
    """From ``NAME:N``: ends this process by SIGKILL the Nth time that it comes there. Raises BadInput."""
    name, _, number = text.rpartition(":")
    if name not in FAIL_POINTS or not number.isdecimal() or int(number) < 1:
        raise BadInput(f"{text!r} is no fail point", f"write NAME:N; the names are {', '.join(FAIL_POINTS)}")
    left = int(number)

    def kill(reached: str) -> None:
        nonlocal left
        if reached == name:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return kill
