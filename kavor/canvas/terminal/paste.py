"""Pasting into a terminal: several lines may each be run at once, so the first such paste is asked about."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas.qt import QWidget, translate
from kavor.canvas.tools.question import Question
from kavor.terminal_frames import Modes

_SHOWN_LINES = 6
_SHOWN_WIDTH = 60


class PasteGuard:
    """Asks once for each Terminal, for as long as the window is open."""

    def __init__(self, room: QWidget, closed: Callable[[], None]) -> None:
        self._agreed: set[str] = set()
        self.question = Question(room)
        self.question.closed.connect(closed)

    def ask(self, node_id: str, text: str, modes: Modes, paste: Callable[[], None]) -> None:
        """Call ``paste`` now, or when the person agrees."""
        lines = text.splitlines()
        if len(lines) < 2 or node_id in self._agreed:
            paste()
            return

        def agreed() -> None:
            self._agreed.add(node_id)
            paste()

        if modes & Modes.BRACKETED_PASTE:
            effect = translate(
                "Paste", "They arrive as one text, and nothing is run before Enter is pressed."
            )
        else:
            effect = translate("Paste", "Each line is run as soon as it arrives.")
        title = translate("Paste", "Paste {count} lines?").format(count=len(lines))
        once = translate("Paste", "You are asked once for each Terminal.")
        shown = [line[:_SHOWN_WIDTH] + ("…" if len(line) > _SHOWN_WIDTH else "") for line in lines]
        if len(shown) > _SHOWN_LINES:
            shown[_SHOWN_LINES:] = ["…"]
        words = "\n".join([f"{effect} {once}", "", *shown])
        self.question.ask(title, words, translate("Paste", "Paste"), agreed)
