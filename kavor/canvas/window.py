"""The window: Workspaces as tabs, the state of the world above, the canvas below."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from kavor.canvas import theme as themes
from kavor.canvas.attention import Attention, DesktopNotices
from kavor.canvas.cards.brush import Look
from kavor.canvas.closing import Closing
from kavor.canvas.commands.change_node import SavedFields
from kavor.canvas.commands.edit_schedule import Saved
from kavor.canvas.edits import Edits
from kavor.canvas.floating import Refusal, ZoomControls
from kavor.canvas.link import Link, LinkState
from kavor.canvas.live_cards import LiveCards
from kavor.canvas.model import Model
from kavor.canvas.navigation import ZOOM_STEP
from kavor.canvas.panels.panels import PANEL_ACTIONS, Panels
from kavor.canvas.qt import (
    QAction,
    QCloseEvent,
    QEvent,
    QFileDialog,
    QGuiApplication,
    QKeySequence,
    QMainWindow,
    QObject,
    QRect,
    QResizeEvent,
    QSize,
    QTimer,
    translate,
)
from kavor.canvas.rooms import Rooms
from kavor.canvas.scene.overview import FAR
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.style import style_sheet
from kavor.canvas.terminal.terminals import Terminals
from kavor.canvas.theme import Theme
from kavor.canvas.tools.workbench import Workbench
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError

_SESSION_ACTIONS = frozenset({"open", "close", "restart"})
_FLOAT_MARGIN = 16
_SIZE = QSize(1280, 800)
_FRAME = QSize(8, 40)
"""What a window manager is taken to put around it, before there is any."""


class CanvasWindow(QMainWindow):
    def __init__(
        self, link: Link, model: Model, edits: Edits, zone: ZoneInfo, theme: Theme | None = None
    ) -> None:
        super().__init__()
        self.link = link
        self.model = model
        self.edits = edits
        self.zone = zone
        self.views: dict[str, CanvasView] = {}
        self.terminals: dict[CanvasView, Terminals] = {}
        self.live: dict[CanvasView, LiveCards] = {}
        self._named_actions: dict[str, QAction] = {}
        self._follows_system = theme is None
        self.look = Look(theme or themes.system_theme())
        self._minute = -1
        self._build()
        theme_now = self.look.theme
        self.panels = Panels(model, link, edits, zone, theme_now, self.rooms.show_side, self.rooms.show_below)
        self.closing = Closing(self.panels, lambda: list(self.live.values()), self.pages, self.close)
        self.panels.saved.connect(self._remember_save)
        self.panels.fields_saved.connect(self._remember_fields)
        self.notices = DesktopNotices(theme_now, self)
        self.attention = Attention(model, self._is_on_view, self.notices)
        self._follow()
        self.set_theme(self.look.theme)
        self._ticker = QTimer(self, interval=1000)
        self._ticker.timeout.connect(self._tick)
        self._ticker.start()

    # --- Seams for panels and tools

    @property
    def view(self) -> CanvasView | None:
        """The canvas that is in front."""
        shown = self.pages.currentWidget()
        return shown if isinstance(shown, CanvasView) else None

    @property
    def workspace_id(self) -> str | None:
        return None if self.view is None else self.view.canvas.workspace_id

    def show_within_screen(self) -> None:
        """For the first time: as large as it likes to be, or all of a screen that has no room for that."""
        room = self.screen().availableGeometry()
        if self.width() + _FRAME.width() > room.width() or self.height() + _FRAME.height() > room.height():
            self.showMaximized()
        else:
            self.show()

    def set_theme(self, theme: Theme) -> None:
        self.look = Look(theme, self.look.fonts)
        self.setPalette(theme.palette())
        self.setStyleSheet(style_sheet(theme))
        self.header.set_theme(theme)
        self.zoom_controls.set_theme(theme)
        self.workbench.set_theme(theme)
        self.panels.set_theme(theme)
        for view in self.views.values():
            view.canvas.set_look(self.look)
            self.terminals[view].set_theme(theme)
            self.live[view].set_theme(theme)
            view.viewport().update()

    # --- Building

    def _build(self) -> None:
        self.setWindowTitle("Kavor")
        self.resize(_SIZE)
        rooms = self.rooms = Rooms(self.model, self.look.theme)
        self.header, self.tabs, self.banner = rooms.header, rooms.tabs, rooms.banner
        self.pages, self.empty, self.side, self.below = rooms.pages, rooms.empty, rooms.side, rooms.below
        self.tabs.currentChanged.connect(self._show_tab)
        self.banner.button.clicked.connect(self._start_runtime)
        self.empty.button.clicked.connect(self._choose_workspace)
        self.setCentralWidget(rooms)
        self.zoom_controls = ZoomControls(self.look.theme, self.pages)
        self.zoom_controls.hide()
        self.refusal = Refusal(self.pages)
        self.pages.installEventFilter(self)
        self._build_actions()
        self.workbench = Workbench(
            self.model,
            self.edits,
            self._tell,
            lambda node_id: self.closing.typed_about(node_id),
            self.look.theme,
            self._named_actions,
            self.pages,
        )

    def _build_actions(self) -> None:
        keys = QKeySequence
        larger, smaller = partial(self._zoom_by, ZOOM_STEP), partial(self._zoom_by, 1 / ZOOM_STEP)
        self._action("zoom in", translate("Window", "Zoom in"), ["Ctrl++", "Ctrl+="], larger)
        self._action("zoom out", translate("Window", "Zoom out"), ["Ctrl+-"], smaller)
        self._action("zoom 100 %", translate("Window", "Zoom to 100 %"), ["Ctrl+0"], self._whole_size)
        self._action("fit all", translate("Window", "Fit all"), ["Ctrl+1", "Home"], self._fit_all)
        self._action("fit selection", translate("Window", "Fit selection"), ["Ctrl+2"], self._fit_selection)
        self._action(
            "next",
            translate("Window", "Next Workspace"),
            [keys(keys.StandardKey.NextChild)],
            lambda: self.tabs.step(1),
        )
        self._action(
            "previous",
            translate("Window", "Previous Workspace"),
            [keys(keys.StandardKey.PreviousChild)],
            lambda: self.tabs.step(-1),
        )
        self._action(
            "open workspace", translate("Window", "Open a Workspace…"), ["Ctrl+O"], self._choose_workspace
        )
        self._action(
            "close window", translate("Window", "Close the window"), ["Ctrl+W", "Ctrl+Q"], self._close_window
        )
        self.zoom_controls.zoom_in.connect(larger)
        self.zoom_controls.zoom_out.connect(smaller)
        self.zoom_controls.whole_size.connect(self._whole_size)
        self.zoom_controls.fit.connect(self._fit_all)

    def _action(
        self, command: str, words: str, keys: list[str] | list[QKeySequence], done: Callable[[], None]
    ) -> None:
        action = self._named_actions[command] = QAction(words, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.triggered.connect(lambda: done())
        self.addAction(action)

    def _follow(self) -> None:
        self.link.state_changed.connect(self._on_link)
        self.model.reloaded.connect(self._show_workspaces)
        self.model.workspaces_changed.connect(self._show_workspaces)
        self.model.node_changed.connect(self._on_any_node)
        self.model.node_added.connect(self._on_any_node)
        self.model.node_removed.connect(lambda _: self.header.refresh())
        self.edits.refused.connect(self._on_refused)
        self.notices.clicked.connect(self._show_asking)
        self.header.attention_clicked.connect(self.workbench.show_next_asking)
        if self._follows_system:
            QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    # --- Workspaces

    def _show_workspaces(self) -> None:
        """A tab for each Workspace; those that are open stay as they are."""
        chosen = self.workspace_id
        for gone in self.views.keys() - self.model.workspaces.keys():
            view = self.views.pop(gone)
            self.pages.removeWidget(view)
            self.workbench.release(view)
            self.terminals.pop(view).release()
            self.live.pop(view).release()
            view.release()
            view.deleteLater()
        self.tabs.show_workspaces(self.model.workspaces.values(), chosen)
        self._show_tab(self.tabs.currentIndex())

    def _show_tab(self, number: int) -> None:
        workspace_id = self.tabs.workspace_at(number)
        before = self.view
        self.pages.setCurrentWidget(self.empty if workspace_id is None else self._view_of(workspace_id))
        self.zoom_controls.setVisible(workspace_id is not None)
        self.header.show_workspace(workspace_id)
        self.workbench.bring_to_front(self.view)
        if self.view is not None:
            self.zoom_controls.show_zoom(self.view.zoom)
            if self.view is not before:  # else the keyboard may be in something on it
                self.view.setFocus()
        self._place_floating()

    def _view_of(self, workspace_id: str) -> CanvasView:
        view = self.views.get(workspace_id)
        if view is None:
            scene = CanvasScene(self.model, workspace_id, self.look, self.zone)
            view = self.views[workspace_id] = CanvasView(scene)
            scene.setParent(view)
            self.terminals[view] = Terminals(view, self.link, self.edits, self.look.theme)
            live = self.live[view] = LiveCards(view, self.link, self.edits, self.look.theme)
            live.texts.saved.connect(lambda saved: self.workbench.desk_of(view).remember_text(saved))
            view.acted.connect(lambda node_id, action: self._act(view, node_id, action))
            self.panels.adopt(view)
            view.zoom_changed.connect(self.zoom_controls.show_zoom)
            self.pages.addWidget(view)
            self.workbench.adopt(view)
        return view

    def _choose_workspace(self) -> None:
        directory = QFileDialog.getExistingDirectory(
            self, translate("Window", "Choose the Workspace's folder")
        )
        if directory:
            self.edits.open_folder(directory, lambda found: self.tabs.bring_to_front(found["id"]))

    def _act(self, view: CanvasView, node_id: str, action: str) -> None:
        if action in PANEL_ACTIONS:
            self.panels.act(view, node_id, action)
        elif action in _SESSION_ACTIONS:
            self.edits.act_on_session(node_id, action)
        elif action == "Dismiss":
            attempt = self.model.schedules[node_id].last_attempt
            if attempt is not None:
                self.edits.dismiss(attempt.id, node_id)
        elif node_id in self.model.schedules:
            self.edits.act_on_schedule(node_id, action)

    def _remember_save(self, saved: Saved) -> None:
        node = self.model.nodes.get(saved.schedule_id)
        if node is not None and node.workspace in self.views:
            self.workbench.desk_of(self.views[node.workspace]).remember_save(saved)

    def _remember_fields(self, saved: SavedFields) -> None:
        node = self.model.nodes.get(saved.node_id)
        if node is not None and node.workspace in self.views:
            self.workbench.desk_of(self.views[node.workspace]).remember_fields(saved)

    def _zoom_by(self, factor: float) -> None:
        if self.view is not None:
            self.view.zoom_by(factor)

    def _whole_size(self) -> None:
        if self.view is not None:
            self.view.set_zoom(1.0)

    def _fit_all(self) -> None:
        if self.view is not None:
            self.view.fit_all()

    def _fit_selection(self) -> None:
        if self.view is not None:
            self.view.fit_selection()

    def _close_window(self) -> None:
        self.close()

    # --- What happens

    def _on_link(self, state: LinkState, why: str) -> None:
        self.header.show_firing(state is not LinkState.GONE)
        if state is LinkState.GONE:
            self.banner.say_gone(why)
        elif state is LinkState.CONNECTED:
            self.banner.hide()
        self.empty.say(state)

    def _is_on_view(self, node_id: str) -> bool:
        """Whether the person has this Node's card before them, near enough to read it."""
        place = self._place_of(node_id)
        view = self.view
        if place is None or view is None or not self.isActiveWindow():
            return False
        return view.zoom >= FAR and view.viewport().rect().intersects(place)

    def _show_asking(self) -> None:
        """Bring the agent that asked last before the person, from wherever they are."""
        node = self.model.nodes.get(self.attention.last)
        if node is None:
            return
        self.tabs.bring_to_front(node.workspace)
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()
        if self.view is not None and node.id in self.view.canvas.node_items:
            self.workbench.desk_of(self.view).select(node.id)

    def _start_runtime(self) -> None:
        self.banner.button.setEnabled(False)
        self.link.start_runtime(lambda error: self.banner.say_gone(error.message))

    def _on_any_node(self, node_id: str) -> None:
        if self.model.nodes[node_id].workspace == self.workspace_id:
            self.header.refresh()

    def _on_refused(self, node_id: str, error: KavorError) -> None:
        self.refusal.say(error, self._place_of(node_id))

    def _tell(self, node_id: str, words: str) -> None:
        self.refusal.tell(words, self._place_of(node_id))

    def _place_of(self, node_id: str) -> QRect | None:
        """Of a card on the canvas in front."""
        if self.view is None or node_id not in self.view.canvas.node_items:
            return None
        return self.view.mapFromScene(self.view.canvas.card_rect(node_id)).boundingRect()

    def _tick(self) -> None:
        self.header.tick()
        minute = datetime.now().minute
        if minute != self._minute:
            self._minute = minute
            self.panels.tick()
            for view in self.views.values():
                view.canvas.refresh_faces()

    def _follow_system(self) -> None:
        self.set_theme(themes.system_theme())

    # --- Events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._place_floating()
        return super().eventFilter(watched, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.closing.may_close():
            event.ignore()
            return
        self._ticker.stop()
        self.link.close()
        self.panels.release()
        for view in self.views.values():
            self.terminals[view].release()
            self.live[view].release()
            self.workbench.release(view)
            view.release()
        super().closeEvent(event)

    def _place_floating(self) -> None:
        room, controls = self.pages.rect(), self.zoom_controls
        controls.adjustSize()
        controls.move(
            room.right() - controls.width() - _FLOAT_MARGIN, room.bottom() - controls.height() - _FLOAT_MARGIN
        )
        controls.raise_()
        self.refusal.place()
        self.workbench.place()
        self.closing.question.place()
        self.closing.question.raise_()
