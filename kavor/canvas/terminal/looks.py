"""The looks at the Terminals of one canvas, and the screens they put into the cards.

A look costs a process, so only cards in view are looked at, at a zoom where their text can be made out, and
only so many of them at once.
"""

from __future__ import annotations

import time

from kavor.canvas.cards import card_of
from kavor.canvas.cards.agent_screen import AgentScreenCard
from kavor.canvas.cards.cells import GridSize
from kavor.canvas.cards.terminal import TerminalCard
from kavor.canvas.in_view import SETTLE_MS, InView
from kavor.canvas.link import Link, LinkState
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QObject
from kavor.canvas.runtime_words import as_sentence, message_words, spoken
from kavor.canvas.terminal.colours import ScreenColours
from kavor.canvas.terminal.pace import Attention
from kavor.canvas.terminal.screen_item import ScreenItem
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.viewer import Viewer
from kavor.canvas.theme import Theme
from kavor.canvas.things import Node
from kavor.canvas.view import CanvasView
from kavor.canvas.workers import all_ended
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind

READABLE = 0.4
"""Below this zoom nothing is looked at."""
MOST_AT_ONCE = 12

LINGER_S = 3.0
"""So long a card out of view is still looked at: it may come back."""
_END_LIMIT_S = 0.3


class Looks(QObject):
    def __init__(self, view: CanvasView, link: Link, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._link = link
        self.painter = RowPainter(ScreenColours(theme))
        self.viewers: dict[str, Viewer] = {}
        """By Node id, those that are looked at."""
        self.arrived = Notice[[str]]()
        """The screen of a Node is there, or has another size."""
        self.ending = Notice[[str]]()
        """A Node is looked at no longer."""
        self._in_use = ""
        self._items: dict[str, ScreenItem] = {}
        self._frozen: dict[str, ScreenItem] = {}
        """What was seen last of those whose stream broke off."""
        self._sizes: dict[str, GridSize] = {}
        self._last_seen: dict[str, float] = {}
        self._ended: set[Viewer] = set()
        self._in_view = InView(view, link, READABLE)
        self._in_view.settled.connect(self.look)
        self._follow()

    def _follow(self) -> None:
        view, model = self._view, self._model
        view.can_resize = self.viewers.__contains__
        self._link.state_changed.connect(self._on_link)
        model.reloaded.connect(self._on_reloaded)
        model.node_added.connect(self._on_node)
        model.node_changed.connect(self._on_node)
        model.node_moved.connect(self._on_node)
        model.node_removed.connect(self._on_removed)

    def release(self) -> None:
        """Before the view goes: every look is ended, and waited for where it ends at once."""
        self._model.reloaded.disconnect(self._on_reloaded)
        self._model.node_added.disconnect(self._on_node)
        self._model.node_changed.disconnect(self._on_node)
        self._model.node_moved.disconnect(self._on_node)
        self._model.node_removed.disconnect(self._on_removed)
        self._in_view.release()
        for node_id in tuple(self.viewers):
            self._end(node_id)
        all_ended([thread for viewer in self._ended for thread in viewer.threads], _END_LIMIT_S)

    def set_theme(self, theme: Theme) -> None:
        self.painter = RowPainter(ScreenColours(theme))
        for node_id, viewer in self.viewers.items():
            viewer.set_painter(self.painter)
            self._items[node_id].set_painter(self.painter)

    # --- Questions

    @property
    def frozen(self) -> dict[str, str]:
        """By Node id, those that show what was seen last, and why."""
        return {node_id: item.notice for node_id, item in self._frozen.items()}

    def is_open(self, node_id: str) -> bool:
        """Whether a Terminal on this canvas has a session to look at."""
        session = self._model.sessions.get(node_id)
        return node_id in self._canvas.node_items and session is not None and session.state == "open"

    # --- Looking

    def use(self, node_id: str) -> None:
        """This one is attended to before all others, and its card shows nothing; empty: none is."""
        before, self._in_use = self._in_use, node_id
        if before in self._items:
            self._items[before].setVisible(True)
        self._adjust()
        self.look_soon()

    def look_soon(self, *_: object) -> None:
        """When the canvas is at rest."""
        self._in_view.soon()

    def look(self) -> None:
        """Look at what is in view, and no longer at what is not."""
        now = time.monotonic()
        wanted = self._wanted()
        self._last_seen.update(dict.fromkeys(wanted, now))
        for node_id in tuple(self._frozen):
            if not self.is_open(node_id) or node_id in wanted:
                self._take_away(self._frozen.pop(node_id))
        for node_id in tuple(self.viewers):
            if not self.is_open(node_id) or (
                node_id not in wanted and now - self._last_seen[node_id] > LINGER_S
            ):
                self._end(node_id)
            elif node_id not in wanted:
                self._in_view.again(round(LINGER_S * 1000) + SETTLE_MS)
        for node_id in wanted:
            if node_id not in self.viewers:
                self._begin(node_id)
        self._adjust()

    def _wanted(self) -> list[str]:
        """Those that should be looked at, nearest to the middle first."""
        has_screen = (each for each in self._canvas.node_items if self._model.has_screen(each))
        found = self._in_view.among(filter(self.is_open, has_screen))
        middle = self._view.mapToScene(self._view.viewport().rect()).boundingRect().center()
        found.sort(key=lambda each: (self._canvas.card_rect(each).center() - middle).manhattanLength())
        found.sort(key=lambda each: each != self._in_use)
        return found[:MOST_AT_ONCE]

    def _begin(self, node_id: str) -> None:
        viewer = Viewer(self._link.client.home, node_id, self.painter)
        viewer.resized.connect(lambda: self._on_resized(viewer))
        viewer.over.connect(lambda error: self._on_over(viewer, error))
        viewer.finished.connect(lambda: self._ended.discard(viewer))
        self.viewers[node_id] = viewer
        self._show_in_card(node_id)
        viewer.open()

    def _show_in_card(self, node_id: str) -> None:
        self._items[node_id] = ScreenItem(
            self._canvas, self._canvas.node_items[node_id], self.viewers[node_id], self.painter
        )

    def _end(self, node_id: str, why: str = "") -> None:
        """Look at it no longer; ``why`` is said on its card where it broke off."""
        self.ending.emit(node_id)
        viewer, item = self.viewers.pop(node_id), self._items.pop(node_id, None)
        if item is not None:
            item.release()
            if why and self.is_open(node_id):
                item.freeze(why)
                self._frozen[node_id] = item
            else:
                self._take_away(item)
        self._ended.add(viewer)
        viewer.close()

    def _take_away(self, item: ScreenItem) -> None:
        # The card may be gone from the scene already, and take it along.
        item.setParentItem(None)  # type: ignore[arg-type]
        if item.scene() is not None:
            self._canvas.removeItem(item)

    def _adjust(self) -> None:
        """Each at the sharpness of the zoom, and as fast as it is attended to."""
        view = self._view
        in_front = view.isActiveWindow()
        for node_id, viewer in self.viewers.items():
            viewer.set_scale(view.zoom * view.viewport().devicePixelRatioF())
            in_use = node_id == self._in_use
            if not in_front:
                viewer.attend(Attention.IN_BACKGROUND)
            else:
                viewer.attend(Attention.IN_USE if in_use else Attention.IN_VIEW)
            self._items[node_id].setVisible(not in_use)

    def _fit_card(self, node_id: str) -> None:
        is_terminal = self._canvas.node_items[node_id].kind is NodeKind.TERMINAL
        card = TerminalCard if is_terminal else AgentScreenCard
        self._canvas.set_card(node_id, card(self._sizes[node_id]))
        self._view.place_live()

    # --- What happens

    def _on_resized(self, viewer: Viewer) -> None:
        """The card is as large as the screen that it shows."""
        node_id = viewer.node_id
        self._sizes[node_id] = viewer.size
        if self.viewers.get(node_id) is viewer and node_id in self._canvas.node_items:
            self._fit_card(node_id)
            self._items[node_id].adjust()
        self.arrived.emit(node_id)

    def _on_over(self, viewer: Viewer, error: KavorError | None) -> None:
        if self.viewers.get(viewer.node_id) is viewer:
            self._end(viewer.node_id, "" if error is None else f"{message_words(error)}.")
            self._in_view.again()

    def _on_link(self, state: LinkState, why: str) -> None:
        if state is LinkState.GONE:
            words = f"{as_sentence(spoken(why))}."
            for node_id in tuple(self.viewers):
                self._end(node_id, words)
            for item in self._frozen.values():
                item.freeze(words)

    def _on_node(self, node_id: str) -> None:
        if node_id not in self._canvas.node_items:
            return
        if self._model.has_screen(node_id):
            self.look_soon()
        elif node_id in self._sizes and self.is_open(node_id):
            self._sizes.pop(node_id)  # an agent that is held another way now
            if node_id in self.viewers:
                self._end(node_id)
            self._canvas.set_card(node_id, card_of(self._canvas.node_items[node_id].kind))

    def _on_removed(self, node: Node) -> None:
        self._sizes.pop(node.id, None)
        self._frozen.pop(node.id, None)
        if node.id in self.viewers:
            self._end(node.id)

    def _on_reloaded(self) -> None:
        """The cards are other items now, without the screens they had."""
        self._frozen.clear()
        for node_id in self._sizes.keys() & self._canvas.node_items.keys():
            self._fit_card(node_id)
        for node_id in tuple(self.viewers):
            self._items.pop(node_id).release()
            if node_id in self._canvas.node_items:
                self._show_in_card(node_id)
            else:
                self._end(node_id)
        self.look()
