"""What goes wrong between the window and the runtime leaves nothing out of date."""

from __future__ import annotations

import pytest
from canvas_world import PATIENCE_MS, OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime
from kavor.canvas import link
from kavor.canvas.model import Snapshot
from kavor.domain.errors import KavorError


class Reading:
    """Of everything; it goes wrong as long as ``fault`` is there."""

    def __init__(self, fault: Exception | None) -> None:
        self.fault = fault
        self.tries = 0
        self._read = link.read_snapshot

    def __call__(self, client: Client) -> Snapshot:
        self.tries += 1
        if self.fault is not None:
            raise self.fault
        return self._read(client)


@pytest.mark.parametrize("fault", [KavorError("the disk is busy"), RuntimeError("nobody thought of this")])
def test_a_new_runtime_is_read_until_that_succeeds(
    open_canvas: OpenWindow, world: World, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    world.workspace("Lab")
    window = open_canvas()
    world.stop()
    qtbot.waitUntil(window.banner.isVisible, timeout=PATIENCE_MS)
    reading = Reading(fault)
    monkeypatch.setattr(link, "read_snapshot", reading)
    ensure_runtime(world.home)
    qtbot.waitUntil(lambda: reading.tries > 0, timeout=PATIENCE_MS)
    meanwhile = {world.workspace(name) for name in ("Site", "Shop", "Desk")}
    tried = reading.tries
    qtbot.waitUntil(lambda: reading.tries > tried, timeout=PATIENCE_MS)
    assert window.banner.isVisible()
    reading.fault = None
    qtbot.waitUntil(lambda: meanwhile <= window.model.workspaces.keys(), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: not window.banner.isVisible(), timeout=PATIENCE_MS)
