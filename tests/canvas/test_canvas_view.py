"""Pan, zoom and fit; near, small and far."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from pytestqt.qtbot import QtBot

from kavor.canvas.cards.brush import Look
from kavor.canvas.model import Model, Snapshot
from kavor.canvas.navigation import FIT_MARGIN, REVEAL_BELOW, REVEAL_LEFT
from kavor.canvas.qt import QApplication, QPoint, QPointF, QRectF, Qt, QWheelEvent, QWidget
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.theme import load_theme
from kavor.canvas.view import CanvasView


@pytest.fixture
def view(qtbot: QtBot) -> CanvasView:
    def node(node_id: str, x: float, y: float) -> dict[str, object]:
        return {
            "id": node_id,
            "workspace": "w",
            "kind": "terminal",
            "name": node_id,
            "x": x,
            "y": y,
            "revision": 1,
        }

    model = Model()
    workspace = {"id": "w", "name": "Lab", "directory": "/lab"}
    joined = {"id": 1, "a": "a", "b": "b", "env": None, "guardrail": None}
    model.load(Snapshot([workspace], [node("a", 0, 0), node("b", 2000, 900)], [joined], []))
    scene = CanvasScene(model, "w", Look(load_theme("light")), ZoneInfo("UTC"))
    made = CanvasView(scene)
    scene.setParent(made)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    with qtbot.waitExposed(made):
        made.show()
    return made


def wheel(view: CanvasView, turned: QPoint, keys: Qt.KeyboardModifier, at: QPointF) -> None:
    everywhere = QPointF(view.viewport().mapToGlobal(at))
    event = QWheelEvent(
        at, everywhere, QPoint(), turned, Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(view.viewport(), event)


def shown(view: CanvasView) -> QRectF:
    return view.mapToScene(view.viewport().rect()).boundingRect()


def test_it_opens_with_everything_in_view(view: CanvasView) -> None:
    assert shown(view).contains(view.canvas.contents_rect())


def test_the_wheel_with_control_zooms_at_the_pointer(view: CanvasView) -> None:
    at = QPointF(200, 100)
    before = view.mapToScene(at.toPoint())
    was = view.zoom
    wheel(view, QPoint(0, 120), Qt.KeyboardModifier.ControlModifier, at)
    assert view.zoom == pytest.approx(was * 1.25)
    moved = view.mapFromScene(before) - at.toPoint()
    assert moved.manhattanLength() <= 2


def test_the_wheel_alone_pans_and_with_shift_sideways(view: CanvasView) -> None:
    view.set_zoom(1.0)
    before = shown(view)
    wheel(view, QPoint(0, -120), Qt.KeyboardModifier.NoModifier, QPointF(10, 10))
    assert shown(view).top() > before.top()
    wheel(view, QPoint(0, -120), Qt.KeyboardModifier.ShiftModifier, QPointF(10, 10))
    assert shown(view).left() > before.left()


def test_fitting_the_selection_centres_it_beside_the_tools(view: CanvasView) -> None:
    view.canvas.node_items["b"].setSelected(True)
    view.fit_selection()
    room = view.viewport().rect().adjusted(REVEAL_LEFT, FIT_MARGIN, -FIT_MARGIN, -REVEAL_BELOW)
    aside = view.mapFromScene(view.canvas.card_rect("b").center()) - room.center()
    assert aside.manhattanLength() < 4
    assert view.zoom == 1.0  # fitting does not enlarge


@pytest.mark.parametrize("zoom", [0.1, 0.5, 1.0, 2.0])
def test_a_card_is_seen_at_every_zoom(view: CanvasView, zoom: float, qtbot: QtBot) -> None:
    view.set_zoom(zoom)
    view.centerOn(view.canvas.card_rect("a").center())
    picture = view.viewport().grab().toImage()
    ground = view.canvas.look.theme.canvas
    middle = view.mapFromScene(view.canvas.card_rect("a").center())
    assert picture.pixelColor(middle) != ground


def test_the_live_widget_follows_its_card(view: CanvasView) -> None:
    view.set_zoom(1.0)
    live = QWidget()
    view.show_live("a", live)
    for zoom in (0.8, 1.6):
        view.set_zoom(zoom)
        assert live.geometry() == view.content_rect("a")
    view.pan_by(QPoint(31, -17))
    assert live.geometry() == view.content_rect("a")
    assert view.hide_live() is live
    assert not live.isVisible()
    live.deleteLater()
