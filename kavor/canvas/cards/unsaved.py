"""How a card says that what a person typed over it is not saved."""

from __future__ import annotations

from kavor.canvas.model import Model
from kavor.canvas.qt import translate


def unsaved_words(model: Model, node_id: str) -> str:
    """Empty where there is nothing unsaved."""
    conflicts = model.unsaved_texts.get(node_id)
    if conflicts is None:
        return ""
    if conflicts:
        return translate("Unsaved", "Not saved: edited elsewhere meanwhile")
    return translate("Unsaved", "Not saved yet")
