"""The Terminals of one canvas: which are looked at, and which is in use.

A look costs a process, so only cards in view are looked at, at a zoom where their text can be made out, and
only so many of them at once.
"""

from __future__ import annotations

import time

from kavor.api.terminal_input import encode_paste
from kavor.canvas.cards.terminal import TerminalCard
from kavor.canvas.edits import Edits
from kavor.canvas.link import Link, LinkState
from kavor.canvas.qt import QEvent, QMenu, QObject, QPoint, QPointF, QSizeF, Qt, QTimer, translate
from kavor.canvas.runtime_words import as_sentence, message_words
from kavor.canvas.terminal.cells import GridSize
from kavor.canvas.terminal.colours import ScreenColours
from kavor.canvas.terminal.pace import Attention
from kavor.canvas.terminal.paste import PasteGuard
from kavor.canvas.terminal.screen_item import ScreenItem
from kavor.canvas.terminal.screen_picture import RowPainter
from kavor.canvas.terminal.terminal_widget import TerminalWidget
from kavor.canvas.terminal.viewer import Viewer
from kavor.canvas.theme import Theme
from kavor.canvas.things import Node
from kavor.canvas.view import ZOOM_STEP, CanvasView
from kavor.canvas.workers import all_ended
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind

READABLE = 0.4
"""Below this zoom nothing is looked at."""
USABLE = 0.75
"""A Terminal that is to be used is brought to 100 % from below this zoom."""
MOST_AT_ONCE = 12

SETTLE_MS = 150
"""So long after the canvas moved it is looked at what is in view."""
LINGER_S = 3.0
"""So long a card out of view is still looked at: it may come back."""
AGAIN_MS = 1000
"""After so long a look that broke off is tried again."""
_END_LIMIT_S = 0.3

_CHANGES = frozenset(
    {
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.Resize,
        QEvent.Type.WindowActivate,
        QEvent.Type.WindowDeactivate,
        QEvent.Type.WindowStateChange,
    }
)


