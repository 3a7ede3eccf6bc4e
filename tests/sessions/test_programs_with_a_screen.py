"""Prompts for programs with a screen of their own, as agents' are: real ones, on real pseudoterminals."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shlex
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from live_program import LiveProgram, open_program, own_program, program
from live_shell import Heard, until

from kavor.domain.attempts import AttemptState as S
from kavor.domain.errors import BadInput, KavorError, Refused, StorageFailed
from kavor.home import Home
from kavor.resources import resource_path
from kavor.sessions.session import Question, SessionSpec, WaitingFor
from kavor.sessions.terminal import program_input, prompt_delivery
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.notices import FIFO
from kavor.sessions.terminal.program_session import ProgramSession

OpenProgram = Callable[..., Awaitable[LiveProgram]]


class Listening(Heard):
    """Keeps what needs a person's attention, too."""

    def __init__(self) -> None:
        super().__init__()
        self.attention: list[tuple[str, str]] = []

    def attention_needed(self, key: str, question: Question) -> None:
        self.attention.append((key, question.text))

    def attention_settled(self, key: str) -> None:
        self.attention.append((key, "settled"))


@pytest.fixture
def heard() -> Listening:
    return Listening()


@pytest.fixture
def open_tui(sessions: TerminalSessions, heard: Listening, tmp_path: Path) -> OpenProgram:
    async def open_tui(*options: str, wait: bool = True, **changes: object) -> LiveProgram:
        return await open_program(sessions, heard, tmp_path, *options, wait=wait, **changes)

    return open_tui


@pytest.fixture
async def tui(open_tui: OpenProgram) -> LiveProgram:
    return await open_tui()


async def until_declined(tui: LiveProgram, key: str) -> None:
    """Offer it as soon as its screen is still; it is declined then, and until something moves."""
    await tui.waits_for(None)
    assert (await tui.offer("work 0", key)).waiting_for is WaitingFor.BUSY
    assert tui.waiting_for is WaitingFor.BUSY


# --- what comes of a prompt


async def test_a_prompt_of_many_lines_goes_in_whole_and_its_end_is_told(tui: LiveProgram) -> None:
    prompt = "work 0.2 on this:\n\n\tfirst\n- second: é 😀 [201~\n"
    outcome = await tui.deliver(prompt)
    await tui.got(prompt.strip("\n"))
    assert (outcome.state, outcome.diagnostic) == (S.COMPLETED, "")
    assert outcome.evidence.output.startswith("ready")
    assert outcome.evidence.duration_ms is not None
    assert outcome.evidence.duration_ms >= 200
    assert outcome.delivered_at is not None
    await tui.ready()


async def test_a_prompt_of_a_quarter_megabyte_goes_in_whole(tui: LiveProgram) -> None:
    prompt = "\n".join(f"line {number} of a long prompt" for number in range(9_000))
    assert (await tui.deliver(prompt)).state is S.COMPLETED
    assert tui.logged() == [prompt]


async def test_a_key_is_delivered_once(tui: LiveProgram) -> None:
    first = await tui.offer("work 0.2", "the-key")
    again, at_the_same_time = await asyncio.gather(
        tui.offer("work 0.2", "the-key"), tui.offer("x", "the-key")
    )
    assert first.accepted
    assert again == at_the_same_time == first
    await tui.outcome("the-key")
    assert (await tui.offer("work 0.2", "the-key")).accepted
    await tui.ready()
    assert tui.logged() == ["work 0.2"]
    assert await tui.sessions.known(["the-key", "another"]) == {"the-key": True, "another": False}


