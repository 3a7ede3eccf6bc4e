"""Names that the window gives, where the person has not chosen one."""

from __future__ import annotations

from collections.abc import Iterable


def free_name(label: str, taken: Iterable[str]) -> str:
    """``label`` itself, or with the first number from 2 on that nobody has."""
    names = set(taken)
    wanted = [label, *(f"{label} {number}" for number in range(2, len(names) + 3))]
    return next(name for name in wanted if name not in names)