class Terminals(QObject):
    def __init__(self, view: CanvasView, link: Link, edits: Edits, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._link = link
        self._edits = edits
        self._painter = RowPainter(ScreenColours(theme))
        self._viewers: dict[str, Viewer] = {}
        self._items: dict[str, ScreenItem] = {}
        self._frozen: dict[str, ScreenItem] = {}
        """What was seen last of those whose stream broke off."""
        self._sizes: dict[str, GridSize] = {}
        self._last_seen: dict[str, float] = {}
        self._ending: set[Viewer] = set()
        self._used: TerminalWidget | None = None
        self._wanted = ""
        """The Node that is to be used as soon as its screen is there."""
        self.guard = PasteGuard(view, self._back_to_terminal)
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self.look)
        self._again = QTimer(self, interval=AGAIN_MS, singleShot=True)
        self._again.timeout.connect(self.look)
        self._follow()
        self._settle.start()

    def _follow(self) -> None:
        view, model = self._view, self._model
        view.zoom_changed.connect(self._look_soon)
        view.horizontalScrollBar().valueChanged.connect(self._look_soon)
        view.verticalScrollBar().valueChanged.connect(self._look_soon)
        view.installEventFilter(self)
        view.opened.connect(self._on_opened)
        view.clicked_again.connect(self._on_clicked_again)
        view.resized.connect(self._on_drawn_larger)
        view.can_resize = self._viewers.__contains__
        self._canvas.selectionChanged.connect(self._on_selection)
        self._link.state_changed.connect(self._on_link)
        model.reloaded.connect(self._on_reloaded)
        model.node_added.connect(self._on_node)
        model.node_changed.connect(self._on_node)
        model.node_moved.connect(self._on_node)
        model.node_removed.connect(self._on_removed)

    def release(self) -> None:
        """Before the view goes: every look is ended, and waited for where it ends at once."""
        self._canvas.selectionChanged.disconnect(self._on_selection)
        self._model.reloaded.disconnect(self._on_reloaded)
        self._model.node_added.disconnect(self._on_node)
        self._model.node_changed.disconnect(self._on_node)
        self._model.node_moved.disconnect(self._on_node)
        self._model.node_removed.disconnect(self._on_removed)
        self._settle.stop()
        self._again.stop()
        self.leave()
        for node_id in tuple(self._viewers):
            self._end(node_id)
        all_ended([thread for viewer in self._ending for thread in viewer.threads], _END_LIMIT_S)

    def set_theme(self, theme: Theme) -> None:
        self._painter = RowPainter(ScreenColours(theme))
        for node_id, viewer in self._viewers.items():
            viewer.set_painter(self._painter)
            self._items[node_id].set_painter(self._painter)
        if self._used is not None:
            self._used.set_painter(self._painter)

    # --- Looking

    @property
    def viewers(self) -> dict[str, Viewer]:
        """By Node id, those that are looked at."""
        return dict(self._viewers)

    @property
    def frozen(self) -> dict[str, str]:
        """By Node id, those that show what was seen last, and why."""
        return {node_id: item.notice for node_id, item in self._frozen.items()}

    def look(self) -> None:
        """Look at what is in view, and no longer at what is not."""
        now = time.monotonic()
        wanted = self._in_view()
        self._last_seen.update(dict.fromkeys(wanted, now))
        for node_id in tuple(self._frozen):
            if not self._is_open(node_id) or node_id in wanted:
                self._take_away(self._frozen.pop(node_id))
        for node_id in tuple(self._viewers):
            if not self._is_open(node_id) or (
                node_id not in wanted and now - self._last_seen[node_id] > LINGER_S
            ):
                self._end(node_id)
            elif node_id not in wanted:
                self._again.start(round(LINGER_S * 1000) + SETTLE_MS)
        for node_id in wanted:
            if node_id not in self._viewers:
                self._begin(node_id)
        self._adjust()

    def _in_view(self) -> list[str]:
        """Those that should be looked at, nearest to the middle first."""
        view = self._view
        if self._link.state is not LinkState.CONNECTED or not view.isVisible() or view.window().isMinimized():
            return []
        shown = view.mapToScene(view.viewport().rect()).boundingRect()
        if view.zoom < READABLE:
            return []
        found = [
            node_id
            for node_id, item in self._canvas.node_items.items()
            if item.kind is NodeKind.TERMINAL
            and self._is_open(node_id)
            and shown.intersects(self._canvas.card_rect(node_id))
        ]
        middle = shown.center()
        found.sort(key=lambda each: (self._canvas.card_rect(each).center() - middle).manhattanLength())
        if self._used is not None and self._used.viewer.node_id in found:
            found.remove(self._used.viewer.node_id)
            found.insert(0, self._used.viewer.node_id)
        return found[:MOST_AT_ONCE]

    def _is_open(self, node_id: str) -> bool:
        session = self._model.sessions.get(node_id)
        return node_id in self._canvas.node_items and session is not None and session.state == "open"

    def _begin(self, node_id: str) -> None:
        viewer = Viewer(self._link.client.home, node_id, self._painter)
        viewer.resized.connect(lambda: self._on_resized(viewer))
        viewer.over.connect(lambda error: self._on_over(viewer, error))
        viewer.finished.connect(lambda: self._ending.discard(viewer))
        self._viewers[node_id] = viewer
        self._show_in_card(node_id)
        viewer.open()

    def _show_in_card(self, node_id: str) -> None:
        self._items[node_id] = ScreenItem(
            self._canvas, self._canvas.node_items[node_id], self._viewers[node_id], self._painter
        )

    def _end(self, node_id: str, why: str = "") -> None:
        """Look at it no longer; ``why`` is said on its card where it broke off."""
        if self._used is not None and self._used.viewer.node_id == node_id:
            self.leave()
        viewer, item = self._viewers.pop(node_id), self._items.pop(node_id, None)
        if item is not None:
            item.release()
            if why and self._is_open(node_id):
                item.freeze(why)
                self._frozen[node_id] = item
            else:
                self._take_away(item)
        self._ending.add(viewer)
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
        for node_id, viewer in self._viewers.items():
            viewer.set_scale(view.zoom * view.viewport().devicePixelRatioF())
            in_use = self._used is not None and self._used.viewer is viewer
            if not in_front:
                viewer.attend(Attention.IN_BACKGROUND)
            else:
                viewer.attend(Attention.IN_USE if in_use else Attention.IN_VIEW)
            self._items[node_id].setVisible(not in_use)

    # --- Using one

    @property
    def used(self) -> TerminalWidget | None:
        """The one that keys go to."""
        return self._used

    def use(self, node_id: str) -> None:
        """Let keys and mouse go to this Terminal, once its screen is there; one that is closed is opened."""
        if self._used is not None and self._used.viewer.node_id == node_id:
            self._used.setFocus()
            return
        if not self._is_open(node_id):
            self._edits.act_on_session(node_id, "open")
        if self._view.zoom < USABLE:
            self._view.set_zoom(1.0)
            self._view.show_node(node_id)
        self._view.reveal(node_id)
        self._wanted = node_id
        self.look()
        self._use_wanted()

    def leave(self) -> None:
        """Back to the canvas."""
        self._wanted = ""
        used, self._used = self._used, None
        if used is None:
            return
        self.guard.question.close_question()
        if used.hasFocus():
            self._view.setFocus()  # before it is hidden, which would hand the focus on as Tab does
        self._view.hide_live()
        used.release()
        used.deleteLater()
        if used.viewer.node_id in self._items:
            self._items[used.viewer.node_id].setVisible(True)
        self._settle.start()

    def _use_wanted(self) -> None:
        viewer = self._viewers.get(self._wanted)
        if viewer is None or not viewer.is_here:
            return
        self.leave()
        widget = TerminalWidget(viewer, self._painter, self._view.viewport())
        widget.left.connect(self.leave)
        widget.paste_wanted.connect(lambda text: self._paste(widget, text))
        widget.growth_wanted.connect(lambda columns, lines: self._grow(viewer, columns, lines))
        widget.menu_wanted.connect(lambda at: self._open_menu(widget, at))
        widget.abandoned.connect(self._on_abandoned)
        widget.zoom_wanted.connect(
            lambda notches, at: self._view.zoom_by(ZOOM_STEP**notches, at + QPointF(widget.pos()))
        )
        self._used = widget
        self._view.show_live(viewer.node_id, widget)
        widget.setFocus()
        self._adjust()

    def _on_abandoned(self) -> None:
        """The person went elsewhere, if not to what the Terminal asks."""
        if not self.guard.question.isVisible():
            self.leave()

    def _paste(self, widget: TerminalWidget, text: str) -> None:
        viewer = widget.viewer
        modes = viewer.screen.modes
        self.guard.ask(
            viewer.node_id, text, modes, lambda: viewer.type(encode_paste(text, viewer.screen.modes))
        )

    def _back_to_terminal(self) -> None:
        if self._used is not None:
            self._used.setFocus()

    def _open_menu(self, widget: TerminalWidget, at: QPoint) -> None:
        menu = QMenu(widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(translate("Terminal", "Copy"), widget.copy)
        copy.setEnabled(bool(widget.marking.text))
        menu.addAction(translate("Terminal", "Paste"), widget.paste)
        menu.addAction(translate("Terminal", "Select all"), widget.select_all)
        menu.addSeparator()
        menu.addAction(translate("Terminal", "Back to the canvas"), self.leave)
        menu.popup(widget.mapToGlobal(at))

    # --- Size

    def _grow(self, viewer: Viewer, columns: int, lines: int) -> None:
        wanted = GridSize(viewer.size.columns + columns, viewer.size.lines + lines)
        viewer.resize(GridSize.within(wanted.content))

    def _on_drawn_larger(self, node_id: str, content: QSizeF) -> None:
        """Or smaller, by its corner."""
        viewer = self._viewers.get(node_id)
        if viewer is not None:
            viewer.resize(GridSize.within(content))

    def _on_resized(self, viewer: Viewer) -> None:
        """The card is as large as the screen that it shows."""
        node_id = viewer.node_id
        self._sizes[node_id] = viewer.size
        if self._viewers.get(node_id) is viewer and node_id in self._canvas.node_items:
            self._fit_card(node_id)
            self._items[node_id].adjust()
        if node_id == self._wanted:
            self._use_wanted()

    def _fit_card(self, node_id: str) -> None:
        self._canvas.set_card(node_id, TerminalCard(self._sizes[node_id]))
        self._view.place_live()

    # --- What happens

    def _look_soon(self, *_: object) -> None:
        """When the canvas is at rest."""
        self._settle.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CHANGES:
            self._settle.start()
        return super().eventFilter(watched, event)

    def _on_opened(self, node_id: str) -> None:
        if self._model.nodes[node_id].kind is NodeKind.TERMINAL:
            self.use(node_id)

    def _on_clicked_again(self, node_id: str, at: QPointF) -> None:
        """A click into the screen of a card that was selected already."""
        item = self._canvas.node_items[node_id]
        if item.kind is NodeKind.TERMINAL and self._is_open(node_id) and item.card.content.contains(at):
            self.use(node_id)

    def _on_selection(self) -> None:
        """Who selects something else meanwhile does not wait for a Terminal any more."""
        if self._wanted not in {item.node_id for item in self._canvas.selected_nodes()}:
            self._wanted = ""

    def _on_link(self, state: LinkState, why: str) -> None:
        if state is LinkState.GONE:
            self._wanted = ""
            for node_id in tuple(self._viewers):
                self._end(node_id, f"{as_sentence(why)}.")
            for item in self._frozen.values():
                item.freeze(f"{as_sentence(why)}.")
        self._settle.start()

    def _on_node(self, node_id: str) -> None:
        if node_id in self._canvas.node_items and self._canvas.node_items[node_id].kind is NodeKind.TERMINAL:
            self._settle.start()

    def _on_removed(self, node: Node) -> None:
        self._sizes.pop(node.id, None)
        self._frozen.pop(node.id, None)
        if node.id in self._viewers:
            self._end(node.id)

    def _on_reloaded(self) -> None:
        """The cards are other items now, without the screens they had."""
        self._frozen.clear()
        for node_id in self._sizes.keys() & self._canvas.node_items.keys():
            self._fit_card(node_id)
        for node_id in tuple(self._viewers):
            self._items.pop(node_id).release()
            if node_id in self._canvas.node_items:
                self._show_in_card(node_id)
            else:
                self._end(node_id)
        self.look()

    def _on_over(self, viewer: Viewer, error: KavorError | None) -> None:
        if self._viewers.get(viewer.node_id) is viewer:
            self._end(viewer.node_id, "" if error is None else f"{message_words(error)}.")
            self._again.start(AGAIN_MS)
