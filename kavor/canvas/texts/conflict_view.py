"""What is there now of a text that was edited elsewhere, and the choice between that and what was typed."""

from __future__ import annotations

from kavor.canvas.plain_field import PlainField
from kavor.canvas.qt import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    Signal,
    translate,
)


class ConflictView(QFrame):
    theirs = Signal()
    mine = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("note", True)
        title = QLabel(translate("Texts", "Edited elsewhere meanwhile. There it says:"), wordWrap=True)
        self.present = PlainField(readOnly=True)
        self.present.setTabChangesFocus(True)
        self.present.setAccessibleName(translate("Texts", "What is there now"))
        self.theirs_button = QPushButton(translate("Texts", "Take that"))
        self.mine_button = QPushButton(translate("Texts", "Save mine over it"))
        self.theirs_button.clicked.connect(self.theirs)
        self.mine_button.clicked.connect(self.mine)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.theirs_button)
        buttons.addWidget(self.mine_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(title)
        layout.addWidget(self.present, 1)
        layout.addLayout(buttons)
        self.hide()

    def show_text(self, text: str | None) -> None:
        """None: there is no conflict any more."""
        if text is not None and text != self.present.exact_text():
            self.present.show_exact(text)
        self.setVisible(text is not None)
