"""Whether there is a screen for the canvas, and opening it there."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from kavor.domain.errors import KavorError

if TYPE_CHECKING:
    from kavor.home import Home


def has_display() -> bool:
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def open_canvas(home: Home) -> int:
    """Show the canvas of this home until its window is closed. Raises KavorError where Qt is missing."""
    try:
        from kavor.canvas.app import run_canvas
    except ImportError as error:
        raise KavorError(
            f"the canvas needs Qt, which is not here: {error}", "install it: pip install 'kavor[canvas]'"
        ) from error
    return run_canvas(home)
