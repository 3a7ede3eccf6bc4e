"""A text, edited where it stands on its card."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas import theme as themes
from kavor.canvas.editor.fields import Problem
from kavor.canvas.editor.style import form_style
from kavor.canvas.live_overlay import LiveOverlay
from kavor.canvas.plain_field import PlainField
from kavor.canvas.qt import (
    QColor,
    QFont,
    QFontMetricsF,
    QFrame,
    QHBoxLayout,
    QKeySequence,
    QLabel,
    QPushButton,
    QShortcut,
    Qt,
    QTextCursor,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.texts.conflict_view import ConflictView
from kavor.canvas.texts.draft import Draft
from kavor.canvas.texts.spelling import Spelling
from kavor.canvas.theme import Theme
from kavor.domain.errors import BadInput, KavorError

_PIXELS = 13
_MONO_PIXELS = 12
_ROOM_FOR_BOTH = 340, 320
"""Least size of the overlay, in pixels, while it shows two texts."""

Check = Callable[[str], object]
"""Raises BadInput for a text that cannot be kept."""


class TextOverlay(LiveOverlay):
    save_wanted = Signal()
    """By the button, or by its key."""
    typed = Signal(object)
    """The text; as a string of Qt's own it would lose the mark that it begins with."""
    theirs_taken = Signal()
    mine_kept = Signal()

    def __init__(
        self, name: str, check: Check, *, mono: bool, saves_by_itself: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("textOverlay")
        self._check = check
        self._mono = mono
        self._saves_by_itself = saves_by_itself
        self._ground = QColor()
        self._zoom = 0.0
        self._spelling = Spelling()
        self.field = PlainField()
        self.field.setAccessibleName(translate("Texts", "Text of {name}").format(name=name))
        self.field.setFrameShape(QFrame.Shape.NoFrame)
        self.conflict = ConflictView()
        self.problem = Problem()
        self.said = QLabel()
        self.said.setProperty("quiet", True)
        self.save_button = QPushButton(translate("Texts", "Save"))
        self.save_button.setProperty("primary", True)
        self._foot = QWidget()
        self._build()
        self._follow()

    def _build(self) -> None:
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(8, 2, 8, 8)
        foot.addWidget(self.said, 1)
        foot.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.conflict, 1)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self._foot)
        self._foot.setVisible(not self._saves_by_itself)
        self.problem.setContentsMargins(10, 4, 10, 6)
        self.setFocusProxy(self.field)

    def _follow(self) -> None:
        self.field.textChanged.connect(self._on_typed)
        self.save_button.clicked.connect(self.save_wanted)
        self.conflict.theirs.connect(self.theirs_taken)
        self.conflict.mine.connect(self.mine_kept)
        for keys in ("Ctrl+S", "Ctrl+Return"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.save_wanted)

    @property
    def tab_order(self) -> list[QWidget]:
        conflict = self.conflict
        return [
            self.field,
            self.save_button,
            conflict.present,
            conflict.theirs_button,
            conflict.mine_button,
        ]

    # --- What it shows

    def show_draft(self, draft: Draft) -> None:
        """The caret stays where it is, as far as the text is the same."""
        self._spelling = Spelling.of(draft.base.text)
        if draft.typed != self._text():
            place = self.field.textCursor().position()
            self.field.blockSignals(True)
            self.field.show_exact(Spelling.of(draft.typed).for_field(draft.typed))
            self.field.blockSignals(False)
            cursor = self.field.textCursor()
            cursor.setPosition(min(place, self.field.document().characterCount() - 1))
            self.field.setTextCursor(cursor)
        self.conflict.show_text(None if draft.conflict is None else draft.conflict.text)
        self.setMinimumSize(*(_ROOM_FOR_BOTH if draft.conflict is not None else (0, 0)))
        self._show_state(draft)

    def caret_to_end(self) -> None:
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def say(self, error: KavorError | None) -> None:
        """Why it was not saved."""
        self.problem.say(error)

    def _show_state(self, draft: Draft) -> None:
        may_be_saved = self.is_sound and draft.is_changed and draft.conflict is None
        self.save_button.setEnabled(may_be_saved)
        words = translate("Texts", "Not saved yet") if draft.is_changed else translate("Texts", "Saved")
        self.said.setText(words)

    @property
    def is_sound(self) -> bool:
        """Whether what is typed could be kept; if not, it says why."""
        try:
            self._check(self._text())
        except BadInput as error:
            self.problem.say(error)
            return False
        self.problem.say(None)
        return True

    def _text(self) -> str:
        """As it is to be kept."""
        return self._spelling.from_field(self.field.exact_text())

    def _on_typed(self) -> None:
        self.typed.emit(self._text())

    # --- How it looks

    def set_theme(self, theme: Theme, ground: QColor) -> None:
        self._ground = ground
        self._theme = theme
        zoom, self._zoom = self._zoom or 1.0, 0.0
        self.set_zoom(zoom)

    def set_zoom(self, zoom: float) -> None:
        if zoom == self._zoom:
            return
        self._zoom = zoom
        font = self._font(zoom)
        self.field.setFont(font)
        self.field.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(" "))
        ground, ring, corner = self._ground.name(), self._theme.accent.name(), round(9 * zoom)
        self.setStyleSheet(
            form_style(self._theme)
            + f"""
            #textOverlay {{ background: {ground}; border: 2px solid {ring};
                border-bottom-left-radius: {corner}px; border-bottom-right-radius: {corner}px; }}
            #textOverlay > QPlainTextEdit {{ background: transparent; border: none;
                padding: {round(2 * zoom)}px {round(8 * zoom)}px; font-size: {font.pixelSize()}px; }}
            """
        )

    def _font(self, zoom: float) -> QFont:
        if self._mono:
            return themes.mono_font(max(9, round(_MONO_PIXELS * zoom)))
        return themes.ui_font(max(9, round(_PIXELS * zoom)))
