"""What lies over the card of the Node in use and has the keyboard, until the person leaves it."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas.qt import QApplication, QFrame, QKeyEvent, Qt, QWidget, Signal


class LiveOverlay(QFrame):
    left = Signal()
    """The person went elsewhere, or pressed Escape; whoever opened it takes it away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        _application().focusChanged.connect(self._on_focus)

    def release(self) -> None:
        """Before it goes."""
        _application().focusChanged.disconnect(self._on_focus)

    @property
    def tab_order(self) -> Sequence[QWidget]:
        """What Tab goes round, as far as it is shown."""
        raise NotImplementedError

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays within: leaving is a choice of its own."""
        order = [each for each in self.tab_order if each.isVisible() and each.isEnabled()]
        if not order:
            return False
        here = next((place for place, each in enumerate(order) if each.hasFocus()), -1 if forward else 0)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        order[(here + (1 if forward else -1)) % len(order)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            event.accept()  # no key meant for this is one of the canvas

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isVisible() and not self.isAncestorOf(now):
            self.left.emit()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
