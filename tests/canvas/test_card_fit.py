"""What is told on a card has room on it, near and at half size, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from canvas_world import PATIENCE_MS, OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.canvas.cards import card_of
from kavor.canvas.cards.brush import Brush, Look
from kavor.canvas.cards.face import Face
from kavor.canvas.language import speak
from kavor.canvas.prose import new_document, set_markdown
from kavor.canvas.qt import QApplication, QFont, QImage, QLocale, QPainter
from kavor.canvas.theme import load_theme, ui_font

LONG_RULES = (
    {"once": (datetime.now() + timedelta(days=400)).strftime("%Y-%m-%dT%H:%M")},
    {"cron": "*/5 9-17 * * mon-fri"},
    {"preset": "monthly", "day": 31, "time": "12:00"},
)


class Noting(Look):
    """A look that notes what was asked to be drawn, and what of it had room."""

    def __init__(self) -> None:
        super().__init__(load_theme("light"))
        self.shown: dict[str, str] = {}

    def elided(self, text: str, font: QFont, width: float) -> str:
        shown = super().elided(text, font, width)
        self.shown[text] = shown
        return shown

    @property
    def cut(self) -> list[str]:
        return [text for text, shown in self.shown.items() if shown != text]


def painted(face: Face, detail: float) -> Noting:
    card = card_of(face.kind)
    picture = QImage(400, 400, QImage.Format.Format_ARGB32)
    look = Noting()
    painter = QPainter(picture)
    card.paint(Brush(painter, look, detail), face, detail, selected=False, hovered=None)
    painter.end()
    return look


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture(params=["en_GB", "ja_JP"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    before = QLocale()
    translators = speak(qapp, QLocale(request.param))
    yield request.param
    for translator in translators:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)


@pytest.mark.parametrize("detail", [1.0, 0.5])
@pytest.mark.usefixtures("language")
def test_a_long_rule_is_told_whole(detail: float, open_canvas: OpenWindow, world: World) -> None:
    place = world.workspace()
    schedules = [
        world.schedule(place, f"rule {number}", recurrence=rule) for number, rule in enumerate(LONG_RULES)
    ]
    view = open_canvas().view
    assert view is not None
    for schedule in schedules:
        face = view.canvas.face_of(schedule)
        look = painted(face, detail)
        assert not look.cut
        assert face.headline.replace(" ", "") in "".join(look.shown).replace(" ", "")


@pytest.mark.usefixtures("language")
def test_the_buttons_of_a_missed_time_have_room_for_their_words(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    place = world.workspace()
    schedule = world.schedule(place, target=world.terminal(place))
    world.client.post(f"/api/schedules/{schedule}/run")
    told = world.client.get(f"/api/schedules/{schedule}")
    told["last_attempt"] |= {
        "state": "Missed",
        "actions": ["Run now", "Dismiss"],
        "diagnostic": "the runtime could not claim it in time: 0:00:11 late",
    }
    window = open_canvas()
    window.model.apply({"type": "schedule", "change": "changed", "id": schedule, "value": told})
    assert window.view is not None
    view = window.view
    qtbot.waitUntil(lambda: len(view.canvas.face_of(schedule).buttons) == 5, timeout=PATIENCE_MS)
    assert not painted(view.canvas.face_of(schedule), 1.0).cut


def test_numbers_of_a_list_have_room_at_every_size(qapp: QApplication) -> None:
    for pixels in (13, 22):
        document = new_document(ui_font(pixels))
        set_markdown(document, "1. one\n2. two", load_theme("light"))
        document.setTextWidth(300)
        picture = QImage(400, 100, QImage.Format.Format_ARGB32)
        picture.fill(0)
        painter = QPainter(picture)
        painter.translate(50, 0)
        document.drawContents(painter)
        painter.end()
        outside = [x for x in range(50) for y in range(100) if picture.pixel(x, y)]
        assert not outside, f"at {pixels} pixels"
