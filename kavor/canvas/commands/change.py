"""One thing that is changed, and can be changed back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from kavor.domain.errors import KavorError

Done = Callable[[], None]
Failed = Callable[[KavorError], None]


class Change(ABC):
    """Asks the runtime, and answers with one of the two calls when the runtime has answered."""

    @abstractmethod
    def apply(self, done: Done, failed: Failed) -> None: ...

    @abstractmethod
    def revert(self, done: Done, failed: Failed) -> None: ...

    def removed_by_apply(self) -> Sequence[str]:
        """The Nodes that are gone once it is applied, by their present ids."""
        return ()

    def removed_by_revert(self) -> Sequence[str]:
        return ()

    def absorb(self, later: Change) -> bool:
        """Take up ``later``, which was applied just now, so that both are one step. Whether that was done."""
        return False


class Together(Change):
    """Several changes that are one: all of them, or none."""

    def __init__(self, parts: Sequence[Change]) -> None:
        self._parts = tuple(parts)

    def apply(self, done: Done, failed: Failed) -> None:
        _in_order([(part.apply, part.revert) for part in self._parts], done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        _in_order([(part.revert, part.apply) for part in reversed(self._parts)], done, failed)

    def removed_by_apply(self) -> Sequence[str]:
        return [node_id for part in self._parts for node_id in part.removed_by_apply()]

    def removed_by_revert(self) -> Sequence[str]:
        return [node_id for part in self._parts for node_id in part.removed_by_revert()]


_Way = Callable[[Done, Failed], None]


def _in_order(ways: Sequence[tuple[_Way, _Way]], done: Done, failed: Failed, number: int = 0) -> None:
    """There, each after the one before; and back again from where one fails."""
    if number == len(ways):
        done()
        return

    def go_back(error: KavorError) -> None:
        backwards = [(back, there) for there, back in reversed(ways[:number])]
        _in_order(backwards, lambda: failed(error), lambda _: failed(error))

    ways[number][0](lambda: _in_order(ways, done, failed, number + 1), go_back)
