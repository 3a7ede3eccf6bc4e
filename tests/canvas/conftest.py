"""A window on a real runtime, with real mouse and key events, and nothing left behind by any of it."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from canvas_world import PATIENCE_MS, ZONE, Hand, OpenWindow, World, running_world
from pytestqt.qtbot import QtBot

from kavor.canvas.app import open_window
from kavor.canvas.theme import load_theme
from kavor.canvas.view import CanvasView
from kavor.canvas.window import CanvasWindow
from kavor.home import Home, find_home


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in set(threading.enumerate()) - before if "canvas" in thread.name]
    assert not left


@pytest.fixture
def world(home: Home) -> Iterator[World]:
    """With a runtime of its own."""
    with running_world(home) as made:
        yield made


@pytest.fixture(scope="module")
def runtime_of_module() -> Iterator[World]:
    root = Path(tempfile.mkdtemp(prefix="kv"))
    home = find_home({"KAVOR_HOME": str(root)})
    home.prepare()
    with running_world(home) as made:
        yield made
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def shared_world(runtime_of_module: World) -> Iterator[World]:
    """Empty, on a runtime that the tests of a module share: starting one is slow."""
    yield runtime_of_module
    runtime_of_module.clear()


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
        window.panels.discard_unsaved()
        for live in window.live.values():
            live.texts.discard_unsaved()
            live.agents.drop_drafts()
        window.close()
        assert window.link.settle(PATIENCE_MS / 1000)


@pytest.fixture
def hand(qtbot: QtBot) -> Callable[[CanvasView], Hand]:
    return lambda view: Hand(qtbot, view)
