"""What a Guardrail is called, in the person's language."""

from __future__ import annotations

from kavor.canvas.qt import translate
from kavor.domain.guardrails import Guardrail


def guardrail_words(guardrail: str) -> str:
    """What it allows and what it forbids; one that is not known is named as it is."""
    words = {
        Guardrail.SPECIFICATION_READ_ONLY: translate(
            "Guardrail", "Guardrail: the agent may read the Specification, and not change it"
        ),
        Guardrail.STICKY_NOTE_READ_ONLY: translate(
            "Guardrail", "Guardrail: the agent may read the Sticky Note, and not change it"
        ),
        Guardrail.TERMINAL_READ_ONLY: translate(
            "Guardrail", "Guardrail: the agent may look at the Terminal, and run nothing in it"
        ),
        Guardrail.FILE_READ_ONLY: translate(
            "Guardrail", "Guardrail: the agent may read the File, and not change it"
        ),
    }
    return words.get(Guardrail(guardrail), guardrail) if guardrail in list(Guardrail) else guardrail
