"""CodingAgents on the canvas: the scripted agent, a real subprocess, spoken to through the window."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from canvas_world import LEFT, Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.agents.agent_overlay import AgentOverlay
from kavor.canvas.agents.agents import Agents
from kavor.canvas.attention import Attention, DesktopNotices
from kavor.canvas.cards import card_of
from kavor.canvas.cards.brush import Brush
from kavor.canvas.conversation import Conversation, Entry, Message
from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.labels import ElidedLabel
from kavor.canvas.lines import broken_lines
from kavor.canvas.link import read_snapshot
from kavor.canvas.panels.agent_settings import AgentSettings
from kavor.canvas.panels.turns_panel import TurnsPanel
from kavor.canvas.qt import (
    QAbstractButton,
    QAction,
    QFont,
    QFontMetricsF,
    QLabel,
    QPainter,
    QPixmap,
    QRectF,
    Qt,
    QTextCursor,
    QTextDocument,
    QWidget,
)
from kavor.canvas.theme import load_theme, ui_font
from kavor.canvas.things import Option, Question
from kavor.canvas.tools.chooser import NOTE, NOTE_LINES, NOTE_PIXELS, NOTE_WIDTH
from kavor.canvas.transcript_text import TranscriptWriter
from kavor.domain.graph import NodeKind


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture
def place(world: World) -> str:
    return world.workspace()


def add_agent(world: World, place: str, name: str = "reviewer", *, open: bool = True, x: float = 0) -> str:
    body = {
        "workspace": place,
        "kind": "coding-agent",
        "name": name,
        "provider": "scripted",
        "open": open,
        "x": x,
        "y": 0,
    }
    return str(world.client.post("/api/nodes", body)["id"])


class Talk(Person):
    """A person at a canvas with one agent on it, named "reviewer"."""

    def __init__(self, qtbot: QtBot, open_canvas: OpenWindow, world: World) -> None:
        super().__init__(qtbot, open_canvas())
        self.world = world
        self.agent = self.id_of("reviewer")

    @property
    def agents(self) -> Agents:
        return self.window.live[self.view].agents

    @property
    def overlay(self) -> AgentOverlay:
        overlay = self.agents.overlay
        assert overlay is not None
        return overlay

    @property
    def face(self) -> Any:
        return self.view.canvas.face_of(self.agent)

    def until_state(self, state: str) -> None:
        self.until(lambda: self.face.state == state)

    def send(self, text: str) -> None:
        """Without the window."""
        self.world.client.post(f"/api/nodes/{self.agent}/messages", {"text": text})

    def use(self) -> None:
        self.select("reviewer")
        self.view.setFocus()
        self.press(Key.Key_Return)

    def said(self) -> list[str]:
        return [entry.text for entry in self.face.entries if entry.kind == "text"]

    def menu_action(self, words: str) -> QAction:
        menu = self.menu_at(self.title("reviewer"))
        return next(action for action in menu.actions() if action.text() == words)


@pytest.fixture
def talk(open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot) -> Talk:
    add_agent(world, place)
    talk = Talk(qtbot, open_canvas, world)
    talk.until_state("idle")
    return talk


def test_an_agent_is_added_with_a_provider_that_is_installed(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    person = Person(qtbot, open_canvas())
    person.press(Key.Key_G)
    chooser = person.window.workbench.chooser
    person.until(chooser.isVisible)
    rows = [chooser.list.item(row) for row in range(chooser.list.count())]
    notes = {row.text(): str(row.data(NOTE)) for row in rows}
    assert rows[0].text() == "Scripted"
    assert "npm i -g @agentclientprotocol/claude-agent-acp (needs Node.js 22)" in notes["Claude Code"]
    metrics = QFontMetricsF(ui_font(NOTE_PIXELS))
    for note in filter(None, notes.values()):
        lines = broken_lines(note, ui_font(NOTE_PIXELS), NOTE_WIDTH, NOTE_LINES)
        assert all(metrics.horizontalAdvance(line) <= NOTE_WIDTH for line in lines), "nothing of it is cut"
    assert {"Another command", "A way in"} & {row.text() for row in rows} == set()
    person.type("scripted")
    person.press(Key.Key_Return)
    person.until_names("Scripted")
    agent = person.id_of("Scripted")
    person.until(lambda: person.view.canvas.face_of(agent).state == "idle")
    assert person.view.canvas.face_of(agent).role == "Scripted"


def test_a_provider_that_is_missing_says_what_to_install(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    person = Person(qtbot, open_canvas())
    person.press(Key.Key_G)
    chooser = person.window.workbench.chooser
    person.until(chooser.isVisible)
    person.type("gemini")
    person.press(Key.Key_Return)
    said = person.window.refusal.accessibleName()
    assert "Gemini CLI is not installed" in said
    assert "npm i -g @google/gemini-cli" in said
    assert chooser.isVisible()
    assert person.names() == []


def test_one_that_is_here_and_not_on_the_runtimes_path_says_so(
    open_canvas: OpenWindow,
    world: World,
    place: str,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = tmp_path / "gemini"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    person = Person(qtbot, open_canvas())
    person.press(Key.Key_G)
    person.until(person.window.workbench.chooser.isVisible)
    person.type("gemini")
    person.press(Key.Key_Return)
    said = person.window.refusal.accessibleName()
    assert f"Gemini CLI is at {program}, which is not on the PATH that the runtime was started with" in said
    assert "kavor runtime stop" in said


def test_what_was_offered_before_is_not_taken_for_what_is_offered_now(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    """A slot that fails, fails the test."""
    person = Person(qtbot, open_canvas())
    chooser = person.window.workbench.chooser
    person.press(Key.Key_G)
    person.until(chooser.isVisible)
    person.press(Key.Key_Escape)
    person.press(Key.Key_A)
    person.until(chooser.isVisible)
    assert "Add a Terminal" in {chooser.list.item(row).text() for row in range(chooser.list.count())}


def test_a_message_is_written_on_the_card_and_its_answer_streams_in(talk: Talk) -> None:
    talk.use()
    talk.type("think about it")
    talk.press(Key.Key_Return, Mod.ShiftModifier)  # a new line
    talk.type("plan Read; Write")
    talk.press(Key.Key_Return, Mod.ShiftModifier)
    talk.type("tool Read check.sql")
    talk.press(Key.Key_Return, Mod.ShiftModifier)
    talk.type("say all is well")
    talk.press(Key.Key_Return)
    talk.until(lambda: talk.said() == ["all is well"])
    talk.until(lambda: "all is well" in talk.overlay.transcript.toPlainText().splitlines()[-1])
    assert [entry.kind for entry in talk.face.entries] == ["prompt", "thought", "plan", "tool", "text"]
    assert "✓ Read check.sql" in talk.overlay.transcript.toPlainText()
    assert talk.overlay.composer.toPlainText() == ""
    talk.press(Key.Key_Escape)
    assert talk.agents.overlay is None
    assert talk.view.hasFocus()


def test_a_draft_survives_updates_and_other_cards(talk: Talk, world: World, place: str) -> None:
    world.terminal(place, "shell", x=600)
    talk.use()
    talk.type("half a thou")
    talk.send("slow 0.02 one two three")
    talk.until(lambda: talk.said() == ["one two three "])
    node = world.client.get(f"/api/nodes/{talk.agent}")
    world.client.patch(f"/api/nodes/{talk.agent}", {"keep_open": False}, revision=node["revision"])
    talk.until(lambda: talk.window.model.nodes[talk.agent].agent.keep_open is False)  # type: ignore[union-attr]
    assert talk.overlay.composer.toPlainText() == "half a thou"
    talk.until(lambda: "shell" in talk.names())
    talk.qtbot.mouseClick(talk.view.viewport(), LEFT, pos=talk.title("shell"))
    talk.until(lambda: talk.agents.overlay is None)
    assert talk.selected() == ["shell"]
    talk.use()
    assert talk.overlay.composer.toPlainText() == "half a thou"
    talk.window.model.reloaded.emit()  # everything was read anew
    assert talk.overlay.composer.toPlainText() == "half a thou"


def test_closing_the_window_asks_for_what_was_not_sent(talk: Talk) -> None:
    talk.use()
    talk.type("half a thou")
    question = talk.window.closing.question
    assert not talk.window.close()
    assert question.isVisible()
    question.no.click()
    talk.use()
    assert talk.overlay.composer.toPlainText() == "half a thou"
    assert not talk.window.close()
    question.yes.click()
    talk.until(lambda: not talk.window.isVisible())


def test_the_window_closes_though_an_agent_with_a_draft_was_gone_when_all_was_read_anew(
    talk: Talk, world: World
) -> None:
    talk.use()
    talk.type("half a thou")
    talk.window.model.load(replace(read_snapshot(world.client), nodes=[], schedules=[], connections=[]))
    assert talk.agents.overlay is None
    assert talk.window.close()


def test_a_message_that_is_refused_is_still_there(talk: Talk, world: World) -> None:
    world.client.post(f"/api/sessions/{talk.agent}/close")
    talk.until_state("closed")
    talk.use()
    talk.type("say hello")
    talk.press(Key.Key_Return)
    talk.type("and more")  # meanwhile
    talk.until(lambda: talk.window.refusal.isVisible())
    assert talk.overlay.composer.toPlainText() == "say hello\nand more"
    talk.overlay.open_button.click()
    talk.until_state("idle")
    talk.overlay.send_button.click()
    talk.until(lambda: talk.said() == ["hello"])
    talk.until(lambda: talk.overlay.composer.toPlainText() == "")


def test_a_message_that_was_taken_though_nothing_was_answered_is_not_there_to_be_sent_again(
    talk: Talk, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.api.client.ANSWER_LIMIT_S", 0.5)
    runtime = int(world.client.get("/api/runtime")["pid"])
    talk.use()
    os.kill(runtime, signal.SIGSTOP)
    try:
        talk.type("say one")
        talk.press(Key.Key_Return)
        assert talk.agents.names_with_drafts() == ["reviewer"]  # for a window that closes now
        talk.until(lambda: talk.overlay.composer.toPlainText() == "say one")
        talk.overlay.composer.appendPlainText("and more")
    finally:
        os.kill(runtime, signal.SIGCONT)
    talk.until(lambda: talk.said() == ["one"])
    talk.until(lambda: talk.overlay.composer.toPlainText() == "and more")


def test_what_is_sent_once_more_because_nothing_was_answered_is_not_sent_twice(
    talk: Talk, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.api.client.ANSWER_LIMIT_S", 0.5)
    runtime = int(world.client.get("/api/runtime")["pid"])
    talk.use()
    os.kill(runtime, signal.SIGSTOP)
    try:
        talk.type("say one")
        for _ in range(2):
            talk.press(Key.Key_Return)
            talk.until(lambda: talk.overlay.composer.toPlainText() == "say one")
    finally:
        os.kill(runtime, signal.SIGCONT)
    talk.press(Key.Key_Return)
    talk.until(lambda: talk.overlay.composer.toPlainText() == "")
    talk.send("say two")
    talk.until(lambda: talk.said() == ["one", "two"])


def test_what_others_wrote_is_shown_as_it_stands(talk: Talk) -> None:
    written = '<img src="/etc/hosts"> <b>bold</b> & so on'
    talk.use()
    talk.send("ask Shall I\nsay done")
    talk.until_state("Needs attention")
    talk.send(written)
    talk.until(lambda: talk.overlay.inbox.isVisible())
    (label,) = talk.overlay.inbox.rows[0].findChildren(ElidedLabel)
    assert label.whole == written
    assert label.textFormat() is Qt.TextFormat.PlainText
    tip = QTextDocument()
    tip.setHtml(label.toolTip())
    assert tip.toPlainText() == written


def test_of_a_transcript_the_end_is_in_sight_whatever_comes_under_it(talk: Talk) -> None:
    talk.send("\n".join(f"tool Look {number}" for number in range(60)))
    talk.until(lambda: len(talk.face.entries) > 10)
    talk.use()
    bar = talk.overlay.transcript.verticalScrollBar()
    talk.until(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    talk.overlay.composer.setPlainText("one\ntwo\nthree\nfour")
    talk.send("ask Shall I")
    talk.until(lambda: talk.overlay.question.isVisible())
    talk.until(lambda: bar.value() == bar.maximum())


def test_a_long_question_says_that_there_is_more_of_it(talk: Talk) -> None:
    lines: list[str] = []
    look = talk.view.canvas.look
    picture = QPixmap(400, 460)
    painter = QPainter(picture)
    brush = Brush(painter, look, 1.0)
    brush.text = lambda rect, words, *_: lines.append(look.elided(words, look.fonts.strong, rect.width()))  # type: ignore[method-assign]
    question = "May I 🙂 run the check that takes a while " * 4
    brush.wrapped(QRectF(0, 0, 340, 38), question, look.fonts.strong, look.theme.text)
    painter.end()
    assert len(lines) == 2
    assert lines[0].startswith("May I 🙂 run")
    assert question.startswith(f"{lines[0]} {lines[1].removesuffix('…')}")
    assert lines[1].endswith("…")


def test_a_question_is_answered_on_the_card(talk: Talk) -> None:
    talk.send("ask May I run make\nsay ran it")
    talk.until_state("Needs attention")
    assert talk.face.calls
    assert talk.face.outcome.text.startswith("May I run make")
    labels = [button.words for button in talk.face.buttons if button.words]
    assert labels == ["Allow once", "Reject"]
    allow = next(button for button in talk.face.buttons if button.words == "Allow once")
    talk.hand.press_button(talk.agent, allow.action)
    talk.until(lambda: talk.said() == ["ran it"])
    talk.until(lambda: not talk.face.calls)


def test_a_question_is_answered_where_the_agent_is_in_use(talk: Talk) -> None:
    talk.use()
    talk.send("ask May I run make\nsay ran it")
    talk.until(lambda: talk.overlay.question.isVisible())
    reject = next(button for button in talk.overlay.question.buttons if button.text() == "Reject")
    talk.overlay.composer.setFocus()
    for _ in range(20):  # by keyboard
        if reject.hasFocus():
            break
        talk.press(Key.Key_Backtab)
    talk.press(Key.Key_Space)
    talk.until(lambda: talk.said() == ["Left alone."])
    talk.until(lambda: not talk.overlay.question.isVisible())


@pytest.fixture
def on_a_card(qtbot: QtBot) -> Iterator[AgentOverlay]:
    """What lies over a card at 100 %, with no agent behind it."""
    canvas = QWidget()
    qtbot.addWidget(canvas)
    overlay = AgentOverlay("reviewer", load_theme("light"), canvas)
    overlay.setGeometry(card_of(NodeKind.CODING_AGENT).content.toRect())
    canvas.show()
    yield overlay
    overlay.release()


def test_a_long_answer_is_told_whole_as_far_as_there_is_room(on_a_card: AgentOverlay, qtbot: QtBot) -> None:
    labels = [
        "Allow once",
        "Always allow commands that begin with sqlite3 & others in this folder",
        "Reject, and " + "tell it what it should do instead " * 10,
    ]
    bar = on_a_card.question
    bar.show_question(Question("q", "May I", tuple(Option(label, label, "allow_once") for label in labels)))
    qtbot.waitUntil(lambda: bar.buttons[2].text().endswith("…"))
    assert len({button.x() for button in bar.buttons}) == 1  # each in a row of its own
    _, long, longer = bar.buttons
    assert long.text().replace("\n", " ").replace("&&", "&") == labels[1]
    assert longer.text().startswith("Reject, and tell")
    for button in (long, longer):
        for line in button.text().splitlines():
            assert button.fontMetrics().horizontalAdvance(line) <= button.width()
        qtbot.waitUntil(lambda button=button: button.height() >= button.sizeHint().height())
    assert [button.words for button in bar.buttons] == labels
    assert longer.accessibleName() == labels[2]


def test_many_answers_have_room_beside_all_that_waits_and_is_written(
    on_a_card: AgentOverlay, qtbot: QtBot
) -> None:
    talk = Conversation()
    for number in range(4):
        talk.hear(Message(number, "reviewer", "", f"say {number}", "queued"))
    on_a_card.show_conversation(talk)
    on_a_card.composer.setPlainText("\n".join(["one", "two", "three", "four", "five", "six", "seven"]))
    options = tuple(
        Option(f"{number}", f"An answer that is long {number}", "allow_once") for number in range(6)
    )
    bar = on_a_card.question
    bar.show_question(
        Question("q", "Shall I do what was said in so many words that they need two lines", options)
    )
    qtbot.waitUntil(lambda: len({button.y() for button in bar.buttons}) == 3)
    assert all(button.height() >= button.sizeHint().height() for button in bar.buttons)


def test_what_it_does_is_stopped(talk: Talk) -> None:
    talk.send("hang")
    talk.until_state("working")
    talk.hand.press_button(talk.agent, "Stop")
    talk.until_state("idle")
    turns = talk.world.client.get(f"/api/nodes/{talk.agent}/turns")["turns"]
    assert [turn["state"] for turn in turns] == ["Interrupted"]


def test_the_inbox_says_how_many_wait_and_gives_them_back(talk: Talk) -> None:
    talk.use()
    talk.send("ask Shall I\nsay done")
    talk.until_state("Needs attention")
    talk.send("say second")
    talk.send("say third")
    talk.until(lambda: talk.face.caption == "2 waiting")
    assert talk.overlay.inbox.title.startswith("2 waiting")
    back = talk.overlay.inbox.rows[0].findChildren(QAbstractButton)[0]
    back.click()
    talk.until(lambda: talk.face.caption == "1 waiting")
    talk.overlay.question.buttons[0].click()
    talk.until(lambda: talk.said() == ["done", "third"])
    talk.until(lambda: not talk.overlay.inbox.isVisible())


def test_a_window_that_opens_later_knows_what_was_said_and_what_waits(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot
) -> None:
    add_agent(world, place)
    first = Talk(qtbot, open_canvas, world)
    first.until_state("idle")
    first.send("say before\nask Shall I")
    first.until_state("Needs attention")
    first.send("say later")
    first.until(lambda: first.face.caption == "1 waiting")
    second = Talk(qtbot, open_canvas, world)
    second.until(lambda: second.said() == ["before"])
    assert second.face.caption == "1 waiting"
    assert second.face.calls


def test_the_session_is_closed_and_opened_on_purpose(talk: Talk) -> None:
    talk.menu_action("Close its session").trigger()
    talk.until_state("closed")
    assert talk.face.headline == "The session is closed"
    talk.hand.press_button(talk.agent, "open")
    talk.until_state("idle")


def test_its_switches_are_in_its_menu_and_can_be_undone(talk: Talk) -> None:
    editing = talk.menu_action("Allow workspace editing")
    assert editing.isCheckable()
    assert not editing.isChecked()
    editing.trigger()
    talk.until(lambda: "may edit the Workspace" in talk.face.role)
    talk.view.setFocus()
    talk.press(Key.Key_Z, Mod.ControlModifier)
    talk.until(lambda: "may edit" not in talk.face.role)
    assert talk.menu_action("Keep its session open").isChecked()


def test_its_settings_are_saved_and_undone(talk: Talk) -> None:
    talk.select("reviewer")
    talk.press(Key.Key_E)
    form = talk.window.panels.form
    assert isinstance(form, AgentSettings)
    talk.until(lambda: form.provider.count() > 5)
    assert form.provider.currentText().startswith("Scripted")
    assert not form.save_button.isEnabled()
    form.allow_editing.click()
    form.title.setFocus()
    form.title.selectAll()
    talk.type("critic")
    form.save_button.click()
    talk.until_names("critic")
    talk.until(lambda: "may edit the Workspace" in talk.face.role)
    talk.view.setFocus()
    talk.press(Key.Key_Z, Mod.ControlModifier)
    talk.until_names("reviewer")
    assert "may edit" not in talk.face.role


def test_what_is_typed_in_its_settings_is_kept_and_asked_about_before_the_window_closes(talk: Talk) -> None:
    talk.view.act(talk.agent, "Edit")
    form = talk.window.panels.form
    assert isinstance(form, AgentSettings)
    form.model.setFocus()
    talk.type("large")
    talk.window.panels.close_form()
    talk.view.act(talk.agent, "Edit")
    assert talk.window.panels.form is form
    assert form.model.text() == "large"
    form.cancel_button.click()
    talk.view.act(talk.agent, "Edit")
    form = talk.window.panels.form
    assert isinstance(form, AgentSettings)
    assert form.model.text() == ""
    assert not form.cancel_button.isVisible()
    form.model.setFocus()
    talk.type("large")
    question = talk.window.closing.question
    assert not talk.window.close()
    assert question.isVisible()
    question.yes.click()
    talk.until(lambda: not talk.window.isVisible())
    assert talk.world.client.get(f"/api/nodes/{talk.agent}")["model"] == "large"


def test_a_command_that_cannot_be_read_is_not_saved_and_says_so(talk: Talk, world: World, place: str) -> None:
    body = {"workspace": place, "kind": "coding-agent", "name": "custom", "provider": "custom", "open": False}
    world.client.post("/api/nodes", {**body, "command": ["true"], "x": 600, "y": 0})
    talk.until(lambda: "custom" in talk.names())
    talk.view.act(talk.id_of("custom"), "Edit")
    form = talk.window.panels.form
    assert isinstance(form, AgentSettings)
    form.command.setFocus()
    talk.type(" 'half")
    talk.press(Key.Key_Return)
    assert form.problem.isVisible()
    talk.type("'")
    assert not form.problem.isVisible()
    talk.press(Key.Key_Return)
    talk.until(lambda: talk.window.model.nodes[talk.id_of("custom")].agent.command == ("true", "half"))  # type: ignore[union-attr]


def test_past_turns_are_listed_with_what_was_done(talk: Talk) -> None:
    talk.send("say first")
    talk.until(lambda: talk.said() == ["first"])
    talk.select("reviewer")
    talk.view.setFocus()
    talk.press(Key.Key_H)
    panel = talk.window.panels.history
    assert isinstance(panel, TurnsPanel)
    talk.until(lambda: panel.table.count() == 1)
    talk.until(lambda: "first" in panel.whole.toPlainText())
    talk.send("tool Look\nsay second")
    talk.until(lambda: panel.table.count() == 2)
    assert panel.table.item(0).text().splitlines()[0] == "tool Look say second"
    talk.until(lambda: panel.whole.toPlainText().splitlines()[-1] == "second")
    assert "✓ Look" in panel.whole.toPlainText()


@pytest.mark.contract("K23")
def test_a_schedule_says_what_a_good_prompt_and_a_good_command_are(
    talk: Talk, world: World, place: str
) -> None:
    shell = world.terminal(place, "shell", x=600)
    prompts = world.schedule(place, "prompts", target=talk.agent, y=500)
    commands = world.schedule(place, "commands", target=shell, x=400, y=500)
    talk.until(lambda: {prompts, commands} <= talk.window.model.schedules.keys())
    talk.view.act(prompts, "Edit")
    assert all(word in hint_of(talk) for word in ("aim", "evidence", "stop"))
    talk.view.act(commands, "Edit")
    assert "ends by itself" in hint_of(talk)


def hint_of(talk: Talk) -> str:
    form = talk.window.panels.form
    assert isinstance(form, ScheduleEditor)
    return form.payload.text.placeholderText()


def test_a_schedule_speaks_of_a_prompt_and_shows_what_came_of_it(
    talk: Talk, world: World, place: str
) -> None:
    schedule = world.schedule(
        place, "nightly", target=talk.agent, payload="tool Look\nsay all is well", x=500
    )
    talk.until(lambda: schedule in talk.window.model.schedules)
    talk.view.act(schedule, "Edit")
    form = talk.window.panels.form
    assert form is not None
    assert any("PROMPT FOR REVIEWER" in text.upper() for text in texts_of(form))
    world.client.post(f"/api/schedules/{schedule}/run")
    talk.until(lambda: talk.outcome_of("nightly") == "Completed")
    talk.view.act(schedule, "History")
    details = talk.window.panels.history.details  # type: ignore[union-attr]
    talk.until(lambda: details.output.toPlainText() == "all is well")
    assert details.calls.text() == "✓ Look"
    assert any(text == "ITS LAST MESSAGE" for text in texts_of(details))


def test_what_kavor_refused_an_agent_is_shown_with_the_rule(talk: Talk, world: World, place: str) -> None:
    note = {"workspace": place, "kind": "sticky-note", "name": "rules", "x": 0, "y": 600}
    rules = str(world.client.post("/api/nodes", note)["id"])
    guarded = {"a": talk.agent, "b": rules, "guardrail": "sticky_note_read_only"}
    world.client.post("/api/connections", guarded)
    payload = 'call append_sticky_note {"note": "rules", "text": "x"}'
    schedule = world.schedule(place, "nightly", target=talk.agent, payload=payload, x=500)
    talk.until(lambda: schedule in talk.window.model.schedules)
    world.client.post(f"/api/schedules/{schedule}/run")
    talk.until(lambda: talk.outcome_of("nightly") == "Completed")
    talk.view.act(schedule, "History")
    details = talk.window.panels.history.details  # type: ignore[union-attr]
    rule = "refused: the Guardrail sticky_note_read_only forbids it: 'rules' may be read, and not changed"
    document = QTextDocument()

    def shown() -> str:
        document.setHtml(details.calls.toolTip())
        return document.toPlainText()

    talk.until(lambda: f"✗ append_sticky_note – {rule}" in shown())

    def refused() -> list[Entry]:
        return [entry for entry in talk.face.entries if entry.data.get("status") == "refused"]

    talk.until(lambda: bool(refused()))
    document.clear()
    writer = TranscriptWriter(load_theme("light"), QFont(), folds=False)
    writer.write(QTextCursor(document), *refused())
    assert document.toPlainText() == f"✗ append_sticky_note – {rule}"


def texts_of(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


# --- An agent with a screen of its own

PROGRAM = Path(__file__).parent.parent / "sessions" / "tui_program.py"


def test_an_agent_with_a_screen_of_its_own_is_seen_and_typed_to_as_a_terminal(
    open_canvas: OpenWindow, world: World, place: str, qtbot: QtBot, tmp_path: Path
) -> None:
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(tmp_path / "log")]
    table = {"label": "A screen", "transport": "tui", "command": command}
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    (world.home.data / "providers.toml").write_text("\n".join(["[screened]", *lines]))
    body = {"workspace": place, "kind": "coding-agent", "name": "reviewer", "provider": "screened"}
    world.client.post("/api/nodes", {**body, "x": 0, "y": 0})
    talk = Talk(qtbot, open_canvas, world)
    talk.until_state("idle")
    assert talk.face.role == "A screen"
    terminals = talk.window.terminals[talk.view]
    talk.use()
    talk.until(lambda: terminals.used is not None)
    assert talk.agents.overlay is None
    talk.type("work 0")
    talk.press(Key.Key_Return)
    talk.until(lambda: (tmp_path / "log").exists() and "work 0" in (tmp_path / "log").read_text())
    terminals.leave()

    world.client.post(f"/api/sessions/{talk.agent}/close")
    talk.until_state("closed")
    node = world.client.get(f"/api/nodes/{talk.agent}")
    path = f"/api/nodes/{talk.agent}"
    world.client.patch(path, {"provider": "scripted"}, revision=node["revision"])
    world.client.post(f"/api/sessions/{talk.agent}/open")
    talk.until_state("idle")
    talk.until(
        lambda: talk.view.canvas.node_items[talk.agent].card.size == card_of(NodeKind.CODING_AGENT).size
    )
    talk.use()
    talk.until(lambda: talk.agents.overlay is not None)


# --- Attention


class Notices(DesktopNotices):
    """A desktop that keeps what it was asked to show."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(load_theme("dark"), parent)
        self.shown: list[tuple[str, str]] = []

    def show(self, title: str, words: str) -> None:
        self.shown.append((title, words))


