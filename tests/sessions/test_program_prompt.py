"""When a program with a screen of its own is taken to wait for a prompt, by what is seen as time passes."""

from __future__ import annotations

import time

import pytest

from kavor.sessions.session import Program, WaitingFor
from kavor.sessions.terminal.program_prompt import ProgramPrompt
from kavor.sessions.terminal.prompt_delivery import STILL_SECONDS

QUIET = 0.5
PASTES_ON, PASTES_OFF = b"\x1b[?2004h", b"\x1b[?2004l"


class Seen:
    """A program's prompt, and a clock that is told the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, takes_pastes: bool = True) -> None:
        self._now = 1_000.0
        self._length = 0
        monkeypatch.setattr(time, "monotonic", lambda: self._now)
        program = Program("tui", ("tui",), {}, quiet_ms=round(QUIET * 1000), takes_pastes=takes_pastes)
        self.prompt = ProgramPrompt(program)

    def shows(self, output: bytes = b"working") -> None:
        self._length += len(output)
        self.prompt.shown(output)

    def after(self, seconds: float) -> None:
        self._now += seconds
        self.prompt.consider(self._length)

    def lacks_the_mark(self) -> None:
        self.prompt.not_ready(self._length)

    def waits_for(self, *, at_work: bool = False, begun: bool = False) -> WaitingFor | None:
        return self.prompt.waiting_for(self._length, at_work=at_work, begun=begun)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """One that has started, and waits for a prompt."""
    started = Seen(monkeypatch)
    started.shows(PASTES_ON)
    started.after(QUIET)
    assert started.waits_for() is None
    return started


def test_it_has_started_when_it_is_still_has_shown_something_and_takes_pastes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = Seen(monkeypatch)
    seen.after(10)
    assert seen.waits_for() is WaitingFor.STARTING, "nothing was shown"
    seen.shows()
    seen.after(10)
    assert seen.waits_for() is WaitingFor.STARTING, "it takes no pastes"
    seen.shows(PASTES_ON)
    seen.after(QUIET - 0.01)
    assert seen.waits_for() is WaitingFor.STARTING, "it moves"
    seen.after(0.01)
    assert seen.waits_for() is None


def test_one_that_takes_no_pastes_at_all_need_not_switch_them_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Seen(monkeypatch, takes_pastes=False)
    seen.shows()
    seen.after(QUIET)
    assert seen.waits_for() is None


def test_it_is_busy_while_it_moves_or_takes_no_pastes(seen: Seen) -> None:
    seen.shows()
    assert seen.waits_for() is WaitingFor.BUSY
    seen.after(QUIET)
    assert seen.waits_for() is None
    seen.shows(PASTES_OFF)
    seen.after(QUIET)
    assert seen.waits_for() is WaitingFor.BUSY


def test_what_is_at_work_comes_before_what_is_begun(seen: Seen) -> None:
    assert seen.waits_for(begun=True) is WaitingFor.UNFINISHED_INPUT
    assert seen.waits_for(at_work=True, begun=True) is WaitingFor.BUSY


def test_without_its_mark_it_is_busy_until_it_shows_something_else(seen: Seen) -> None:
    seen.lacks_the_mark()
    assert seen.waits_for() is WaitingFor.BUSY
    seen.shows()
    seen.after(QUIET)
    assert seen.waits_for() is None


def test_a_turn_that_was_begun_by_a_person_ends_with_long_stillness_at_the_latest(seen: Seen) -> None:
    seen.prompt.works_unasked = True
    seen.after(STILL_SECONDS - QUIET - 0.01)
    assert seen.waits_for() is WaitingFor.BUSY
    seen.after(0.01)
    assert seen.waits_for() is None


# --- Questions


@pytest.mark.parametrize("key", [b"y", b"2", b"\r", b"\x1b", b"\x03"])
def test_a_question_is_over_when_the_screen_goes_on_by_itself_after_an_answer(seen: Seen, key: bytes) -> None:
    seen.prompt.ask("may it?", "key")
    seen.shows()
    seen.after(3)
    assert seen.prompt.asks
    assert seen.waits_for() is WaitingFor.ANSWER
    seen.prompt.typed(key)
    assert not seen.prompt.asks
    seen.shows(b"the answer is drawn")
    assert seen.waits_for() is WaitingFor.ANSWER, "that shows nothing yet"
    seen.after(2.1)
    assert seen.waits_for() is WaitingFor.ANSWER
    seen.shows()
    assert seen.prompt.question is None


@pytest.mark.parametrize(
    "keys",
    [
        b"\x1b[A",
        b"\x1bOB",
        b"\t",
        b"\x1b[1;5C",
        b"\x1b[6~",
        b"\x1b[I",
        b"\x1b[O",
        b"\x1b[<64;10;5M",
        b"\x1b[<35;1;1M",
    ],
)
def test_what_only_moves_answers_nothing(seen: Seen, keys: bytes) -> None:
    seen.prompt.ask("may it?", None)
    seen.prompt.typed(keys * 2)
    assert seen.prompt.asks
    seen.prompt.typed(keys + b"\r")
    assert not seen.prompt.asks


@pytest.mark.parametrize("keys", [b"\x1b[13u", b"\x1b[<0;10;5M", b"\x1b[200~yes\x1b[201~"])
def test_enter_in_another_coding_a_click_and_a_paste_may_answer(seen: Seen, keys: bytes) -> None:
    seen.prompt.ask("may it?", None)
    seen.prompt.typed(keys)
    assert not seen.prompt.asks


def test_another_question_is_not_answered_by_the_answer_to_the_first(seen: Seen) -> None:
    seen.prompt.ask("may it?", None)
    first = seen.prompt.question
    seen.prompt.typed(b"y")
    seen.prompt.ask("and that?", None)
    seen.after(3)
    seen.shows()
    assert seen.prompt.asks
    assert first is not None
    assert seen.prompt.question is not None
    assert seen.prompt.question.id != first.id
