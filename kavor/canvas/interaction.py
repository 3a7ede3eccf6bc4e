"""What every gesture is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from kavor.canvas.qt import QPoint, QPointF, Qt


@dataclass(frozen=True)
class Pointer:
    """Where the hand is: on the scene, on the view, and with which keys held."""

    scene: QPointF
    view: QPoint
    keys: Qt.KeyboardModifier

    @property
    def adds(self) -> bool:
        """Whether a selection is added to."""
        return bool(self.keys & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))


class Interaction(ABC):
    """One gesture, from the press to the release. Nothing that it did is left after ``cancel``."""

    @abstractmethod
    def start(self, at: Pointer) -> None: ...

    @abstractmethod
    def move(self, at: Pointer) -> None: ...

    @abstractmethod
    def end(self, at: Pointer) -> None: ...

    @abstractmethod
    def cancel(self) -> None: ...
