"""New Nodes: from the palette, by a key, at the pointer, or at the end of a wire.

Some kinds need something of the person first: a File its path, a CodingAgent its provider.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kavor.api.client import Document
from kavor.canvas.cards import card_of
from kavor.canvas.desk import Desk
from kavor.canvas.edits import Edits
from kavor.canvas.interaction import Pointer
from kavor.canvas.interactions.drop_node import DropNode
from kavor.canvas.interactions.sketches import paint_ghost, paint_wire
from kavor.canvas.model import Model
from kavor.canvas.pairs import why_not_kind
from kavor.canvas.providers import missing_note, missing_words, needs_setting_up
from kavor.canvas.qt import QFileDialog, QPainter, QPoint, QPointF, QRectF, translate
from kavor.canvas.runtime_words import message_words
from kavor.canvas.scene.curve import curve
from kavor.canvas.tools.chooser import Choice, Chooser
from kavor.canvas.tools.palette import KINDS, kind_words
from kavor.domain.graph import NodeKind

_UNDER_POINTER = QPointF(60, 20)
"""Where the pointer is on a card that is added at it."""
_BESIDE_POINTER = QPoint(-20, 16)
"""Where the list is that something is chosen from."""


class Adding:
    """``place_on_pages`` turns a point of a canvas's viewport into one of what the list lies over."""

    def __init__(
        self, model: Model, edits: Edits, chooser: Chooser, place_on_pages: Callable[[Desk, QPoint], QPoint]
    ) -> None:
        self._model = model
        self._edits = edits
        self._chooser = chooser
        self._on_pages = place_on_pages
        self._carrying = False
        self.choose_file: Callable[[Desk, str], str] = _ask_for_a_file
        """Takes the Workspace's folder; the path, or nothing where the person changed their mind."""

    # --- Where and what

    def add_in_middle(self, desk: Desk, kind: NodeKind) -> None:
        self._add(desk, kind, desk.middle_for(kind), None)

    def ask(self, desk: Desk, at: QPoint, joined_to: str | None = None) -> None:
        """``at`` is a point of the viewport; ``joined_to`` the Node whose wire was dropped there."""
        wanted = desk.view.mapToScene(at) - _UNDER_POINTER
        if joined_to is None:
            prompt = translate("QuickAdd", "Add…")
        else:
            prompt = translate("QuickAdd", "Add and connect…")

        def chosen(kind: str) -> None:
            self._add(desk, NodeKind(kind), wanted, joined_to)

        def lit(kind: str | None) -> None:
            ghost = None if kind is None else desk.room_for(NodeKind(kind), wanted)
            self._show_coming(desk, ghost, joined_to)

        choices = [self._kind_choice(kind, joined_to) for kind in KINDS]
        self._chooser.ask(prompt, choices, self._on_pages(desk, at) + _BESIDE_POINTER, chosen, lit)

    def carry(self, desk: Desk, kind: NodeKind, at: Pointer) -> None:
        """From the palette, as the hand moves."""
        if self._carrying:
            desk.view.steer(at)
            return
        self._carrying = True
        dropped = DropNode(desk.view, kind, lambda corner: self._add(desk, kind, corner, None))
        desk.view.begin(dropped, at)

    def drop(self, desk: Desk | None, at: Pointer | None) -> None:
        """What is carried is let go, if on a canvas."""
        self._carrying = False
        if desk is not None and at is not None:
            desk.view.finish(at)

    def _kind_choice(self, kind: NodeKind, joined_to: str | None) -> Choice:
        card = card_of(kind)
        refusal = None if joined_to is None else why_not_kind(self._model, joined_to, kind)
        note = "" if refusal is None else message_words(refusal)
        return Choice(kind.value, kind_words(kind), card.icon, card.tone, note, refusal is None)

    def _show_coming(self, desk: Desk, ghost: QRectF | None, joined_to: str | None) -> None:
        """Where a new card would stand, with the wire that would lead to it."""
        if ghost is None:
            desk.view.show_sketch(None)
            return
        canvas = desk.view.canvas

        def paint(painter: QPainter) -> None:
            theme = canvas.look.theme
            if joined_to in canvas.node_items:
                path = curve(canvas.card_rect(str(joined_to)), ghost)
                paint_wire(painter, theme, path, refused=False)
            paint_ghost(painter, theme, ghost)

        desk.view.show_sketch(paint)

    # --- What a kind needs first

    def _add(self, desk: Desk, kind: NodeKind, at: QPointF, joined_to: str | None) -> None:
        match kind:
            case NodeKind.FILE:
                self._add_file(desk, at, joined_to)
            case NodeKind.CODING_AGENT:
                self._add_agent(desk, at, joined_to)
            case _:
                desk.add(kind, at, joined_to)

    def _add_file(self, desk: Desk, at: QPointF, joined_to: str | None) -> None:
        workspace = self._model.workspaces[desk.view.canvas.workspace_id]
        path = self.choose_file(desk, workspace.directory)
        if path:
            desk.add(NodeKind.FILE, at, joined_to, name=Path(path).name, fields={"path": path})

    def _add_agent(self, desk: Desk, at: QPointF, joined_to: str | None) -> None:
        def answered(document: Document) -> None:
            named = {provider["name"]: provider for provider in document["providers"]}

            def chosen(name: str) -> None:
                fields = {"provider": name}
                desk.add(NodeKind.CODING_AGENT, at, joined_to, name=named[name]["label"], fields=fields)

            # What needs a command or a socket of its own is set up in the settings of an agent.
            choices = [provider_choice(each) for each in named.values() if not needs_setting_up(each)]
            place = self._on_pages(desk, desk.view.mapFromScene(at + _UNDER_POINTER)) + _BESIDE_POINTER
            self._chooser.ask(translate("QuickAdd", "Which agent?"), choices, place, chosen)

        self._edits.list_providers(answered)


def provider_choice(provider: Document) -> Choice:
    """What is not installed says how to install it."""
    card, installed = card_of(NodeKind.CODING_AGENT), provider["installed"]
    note = provider["version"] or ""
    refusal = "" if installed else missing_words(provider)
    if not installed:
        note = missing_note(provider)
    return Choice(provider["name"], provider["label"], card.icon, card.tone, note, installed, refusal)


def _ask_for_a_file(desk: Desk, folder: str) -> str:
    path, _ = QFileDialog.getOpenFileName(desk.view, translate("QuickAdd", "Choose a file"), folder)
    return path
