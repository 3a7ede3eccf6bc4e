"""The hand-over at its worst moments: never twice, never "not accepted" for what may still run."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import StorageFailed
from kavor.home import Home
from kavor.sessions.session import WaitingFor
from kavor.sessions.terminal.handover import Offer
from kavor.sessions.terminal.processes import look_at

STOP_BEFORE_CLAIM = "set -T; trap '[[ $BASH_COMMAND == *\"set -C\"* ]] && kill -STOP $$' DEBUG\n"
STOP_AFTER_CLAIM = "set -T; trap '[[ $BASH_COMMAND == *\"READLINE_LINE=\"* ]] && kill -STOP $$' DEBUG\n"


async def stopped(shell: Shell) -> None:
    await until(lambda: (process := look_at(shell.pid)) and process.state == "T", "the stop")


def go_on(shell: Shell) -> None:
    os.kill(shell.pid, signal.SIGCONT)


def test_only_one_side_can_claim_an_offer(tmp_path: Path) -> None:
    offer = Offer(tmp_path, "echo hi")
    assert (tmp_path / "handover").read_bytes() == f"{offer.token}\necho hi\0".encode()
    assert (tmp_path / "handover").stat().st_mode & 0o777 == 0o600
    assert offer.withdraw()
    assert not (tmp_path / "handover").exists()
    assert not offer.withdraw(), "it is claimed now"
    claimed = Offer(tmp_path, "echo again")
    (tmp_path / f"claim.{claimed.token}").touch()
    assert not claimed.withdraw()
    claimed.forget()
    offer.forget()
    assert not list(tmp_path.iterdir())


def test_an_offer_that_cannot_be_written_down_is_none(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed):
        Offer(tmp_path / "gone", "echo hi")


@pytest.mark.contract("K77")
async def test_the_same_key_is_delivered_once(shell: Shell) -> None:
    key = shell.next_key()
    answers = await asyncio.gather(*(shell.offer("echo once-$((1+1))", key) for _ in range(8)))
    assert {answer.accepted for answer in answers} == {True}
    assert len({answer.delivered_at for answer in answers}) == 1
    await shell.outcome(key)
    await shell.sessions.acknowledge([key])
    later = await shell.offer("echo once-$((1+1))", key)
    assert (later.accepted, later.delivered_at) == (True, answers[0].delivered_at)
    await shell.ready()
    assert (await shell.output()).count(b"once-2") == 1
    assert await shell.sessions.known([key, "never-heard-of"]) == {key: True, "never-heard-of": False}


async def test_a_refused_key_may_be_offered_again(shell: Shell) -> None:
    await shell.type(b"x")
    key = shell.next_key()
    assert not (await shell.offer("echo again", key)).accepted
    assert await shell.sessions.known([key]) == {key: False}
    await shell.type(b"\x15")
    await shell.ready()
    assert (await shell.offer("echo again", key)).accepted
    assert (await shell.outcome(key)).exit_code == 0


async def test_a_stopped_shell_is_not_written_to(shell: Shell) -> None:
    os.kill(shell.pid, signal.SIGSTOP)
    await stopped(shell)
    began = time.monotonic()
    answer = await shell.offer("echo S")
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.BUSY)
    assert time.monotonic() - began < 1.2, "it was seen to be stopped, not tried in vain"
    go_on(shell)
    await shell.ready()
    assert (await shell.deliver("echo S")).exit_code == 0


@pytest.mark.contract("K+7")
async def test_the_line_editor_has_the_last_word_on_an_empty_line(shell: Shell, tmp_path: Path) -> None:
    """Characters that came into the line past the host: it cannot know of them, the line editor does."""
    push = "import fcntl, termios; [fcntl.ioctl(0, termios.TIOCSTI, bytes([c])) for c in b'echo pushed']"
    (tmp_path / "push.py").write_text(push)
    outcome = await shell.deliver(f"({sys.executable} push.py; touch pushed) </dev/tty &")
    assert outcome.exit_code == 0
    await until((tmp_path / "pushed").exists)
    if b"Error" in await shell.output():
        pytest.skip("this system lets nobody push characters into a terminal")
    await shell.shows(b"echo pushed")
    await shell.ready()
    answer = await shell.offer("echo intruder")
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.UNFINISHED_INPUT)
    await shell.type(b"-$((1+1))\r")
    await shell.shows(b"pushed-2\r\n")
    assert b"intruder" not in await shell.output()


@pytest.mark.contract("K77")
async def test_stopped_before_it_took_the_text_it_never_runs_it(
    open_shell: OpenShell, user_home: Path
) -> None:
    (user_home / ".bash_profile").write_text(STOP_BEFORE_CLAIM)
    shell = await open_shell()
    key = shell.next_key()
    offering = asyncio.create_task(shell.offer("echo ran-$((1+1))", key))
    await stopped(shell)
    await shell.type(b"echo person-$((2+2))\r")
    answer = await offering
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.BUSY)
    assert await shell.sessions.known([key]) == {key: False}
    assert not (await shell.offer("echo ran-$((1+1))", key)).accepted, "nothing follows the unanswered key"
    go_on(shell)
    await shell.shows(b"person-4\r\n")
    await shell.ready()
    assert b"ran-2" not in await shell.output()
    await shell.run(b"trap - DEBUG")
    assert (await shell.offer("echo ran-$((1+1))", key)).accepted
    await shell.outcome(key)
    assert (await shell.output()).count(b"ran-2") == 1


async def test_while_one_key_is_unanswered_no_other_is_sent(
    open_shell: OpenShell, user_home: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "never")
    (user_home / ".bash_profile").write_text(
        f"exec 9<>{tmp_path}/never; set -T\n"
        "trap '[[ $BASH_COMMAND == *\"set -C\"* ]] && builtin read -t 2.5 -u 9' DEBUG\n"
    )
    shell = await open_shell()
    first = await shell.offer("echo first-$((1+1))")
    assert (first.accepted, first.waiting_for) == (False, WaitingFor.BUSY)
    second = await shell.offer("echo second-$((1+1))")
    assert (second.accepted, second.waiting_for) == (False, WaitingFor.BUSY)
    await shell.ready()
    assert b"-2\r\n" not in await shell.output()


async def test_a_key_typed_while_the_line_is_asked_for_is_not_forgotten(
    open_shell: OpenShell, user_home: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "never")
    (user_home / ".bash_profile").write_text(
        f"exec 9<>{tmp_path}/never; set -T\n"
        "trap '[[ $BASH_COMMAND == *kavor_say* ]] && { : >~/asked; builtin read -t 0.2 -u 9; }' DEBUG\n"
    )
    shell = await open_shell()
    await shell.type(b"\x1b[A\x1b[B")
    await until((user_home / "asked").exists)
    await shell.type(b"x")
    await asyncio.sleep(1.2)
    assert shell.waiting_for is WaitingFor.UNFINISHED_INPUT
    await shell.type(b"\x15")
    await shell.ready()


@pytest.mark.contract("K77")
async def test_stopped_after_it_took_the_text_it_counts_as_delivered(
    open_shell: OpenShell, user_home: Path
) -> None:
    (user_home / ".bash_profile").write_text(STOP_AFTER_CLAIM)
    shell = await open_shell()
    key = shell.next_key()
    began = time.monotonic()
    answer = await shell.offer("echo ran-$((1+1))", key)
    assert answer.accepted
    assert time.monotonic() - began > 1, "only after waiting for the word of the line editor"
    assert (await shell.offer("echo ran-$((1+1))", key)).accepted
    await asyncio.sleep(0.2)
    assert not shell.heard.outcomes
    go_on(shell)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (AttemptState.COMPLETED, 0)
    await shell.ready()
    assert (await shell.output()).count(b"ran-2") == 1
    assert len(shell.heard.outcomes) == 1


async def test_killed_after_it_took_the_text_it_is_interrupted(
    open_shell: OpenShell, user_home: Path
) -> None:
    (user_home / ".bash_profile").write_text(STOP_AFTER_CLAIM)
    shell = await open_shell()
    key = shell.next_key()
    offering = asyncio.create_task(shell.offer("echo ran", key))
    await stopped(shell)
    os.kill(shell.pid, signal.SIGKILL)
    assert (await offering).accepted
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (AttemptState.INTERRUPTED, None)
    assert "not known" in outcome.diagnostic


async def test_killed_before_it_took_the_text_the_session_is_closed(
    open_shell: OpenShell, user_home: Path
) -> None:
    (user_home / ".bash_profile").write_text(STOP_BEFORE_CLAIM)
    shell = await open_shell()
    offering = asyncio.create_task(shell.offer("echo ran"))
    await stopped(shell)
    os.kill(shell.pid, signal.SIGKILL)
    answer = await offering
    assert (answer.accepted, answer.closed) == (False, True)
    assert not shell.heard.outcomes


async def test_a_text_that_cannot_be_written_down_is_not_delivered(shell: Shell, home: Home) -> None:
    folder = home.sessions / shell.id
    folder.rename(folder.with_name("moved"))
    with pytest.raises(StorageFailed) as refusal:
        await shell.offer("echo S")
    assert refusal.value.hint
    folder.with_name("moved").rename(folder)
    await shell.ready()
    assert (await shell.deliver("echo S")).exit_code == 0


async def test_what_a_person_types_during_the_hand_over_follows_in_order(
    open_shell: OpenShell, user_home: Path, home: Home
) -> None:
    (user_home / ".bash_profile").write_text(
        "set -T; trap '[[ $BASH_COMMAND == *\"set -C\"* ]] && sleep 0.4' DEBUG\n"
    )
    shell = await open_shell()
    offering = asyncio.create_task(shell.offer("sleep 0.2; echo first-$((1+1))"))
    await until((home.sessions / shell.id / "handover").exists)
    for byte in b"echo second-$((1+1))\r":
        await shell.type(bytes([byte]))
    assert not offering.done()
    assert (await offering).accepted
    output = await shell.shows(b"second-2\r\n")
    assert output.index(b"first-2\r\n") < output.index(b"second-2\r\n")
    await shell.ready()
