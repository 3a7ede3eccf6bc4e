"""Somebody else saved meanwhile: what is there now, and the choice between the two."""

from __future__ import annotations

from kavor.canvas.editor.fields import quiet
from kavor.canvas.qt import QFrame, QHBoxLayout, QLabel, QPushButton, Qt, QVBoxLayout, Signal, translate
from kavor.canvas.things import Schedule

_SHOWN_OF_PAYLOAD = 400


class ConflictNote(QFrame):
    reload = Signal()
    overwrite = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("note", True)
        title = QLabel(
            translate("Conflict", "Edited elsewhere meanwhile. Nothing of yours was saved yet."),
            wordWrap=True,
        )
        self._present = quiet()
        self._present.setTextFormat(Qt.TextFormat.PlainText)
        self._present.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reload_button = QPushButton(translate("Conflict", "Take what is there"))
        self.reload_button.clicked.connect(self.reload)
        self.overwrite_button = QPushButton(translate("Conflict", "Save mine over it"))
        self.overwrite_button.clicked.connect(self.overwrite)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.reload_button)
        buttons.addWidget(self.overwrite_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.addWidget(title)
        layout.addWidget(self._present)
        layout.addLayout(buttons)
        self.hide()

    @property
    def words(self) -> str:
        """The present text, as it is shown."""
        return self._present.text()

    def show_present(self, name: str, schedule: Schedule) -> None:
        payload = schedule.payload
        if len(payload) > _SHOWN_OF_PAYLOAD:
            payload = payload[:_SHOWN_OF_PAYLOAD] + "…"
        lines = [f"{name} · {schedule.description} ({schedule.zone})", payload]
        self._present.setText("\n".join(filter(None, lines)))
        self.show()
