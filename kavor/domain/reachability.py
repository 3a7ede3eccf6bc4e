"""What a Node reaches: everything that Connections join it to, directly or through others (K7, K22)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


def component(start: str, connections: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The ids of all that can be reached from ``start``, itself among them; Connections have no direction."""
    joined: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in connections:
        joined[a].add(b)
        joined[b].add(a)
    reached = {start}
    frontier = [start]
    while frontier:
        fresh = joined[frontier.pop()] - reached
        reached |= fresh
        frontier.extend(fresh)
    return frozenset(reached)
