"""Colours, fonts and icons: what everything on the canvas is drawn with.

The palettes are our own, light and dark, in ``resources/themes``; the window follows the system's choice.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache

from kavor.canvas.qt import (
    QByteArray,
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QRectF,
    QSize,
    QSvgRenderer,
    Qt,
)
from kavor.domain.graph import NodeKind
from kavor.resources import resource_path

UI_FAMILIES = ("Inter", "SF Pro Text", "Segoe UI Variable Text", "Segoe UI", "Noto Sans", "DejaVu Sans")
JAPANESE_FAMILIES = ("Hiragino Sans", "Noto Sans CJK JP", "Yu Gothic UI")
MONO_FAMILIES = (
    "JetBrains Mono",
    "SF Mono",
    "Cascadia Mono",
    "Menlo",
    "DejaVu Sans Mono",
    "Noto Sans Mono CJK JP",
)


@dataclass(frozen=True)
class Theme:
    """The named colours of one palette."""

    canvas: QColor
    grid: QColor
    card: QColor
    raised: QColor
    border: QColor
    border_strong: QColor
    text: QColor
    muted: QColor
    faint: QColor
    accent: QColor
    on_accent: QColor
    connection: QColor
    shadow: QColor
    screen: QColor
    screen_text: QColor
    good: QColor
    bad: QColor
    warn: QColor
    busy: QColor
    calm: QColor
    schedule: QColor
    terminal: QColor
    coding_agent: QColor
    file: QColor
    sticky_note: QColor
    specification: QColor
    note_yellow: QColor
    note_green: QColor
    note_blue: QColor
    note_pink: QColor

    @property
    def is_dark(self) -> bool:
        return self.canvas.lightnessF() < 0.5

    def tone(self, name: str) -> QColor:
        """A colour by its name, such as a state's ``good`` or ``warn``."""
        colour: QColor = getattr(self, name)
        return colour

    def of_kind(self, kind: NodeKind) -> QColor:
        return self.tone(kind.value.replace("-", "_"))

    def of_note(self, colour: str) -> QColor:
        """The paper of a Sticky Note."""
        return self.tone(f"note_{colour}")

    def palette(self) -> QPalette:
        """For the widgets around the canvas."""
        palette = QPalette(self.raised, self.card)
        role = QPalette.ColorRole
        for group, colour in (
            (role.WindowText, self.text),
            (role.Text, self.text),
            (role.ButtonText, self.text),
            (role.PlaceholderText, self.faint),
            (role.Base, self.card),
            (role.AlternateBase, self.raised),
            (role.Button, self.raised),
            (role.ToolTipBase, self.raised),
            (role.ToolTipText, self.text),
            (role.Highlight, self.accent),
            (role.HighlightedText, self.on_accent),
            (role.Link, self.accent),
        ):
            palette.setColor(group, colour)
        for dimmed in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, dimmed, self.faint)
        return palette


@cache
def load_theme(name: str) -> Theme:
    """``light`` or ``dark``."""
    written = json.loads(resource_path("themes", f"{name}.json").read_text())
    return Theme(**{field.name: QColor(written[field.name]) for field in fields(Theme)})


def mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    """``share`` of a colour laid over a ground, opaque: cheaper to paint than a translucent one."""
    rest = 1 - share
    return QColor.fromRgbF(
        colour.redF() * share + ground.redF() * rest,
        colour.greenF() * share + ground.greenF() * rest,
        colour.blueF() * share + ground.blueF() * rest,
    )


def system_theme() -> Theme:
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return load_theme("dark" if dark else "light")


def ui_font(pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = QFont(_families(UI_FAMILIES + JAPANESE_FAMILIES))
    font.setPixelSize(pixels)
    font.setWeight(weight)
    # Glyphs where they fall, not on whole pixels: text keeps its shape at every zoom.
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def mono_font(pixels: int) -> QFont:
    font = QFont(_families(MONO_FAMILIES))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(pixels)
    return font


@cache
def _families(wanted: tuple[str, ...]) -> list[str]:
    known = set(QFontDatabase.families())
    found = [family for family in wanted if family in known]
    return found or [QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()]


def pixmap(name: str, colour: QColor, size: int, ratio: float = 1.0) -> QPixmap:
    """An icon of ``resources/icons`` in one colour, ``size`` logical pixels square."""
    return _pixmap(name, colour.rgba(), size, ratio)


@cache
def _pixmap(name: str, rgba: int, size: int, ratio: float) -> QPixmap:
    colour = QColor.fromRgba(rgba)
    written = resource_path("icons", f"{name}.svg").read_bytes()
    drawing = QSvgRenderer(QByteArray(written.replace(b"currentColor", colour.name().encode())))
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    drawing.render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


def icon(name: str, colour: QColor, disabled: QColor | None = None) -> QIcon:
    """For a button, sharp on every screen."""
    made = QIcon()
    for ratio in (1.0, 2.0, 3.0):
        made.addPixmap(pixmap(name, colour, 18, ratio))
        if disabled is not None:
            made.addPixmap(pixmap(name, disabled, 18, ratio), QIcon.Mode.Disabled)
    return made
