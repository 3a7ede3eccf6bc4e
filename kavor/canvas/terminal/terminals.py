"""The Terminals of one canvas: its screens are looked at, and one of them at a time is in use."""

from __future__ import annotations

from kavor.api.terminal_input import encode_paste
from kavor.canvas.cards.cells import GridSize
from kavor.canvas.edits import Edits
from kavor.canvas.link import Link, LinkState
from kavor.canvas.navigation import ZOOM_STEP
from kavor.canvas.qt import QMenu, QObject, QPoint, QPointF, QSizeF, Qt, translate
from kavor.canvas.terminal.looks import Looks
from kavor.canvas.terminal.paste import PasteGuard
from kavor.canvas.terminal.terminal_widget import TerminalWidget
from kavor.canvas.terminal.viewer import Viewer
from kavor.canvas.theme import Theme
from kavor.canvas.view import CanvasView

USABLE = 0.75
"""A Terminal that is to be used is brought to 100 % from below this zoom."""


class Terminals(QObject):
    def __init__(self, view: CanvasView, link: Link, edits: Edits, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self._canvas = view.canvas
        self._edits = edits
        self._used: TerminalWidget | None = None
        self._wanted = ""
        """The Node that is to be used as soon as its screen is there."""
        self.guard = PasteGuard(view, self._back_to_terminal)
        self._looks = Looks(view, link, theme)
        self._looks.arrived.connect(self._on_arrived)
        self._looks.ending.connect(self._on_ending)
        view.opened.connect(self._on_opened)
        view.clicked_again.connect(self._on_clicked_again)
        view.resized.connect(self._on_drawn_larger)
        self._canvas.selectionChanged.connect(self._on_selection)
        link.state_changed.connect(self._on_link)

    def release(self) -> None:
        """Before the view goes."""
        self._canvas.selectionChanged.disconnect(self._on_selection)
        self.leave()
        self._looks.release()

    def set_theme(self, theme: Theme) -> None:
        self._looks.set_theme(theme)
        if self._used is not None:
            self._used.set_painter(self._looks.painter)

    # --- What is seen

    @property
    def viewers(self) -> dict[str, Viewer]:
        """By Node id, those that are looked at."""
        return dict(self._looks.viewers)

    @property
    def frozen(self) -> dict[str, str]:
        """By Node id, those that show what was seen last, and why."""
        return self._looks.frozen

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
        if not self._looks.is_open(node_id):
            self._edits.act_on_session(node_id, "open")
        if self._view.zoom < USABLE:
            self._view.set_zoom(1.0)
            self._view.show_node(node_id)
        self._view.reveal(node_id)
        self._wanted = node_id
        self._looks.look()
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
        self._looks.use("")

    def _use_wanted(self) -> None:
        viewer = self._looks.viewers.get(self._wanted)
        if viewer is None or not viewer.is_here:
            return
        self.leave()
        widget = TerminalWidget(viewer, self._looks.painter, self._view.viewport())
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
        self._looks.use(viewer.node_id)

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
        viewer = self._looks.viewers.get(node_id)
        if viewer is not None:
            viewer.resize(GridSize.within(content))

    # --- What happens

    def _on_arrived(self, node_id: str) -> None:
        if node_id == self._wanted:
            self._use_wanted()

    def _on_ending(self, node_id: str) -> None:
        if self._used is not None and self._used.viewer.node_id == node_id:
            self.leave()

    def _on_opened(self, node_id: str) -> None:
        if self._canvas.model.has_screen(node_id):
            self.use(node_id)

    def _on_clicked_again(self, node_id: str, at: QPointF) -> None:
        """A click into the screen of a card that was selected already."""
        item = self._canvas.node_items[node_id]
        is_seen = self._canvas.model.has_screen(node_id) and self._looks.is_open(node_id)
        if is_seen and item.card.content.contains(at):
            self.use(node_id)

    def _on_selection(self) -> None:
        """Who selects something else meanwhile does not wait for a Terminal any more."""
        if self._wanted not in {item.node_id for item in self._canvas.selected_nodes()}:
            self._wanted = ""

    def _on_link(self, state: LinkState, why: str) -> None:
        if state is LinkState.GONE:
            self._wanted = ""
