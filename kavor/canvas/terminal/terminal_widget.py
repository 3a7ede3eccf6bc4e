"""The Terminal in use: it lies over its card, and every key and the mouse go to the shell.

What a person presses for the canvas instead: Ctrl+Shift+Escape goes back to it, Ctrl+Shift+arrows resize the
screen, the zoom keys zoom. Shift held keeps the mouse from a program that asked for it.
"""

from __future__ import annotations

import sys

from kavor.api.terminal_input import MouseAction, MouseButton, encode_focus, encode_mouse, encode_text
from kavor.canvas.cards.cells import PADDING, cell_at, cell_rect
from kavor.canvas.qt import (
    QApplication,
    QClipboard,
    QEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    QTimer,
    QWheelEvent,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.terminal.keys import bytes_of, held
from kavor.canvas.terminal.marking import Marking
from kavor.canvas.terminal.overlay import Overlay, Sight
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.viewer import Viewer
from kavor.terminal_frames import ANY_MOUSE, Modes

_GRIP = 12.0
_WHEEL_NOTCH = 120
_LINES_OF_A_NOTCH = 3

_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_OF_THE_CANVAS = tuple(QKeySequence(keys) for keys in ("Ctrl++", "Ctrl+=", "Ctrl+-", "Ctrl+0"))
_COPY_PASTE = _CTRL if sys.platform == "darwin" else _CTRL | _SHIFT
_BUTTONS = {
    Qt.MouseButton.LeftButton: MouseButton.LEFT,
    Qt.MouseButton.MiddleButton: MouseButton.MIDDLE,
    Qt.MouseButton.RightButton: MouseButton.RIGHT,
}
_ONLY_AWAY = frozenset(
    {
        Qt.FocusReason.ActiveWindowFocusReason,
        Qt.FocusReason.PopupFocusReason,
        Qt.FocusReason.MenuBarFocusReason,
    }
)
"""Reasons after which the focus comes back."""

_GROWTH = {
    Qt.Key.Key_Right: (2, 0),
    Qt.Key.Key_Left: (-2, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}


class TerminalWidget(QWidget):
    left = Signal()
    """The person goes back to the canvas."""
    abandoned = Signal()
    """The keys go to another widget of the window."""
    paste_wanted = Signal(str)
    growth_wanted = Signal(int, int)
    """Columns and lines more, or fewer."""
    menu_wanted = Signal(QPoint)
    zoom_wanted = Signal(float, QPointF)
    """Notches of the wheel, and where it was turned."""

    def __init__(self, viewer: Viewer, painter: RowPainter, parent: QWidget) -> None:
        super().__init__(parent)
        self.viewer = viewer
        self.marking = Marking(viewer)
        self._overlay = Overlay(viewer, self.marking, painter)
        self._zoom = 1.0
        self._composed = ""
        self._blinked_off = False
        self._turned = 0
        self._lets_through = False
        """Whether the mouse resizes the card until it is released."""
        self._blink = QTimer(self, interval=max(200, QApplication.cursorFlashTime() // 2))
        self._blink.timeout.connect(self._on_blink)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setAccessibleName(translate("Terminal", "Terminal"))
        viewer.drawn.connect(self._on_drawn)
        viewer.resized.connect(self._on_resized)

    def release(self) -> None:
        """Listen to the viewer no longer; it shows the newest lines again."""
        self._blink.stop()
        self.viewer.drawn.disconnect(self._on_drawn)
        self.viewer.resized.disconnect(self._on_resized)
        self.viewer.scroll_to_end()

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self.update()

    def set_painter(self, painter: RowPainter) -> None:
        self._overlay.rows = painter
        self.update()

    # --- Copy and paste

    def copy(self) -> None:
        """What is marked, into the clipboard."""
        text = self.marking.text
        if text:
            QApplication.clipboard().setText(text)

    def select_all(self) -> None:
        self.marking.select_all()
        self.update()

    def paste(self, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        text = QApplication.clipboard().text(mode)
        if text:
            self.paste_wanted.emit(text)

    def type(self, data: bytes) -> None:
        """To the shell; the newest lines are shown, as they answer it."""
        if data:
            self._blinked_off = False
            self.marking.forget()
            self.viewer.scroll_to_end()
            self.viewer.type(data)

    # --- Keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if not _is_of_the_canvas(event):
                event.accept()
            return True
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
            self.update()
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab is the shell's."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self._is_for_the_window(event) or self._scrolls(event)):
            self.type(bytes_of(event, self.viewer.screen.modes))
        event.accept()

    def _is_for_the_window(self, event: QKeyEvent) -> bool:
        key, keys = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if keys == _CTRL | _SHIFT and key == Qt.Key.Key_Escape:
            self.left.emit()
        elif keys == _CTRL | _SHIFT and Qt.Key(key) in _GROWTH:
            self.growth_wanted.emit(*_GROWTH[Qt.Key(key)])
        elif keys == _COPY_PASTE and key == Qt.Key.Key_C:
            self.copy()
        elif (keys == _COPY_PASTE and key == Qt.Key.Key_V) or (keys == _SHIFT and key == Qt.Key.Key_Insert):
            self.paste()
        else:
            return False
        return True

    def _scrolls(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != _SHIFT or self._fills_the_screen:
            return False
        page = max(1, self.viewer.size.lines - 1)
        match event.key():
            case Qt.Key.Key_PageUp:
                self.viewer.scroll_by(page)
            case Qt.Key.Key_PageDown:
                self.viewer.scroll_by(-page)
            case Qt.Key.Key_Home:
                self.viewer.scroll_by(self.viewer.top)
            case Qt.Key.Key_End:
                self.viewer.scroll_to_end()
            case _:
                return False
        return True

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composed = event.preeditString()
        if event.commitString():
            self.type(encode_text(event.commitString()))
        self.update()
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            cursor = self.viewer.screen.cursor
            return self._on_widget(cell_rect(cursor.x, cursor.y)).toAlignedRect()
        if query == Qt.InputMethodQuery.ImEnabled:
            return True
        return super().inputMethodQuery(query)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.viewer.type(encode_focus(gained=True, modes=self.viewer.screen.modes))
        self._blinked_off = False
        self._blink.start()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewer.type(encode_focus(gained=False, modes=self.viewer.screen.modes))
        self._blink.stop()
        self._composed = ""
        self.update()
        if event.reason() not in _ONLY_AWAY:
            self.abandoned.emit()

    # --- Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self._is_on_grip(event.position()):
            event.ignore()  # the card's corner, beneath
            self._lets_through = True
        else:
            self._press(event, clicks=1)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._press(event, clicks=2)

    def _press(self, event: QMouseEvent, clicks: int) -> None:
        if self._report(event, MouseAction.PRESS):
            return
        at = self._cell(event.position())
        match event.button():
            case Qt.MouseButton.LeftButton:
                self.marking.press(at, clicks=clicks, extend=bool(event.modifiers() & _SHIFT))
                self.update()
            case Qt.MouseButton.MiddleButton if QApplication.clipboard().supportsSelection():
                self.paste(QClipboard.Mode.Selection)
            case Qt.MouseButton.RightButton:
                self.menu_wanted.emit(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._lets_through:
            event.ignore()
            return
        on_grip = self._is_on_grip(event.position())
        self.setCursor(Qt.CursorShape.SizeFDiagCursor if on_grip else Qt.CursorShape.IBeamCursor)
        if self._report(event, MouseAction.MOVE):
            return
        if self.marking.under_way:
            line = self._cell(event.position())[1]
            if line < 0:
                self.viewer.scroll_by(1)
            elif line >= self.viewer.size.lines:
                self.viewer.scroll_by(-1)
            self.marking.drag(self._cell(event.position()))
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._lets_through:
            self._lets_through = False
            event.ignore()
            return
        if self._report(event, MouseAction.RELEASE) or event.button() != Qt.MouseButton.LeftButton:
            return
        self.marking.release()
        if self.marking.text and QApplication.clipboard().supportsSelection():
            QApplication.clipboard().setText(self.marking.text, QClipboard.Mode.Selection)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if event.modifiers() & _CTRL:
            self.zoom_wanted.emit(event.angleDelta().y() / _WHEEL_NOTCH, event.position())
            return
        notches = self._notches(event)
        modes = self.viewer.screen.modes
        wheel = MouseButton.WHEEL_UP if notches > 0 else MouseButton.WHEEL_DOWN
        if modes & ANY_MOUSE and not event.modifiers() & _SHIFT:
            x, y = self._inside(event.position())
            data = encode_mouse(MouseAction.PRESS, wheel, x, y, modes, held(event.modifiers()))
            self.viewer.type(data * abs(notches))
        elif self._fills_the_screen:
            self.viewer.type(encode_mouse(MouseAction.PRESS, wheel, 0, 0, modes) * abs(notches))
        else:
            self.viewer.scroll_by(notches * _LINES_OF_A_NOTCH)

    def _notches(self, event: QWheelEvent) -> int:
        """Whole ones; a touchpad's small steps are added up."""
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _WHEEL_NOTCH)
        self._turned -= notches * _WHEEL_NOTCH
        return notches

    def _report(self, event: QMouseEvent, action: MouseAction) -> bool:
        """To the program, if it asked for the mouse; whether it did."""
        modes = self.viewer.screen.modes
        if not modes & ANY_MOUSE or event.modifiers() & _SHIFT or self.viewer.is_scrolled:
            return False
        button = event.button()
        if action is MouseAction.MOVE:
            button = next((each for each in _BUTTONS if event.buttons() & each), Qt.MouseButton.NoButton)
        x, y = self._inside(event.position())
        named = _BUTTONS.get(button, MouseButton.NONE)
        self.viewer.type(encode_mouse(action, named, x, y, modes, held(event.modifiers())))
        return True

    # --- Places

    @property
    def _fills_the_screen(self) -> bool:
        """A full-screen program has it: there is nothing to scroll back to."""
        return bool(self.viewer.screen.modes & Modes.ALTERNATE_SCREEN)

    def _is_on_grip(self, spot: QPointF) -> bool:
        corner = QPointF(self.rect().bottomRight()) - spot
        return max(corner.x(), corner.y()) < _GRIP * self._zoom

    def _cell(self, spot: QPointF) -> tuple[int, int]:
        return cell_at(spot / self._zoom - QPointF(PADDING, PADDING))

    def _inside(self, spot: QPointF) -> tuple[int, int]:
        column, line = self._cell(spot)
        size = self.viewer.size
        return max(0, min(column, size.columns - 1)), max(0, min(line, size.lines - 1))

    def _on_widget(self, cells: QRectF) -> QRectF:
        """From the screen's canvas units to the widget's pixels."""
        corner = cells.topLeft() + QPointF(PADDING, PADDING)
        return QRectF(corner * self._zoom, cells.size() * self._zoom)

    # --- What the viewer says

    def _on_drawn(self, lines: set[int]) -> None:
        if not lines:
            return
        if self.marking.is_there or self.viewer.is_scrolled:
            self.update()
            return
        columns = self.viewer.size.columns
        changed = cell_rect(0, min(lines), columns).united(cell_rect(0, max(lines), columns))
        self.update(self._on_widget(changed).toAlignedRect().adjusted(-1, -1, 1, 1))

    def _on_resized(self) -> None:
        self.marking.forget()
        self.update()

    def _on_blink(self) -> None:
        if self.viewer.screen.cursor.blinks:
            self._blinked_off = not self._blinked_off
            cursor = self.viewer.screen.cursor
            self.update(self._on_widget(cell_rect(cursor.x, cursor.y, 2)).toAlignedRect())
        else:
            self._blinked_off = False

    # --- Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._overlay.paint(
            painter,
            QRectF(self.rect()),
            Sight(
                zoom=self._zoom,
                ratio=self.devicePixelRatioF(),
                in_use=self.hasFocus() and self.isActiveWindow(),
                cursor_is_on=not self._blinked_off,
                composed=self._composed,
            ),
        )
        painter.end()


def _is_of_the_canvas(event: QKeyEvent) -> bool:
    pressed = QKeySequence(event.keyCombination())
    return pressed in _OF_THE_CANVAS
