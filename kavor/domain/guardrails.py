"""Guardrails: what a CodingAgent may not do to the one resource that it is directly connected to.

A Guardrail belongs to one Connection and binds that pair of Nodes, whatever other path there is between them
(decision 18). Reading is never forbidden by one.
"""

from __future__ import annotations

from enum import StrEnum

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind

NO_GUARDRAIL = "none"
"""What a person writes to take a Guardrail away."""


class Guardrail(StrEnum):
    SPECIFICATION_READ_ONLY = "specification_read_only"
    STICKY_NOTE_READ_ONLY = "sticky_note_read_only"
    TERMINAL_READ_ONLY = "terminal_read_only"
    FILE_READ_ONLY = "file_read_only"

    @property
    def resource(self) -> NodeKind:
        """The kind of Node that it protects."""
        return _RESOURCES[self]


_RESOURCES = {
    Guardrail.SPECIFICATION_READ_ONLY: NodeKind.SPECIFICATION,
    Guardrail.STICKY_NOTE_READ_ONLY: NodeKind.STICKY_NOTE,
    Guardrail.TERMINAL_READ_ONLY: NodeKind.TERMINAL,
    Guardrail.FILE_READ_ONLY: NodeKind.FILE,
}


def fitting_guardrails(kind_a: NodeKind, kind_b: NodeKind) -> tuple[Guardrail, ...]:
    """Those that a Connection of these two kinds may have."""
    kinds = {kind_a, kind_b}
    if NodeKind.CODING_AGENT not in kinds:
        return ()
    return tuple(guardrail for guardrail in Guardrail if guardrail.resource in kinds)


def parse_guardrail(text: str, kind_a: NodeKind, kind_b: NodeKind) -> Guardrail | None:
    """The Guardrail of this name for a Connection of these two kinds; None for "none". Raises BadInput."""
    name = text.strip().lower().replace("-", "_")
    if name == NO_GUARDRAIL:
        return None
    if name not in list(Guardrail):
        raise BadInput(f"{text!r} is not a Guardrail", "use one of: " + ", ".join([*Guardrail, NO_GUARDRAIL]))
    fitting = fitting_guardrails(kind_a, kind_b)
    if name not in fitting:
        raise BadInput(
            f"a Connection of a {kind_a.label} and a {kind_b.label} cannot have the Guardrail {name}",
            f"use {fitting[0]}" if fitting else "a Guardrail binds a CodingAgent and one of its resources",
        )
    return Guardrail(name)


def check_change(guardrail: Guardrail | None, resource: str) -> None:
    """Raises Refused, naming the rule, where this Guardrail keeps an agent from changing the Node of that
    name, or from running anything in it."""
    if guardrail is not None:
        raise Refused(
            f"the Guardrail {guardrail} forbids it: {resource!r} may be read, and not changed",
            "only a person can take a Guardrail away",
        )
