"""What a card says, prepared once when the model changes, so that painting is only painting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from kavor.canvas.conversation import Entry
from kavor.canvas.qt import QRectF
from kavor.canvas.states import state_word
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant


@dataclass(frozen=True)
class Moment:
    """The viewer's present: what "next" and "today" mean on a card."""

    now: Instant
    today: date
    zone: ZoneInfo


@dataclass(frozen=True)
class Button:
    """``action`` is the API's word for what it does."""

    action: str
    rect: QRectF
    icon: str
    primary: bool = False
    offered: bool = True
    """Otherwise it is drawn faintly, and pressing it is answered with the reason why not."""
    bare: bool = False
    """The icon alone, with no ground until the hand is over it."""
    words: str = ""
    """What it says, where ``action`` does not tell that."""


@dataclass(frozen=True)
class Row:
    """A line of two: what, and beside it something quieter in a tone of the theme."""

    text: str
    note: str = ""
    note_tone: str = "muted"
    sign: str = ""
    """An icon before the text, in ``tone``."""
    tone: str = "text"


@dataclass(frozen=True)
class Face:
    kind: NodeKind
    title: str
    role: str
    """Under the title: what the Node is here."""
    state: str
    """A state of :mod:`kavor.canvas.states`; empty where the kind has none."""
    headline: str = ""
    headline_note: str = ""
    caption: str = ""
    rows: tuple[Row, ...] = ()
    outcome: Row | None = None
    outcome_detail: str = ""
    buttons: tuple[Button, ...] = ()
    far_row: Row | None = None
    """The one line that stays when the card is small."""
    lines: tuple[str, ...] = ()
    """The first lines of a file."""
    prose: str = ""
    """Markdown."""
    paper: str = ""
    """The colour of a Sticky Note."""
    entries: tuple[Entry, ...] = ()
    """The end of a CodingAgent's transcript."""
    calls: bool = False
    """Whether it calls for a person: its border is lit."""

    @property
    def spoken(self) -> str:
        """For a screen reader."""
        state = state_word(self.state) if self.state else ""
        said = [self.title, self.role, state, self.headline, self.caption if self.rows else ""]
        said += [" ".join(filter(None, (row.text, row.note))) for row in self.rows]
        if self.outcome is not None:
            said += [self.outcome.text, self.outcome.note]
        return ", ".join(filter(None, [*said, self.outcome_detail]))
