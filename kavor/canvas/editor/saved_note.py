"""What a save did: that nothing started by it, or how the next time moved."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from kavor.api.client import Document
from kavor.canvas.coming import now
from kavor.canvas.editor.fields import column, quiet
from kavor.canvas.qt import QWidget, translate
from kavor.canvas.times import moment_words
from kavor.domain.instant import parse_instant
from kavor.domain.zones import to_local


class SavedNote(QWidget):
    """Seen from a save on, as long as what it says is true."""

    def __init__(self, zone: ZoneInfo) -> None:
        super().__init__()
        self._zone = zone
        self._state = ""
        self._words = quiet()
        layout = column()
        self.setLayout(layout)
        layout.addWidget(self._words)
        self.hide()

    def text(self) -> str:
        return self._words.text()

    def tell(self, answer: Document) -> None:
        """``answer`` is what the save came back with."""
        self._state = answer["state"]
        self._words.setText(self._saved_words(answer))
        self.show()

    def see_state(self, state: str) -> None:
        """A Schedule that was resumed or paused since is no longer as the note says."""
        if state != self._state:
            self.hide()

    def _saved_words(self, answer: Document) -> str:
        if answer["state"] != "Running":
            return translate("Editor", "Saved. It is Paused: nothing starts until you resume it.")
        before, after = answer["next_due_before"], answer["next_due_after"]
        if before == after:
            return translate("Editor", "Saved. The next time stays {time}.").format(time=self._time(after))
        return translate("Editor", "Saved. The next time was {before} and is now {after}.").format(
            before=self._time(before), after=self._time(after)
        )

    def _time(self, instant: str | None) -> str:
        if instant is None:
            return translate("Editor", "none")
        return moment_words(to_local(parse_instant(instant), self._zone), to_local(now(), self._zone).date())
