"""What a screen reader is told: a name for all that can have the keyboard, and what a card says."""

from __future__ import annotations

from collections.abc import Iterator

from canvas_world import OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.qt import QAbstractButton, QAccessible, Qt, QWidget
from kavor.domain.graph import NodeKind

# QLineEdit inside a spin box, the view inside a combo box: their owner speaks for them.
INNER = ("qt_spinbox_lineedit", "qt_scrollarea_viewport")


def spoken_name(widget: QWidget) -> str:
    accessible = QAccessible.queryAccessibleInterface(widget)
    assert accessible is not None
    return accessible.text(QAccessible.Text.Name)


def reachable(root: QWidget) -> Iterator[QWidget]:
    """Everything shown that can be pressed, or have the keyboard."""
    for widget in root.findChildren(QWidget):
        takes_keys = widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        if widget.isVisible() and (takes_keys or isinstance(widget, QAbstractButton)):
            inner = widget.objectName() in INNER or widget.focusProxy() is not None
            if not inner:
                yield widget


def nameless(root: QWidget) -> list[str]:
    return [
        f"{type(widget).__name__} {widget.objectName()!r} in {type(widget.parent()).__name__}"
        for widget in reachable(root)
        if not spoken_name(widget).strip()
    ]


def test_all_that_can_be_used_has_a_name(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    place = world.workspace()
    shell = world.terminal(place, open=True)
    schedule = world.schedule(place, target=shell)
    window = open_canvas()
    person = Person(qtbot, window)
    assert nameless(window) == []

    person.view.act(schedule, "Edit")
    person.view.act(schedule, "History")
    editor = window.side.findChildren(QWidget)
    assert editor
    assert nameless(window) == []
    for chips in window.side.findChildren(QAbstractButton):
        if chips.isCheckable() and chips.isVisible():
            chips.click()
            assert nameless(window) == []

    person.view.setFocus()
    window.workbench.palette.find_button.click()
    assert nameless(window) == []
    window.workbench.palette.help_button.click()
    assert nameless(window) == []
    assert spoken_name(window.workbench.palette.kinds[NodeKind.TERMINAL]) == "Add a Terminal"


def test_all_that_belongs_to_agents_and_texts_has_a_name(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    nodes = [
        {"kind": "coding-agent", "name": "reviewer", "provider": "scripted", "x": 0},
        {"kind": "sticky-note", "name": "plan", "text": "words", "x": 500},
        {"kind": "specification", "name": "import", "text": "# Import", "x": 800},
    ]
    agent, note, specification = (
        str(world.client.post("/api/nodes", {"workspace": place, "y": 0, **node})["id"]) for node in nodes
    )
    window = open_canvas()
    person = Person(qtbot, window)
    person.until(lambda: person.view.canvas.face_of(agent).state == "idle")
    person.until(lambda: person.view.canvas.face_of(agent).role == "Scripted")  # once the providers are known
    live = window.live[person.view]

    live.agents.use(agent)
    for text in ("ask Shall I", "say later"):
        world.client.post(f"/api/nodes/{agent}/messages", {"text": text})
    person.until(lambda: live.agents.overlay is not None and live.agents.overlay.question.isVisible())
    person.until(lambda: live.agents.overlay is not None and live.agents.overlay.inbox.isVisible())
    assert nameless(window) == []
    assert "reviewer" in spoken_name(live.agents.overlay.composer)  # type: ignore[union-attr]
    for panel in ("Edit", "History"):
        person.view.act(agent, panel)
        assert nameless(window) == []
    for text_node in (note, specification):
        live.texts.use(text_node)
        person.until(lambda: live.texts.overlay is not None and live.texts.overlay.isVisible())
        assert nameless(window) == []
    person.select("reviewer")
    said = person.view.accessibleDescription()
    assert said.startswith("reviewer, Scripted, Needs attention")
    assert "Shall I" in said


def test_a_card_that_is_selected_is_read_out(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    place = world.workspace()
    world.schedule(place, target=world.terminal(place))
    window = open_canvas()
    person = Person(qtbot, window)
    person.view.setFocus()
    person.press(Qt.Key.Key_Tab)
    assert person.selected() == ["checks"]
    accessible = QAccessible.queryAccessibleInterface(person.view)
    assert accessible is not None
    assert accessible.text(QAccessible.Text.Name) == "Canvas"
    said = accessible.text(QAccessible.Text.Description)
    assert said.startswith("checks, to shell, Paused, Every day at 09:00, NEXT, ONCE RESUMED")

    world.client.post(f"/api/schedules/{person.id_of('checks')}/resume")
    qtbot.waitUntil(
        lambda: "Running" in accessible.text(QAccessible.Text.Description), timeout=20_000
    )  # and what becomes of it
    person.press(Qt.Key.Key_Tab)
    assert person.selected() == ["shell"]
    assert accessible.text(QAccessible.Text.Description).startswith("shell")
