"""Which Node is meant: one that is deleted and brought back has another id."""

from __future__ import annotations

from itertools import count


class Identities:
    def __init__(self) -> None:
        self._later: dict[str, str] = {}
        self._numbers = count(1)

    def coming(self) -> str:
        """A name for a Node before the runtime has given it an id."""
        return f"coming-{next(self._numbers)}"

    def replace(self, earlier: str, later: str) -> None:
        self._later[earlier] = later

    def current(self, node_id: str) -> str:
        """The id it has now, by any that it ever had."""
        while node_id in self._later:
            node_id = self._later[node_id]
        return node_id
