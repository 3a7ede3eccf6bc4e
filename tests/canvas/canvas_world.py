"""A runtime to try the canvas on, and a person at its window with a mouse and keys."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime, is_running, wait_until_stopped
from kavor.canvas.qt import QApplication, QContextMenuEvent, QMenu, QPoint, QPointF, Qt
from kavor.canvas.view import CanvasView
from kavor.canvas.window import CanvasWindow
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind
from kavor.home import Home

ZONE = "Europe/Berlin"
PATIENCE_MS = 20_000

OpenWindow = Callable[[], CanvasWindow]

Key, Mod, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton


@dataclass
class World:
    """A runtime of its own, and short ways to put things into it."""

    home: Home
    client: Client
    folder: Path

    def workspace(self, name: str = "Lab") -> str:
        directory = self.folder / name
        directory.mkdir()
        return str(self.client.post("/api/workspaces", {"directory": str(directory), "name": name})["id"])

    def terminal(
        self, workspace: str, name: str = "shell", *, x: float = 420, y: float = 0, open: bool = False
    ) -> str:
        body = {"workspace": workspace, "kind": "terminal", "name": name, "x": x, "y": y, "open": open}
        return str(self.client.post("/api/nodes", body)["id"])

    def schedule(self, workspace: str, name: str = "checks", **fields: Any) -> str:
        body = {
            "workspace": workspace,
            "name": name,
            "payload": "true",
            "recurrence": {"preset": "daily", "time": "09:00"},
            "x": 0,
            "y": 0,
            **fields,
        }
        return str(self.client.post("/api/schedules", body)["id"])

    def stop(self) -> None:
        if is_running(self.home):
            with contextlib.suppress(KavorError):
                self.client.post("/api/runtime/stop", {"end_sessions": True})
        assert wait_until_stopped(self.home, 15)

    def clear(self) -> None:
        """Take every Workspace away, with its Nodes."""
        for workspace in self.client.get("/api/workspaces")["workspaces"]:
            self.client.delete(f"/api/workspaces/{workspace['id']}", nodes="remove")
            shutil.rmtree(workspace["directory"])


@contextlib.contextmanager
def running_world(home: Home, **environment: str) -> Iterator[World]:
    """With a runtime that runs. Shells read their start-up files from an empty home."""
    user, folder = Path(tempfile.mkdtemp(prefix="kv")), Path(tempfile.mkdtemp(prefix="kv"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(user))
        patch.setenv("TZ", ZONE)
        patch.setenv("SHELL", shutil.which("bash") or "/bin/sh")
        for name, value in environment.items():
            patch.setenv(name, value)
        ensure_runtime(home)
        made = World(home, Client(home, ZONE), folder)
        try:
            yield made
        finally:
            made.stop()
            for directory in (user, folder):
                shutil.rmtree(directory, ignore_errors=True)


class Hand:
    """A person's mouse on a view, in the coordinates of a Node's card."""

    def __init__(self, qtbot: QtBot, view: CanvasView) -> None:
        self._qtbot = qtbot
        self._view = view

    def spot(self, node_id: str, at: QPointF) -> QPoint:
        return self._view.mapFromScene(self._view.canvas.node_items[node_id].pos() + at)

    def click(self, node_id: str, at: QPointF) -> None:
        self._qtbot.mouseClick(self._view.viewport(), Qt.MouseButton.LeftButton, pos=self.spot(node_id, at))

    def press_button(self, node_id: str, action: str) -> None:
        buttons = self._view.canvas.node_items[node_id].face.buttons
        button = next(each for each in buttons if each.action == action)
        self.click(node_id, button.rect.center())

    def drag(self, start: QPoint, end: QPoint) -> None:
        """Press, move by the way of the middle, release."""
        viewport, left = self._view.viewport(), Qt.MouseButton.LeftButton
        self._qtbot.mousePress(viewport, left, pos=start)
        for part in (0.5, 1.0):
            self._qtbot.mouseMove(viewport, pos=start + (end - start) * part)
        self._qtbot.mouseRelease(viewport, left, pos=end)


class Person:
    """Mouse and keys on one window, and patience until the runtime has answered."""

    def __init__(self, qtbot: QtBot, window: CanvasWindow) -> None:
        assert window.view is not None
        self.qtbot = qtbot
        self.window = window
        self.view: CanvasView = window.view
        self.hand = Hand(qtbot, self.view)
        self.view.setFocus()

    # --- Keys go where the focus is, as on a desk

    def press(self, key: Key, held: Mod = Mod.NoModifier) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        self.qtbot.keyClick(focused, key, held)

    def type(self, text: str) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        self.qtbot.keyClicks(focused, text)

    # --- What is there

    def until(self, holds: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(holds, timeout=PATIENCE_MS)

    def until_names(self, *names: str) -> None:
        self.until(lambda: sorted(self.names()) == sorted(names))

    def names(self) -> list[str]:
        return [node.name for node in self.window.model.nodes.values()]

    def id_of(self, name: str) -> str:
        return next(node.id for node in self.window.model.nodes.values() if node.name == name)

    def state_of(self, name: str) -> str | None:
        """A Schedule's, as far as the window knows it."""
        schedule = self.window.model.schedules.get(self.id_of(name))
        return None if schedule is None else schedule.state

    def outcome_of(self, name: str) -> str | None:
        """The state of a Schedule's latest attempt."""
        schedule = self.window.model.schedules.get(self.id_of(name))
        if schedule is None or schedule.last_attempt is None:
            return None
        return schedule.last_attempt.state

    def actions_of(self, name: str) -> tuple[str, ...]:
        schedule = self.window.model.schedules.get(self.id_of(name))
        return () if schedule is None else schedule.actions

    def target_of(self, name: str) -> str | None:
        schedule = self.window.model.schedules.get(self.id_of(name))
        if schedule is None or schedule.target is None:
            return None
        return self.window.model.nodes[schedule.target].name

    def selected(self) -> list[str]:
        items = self.view.canvas.selected_nodes()
        return sorted(self.window.model.nodes[item.node_id].name for item in items)

    def connections(self) -> int:
        return len(self.window.model.connections)

    def select(self, name: str) -> None:
        self.view.canvas.clearSelection()
        self.view.canvas.node_items[self.id_of(name)].setSelected(True)

    # --- The mouse

    def handle(self, name: str, side: int = 0) -> QPoint:
        item = self.view.canvas.node_items[self.id_of(name)]
        return self.hand.spot(item.node_id, item.handles()[side])

    def middle(self, name: str) -> QPoint:
        return self.view.mapFromScene(self.view.canvas.card_rect(self.id_of(name)).center())

    def button(self, name: str, action: str) -> QPoint:
        """On a Schedule's card."""
        item = self.view.canvas.node_items[self.id_of(name)]
        button = next(each for each in item.face.buttons if each.action == action)
        return self.hand.spot(item.node_id, button.rect.center())

    def title(self, name: str) -> QPoint:
        return self.hand.spot(self.id_of(name), QPointF(60, 16))

    def pull(self, start: QPoint, end: QPoint) -> None:
        """Press and move, without letting go."""
        viewport = self.view.viewport()
        self.qtbot.mousePress(viewport, LEFT, pos=start)
        self.qtbot.mouseMove(viewport, pos=start + (end - start) / 2)
        self.qtbot.mouseMove(viewport, pos=end)

    def let_go(self, at: QPoint) -> None:
        self.qtbot.mouseRelease(self.view.viewport(), LEFT, pos=at)

    def carry(self, kind: NodeKind, to: QPoint) -> None:
        """From the palette to a point of the canvas."""
        button = self.window.workbench.palette.kinds[kind]
        start = button.rect().center()
        end = button.mapFromGlobal(self.view.viewport().mapToGlobal(to))
        self.qtbot.mousePress(button, LEFT, pos=start)
        self.qtbot.mouseMove(button, pos=(start + end) / 2)
        self.qtbot.mouseMove(button, pos=end)
        self.qtbot.mouseRelease(button, LEFT, pos=end)

    def menu_at(self, at: QPoint) -> QMenu:
        viewport = self.view.viewport()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, viewport.mapToGlobal(at))
        QApplication.sendEvent(viewport, event)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu
