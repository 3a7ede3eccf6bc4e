"""The graph on the Canvas: kinds of Nodes, which pairs may be joined, and what a Schedule may aim at.

Connections are undirected: A–B is B–A.
"""

from __future__ import annotations

from enum import StrEnum

from kavor.domain.errors import BadInput, Refused


class NodeKind(StrEnum):
    SCHEDULE = "schedule"
    CODING_AGENT = "coding-agent"
    TERMINAL = "terminal"
    FILE = "file"
    STICKY_NOTE = "sticky-note"
    SPECIFICATION = "specification"

    @property
    def label(self) -> str:
        """The word used on screen."""
        return _LABELS[self]


_LABELS = {
    NodeKind.SCHEDULE: "Schedule",
    NodeKind.CODING_AGENT: "CodingAgent",
    NodeKind.TERMINAL: "Terminal",
    NodeKind.FILE: "File",
    NodeKind.STICKY_NOTE: "Sticky Note",
    NodeKind.SPECIFICATION: "Specification",
}

K = NodeKind

TARGET_KINDS = frozenset({K.CODING_AGENT, K.TERMINAL})
"""Kinds a Schedule may aim at (K73)."""

_PAIRS = frozenset(
    frozenset(pair)
    for pair in (
        (K.CODING_AGENT, K.SPECIFICATION),
        (K.CODING_AGENT, K.STICKY_NOTE),
        (K.CODING_AGENT, K.TERMINAL),
        (K.CODING_AGENT, K.FILE),
        (K.CODING_AGENT, K.CODING_AGENT),
        (K.TERMINAL, K.FILE),
        (K.TERMINAL, K.SPECIFICATION),
        (K.SCHEDULE, K.CODING_AGENT),
        (K.SCHEDULE, K.TERMINAL),
    )
)


def parse_kind(text: str) -> NodeKind:
    """A kind from its spelling or its label, in any case. Raises BadInput."""
    plain = text.strip().lower().replace("-", "").replace(" ", "").replace("_", "")
    for kind in NodeKind:
        if plain == kind.value.replace("-", ""):
            return kind
    raise BadInput(f"{text!r} is not a kind of Node", "use one of: " + ", ".join(NodeKind))


def ordered(a: str, b: str) -> tuple[str, str]:
    """The one spelling of an undirected pair of ids (K12)."""
    return (a, b) if a <= b else (b, a)


def can_be_joined(one: NodeKind, other: NodeKind) -> bool:
    """Whether two Nodes of these kinds may be connected (decision 17)."""
    return frozenset((one, other)) in _PAIRS


def check_pair(id_a: str, kind_a: NodeKind, id_b: str, kind_b: NodeKind) -> None:
    """Raises Refused unless these two Nodes may be joined (decision 17, K+4)."""
    if id_a == id_b:
        raise Refused("a Node cannot be connected to itself", "name two different Nodes")
    if can_be_joined(kind_a, kind_b):
        return
    if K.SCHEDULE in (kind_a, kind_b):
        other = kind_b if kind_a is K.SCHEDULE else kind_a
        raise Refused(
            f"a Schedule cannot be connected to a {other.label}",
            "connect it to one CodingAgent or one Terminal; that target reaches the rest",
        )
    raise Refused(
        f"a {kind_a.label} cannot be connected to a {kind_b.label}",
        "connect both to a CodingAgent, or a Terminal to a File or a Specification",
    )
