"""Which panels are open, and what opens them: a card's buttons, Enter or a double click on it, and keys."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.edits import Edits
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panel import Panel
from kavor.canvas.panels.agent_settings import AgentSettings
from kavor.canvas.panels.history_panel import HistoryPanel
from kavor.canvas.panels.schedule_actions import schedule_actions
from kavor.canvas.panels.terminal_settings import TerminalSettings
from kavor.canvas.panels.turns_panel import TurnsPanel
from kavor.canvas.qt import QObject, QTimer, QWidget, Signal
from kavor.canvas.theme import Theme
from kavor.canvas.things import Node
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind

PANEL_ACTIONS = frozenset({"Edit", "History"})
"""What a card's buttons ask of the panels; everything else is asked of the runtime."""

_EDITED_ON_THE_CARD = frozenset({NodeKind.STICKY_NOTE, NodeKind.FILE, NodeKind.SPECIFICATION})

Show = Callable[[QWidget | None], None]

Form = ScheduleEditor | TerminalSettings | AgentSettings


class Panels(QObject):
    """``show_side`` and ``show_below`` put a panel at the right of the canvas and under it; None takes it
    away. A form with something unsaved in it stays as it is until it is opened again."""

    saved = Signal(object)
    """A Saved: what a Schedule's form has changed."""
    fields_saved = Signal(object)
    """A SavedFields: what a Terminal's or a CodingAgent's form has changed."""

    def __init__(
        self,
        model: Model,
        link: Link,
        edits: Edits,
        zone: ZoneInfo,
        theme: Theme,
        show_side: Show,
        show_below: Show,
    ) -> None:
        super().__init__()
        self._model = model
        self._link = link
        self._edits = edits
        self._zone = zone
        self._theme = theme
        self._show_side = show_side
        self._show_below = show_below
        self._view: CanvasView | None = None
        self._unsaved: dict[str, Form] = {}
        self.form: Form | None = None
        """The one at the right."""
        self.history: HistoryPanel | TurnsPanel | None = None
        model.node_removed.connect(self._on_removed)
        model.reloaded.connect(self._on_reloaded)

    def release(self) -> None:
        """Before the window goes."""
        self.close_form()
        self.close_history()
        for editor in self._unsaved.values():
            editor.end()
        self._unsaved.clear()
        self._model.node_removed.disconnect(self._on_removed)
        self._model.reloaded.disconnect(self._on_reloaded)

    def adopt(self, view: CanvasView) -> None:
        """Open what is opened on this canvas."""
        view.opened.connect(lambda node_id: self._on_opened(view, node_id))
        for action in schedule_actions(view, self.act):
            view.addAction(action)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for panel in self._panels():
            panel.set_theme(theme)

    def tick(self) -> None:
        """A minute went by."""
        for panel in self._panels():
            panel.tick()

    # --- What may be done to the Nodes that are selected

    def act(self, view: CanvasView, node_id: str, action: str) -> None:
        """Edit and History open panels; every other action is what the card's button does."""
        self._view = view
        match action:
            case "Edit" if self._model.nodes[node_id].kind in _EDITED_ON_THE_CARD:
                view.opened.emit(node_id)
            case "Edit":
                self.edit(node_id)
            case "History":
                self.show_history(node_id)
            case _:
                view.act(node_id, action)

    def _on_opened(self, view: CanvasView, node_id: str) -> None:
        if self._model.nodes[node_id].kind is NodeKind.SCHEDULE:
            self.act(view, node_id, "Edit")

    # --- Forms

    def edit(self, node_id: str) -> None:
        """Open the form of a Schedule, a Terminal or a CodingAgent; nothing for what has none."""
        if self.form is not None and self.form.node_id == node_id:
            self.form.setFocus()
            return
        kind = self._model.nodes[node_id].kind
        if kind is NodeKind.SCHEDULE and node_id in self._model.schedules:
            self._put_aside()
            kept = self._unsaved.pop(node_id, None)
            self._show_form(kept or self._new_editor(node_id))
        elif kind in (NodeKind.TERMINAL, NodeKind.CODING_AGENT):
            self._put_aside()
            kept = self._unsaved.pop(node_id, None)
            self._show_form(kept or self._new_settings(node_id, kind))

    def _new_settings(self, node_id: str, kind: NodeKind) -> TerminalSettings | AgentSettings:
        if kind is NodeKind.TERMINAL:
            settings: TerminalSettings | AgentSettings = TerminalSettings(
                node_id, self._model, self._link, self._theme
            )
        else:
            settings = AgentSettings(node_id, self._model, self._link, self._theme)
            settings.history_wanted.connect(lambda: self.show_history(node_id))
        settings.closed.connect(self.close_form)
        settings.saved.connect(self.fields_saved)
        settings.acted.connect(lambda verb: self._edits.act_on_session(node_id, verb))
        return settings

    def _new_editor(self, schedule_id: str) -> ScheduleEditor:
        editor = ScheduleEditor(schedule_id, self._model, self._link, self._zone, self._theme)
        editor.closed.connect(self.close_form)
        editor.saved.connect(self.saved)
        editor.history_wanted.connect(lambda: self.show_history(schedule_id))
        editor.acted.connect(lambda action: self._edits.act_on_schedule(schedule_id, action))
        return editor

    def _show_form(self, form: Form) -> None:
        self.form = form
        self._show_side(form)
        form.show()
        form.setFocus()
        self._keep_in_view(form.node_id)

    def close_form(self) -> None:
        self._put_aside()
        self._show_side(None)
        if self._view is not None:
            self._view.setFocus()

    def _put_aside(self) -> None:
        """Keep the form that is open where something in it is unsaved, else let it go."""
        form, self.form = self.form, None
        if form is None:
            return
        form.hide()
        if form.is_changed:
            self._unsaved[form.node_id] = form
        else:
            form.end()

    def unsaved_forms(self) -> list[Form]:
        """Those with something typed in them that is not saved."""
        in_front = [] if self.form is None else [self.form]
        return [form for form in (*in_front, *self._unsaved.values()) if form.is_changed]

    def is_unsaved(self, node_id: str) -> bool:
        """Whether something about this Node is typed in its form and not saved."""
        return any(form.node_id == node_id for form in self.unsaved_forms())

    def discard_unsaved(self) -> None:
        """Forget what is typed in those."""
        for form in self.unsaved_forms():
            self._forget_form(form.node_id)

    # --- History

    def show_history(self, node_id: str) -> None:
        """The attempts of a Schedule, or the turns of a CodingAgent."""
        if self.history is not None and self.history.node_id == node_id:
            self.history.table.setFocus()
            return
        self.close_history()
        kind = self._model.nodes[node_id].kind
        panel = TurnsPanel if kind is NodeKind.CODING_AGENT else HistoryPanel
        self.history = panel(node_id, self._model, self._link, self._zone, self._theme)
        self.history.closed.connect(self.close_history)
        self._show_below(self.history)
        self.history.show()
        self.history.table.setFocus()
        self._keep_in_view(node_id)

    def close_history(self) -> None:
        history, self.history = self.history, None
        if history is None:
            return
        self._show_below(None)
        history.end()
        if self._view is not None:
            self._view.setFocus()

    def _keep_in_view(self, node_id: str) -> None:
        """Once a panel has taken its room, what it is about does not lie under it."""
        view = self._view
        if view is None:
            return

        def reveal() -> None:
            if node_id in view.canvas.node_items:
                view.reveal(node_id)

        QTimer.singleShot(0, view, reveal)

    # --- What happens

    def _on_removed(self, node: Node) -> None:
        self._forget(node.id)

    def _on_reloaded(self) -> None:
        shown = {panel.node_id for panel in self._panels()}
        for node_id in shown - self._model.nodes.keys():
            self._forget(node_id)

    def _forget(self, node_id: str) -> None:
        """The Node is gone, and what is typed about it with it."""
        if self.history is not None and self.history.node_id == node_id:
            self.close_history()
        self._forget_form(node_id)

    def _forget_form(self, node_id: str) -> None:
        if node_id in self._unsaved:
            self._unsaved.pop(node_id).end()
        if self.form is not None and self.form.node_id == node_id:
            form, self.form = self.form, None
            self._show_side(None)
            form.end()

    def _panels(self) -> list[Panel]:
        open_now = (self.form, self.history, *self._unsaved.values())
        return [panel for panel in open_now if panel is not None]
