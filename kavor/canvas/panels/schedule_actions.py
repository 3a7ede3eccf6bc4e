"""The keys for what can be done to the Schedules that are selected on a canvas."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas.qt import QAction, QKeySequence, Qt, translate
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind

Act = Callable[[CanvasView, str, str], None]
"""Takes the canvas, a Node's id and the action."""

_KINDS = {
    "Edit": frozenset(NodeKind),
    "History": frozenset({NodeKind.SCHEDULE, NodeKind.CODING_AGENT}),
    "Resume": frozenset({NodeKind.SCHEDULE}),
    "Pause": frozenset({NodeKind.SCHEDULE}),
    "Run now": frozenset({NodeKind.SCHEDULE}),
    "Dismiss": frozenset({NodeKind.SCHEDULE}),
}
_ONE_AT_A_TIME = frozenset({"Edit", "History"})


def schedule_actions(view: CanvasView, act: Act) -> list[QAction]:
    """Each with its words and key, as a list of shortcuts shows them, and its name as data; they answer while
    the canvas itself has the focus, so that no letter typed elsewhere starts anything."""
    table = (
        ("Edit", "E", translate("Shortcut", "Edit, or settings")),
        ("History", "H", translate("Shortcut", "History")),
        ("Resume", "R", translate("Shortcut", "Resume")),
        ("Pause", "P", translate("Shortcut", "Pause")),
        ("Run now", "Shift+Return", translate("Shortcut", "Run now")),
        ("Dismiss", "D", translate("Shortcut", "Dismiss what was missed")),
    )
    return [_action(view, name, key, words, act) for name, key, words in table]


def _action(view: CanvasView, name: str, key: str, words: str, act: Act) -> QAction:
    def perform() -> None:
        fitting = [item for item in view.canvas.selected_nodes() if item.kind in _KINDS[name]]
        for item in fitting[:1] if name in _ONE_AT_A_TIME else fitting:
            act(view, item.node_id, name)

    action = QAction(words, view)
    action.setData(name)
    action.setShortcut(QKeySequence(key))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(perform)
    return action
