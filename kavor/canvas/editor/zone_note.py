"""In which zone the times are meant. It is not edited: a save takes the machine's (K29-K32, decision 3)."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

from kavor.canvas.editor.fields import column, quiet
from kavor.canvas.qt import QFrame, QLabel, QVBoxLayout, QWidget, translate
from kavor.canvas.times import moment_words
from kavor.domain.errors import KavorError
from kavor.domain.instant import Instant
from kavor.domain.recurrence import Recurrence, next_due
from kavor.domain.zones import load_zone, to_local


class ZoneNote(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._plain = quiet()
        self._moves = QLabel(wordWrap=True)
        self._warning = QFrame()
        self._warning.setProperty("note", True)
        inside = QVBoxLayout(self._warning)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.addWidget(self._moves)
        layout = column()
        self.setLayout(layout)
        layout.addWidget(self._plain)
        layout.addWidget(self._warning)

    @property
    def words(self) -> str:
        return self._plain.text() if self._warning.isHidden() else self._moves.text()

    def show_zones(
        self, stored: str, here: ZoneInfo, saved: Recurrence | None, typed: Recurrence | None, after: Instant
    ) -> None:
        """``stored`` is the zone of the last save, ``here`` the one a save would stamp. Where they differ the
        next time is told as it is and as it would be (X8)."""
        differ = stored != here.key
        self._plain.setVisible(not differ)
        self._warning.setVisible(differ)
        self._plain.setText(translate("Zone", "Times in {zone}, this machine's zone.").format(zone=here.key))
        if differ:
            today = to_local(after, here).date()
            lines = [
                translate("Zone", "Saved in {stored}; this machine is in {here}.").format(
                    stored=stored, here=here.key
                ),
                translate("Zone", "Now the next is {time}.").format(
                    time=_next_words(saved, _zone_or_none(stored), here, after, today)
                ),
                translate("Zone", "A save moves it to {here}, and it is {time}.").format(
                    here=here.key, time=_next_words(typed, here, here, after, today)
                ),
            ]
            self._moves.setText("\n".join(lines))


def _zone_or_none(key: str) -> ZoneInfo | None:
    try:
        return load_zone(key)
    except KavorError:
        return None


def _next_words(
    recurrence: Recurrence | None, zone: ZoneInfo | None, here: ZoneInfo, after: Instant, today: date
) -> str:
    """The next time on the clock of its zone, and on the one here where that is another."""
    at = None if recurrence is None or zone is None else next_due(recurrence, zone, after)
    if at is None or zone is None:
        return translate("Zone", "never")
    there = moment_words(to_local(at, zone), today)
    if zone.key == here.key:
        return there
    return translate("Zone", "{there} there, {here} here").format(
        there=there, here=moment_words(to_local(at, here), today)
    )
