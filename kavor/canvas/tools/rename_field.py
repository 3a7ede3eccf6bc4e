"""A Node's name, edited where it stands on the card."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QFocusEvent, QKeyEvent, QLineEdit, QRectF, Qt, QWidget, translate
from kavor.canvas.view import CanvasView

_TITLE = QRectF(44, 5, -140, 25)
"""Where on a card; its width is what is left of the card's."""
_LEAST_WIDTH = 140


class RenameField(QLineEdit):
    """Enter, or leaving it, takes the name; Escape leaves it as it was."""

    def __init__(self, view: CanvasView, node_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.named = Notice[[str, str]]()
        """The Node's id and the name that was typed."""
        self.left = Notice[[]]()
        self.setObjectName("rename")
        self._node_id = node_id
        card = view.canvas.card_rect(node_id)
        place = QRectF(
            card.x() + _TITLE.x(), card.y() + _TITLE.y(), card.width() + _TITLE.width(), _TITLE.height()
        )
        spot = view.mapFromScene(place).boundingRect()
        self.setFont(themes.ui_font(max(12, round(13 * view.zoom))))
        self.setGeometry(spot.x(), spot.y(), max(_LEAST_WIDTH, spot.width()), max(24, spot.height()))
        self.setAccessibleName(translate("Rename", "Name"))
        self.setText(view.canvas.model.nodes[node_id].name)
        self.selectAll()
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave("")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._leave(self.text().strip())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave(self.text().strip())

    def _leave(self, name: str) -> None:
        """An empty name changes nothing."""
        if self.isHidden():
            return
        self.hide()
        self.deleteLater()
        if name:
            self.named.emit(self._node_id, name)
        self.left.emit()
