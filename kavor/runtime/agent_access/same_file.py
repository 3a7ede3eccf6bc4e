"""Which paths name the same file: one may have several names, by hard links or by folders that are links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from kavor.runtime.agent_access.sight import Sight
from kavor.runtime.file_access import FileAccess, NotAnswering

Identities = Mapping[str, tuple[int, int] | None]
"""What tells files apart, by path; None for one that is not there. One that does not answer is missing."""


async def identities(files: FileAccess, paths: Iterable[str]) -> Identities:
    return await files.look(paths, _identities_in, patiently=True)


def is_same_file(one: str, other: str, known: Identities) -> bool:
    """Of two of which one does not answer: False, unless their paths are the same."""
    return one == other or (known.get(one) is not None and known.get(one) == known.get(other))


def check_file_change(sight: Sight, path: str, protected: Mapping[str, str], known: Identities) -> None:
    """Raises Refused where a Guardrail protects this file from the agent, by whatever Node it is named, or
    where that cannot be told. ``protected`` are the paths of Nodes under a Guardrail, by Node."""
    for node_id, held in protected.items():
        if is_same_file(path, held, known):
            sight.check_change(sight.nodes[node_id])
        for asked in (path, held):
            if asked not in known:
                raise NotAnswering(asked)


def _identities_in(folder: str, paths: Sequence[str]) -> dict[str, tuple[int, int] | None]:
    return {path: _identity(path) for path in paths}


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - a number of them at once
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
