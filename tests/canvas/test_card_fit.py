"""What is told on a card has room on it, near and at half size, in every language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import pytest
from canvas_world import PATIENCE_MS, OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.canvas.cards import card_of
from kavor.canvas.cards.brush import Brush, Look
from kavor.canvas.cards.face import Face
from kavor.canvas.conversation import Entry
from kavor.canvas.language import speak
from kavor.canvas.prose import new_document, set_markdown
from kavor.canvas.qt import QApplication, QFont, QImage, QLocale, QPainter, QRectF
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
        self.said: list[str] = []

    def elided(self, text: str, font: QFont, width: float) -> str:
        shown = super().elided(text, font, width)
        self.shown[text] = shown
        return shown

    def paint_transcript(self, painter: QPainter, rect: QRectF, entries: Sequence[Entry]) -> None:
        self.said = [entry.text for entry in entries]
        super().paint_transcript(painter, rect, entries)

    @property
    def cut(self) -> list[str]:
        return [text for text, shown in self.shown.items() if shown != text]


def painted(face: Face, detail: float) -> Noting:
    card = card_of(face.kind)
    picture = QImage(600, 600, QImage.Format.Format_ARGB32)
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


def an_agent(world: World) -> str:
    body = {
        "workspace": world.workspace(),
        "kind": "coding-agent",
        "name": "reviewer",
        "provider": "scripted",
    }
    return str(world.client.post("/api/nodes", body)["id"])


def test_long_answers_stand_whole_on_the_card(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    agent = an_agent(world)
    labels = (
        "Yes, proceed",
        "Yes, and don't ask again for commands that start with `touch another-file`",
        "No, and tell Codex what to do differently",
    )
    options = [
        {"id": str(number), "label": label, "kind": "allow_once"} for number, label in enumerate(labels)
    ]
    window = open_canvas()
    assert window.view is not None
    view = window.view
    qtbot.waitUntil(lambda: view.canvas.face_of(agent).state == "idle", timeout=PATIENCE_MS)
    session = world.client.get(f"/api/nodes/{agent}")["session"]
    session |= {
        "waiting_for": "an answer",
        "question": {"id": "q", "text": "touch another-file", "options": options},
    }
    window.model.apply({"type": "session", "change": "changed", "id": agent, "value": session})
    qtbot.waitUntil(lambda: view.canvas.face_of(agent).calls, timeout=PATIENCE_MS)
    look = painted(view.canvas.face_of(agent), 1.0)
    assert not look.cut
    for label in labels:
        assert label.replace(" ", "") in "".join(look.shown).replace(" ", "")


def test_what_was_said_is_still_seen_when_the_session_has_ended(
    open_canvas: OpenWindow, world: World, qtbot: QtBot
) -> None:
    agent = an_agent(world)
    view = open_canvas().view
    assert view is not None
    qtbot.waitUntil(lambda: view.canvas.face_of(agent).state == "idle", timeout=PATIENCE_MS)
    text = "say Half of it is done.\ncrash 3"
    world.client.post(f"/api/nodes/{agent}/messages", {"text": text})
    qtbot.waitUntil(lambda: view.canvas.face_of(agent).state == "ended", timeout=PATIENCE_MS)
    told = [entry["text"] for entry in world.client.get(f"/api/nodes/{agent}/transcript")["entries"]]
    assert sum("exit code 3" in text for text in told) == 1  # though the turn heard of it too

    def has_read_all() -> bool:
        return [entry.text for entry in view.canvas.face_of(agent).entries] == told

    qtbot.waitUntil(has_read_all, timeout=PATIENCE_MS)
    look = painted(view.canvas.face_of(agent), 1.0)
    assert any(text.startswith("Half of it is done.") for text in look.said)
    assert "The session ended" in look.shown
