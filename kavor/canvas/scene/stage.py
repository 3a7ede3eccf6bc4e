"""What an item asks of the scene that it stands in."""

from __future__ import annotations

from typing import Protocol

from kavor.canvas.cards.brush import Look
from kavor.canvas.cards.face import Face
from kavor.canvas.qt import QPen, QRectF
from kavor.canvas.things import Connection


class Stage(Protocol):
    @property
    def look(self) -> Look: ...

    @property
    def shows_buttons(self) -> bool:
        """Whether it is seen from near enough that cards have their buttons."""

    @property
    def connection_pen(self) -> QPen: ...

    def face_of(self, node_id: str) -> Face: ...

    def card_rect(self, node_id: str) -> QRectF:
        """Where a Node's card is, in the scene's coordinates."""

    def cards_in(self, area: QRectF) -> list[QRectF]:
        """The cards that stand in an area, perhaps some beside it too."""

    def is_selected(self, connection: Connection) -> bool: ...
