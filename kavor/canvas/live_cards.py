"""What is alive on the cards of one canvas, beside its Terminals: texts in place, and agents."""

from __future__ import annotations

from kavor.canvas.agents.agents import Agents
from kavor.canvas.edits import Edits
from kavor.canvas.link import Link
from kavor.canvas.texts.texts import Texts
from kavor.canvas.theme import Theme
from kavor.canvas.view import CanvasView


class LiveCards:
    def __init__(self, view: CanvasView, link: Link, edits: Edits, theme: Theme) -> None:
        self.texts = Texts(view, link, edits, theme)
        self.agents = Agents(view, link, edits, theme)

    def release(self) -> None:
        """Before the view goes."""
        self.texts.release()
        self.agents.release()

    def set_theme(self, theme: Theme) -> None:
        self.texts.set_theme(theme)
        self.agents.set_theme(theme)