def test_the_desktop_tells_of_a_question_only_where_it_is_not_on_view(talk: Talk) -> None:
    notices = Notices(talk.window)
    on_view = [True]
    attention = Attention(talk.window.model, lambda _: on_view[0], notices)
    talk.send("ask Shall I\nask And now\nsay done")
    talk.until_state("Needs attention")
    assert notices.shown == []
    on_view[0] = False
    question = talk.window.model.question_of(talk.agent)
    assert question is not None
    talk.window.edits.answer(talk.agent, question.id, question.options[0].id)
    talk.until(lambda: bool(notices.shown))
    assert notices.shown[0][0] == "reviewer waits for your answer"
    assert notices.shown[0][1].startswith("And now")
    assert attention.last == talk.agent
    talk.window.model.node_changed.emit(talk.agent)  # told again of the same
    assert len(notices.shown) == 1


def test_what_is_out_of_sight_is_not_on_view(talk: Talk) -> None:
    talk.until(talk.window.isActiveWindow)
    assert talk.window._is_on_view(talk.agent)
    talk.view.pan_by(talk.view.viewport().rect().bottomRight() * 4)
    assert not talk.window._is_on_view(talk.agent)
    talk.view.fit_all()
    talk.window.hide()
    assert not talk.window._is_on_view(talk.agent)


def test_the_header_counts_who_asks_and_a_key_leads_there(talk: Talk) -> None:
    talk.send("ask Shall I\nsay done")
    talk.until_state("Needs attention")
    counted = talk.window.header._counts["Needs attention"]
    assert counted.isVisible()
    assert counted.accessibleName() == "1 Needs attention"
    talk.view.canvas.clearSelection()
    talk.view.setFocus()
    talk.press(Key.Key_Q)
    assert talk.selected() == ["reviewer"]
    talk.view.canvas.clearSelection()
    talk.qtbot.mouseClick(counted, LEFT)
    assert talk.selected() == ["reviewer"]
