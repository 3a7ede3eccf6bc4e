"""The hand-over to zsh and fish at its worst moments: never twice, never "not accepted" for what may run."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from at_once import over
from dialects import FISH, ZSH, Dialect
from live_shell import Shell, until

from kavor.sessions.session import WaitingFor
from kavor.sessions.terminal.processes import look_at

BEFORE_CLAIM = {"zsh": "builtin setopt noclobber", "fish": "set -l claim "}
AFTER_CLAIM = {"zsh": "BUFFER=$text", "fish": "builtin commandline -r -- (builtin"}


async def stop_at(shell: Shell, dialect: Dialect, place: str) -> None:
    """Make the line editor stop its shell at this place of the hand-over."""
    if dialect is ZSH:
        own = "functions[__kavor_deliver]"
        await shell.deliver(f"place='{place}'; {own}=\"${{{own}/$place/kill -STOP $$; $place}}\"")
    else:
        change = f"string replace '{place}' 'kill -STOP $fish_pid; {place}'"
        await shell.deliver(f"functions __kavor_deliver | {change} | source")


async def stopped(shell: Shell) -> None:
    await until(lambda: (process := look_at(shell.pid)) and process.state == "T", "the stop")


@over(ZSH, FISH)
@pytest.mark.contract("K77")
async def test_stopped_before_it_took_the_text_it_never_runs_it(shell: Shell, dialect: Dialect) -> None:
    await stop_at(shell, dialect, BEFORE_CLAIM[dialect.name])
    key = shell.next_key()
    offering = asyncio.ensure_future(shell.offer("echo intruder", key))
    await stopped(shell)
    await shell.type(b"echo per$PWD-son\r")
    answer = await offering
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.BUSY)
    assert await shell.sessions.known([key]) == {key: False}
    os.kill(shell.pid, signal.SIGCONT)
    await shell.shows(b"-son\r\n")
    await shell.ready()
    assert b"intruder" not in await shell.output()


@over(ZSH, FISH)
@pytest.mark.contract("K77")
async def test_stopped_after_it_took_the_text_it_is_delivered(shell: Shell, dialect: Dialect) -> None:
    await stop_at(shell, dialect, AFTER_CLAIM[dialect.name])
    key = shell.next_key()
    offering = asyncio.ensure_future(shell.offer("sh -c 'echo ran; exit 5'", key))
    await stopped(shell)
    await shell.type(b"echo per$PWD-son\r")
    assert (await offering).accepted
    os.kill(shell.pid, signal.SIGCONT)
    outcome = await shell.outcome(key)
    dialect.assert_ended(outcome, 5)
    await shell.shows(b"-son\r\n")
    assert (await shell.output()).count(b"ran\r\n") == 1
