"""A window on a real runtime, with real mouse and key events, and nothing left behind by any of it."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded

import contextlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime, is_running, wait_until_stopped
from kavor.canvas.app import open_window
from kavor.canvas.qt import QPoint, QPointF, Qt
from kavor.canvas.theme import load_theme
from kavor.canvas.view import CanvasView
from kavor.canvas.window import CanvasWindow
from kavor.domain.errors import KavorError
from kavor.home import Home

ZONE = "Europe/Berlin"
PATIENCE_MS = 20_000


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in set(threading.enumerate()) - before if "canvas" in thread.name]
    assert not left


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


@pytest.fixture
def world(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """With a runtime that runs. Shells read their start-up files from an empty home."""
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("TZ", ZONE)
    monkeypatch.setenv("SHELL", shutil.which("bash") or "/bin/sh")
    folder = Path(tempfile.mkdtemp(prefix="kv"))
    ensure_runtime(home)
    made = World(home, Client(home, ZONE), folder)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


OpenWindow = Callable[[], CanvasWindow]


@pytest.fixture
def open_canvas(qtbot: QtBot, world: World) -> Iterator[OpenWindow]:
    """Opens a shown window on the world, once it has read everything; closed after the test."""
    opened: list[CanvasWindow] = []

    def open_it() -> CanvasWindow:
        window = open_window(world.home, ZONE, load_theme("dark"))
        opened.append(window)
        qtbot.addWidget(window)
        window.resize(1200, 800)
        with qtbot.waitSignal(window.link.snapshot, timeout=PATIENCE_MS), qtbot.waitExposed(window):
            window.show()
        qtbot.waitUntil(
            lambda: window.pages.currentWidget() is not window.empty or not window.model.workspaces
        )
        return window

    yield open_it
    for window in opened:
        window.close()


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


@pytest.fixture
def hand(qtbot: QtBot) -> Callable[[CanvasView], Hand]:
    return lambda view: Hand(qtbot, view)