async def test_hooks_tell_of_beginning_question_and_end(
    open_tui: OpenProgram, heard: Listening, home: Home, tmp_path: Path
) -> None:
    tui = await open_tui(
        "--notices",
        "hooks",
        "--hooks",
        str(tmp_path / "hooks"),
        signs={
            "UserPromptSubmit": "began",
            "PermissionRequest": "asks",
            "StopFailure": "failed",
            "Stop": "ended",
        },
    )
    fifo = home.sessions / tui.id / "signs"
    tell = [sys.executable, "-I", "-S", str(resource_path("agents", "tell_sign.py")), str(fifo)]
    hook = [{"hooks": [{"type": "command", "command": shlex.join(tell)}]}]
    events = ("UserPromptSubmit", "PermissionRequest", "Stop", "StopFailure")
    (tmp_path / "hooks").write_text(json.dumps({"hooks": dict.fromkeys(events, hook)}))
    assert fifo.stat().st_mode & 0o777 == 0o600
    assert fifo.parent.stat().st_mode & 0o777 == 0o700

    assert (await tui.deliver("work 0.1")).state is S.COMPLETED
    key = await tui.accept("ask leave")
    await tui.waits_for(WaitingFor.ANSWER)
    assert tui.state.question is not None
    assert tui.state.question.text == "May I leave?"
    await tui.type(b"y")
    outcome = await tui.outcome(key)
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "did: ask")
    assert heard.attention == [(key, "May I leave?"), (key, "settled")]
    failed = await tui.deliver("fail")
    assert (failed.state, failed.diagnostic) == (S.FAILED, "its model failed: the model is away")


@pytest.mark.contract("K53")
async def test_a_question_needs_attention_until_the_next_sign(tui: LiveProgram, heard: Listening) -> None:
    key = await tui.accept("ask go")
    await tui.waits_for(WaitingFor.ANSWER)
    await tui.refuses(WaitingFor.ANSWER)
    assert heard.attention == [(key, "Approval requested: May I go?")]
    await tui.type(b"y")
    assert (await tui.outcome(key)).state is S.COMPLETED
    await tui.ready()
    assert heard.attention[-1] == (key, "settled")
    assert tui.logged("answer") == ["y"]


@pytest.mark.contract("K54")
async def test_without_notices_it_is_fired_once_the_screen_is_still(open_tui: OpenProgram) -> None:
    tui = await open_tui("--notices", "none", signs={})
    outcome = await tui.deliver("work 0.5")
    assert outcome.state is S.FIRED
    assert "tells nothing" in outcome.diagnostic
    assert outcome.evidence.output == "ready\n\n\n\n>"
    assert outcome.evidence.duration_ms is not None
    assert outcome.evidence.duration_ms >= 500


async def test_what_ends_during_a_turn_is_interrupted(open_tui: OpenProgram) -> None:
    tui = await open_tui()
    outcome = await tui.deliver("die 3")
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "it ended with exit code 3 during the turn")
    await until(lambda: not tui.state.open)
    assert tui.state.exit_code == 3
    tui = await open_tui()
    key = await tui.accept("hang")
    os.kill(tui.pid, signal.SIGKILL)
    assert "killed by signal 9" in (await tui.outcome(key)).diagnostic
    tui = await open_tui()
    key = await tui.accept("hang")
    await tui.sessions.close(tui.id)
    closed = await tui.outcome(key)
    assert (closed.state, closed.diagnostic) == (S.INTERRUPTED, "its session was closed during the turn")
    assert (await tui.offer("more")).closed


async def test_a_turn_is_stopped_on_request_and_after_its_limit(open_tui: OpenProgram) -> None:
    tui = await open_tui(turn_limit_ms=1_000)
    key = await tui.accept("work 60")
    await tui.shows(b"working")
    await tui.sessions.cancel(tui.id)
    stopped = await tui.outcome(key)
    assert (stopped.state, stopped.diagnostic) == (S.INTERRUPTED, "it was stopped by a person")
    limited = await tui.deliver("work 60")
    assert (limited.state, limited.diagnostic) == (
        S.INTERRUPTED,
        "it was stopped: it took longer than 1 s",
    )
    await tui.ready()


