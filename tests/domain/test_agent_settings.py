"""How a CodingAgent may be set up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kavor.domain.agents import AgentSettings
from kavor.domain.errors import BadInput

SETTINGS = AgentSettings(provider="opencode")


def test_it_may_not_edit_unless_it_is_told_so_and_works_two_hours_at_most() -> None:
    assert not SETTINGS.may_edit
    assert SETTINGS.keep_open
    assert SETTINGS.turn_limit_ms == 7_200_000
    SETTINGS.check()


@pytest.mark.parametrize(
    ("limit_ms", "is_good"), [(59_999, False), (60_000, True), (86_400_000, True), (86_400_001, False)]
)
def test_a_turn_lasts_a_minute_to_a_day(limit_ms: int, is_good: bool) -> None:
    settings = replace(SETTINGS, turn_limit_ms=limit_ms)
    if is_good:
        settings.check()
        return
    with pytest.raises(BadInput, match="turn limit"):
        settings.check()


@pytest.mark.parametrize("command", [("",), (" ",), ("a\0b",), ("agent", "x\n"), ("x" * 5000,), ("x",) * 101])
def test_a_command_that_cannot_be_meant_is_refused(command: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match="the command"):
        replace(SETTINGS, command=command).check()


def test_an_argument_may_be_empty_or_have_blanks() -> None:
    replace(SETTINGS, command=("agent", "", "--say", "good morning")).check()


@pytest.mark.parametrize("model", ["", "  ", "a\x1b[m"])
def test_a_model_has_a_name_that_can_be_shown(model: str) -> None:
    with pytest.raises(BadInput, match="name of the model"):
        replace(SETTINGS, model=model).check()
