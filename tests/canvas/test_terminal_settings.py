"""What is typed in a Terminal's settings is kept, asked about and undone as in every other form."""

from __future__ import annotations

import pytest
from canvas_world import Key, Mod, OpenWindow, Person, World
from pytestqt.qtbot import QtBot

from kavor.canvas.panels.terminal_settings import TerminalSettings


class Settings(Person):
    """With the settings of a closed Terminal ``shell`` before them."""

    def __init__(self, qtbot: QtBot, open_canvas: OpenWindow, world: World) -> None:
        self.world = world
        self.terminal = world.terminal(world.workspace())
        super().__init__(qtbot, open_canvas())
        self.view.act(self.terminal, "Edit")

    @property
    def form(self) -> TerminalSettings:
        form = self.window.panels.form
        assert isinstance(form, TerminalSettings)
        return form

    def saved(self) -> tuple[str, str]:
        found = self.world.client.get(f"/api/nodes/{self.terminal}")
        return found["name"], found["shell"]


@pytest.fixture
def settings(qtbot: QtBot, open_canvas: OpenWindow, shared_world: World) -> Settings:
    return Settings(qtbot, open_canvas, shared_world)


@pytest.fixture
def world(shared_world: World) -> World:
    return shared_world


def test_what_is_typed_is_there_again_when_they_are_opened_anew(settings: Settings) -> None:
    form = settings.form
    form.shell.setFocus()
    settings.type("/bin/sh")
    settings.window.panels.close_form()
    settings.view.act(settings.terminal, "Edit")
    assert settings.form is form
    assert form.shell.text() == "/bin/sh"


def test_it_outlasts_the_settings_of_another(settings: Settings, world: World) -> None:
    settings.form.shell.setFocus()
    settings.type("/bin/sh")
    other = world.terminal(settings.view.canvas.workspace_id, "other", y=600)
    settings.until(lambda: "other" in settings.names())
    settings.view.act(other, "Edit")
    assert settings.form.node_id == other
    settings.view.act(settings.terminal, "Edit")
    assert settings.form.shell.text() == "/bin/sh"


def test_cancel_forgets_it(settings: Settings) -> None:
    assert not settings.form.cancel_button.isVisible()
    settings.form.shell.setFocus()
    settings.type("/bin/sh")
    settings.form.cancel_button.click()
    settings.view.act(settings.terminal, "Edit")
    assert settings.form.shell.text() == ""


def test_it_is_asked_about_before_the_window_closes(settings: Settings) -> None:
    settings.form.shell.setFocus()
    settings.type("/bin/sh")
    settings.window.panels.close_form()
    assert not settings.window.close()
    settings.window.closing.question.yes.click()
    settings.until(lambda: not settings.window.isVisible())
    assert settings.saved() == ("shell", "/bin/sh")


def test_what_was_saved_while_it_was_put_aside_is_not_asked_about(settings: Settings) -> None:
    settings.form.shell.setFocus()
    settings.type("/bin/sh")
    settings.press(Key.Key_Return)
    settings.window.panels.close_form()
    settings.until(lambda: settings.window.model.nodes[settings.terminal].shell == "/bin/sh")
    settings.until(lambda: not settings.window.panels.unsaved_forms())
    assert settings.window.close()


def test_a_save_is_a_step_that_is_undone(settings: Settings) -> None:
    settings.form.shell.setFocus()
    settings.type("/bin/sh")
    settings.press(Key.Key_Return)
    settings.until(lambda: not settings.form.is_changed)
    settings.view.setFocus()
    settings.press(Key.Key_Z, Mod.ControlModifier)
    settings.until(lambda: settings.saved()[1] != "/bin/sh")
    settings.until(lambda: settings.form.shell.text() == "")