async def test_one_that_is_stopped_while_its_prompt_goes_in_is_stopped_all_the_same(tui: LiveProgram) -> None:
    key = await tui.accept("work 60")
    await tui.sessions.cancel(tui.id)
    stopped = await tui.outcome(key)
    assert (stopped.state, stopped.diagnostic) == (S.INTERRUPTED, "it was stopped by a person")
    await tui.shows(b"broken off")
    await tui.ready()


async def test_a_shell_has_no_turn_to_stop(
    sessions: TerminalSessions, open_shell: Callable[..., Awaitable[object]]
) -> None:
    await open_shell("node-1")
    with pytest.raises(Refused):
        await sessions.cancel("node-1")


# --- when it takes one


async def test_it_is_starting_until_it_takes_pastes_and_is_still(open_tui: OpenProgram) -> None:
    tui = await open_tui("--starts-in", "0.6", wait=False)
    await tui.refuses(WaitingFor.STARTING)
    await tui.ready()
    assert (await tui.deliver("work 0")).state is S.COMPLETED


async def test_nothing_is_given_to_a_question_that_only_its_screen_shows(open_tui: OpenProgram) -> None:
    tui = await open_tui("--notices", "none", signs={}, ready_mark=r"^>$")
    await tui.type(b"ask whatever\r")
    await tui.shows(b"May I whatever? y/n")
    key = tui.next_key()
    await until_declined(tui, key)
    assert tui.logged("answer") == []
    await tui.type(b"y\r")  # Enter too, since nobody knows here that this was no beginning of a prompt
    await tui.outcome(await tui.accept("work 0"))
    assert tui.logged() == ["ask whatever", "", "work 0"]


async def test_a_screen_without_its_mark_is_busy_until_it_moves(open_tui: OpenProgram) -> None:
    tui = await open_tui(ready_mark="it is never there")
    await until_declined(tui, "key")
    await tui.type(b"moved\x03")
    await until_declined(tui, "key")
    assert tui.logged() == []


async def test_lines_are_never_sent_one_by_one(open_tui: OpenProgram) -> None:
    tui = await open_tui("--no-pastes", takes_pastes=False)
    with pytest.raises(BadInput):
        await tui.offer("two\nlines")
    assert (await tui.deliver("work 0")).state is S.COMPLETED
    assert tui.logged() == ["work 0"]


# --- between what a person types


@pytest.mark.contract("K+6", "K+7")
async def test_what_a_person_has_begun_is_never_joined(tui: LiveProgram) -> None:
    await tui.type(b"half of a tho")
    await tui.waits_for(WaitingFor.UNFINISHED_INPUT)
    await tui.refuses(WaitingFor.UNFINISHED_INPUT)
    await tui.type(b"ught\r")
    await tui.accept("work 0.1")
    await tui.got("half of a thought", "work 0.1")


@pytest.mark.contract("K+7")
async def test_what_is_typed_while_a_prompt_goes_in_follows_it(tui: LiveProgram) -> None:
    prompt = "work 0.1\n" + "and more " * 8_000
    key = await tui.accept(prompt)
    for letter in "typed meanwhile":
        await tui.type(letter.encode())
    assert (await tui.outcome(key)).state is S.COMPLETED
    await tui.waits_for(WaitingFor.UNFINISHED_INPUT)
    await tui.type(b"\r")
    await tui.got(prompt, "typed meanwhile")


async def test_a_person_and_deliveries_interleave_and_no_byte_is_lost_or_joined(tui: LiveProgram) -> None:
    chance = random.Random(6)
    typed = [f"person {number} says {'x' * chance.randrange(40)}" for number in range(6)]
    given = [f"work 0.0{number}\nline two of {number}" for number in range(6)]

    async def person() -> None:
        for line in typed:
            for key in line + "\r":
                await tui.type(key.encode())
                await asyncio.sleep(*chance.choices([0, 0.01, 0.4], [15, 4, 1]))
            await asyncio.sleep(chance.choice([0.05, 0.4, 0.8]))

    async def schedule() -> None:
        for text in given:
            await tui.outcome(await tui.accept(text))

    await asyncio.gather(person(), schedule())
    await until(lambda: len(tui.logged()) == 12)
    assert [text for text in tui.logged() if text.startswith("person")] == typed
    assert [text for text in tui.logged() if text.startswith("work")] == given


