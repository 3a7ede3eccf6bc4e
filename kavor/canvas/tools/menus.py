"""The menus of the right button: of a card, of several, of a Connection, of the bare canvas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kavor.canvas.desk import Desk
from kavor.canvas.model import Model
from kavor.canvas.qt import QAction, QMenu, translate
from kavor.canvas.things import Schedule

_OF_SCHEDULE = ("Resume", "Pause", "Run now", "Dismiss")


def fill_menu(menu: QMenu, actions: Mapping[str, QAction], model: Model, desk: Desk) -> None:
    """For what is selected; ``actions`` by the names of commands."""
    nodes, lines = desk.selected(), desk.view.canvas.selected_connections()
    if len(nodes) == 1 and not lines:
        _fill_for_node(menu, actions, model, desk, nodes[0])
    elif nodes:
        _add(menu, actions, ["fit selection", "", "delete"])
    elif lines:
        menu.addAction(translate("Menu", "Disconnect"), actions["delete"].trigger)
    else:
        _add(menu, actions, ["quick add", "add schedule", "add terminal", ""])
        _add(menu, actions, ["select all", "fit all", "find", "", "undo", "redo"])


def _fill_for_node(
    menu: QMenu, actions: Mapping[str, QAction], model: Model, desk: Desk, node_id: str
) -> None:
    _add(menu, actions, ["open", "rename", "connect", ""])
    schedule, session = model.schedules.get(node_id), model.sessions.get(node_id)
    if schedule is not None:
        _add(menu, actions, [each for each in _OF_SCHEDULE if _offered(schedule, each)] + ["History"])
    elif session is not None:
        for verb, words in _session_verbs(session.state):
            menu.addAction(words, lambda verb=verb: desk.view.acted.emit(node_id, verb))  # type: ignore[misc]
    _add(menu, actions, ["", "fit selection", "", "delete"])


def _offered(schedule: Schedule, action: str) -> bool:
    last = schedule.last_attempt
    return action in schedule.actions or (last is not None and action in last.actions)


def _session_verbs(state: str) -> list[tuple[str, str]]:
    if state == "open":
        return [
            ("restart", translate("Menu", "Restart the shell")),
            ("close", translate("Menu", "Close the shell")),
        ]
    return [("open", translate("Menu", "Start the shell"))]


def _add(menu: QMenu, actions: Mapping[str, QAction], commands: Sequence[str]) -> None:
    """An empty name is a line between."""
    for command in commands:
        if command:
            menu.addAction(actions[command])
        else:
            menu.addSeparator()
