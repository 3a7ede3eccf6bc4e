"""Open the canvas: the application, its window, and its link to the runtime."""

from __future__ import annotations

import logging
import signal
import sys

from kavor import __version__
from kavor.canvas.edits import Edits
from kavor.canvas.language import speak_as_system
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.qt import QApplication, QTimer
from kavor.canvas.theme import Theme, ui_font
from kavor.canvas.window import CanvasWindow
from kavor.domain.zones import load_zone
from kavor.home import Home
from kavor.host_zone import host_zone_name

log = logging.getLogger(__name__)

SETTLE_S = 5.0
"""So long the program waits, without a window, for changes that a person asked for."""


def run_canvas(home: Home) -> int:
    """Show the canvases of this home until the window is closed; the exit code.

    Raises BadInput where this machine's zone is not known. The runtime goes on when the window is closed.
    """
    zone = load_zone(host_zone_name())
    application = make_application()
    window = open_window(home, zone.key)
    window.show_within_screen()
    for number in (signal.SIGINT, signal.SIGTERM):
        # It may come in the middle of painting: the window is closed when that is done.
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.close))
    code = application.exec()
    if not window.link.settle(SETTLE_S):
        log.warning("the runtime has not confirmed every change; it may still make them")
    return code


def make_application() -> QApplication:
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Kavor")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("kavor")
    speak_as_system(application)
    application.setStyle("Fusion")
    application.setFont(ui_font(13))
    return application


def open_window(home: Home, zone: str, theme: Theme | None = None) -> CanvasWindow:
    """A window, not shown yet, whose link is on its way to the runtime. ``theme`` None: the system's."""
    model = Model()
    link = Link(home, zone)
    link.snapshot.connect(model.load)
    link.happened.connect(model.apply)
    window = CanvasWindow(link, model, Edits(link, model), load_zone(zone), theme)
    link.setParent(window)
    link.open()
    return window