async def test_what_a_frozen_program_has_read_of_a_prompt_is_not_joined_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_input, "READ_SECONDS", 0.5)
    async with own_program(tmp_path) as (session, outcomes):
        pid = session.state.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        assert (await session.deliver("first", "work 0.1 " + "first " * 5_000)).accepted
        await until(lambda: outcomes)
        assert outcomes[0].diagnostic == "the program did not read all of the prompt"
        os.kill(pid, signal.SIGCONT)
        await until(lambda: b"first" in session.held.recording.tail(1_000))
        await until(lambda: session.waiting_for is WaitingFor.UNFINISHED_INPUT)
        session.type(b"\x03")
        await until(lambda: session.waiting_for is None)
        assert (await session.deliver("second", "work 0.1 second")).accepted
        await until(lambda: len(outcomes) == 2)
    assert json.loads((tmp_path / "log").read_text()) == ["prompt", "work 0.1 second"]


async def test_a_turn_that_a_person_broke_off_is_interrupted_though_nothing_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt_delivery, "GIVEN_UP_SECONDS", 0.5)
    async with own_program(tmp_path) as (session, outcomes):
        assert (await session.deliver("key", "work 60")).accepted
        await until(lambda: b"working" in session.held.recording.tail(1_000))
        session.type(b"\x1b")
        await until(lambda: outcomes)
        assert outcomes[0].state is S.INTERRUPTED
        assert "a person typed to it" in outcomes[0].diagnostic
        await until(lambda: session.waiting_for is None)


@pytest.mark.contract("K+14")
async def test_a_lost_notice_holds_nothing_up_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt_delivery, "STILL_SECONDS", 1.0)
    async with own_program(tmp_path) as (session, outcomes):
        assert (await session.deliver("key", "lose it")).accepted
        await until(lambda: outcomes)
        assert outcomes[0].state is S.FIRED
        assert "no end of the turn was told" in outcomes[0].diagnostic
        await until(lambda: session.waiting_for is None)


async def test_where_no_hook_could_tell_anything_the_program_is_not_started(tmp_path: Path) -> None:
    taken = program(tmp_path / "log", files={FIFO: "a file in the place of its FIFO"})
    spec, sessions = SessionSpec("agent-1", str(tmp_path)), tmp_path / "sessions"
    with pytest.raises(StorageFailed, match="files of a session cannot be written"):
        ProgramSession(spec, taken, sessions, lambda state: None, lambda outcome: None)
    assert list(sessions.iterdir()) == []


async def test_a_program_that_cannot_be_started_leaves_no_reader_behind(tmp_path: Path) -> None:
    missing = replace(program(tmp_path / "log"), command=(str(tmp_path / "missing"),))
    before = open_descriptors()
    spec, sessions = SessionSpec("agent-1", str(tmp_path)), tmp_path / "sessions"
    with pytest.raises(KavorError):
        ProgramSession(spec, missing, sessions, lambda state: None, lambda outcome: None)
    assert open_descriptors() == before


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


# --- when the runtime goes


async def test_it_goes_on_without_a_runtime_and_tells_the_next_one(
    tui: LiveProgram, sessions: TerminalSessions, home: Home
) -> None:
    key = await tui.accept("work 1")
    await sessions.stop(end_sessions=False)
    later = Listening()
    again = TerminalSessions(home)
    (living,) = await again.start(later)
    try:
        assert (living.id, living.open, living.provider, living.own_screen) == ("agent-1", True, "tui", True)
        assert await again.known([key]) == {key: True}
        await until(lambda: later.outcomes_of(key))
        assert later.outcomes_of(key)[0].state is S.COMPLETED
    finally:
        await again.stop(end_sessions=True)
