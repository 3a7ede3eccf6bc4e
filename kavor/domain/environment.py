"""Environment variables that a Connection carries from a File or a Specification to a Terminal (K9, K+11)."""

from __future__ import annotations

import re

from kavor.domain.errors import BadInput
from kavor.domain.graph import NodeKind

RESERVED = frozenset({"TERM", "COLORTERM"})
"""What a terminal says of itself, and nobody else may."""

NAMED_KINDS = frozenset({NodeKind.FILE, NodeKind.SPECIFICATION})
"""Kinds whose path a Terminal may be given in a variable."""

LONGEST_NAME = 200

_OWN_PREFIX = "KAVOR_"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]+")


def check_variable(name: str) -> str:
    """Raises BadInput for what is reserved, or no name of an environment variable."""
    if name in RESERVED or name.startswith(_OWN_PREFIX):
        raise BadInput(f"the environment variable {name} is reserved for Kavor", "choose another name")
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise BadInput(f"{name!r} is not a name for an environment variable", "use letters, digits and _")
    return name


def variable_for(name: str, taken: frozenset[str]) -> str:
    """A variable named after a Node, such as CHECK_SQL for check.sql, that is not among those ``taken``."""
    plain = _NOT_IN_A_NAME.sub("_", name.upper()).strip("_")[: LONGEST_NAME // 2] or "FILE"
    if plain[0].isdigit() or plain in RESERVED or plain.startswith(_OWN_PREFIX):
        plain = f"FILE_{plain}"
    candidate, number = plain, 1
    while candidate in taken:
        number += 1
        candidate = f"{plain}_{number}"
    return candidate
