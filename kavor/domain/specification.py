"""How far a Specification has come: five states, set by hand or by an agent, in any order."""

from __future__ import annotations

from enum import StrEnum

from kavor.domain.errors import BadInput


class SpecificationState(StrEnum):
    DRAFT = "Draft"
    READY = "Ready"
    IN_PROGRESS = "In progress"
    IN_REVIEW = "In review"
    DONE = "Done"


def parse_state(text: str) -> SpecificationState:
    """A state in any case, spaces written as they are, as ``-`` or ``_``. Raises BadInput."""
    plain = " ".join(text.replace("-", " ").replace("_", " ").split()).lower()
    for state in SpecificationState:
        if plain == state.lower():
            return state
    raise BadInput(
        f"{text!r} is not a state of a Specification", "use one of: " + ", ".join(SpecificationState)
    )
