"""The colours of a terminal's screen: what the numbers in a run mean under a theme."""

from __future__ import annotations

from dataclasses import dataclass

from kavor.canvas.qt import QColor
from kavor.canvas.theme import Theme, mixed
from kavor.terminal_frames import RGB, Attributes, Run

_NAMED = (
    *("#3b4252", "#f07178", "#7fd18b", "#e6c173", "#78a9ff", "#c792ea", "#66c7d4", "#cbd2dc"),
    *("#6b7485", "#ff8f94", "#9be3a6", "#f5d58c", "#9cc1ff", "#dbb2f5", "#8fdde8", "#f4f6f9"),
)
"""The sixteen that have names, chosen to be read on a theme's dark ``screen``."""

_CUBE = (0, 95, 135, 175, 215, 255)
_FAINT_SHARE = 0.6
_MARKED_ALPHA = 0.28


def _indexed(number: int) -> QColor:
    """An entry of the palette of 256, as xterm has them."""
    if number < 16:
        return QColor(_NAMED[number])
    if number < 232:
        red, rest = divmod(number - 16, 36)
        green, blue = divmod(rest, 6)
        return QColor(_CUBE[red], _CUBE[green], _CUBE[blue])
    grey = 8 + 10 * (number - 232)
    return QColor(grey, grey, grey)


@dataclass(frozen=True)
class Ink:
    """What a run is drawn with. ``ground`` None is the screen's own."""

    text: QColor
    ground: QColor | None
    underline: QColor


class ScreenColours:
    """Each mixture is made once."""

    def __init__(self, theme: Theme) -> None:
        self.ground = theme.screen
        self.text = theme.screen_text
        self.cursor = theme.screen_text
        self.accent = theme.accent
        self.idle = theme.border_strong
        """Around a Terminal in use whose window is behind another."""
        self.marked = QColor(theme.screen_text)
        self.marked.setAlphaF(_MARKED_ALPHA)
        """Over marked text, which is to be read in whatever colour it has."""
        self.composed = mixed(theme.accent, theme.screen, 0.42)
        self._known: dict[int, QColor] = {}
        self._inks: dict[tuple[int, int, int, int, bool], Ink] = {}

    def ink(self, run: Run, *, reversed_screen: bool) -> Ink:
        """``reversed_screen``: the program shows the whole screen with its two colours exchanged."""
        key = (run.foreground, run.background, run.attributes, run.underline_color, reversed_screen)
        found = self._inks.get(key)
        if found is None:
            if len(self._inks) > 4096:  # a program that goes through all colours there are
                self._inks.clear()
            found = self._inks[key] = self._mix(run, reversed_screen)
        return found

    def _mix(self, run: Run, reversed_screen: bool) -> Ink:
        text = self._colour(run.foreground, self.text)
        ground = None if run.background == 0 else self._colour(run.background, self.ground)
        if bool(run.attributes & Attributes.INVERSE) != reversed_screen:
            text, ground = ground or self.ground, text
        if run.attributes & Attributes.FAINT:
            text = mixed(text, ground or self.ground, _FAINT_SHARE)
        return Ink(text, ground, self._colour(run.underline_color, text))

    def _colour(self, number: int, default: QColor) -> QColor:
        if number == 0:
            return default
        if number not in self._known:
            known = QColor.fromRgb(number & 0xFFFFFF) if number & RGB else _indexed(number - 1)
            self._known[number] = known
        return self._known[number]
