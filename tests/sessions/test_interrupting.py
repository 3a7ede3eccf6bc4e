"""Ctrl-C for one command, by its id: it never meets a prompt, a person's line or the next command."""

from __future__ import annotations

import asyncio
import random

import pytest
from at_once import over
from dialects import ASH, BASH, DASH, EVERY, FISH, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import WaitingFor


async def interrupt(shell: Shell, running: str) -> bool:
    return await shell.sessions.interrupt(shell.id, running)


async def running(shell: Shell) -> str:
    await until(lambda: shell.state.running, "a command")
    found = shell.state.running
    assert found is not None
    return found


@over(*EVERY)
async def test_a_delivered_command_is_interrupted_by_its_key(shell: Shell) -> None:
    key = await shell.accept("sleep 60")
    assert await running(shell) == key
    assert await interrupt(shell, key)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (AttemptState.FAILED, 130)
    await shell.ready()
    assert shell.state.running is None
    assert not await interrupt(shell, key), "it has ended"
    assert (await shell.deliver("echo on")).evidence.output.strip() == "on"


@over(BASH, ZSH, DASH, ASH)
async def test_so_is_one_that_the_shell_itself_runs(shell: Shell) -> None:
    key = await shell.accept("while :; do :; done")
    assert await running(shell) == key
    assert await interrupt(shell, key)
    await shell.outcome(key)  # zsh does not always say 130
    await shell.ready()


@over(BASH, ZSH, DASH, ASH)
async def test_all_of_a_pipeline_is_interrupted_though_its_first_program_has_ended(
    shell: Shell, dialect: Dialect
) -> None:
    key = await shell.accept("true | sleep 60")
    assert await running(shell) == key
    await asyncio.sleep(0.2)
    assert await interrupt(shell, key)
    await shell.outcome(key)
    await shell.ready()


@over(BASH, ZSH, FISH)
async def test_a_program_that_reads_keys_gets_the_key(shell: Shell) -> None:
    key = await shell.accept("sh -c 'stty -isig -icanon -echo; echo READY; head -c 1 | od -An -c; stty sane'")
    await shell.shows(b"READY\r\n")
    assert await interrupt(shell, key)
    assert "003" in (await shell.outcome(key)).evidence.output


@over(*EVERY)
async def test_what_a_person_runs_has_an_id_of_its_own_each_time(shell: Shell) -> None:
    await shell.type(b"sleep 60\r")
    first = await running(shell)
    assert await interrupt(shell, first)
    await shell.ready()
    await shell.type(b"sleep 60\r")
    await until(lambda: shell.state.running not in (None, first), "another command")
    second = await running(shell)
    assert not await interrupt(shell, first)
    await asyncio.sleep(0.2)
    assert shell.state.running == second
    assert shell.waiting_for is WaitingFor.BUSY
    assert await interrupt(shell, second)
    await shell.ready()


@over(*WITH_AN_EDITOR)
async def test_a_line_that_a_person_has_begun_outlives_an_interrupt_that_comes_late(shell: Shell) -> None:
    key = await shell.accept("true")
    await shell.outcome(key)
    await shell.type(b"echo still-$((40+2))" if shell.id.find("fish") < 0 else b"echo still-(math 40+2)")
    await shell.waits_for(WaitingFor.UNFINISHED_INPUT)
    assert not await interrupt(shell, key)
    await shell.type(b"\r")
    await shell.shows(b"still-42")


@pytest.mark.parametrize("seed", range(3))
async def test_whenever_an_interrupt_comes_no_persons_line_is_lost(open_shell: OpenShell, seed: int) -> None:
    """The command ends at about the moment at which it is interrupted, and a person has typed ahead."""
    moments = random.Random(seed)
    shell = await open_shell()
    for number in range(25):
        key = await shell.accept("sleep 0.05")
        ahead = asyncio.create_task(shell.type(b"echo line-$((%d+1))" % (100 + number)))
        await asyncio.sleep(moments.uniform(0.03, 0.07))
        await interrupt(shell, key)
        await ahead
        outcome = await shell.outcome(key)
        assert (outcome.state, outcome.exit_code) in (
            (AttemptState.COMPLETED, 0),
            (AttemptState.FAILED, 130),
        )
        await shell.type(b"\r")
        await shell.shows(b"line-%d\r\n" % (101 + number))
        await shell.ready()
