"""The steps of one canvas: the stack never says more than the runtime did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from kavor.canvas.commands.change import Change, Done, Failed, Together
from kavor.canvas.commands.history import History
from kavor.domain.errors import KavorError, NotFound, Unreachable


@dataclass
class Runtime:
    """Answers when it is told to, as the real one does: later."""

    done: list[str] = field(default_factory=list)
    asked: list[Callable[[], None]] = field(default_factory=list)
    fails: KavorError | None = None

    def ask(self, words: str, done: Done, failed: Failed) -> None:
        def answer() -> None:
            if self.fails is not None:
                failed(self.fails)
            else:
                self.done.append(words)
                done()

        self.asked.append(answer)

    def answer(self) -> None:
        self.asked.pop(0)()

    def answer_all(self) -> None:
        while self.asked:
            self.answer()


class Step(Change):
    def __init__(self, runtime: Runtime, words: str, *, merges: bool = False) -> None:
        self._runtime = runtime
        self._words = words
        self._merges = merges

    def apply(self, done: Done, failed: Failed) -> None:
        self._runtime.ask(f"+{self._words}", done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._runtime.ask(f"-{self._words}", done, failed)

    def absorb(self, later: Change) -> bool:
        return self._merges


@pytest.fixture
def runtime() -> Runtime:
    return Runtime()


@pytest.fixture
def history(qapp: object) -> History:
    return History()


def test_what_is_asked_about_a_step_waits_until_it_is_taken(history: History, runtime: Runtime) -> None:
    seen: list[str] = []
    history.do("a", Step(runtime, "a"))
    history.in_turn(lambda: seen.append(history.undo_words))
    assert seen == []
    runtime.answer_all()
    assert seen == ["a"]


def test_steps_go_back_and_forth(history: History, runtime: Runtime) -> None:
    for words in "ab":
        history.do(words, Step(runtime, words))
        runtime.answer_all()
    history.undo()
    history.undo()
    runtime.answer_all()
    assert (history.undo_words, history.redo_words) == ("", "a")
    history.redo()
    runtime.answer_all()
    assert runtime.done == ["+a", "+b", "-b", "-a", "+a"]
    assert (history.undo_words, history.redo_words) == ("a", "b")


def test_one_step_is_on_its_way_at_a_time(history: History, runtime: Runtime) -> None:
    history.do("a", Step(runtime, "a"))
    history.do("b", Step(runtime, "b"))
    history.undo()
    assert len(runtime.asked) == 1
    runtime.answer_all()
    assert runtime.done == ["+a", "+b", "-b"]


def test_a_step_that_is_refused_never_was(history: History, runtime: Runtime) -> None:
    history.do("a", Step(runtime, "a"))
    runtime.answer_all()
    runtime.fails = KavorError("no")
    history.do("b", Step(runtime, "b"))
    runtime.answer_all()
    runtime.fails = None
    assert (history.undo_words, history.redo_words) == ("a", "")
    history.undo()
    runtime.answer_all()
    assert runtime.done == ["+a", "-a"]


def test_an_undo_that_is_refused_can_be_tried_again(history: History, runtime: Runtime) -> None:
    history.do("a", Step(runtime, "a"))
    runtime.answer_all()
    runtime.fails = Unreachable("the runtime is gone")
    history.undo()
    runtime.answer_all()
    assert (history.undo_words, history.redo_words) == ("a", "")
    runtime.fails = None
    history.undo()
    runtime.answer_all()
    assert runtime.done == ["+a", "-a"]


def test_an_undo_of_what_is_gone_is_not_offered_again(history: History, runtime: Runtime) -> None:
    for words in "ab":
        history.do(words, Step(runtime, words))
        runtime.answer_all()
    runtime.fails = NotFound("it is gone")
    history.undo()
    runtime.answer_all()
    assert (history.undo_words, history.redo_words) == ("a", "")


def test_what_waits_behind_a_refusal_is_not_done(history: History, runtime: Runtime) -> None:
    history.do("a", Step(runtime, "a"))
    history.do("b", Step(runtime, "b"))
    runtime.fails = KavorError("no")
    runtime.answer_all()
    runtime.fails = None
    runtime.answer_all()
    assert runtime.done == []


def test_merged_steps_are_undone_at_once(history: History, runtime: Runtime) -> None:
    for words in "ab":
        history.do(words, Step(runtime, words, merges=True))
        runtime.answer_all()
    history.undo()
    runtime.answer_all()
    assert runtime.done == ["+a", "+b", "-a"]
    assert history.undo_words == ""


def test_a_merged_step_that_is_refused_leaves_the_one_before(history: History, runtime: Runtime) -> None:
    history.do("a", Step(runtime, "a", merges=True))
    runtime.answer_all()
    runtime.fails = KavorError("no")
    history.do("b", Step(runtime, "b"))
    runtime.answer_all()
    assert history.undo_words == "a"


def test_changes_together_are_all_or_none(history: History, runtime: Runtime) -> None:
    history.do("ab", Together([Step(runtime, "a"), Step(runtime, "b")]))
    runtime.answer()
    runtime.fails = KavorError("no")
    runtime.answer()
    runtime.fails = None
    runtime.answer_all()
    assert runtime.done == ["+a", "-a"]
    assert history.undo_words == ""
