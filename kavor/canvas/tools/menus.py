"""The menus of the right button: of a card, of several, of a Connection, of the bare canvas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kavor.canvas.desk import Desk
from kavor.canvas.guardrail_words import guardrail_words
from kavor.canvas.model import Model
from kavor.canvas.qt import QAction, QActionGroup, QMenu, translate
from kavor.canvas.states import state_word
from kavor.canvas.things import Agent, Connection, Node, Schedule
from kavor.canvas.tools.palette import KINDS
from kavor.domain.guardrails import fitting_guardrails
from kavor.domain.specification import SpecificationState
from kavor.domain.sticky_note import Colour

AT_WORK = frozenset({"busy", "an answer"})
"""What a session says it waits for while its agent works on something."""

_OF_SCHEDULE = ("Resume", "Pause", "Run now", "Dismiss")


def fill_menu(
    menu: QMenu,
    actions: Mapping[str, QAction],
    model: Model,
    desk: Desk,
    rename_variable: Callable[[Connection], None],
) -> None:
    """For what is selected; ``actions`` by the names of commands."""
    nodes, lines = desk.selected(), desk.selected_connections()
    if len(nodes) == 1 and not lines:
        _fill_for_node(menu, actions, model, desk, nodes[0])
    elif nodes:
        _add(menu, actions, ["fit selection", "", "delete"])
    elif lines:
        if len(lines) == 1:
            _fill_for_connection(menu, model, desk, lines[0], rename_variable)
        menu.addAction(translate("Menu", "Disconnect"), actions["delete"].trigger)
    else:
        _add(menu, actions, ["quick add", *(f"add {kind}" for kind in KINDS), ""])
        _add(menu, actions, ["select all", "fit all", "find", "", "undo", "redo"])


def _fill_for_node(
    menu: QMenu, actions: Mapping[str, QAction], model: Model, desk: Desk, node_id: str
) -> None:
    _add(menu, actions, ["open", "rename", "connect", ""])
    node, schedule = model.nodes[node_id], model.schedules.get(node_id)
    if schedule is not None:
        _add(menu, actions, [each for each in _OF_SCHEDULE if _offered(schedule, each)] + ["History"])
    elif node.agent is not None:
        _fill_for_agent(menu, actions, model, desk, node, node.agent)
    elif node_id in model.sessions:
        for verb, words in _session_verbs(model.sessions[node_id].state):
            menu.addAction(words, lambda verb=verb: desk.view.act(node_id, verb))  # type: ignore[misc]
    elif node.note is not None:
        colours = menu.addMenu(translate("Menu", "Colour"))
        _fill_choice(colours, _colours(), node.note.colour, partial(_set, desk, node_id, "colour"))
    elif node.state:
        states = menu.addMenu(translate("Menu", "State"))
        fill_states(states, model, desk, node_id)
    _add(menu, actions, ["", "fit selection", "", "delete"])


def _fill_for_agent(
    menu: QMenu, actions: Mapping[str, QAction], model: Model, desk: Desk, node: Node, agent: Agent
) -> None:
    session = model.sessions.get(node.id)
    is_open = session is not None and session.state == "open"
    if session is not None and session.waiting_for in AT_WORK:
        menu.addAction(translate("Menu", "Stop what it does"), lambda: desk.view.act(node.id, "Stop"))
    verb, words = "open", translate("Menu", "Open its session")
    if is_open:
        verb, words = "close", translate("Menu", "Close its session")
    menu.addAction(words, lambda: desk.view.act(node.id, verb))
    _add(menu, actions, ["Edit", "History", ""])
    for field, words, is_on in (
        ("keep_open", translate("Menu", "Keep its session open"), agent.keep_open),
        ("allow_editing", translate("Menu", "Allow workspace editing"), agent.allow_editing),
    ):
        switch = menu.addAction(words)
        switch.setCheckable(True)
        switch.setChecked(is_on)
        switch.triggered.connect(partial(_toggle, desk, node.id, field, is_on))


def _fill_for_connection(
    menu: QMenu,
    model: Model,
    desk: Desk,
    connection: Connection,
    rename_variable: Callable[[Connection], None],
) -> None:
    one, other = model.nodes[connection.a], model.nodes[connection.b]
    for guardrail in fitting_guardrails(one.kind, other.kind):
        action = menu.addAction(guardrail_words(guardrail))
        action.setCheckable(True)
        action.setChecked(connection.guardrail == guardrail)
        wanted = None if connection.guardrail == guardrail else guardrail
        action.triggered.connect(
            lambda _=False, wanted=wanted: desk.change_connection(
                connection, replace(connection, guardrail=wanted)
            )
        )
    if connection.env is not None:
        words = translate("Menu", "Rename the variable {name}…").format(name=connection.env)
        menu.addAction(words, lambda: rename_variable(connection))
    menu.addSeparator()


def fill_states(menu: QMenu, model: Model, desk: Desk, node_id: str) -> None:
    """Of a Specification."""
    words = {str(state): state_word(state) for state in SpecificationState}
    _fill_choice(menu, words, model.nodes[node_id].state, partial(_set, desk, node_id, "state"))


def _fill_choice(
    menu: QMenu, choices: Mapping[str, str], present: str, chosen: Callable[[str, str], None]
) -> None:
    """Words by value, the present one marked; ``chosen`` takes what it was and what it shall be."""
    group = QActionGroup(menu)
    for value, words in choices.items():
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(value == present)
        group.addAction(action)
        action.triggered.connect(lambda _=False, value=value: chosen(present, value))


def _colours() -> dict[str, str]:
    """Of Sticky Notes."""
    return {
        Colour.YELLOW: translate("Colour", "Yellow"),
        Colour.GREEN: translate("Colour", "Green"),
        Colour.BLUE: translate("Colour", "Blue"),
        Colour.PINK: translate("Colour", "Pink"),
    }


def _set(desk: Desk, node_id: str, field: str, before: str, after: str) -> None:
    desk.set_fields(node_id, {field: before}, {field: after})


def _toggle(desk: Desk, node_id: str, field: str, before: bool) -> None:
    desk.set_fields(node_id, {field: before}, {field: not before})


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
