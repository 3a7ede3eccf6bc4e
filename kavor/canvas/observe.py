"""Signals without Qt, for the model: whoever is connected is called at once, in the order of connecting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Notice(Generic[P]):
    """One kind of change that can be listened to."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, None]] = []

    def connect(self, listener: Callable[P, None]) -> None:
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[P, None]) -> None:
        """Raises ValueError for one that is not connected."""
        self._listeners.remove(listener)

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for listener in tuple(self._listeners):
            listener(*args, **kwargs)
