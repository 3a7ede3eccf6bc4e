"""When bash takes no delivery, and why: a person's line and a person's programs come first."""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path

import pytest
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput
from kavor.sessions.session import WaitingFor

STARTING = WaitingFor.STARTING
BUSY = WaitingFor.BUSY
UNFINISHED = WaitingFor.UNFINISHED_INPUT
ALTERNATE = WaitingFor.ALTERNATE_SCREEN


async def assert_refused(shell: Shell, waiting: WaitingFor) -> None:
    """Not one byte of the offered text reaches the shell."""
    answer = await shell.offer("echo INTRUDER")
    assert (answer.accepted, answer.closed, answer.waiting_for) == (False, False, waiting)
    assert b"INTRUDER" not in await shell.output()


@pytest.mark.contract("K+7")
async def test_a_half_typed_line_is_left_alone(shell: Shell) -> None:
    await shell.type(b"echo hu")
    await shell.waits_for(UNFINISHED)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"man\r")
    await shell.ready()
    output = await shell.shows(b"human\r\n")
    assert b"\x03" not in output
    assert b"^C" not in output
    assert (await shell.deliver("echo next")).evidence.output == "next\r\n"


@pytest.mark.parametrize("keys", [b"\x7f" * 9, b"\x15", b"\x01\x0b", b"\x17\x17\x17", b"\x03", b"\r"])
async def test_a_line_that_is_gone_again_is_empty(shell: Shell, keys: bytes) -> None:
    await shell.type(b": rm -rf ")
    await shell.waits_for(UNFINISHED)
    await shell.type(keys)
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


async def test_a_recalled_line_counts_as_typed(shell: Shell) -> None:
    await shell.run(b"echo earlier")
    await shell.type(b"\x1b[A")
    await asyncio.sleep(0.8)
    await shell.waits_for(UNFINISHED)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"\x1b[B")
    await shell.ready()


async def test_a_search_in_the_history_is_not_disturbed(shell: Shell) -> None:
    await shell.run(b"echo findme")
    await shell.run(b"echo other")
    await shell.type(b"\x12fin")
    await asyncio.sleep(0.9)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"d")  # still goes to the search, not into the line
    await shell.type(b"\r")
    await shell.shows(b"findme\r\n", times=2)
    await shell.ready()


async def test_a_running_command_is_busy(shell: Shell) -> None:
    await shell.type(b"sleep 0.8\r")
    await shell.waits_for(BUSY)
    await assert_refused(shell, BUSY)
    await shell.ready()


PROGRAMS: dict[str, tuple[bytes, bytes]] = {
    "sh": (b"sh", b"exit\r"),
    "bash-norc": (b"export PROMPT_COMMAND PS1 PS2; bash --norc", b"exit\r"),
    "bash-i": (b"bash -i", b"exit\r"),
    "read": (b"read line", b"x\r"),
    "read-e": (b"read -e line", b"x\r"),
    "read-n1": (b"read -n1 key", b"x"),
    "read-s": (b"read -s secret", b"x\r"),
    "cat": (b"cat", b"\x04"),
    "loop": (b"while :; do :; done", b"\x03"),
    "python": (b"python3 -q", b"exit()\r"),
    "raw": (b"stty -icanon -echo; sleep 60", b"\x03"),
}


async def test_a_program_that_reads_gets_nothing(open_shell: OpenShell) -> None:
    """Each program in a shell of its own, all at once."""
    shells = {name: await open_shell(name) for name in PROGRAMS}
    await asyncio.gather(*(program_gets_nothing(shells[name], *PROGRAMS[name]) for name in PROGRAMS))


async def program_gets_nothing(shell: Shell, start: bytes, end: bytes) -> None:
    await shell.type(start + b"\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(0.5)
    before = len(await shell.output())
    await assert_refused(shell, BUSY)
    await asyncio.sleep(0.6)
    assert b"7707" not in await shell.output(), f"no private key to {shell.id} either"
    assert b"not found" not in (await shell.output())[before:]
    await shell.type(end)
    await shell.ready()
    assert (await shell.deliver("echo S")).state is AttemptState.COMPLETED, shell.id


@pytest.mark.skipif(not shutil.which("less"), reason="less is not installed")
async def test_a_full_screen_program_shows_as_alternate_screen(shell: Shell) -> None:
    await shell.type(b"less /etc/passwd\r")
    await shell.waits_for(ALTERNATE)
    await assert_refused(shell, ALTERNATE)
    await shell.type(b"q")
    await shell.ready()
    assert (await shell.deliver("echo S")).state is AttemptState.COMPLETED


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
async def test_keys_that_an_editor_has_read_do_not_block(shell: Shell, tmp_path: Path) -> None:
    await shell.type(b"vim -u NONE " + str(tmp_path / "x").encode() + b"\r")
    await shell.waits_for(ALTERNATE)
    await asyncio.sleep(0.3)
    await shell.type(b"ihello\x12\x16\x1b")
    await asyncio.sleep(0.2)
    await shell.type(b"\x1b:wq\r")
    await shell.ready()
    assert (await shell.deliver(f"wc -l < {tmp_path}/x")).exit_code == 0


async def test_a_screen_left_in_alternate_mode_does_not_block_the_prompt(shell: Shell) -> None:
    assert (await shell.deliver("printf '\\033[?1049h'")).state is AttemptState.COMPLETED
    assert (await shell.deliver("echo S")).state is AttemptState.COMPLETED


async def test_a_persons_unfinished_command_is_unfinished_input(shell: Shell) -> None:
    await shell.type(b"for i in 1 2; do\r")
    await asyncio.sleep(0.6)
    await shell.waits_for(UNFINISHED)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"echo P$i; done\r")
    await shell.ready()
    await shell.shows(b"P1\r\nP2\r\n")


async def test_what_was_typed_ahead_becomes_the_next_line_first(shell: Shell) -> None:
    await shell.type(b"sleep 0.6\r")
    await shell.waits_for(BUSY)
    await shell.type(b"echo ty")
    await shell.waits_for(UNFINISHED)
    await asyncio.sleep(0.6)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"ped\r")
    await shell.ready()
    await shell.shows(b"typed\r\n")


async def test_two_lines_typed_at_once_both_run_before_a_delivery(shell: Shell) -> None:
    await shell.type(b"sleep 0.3\rcat\r")
    key = shell.next_key()
    for _ in range(30):
        assert not (await shell.offer("echo S", key)).accepted
        await asyncio.sleep(0.03)
    await shell.type(b"\x04")
    await shell.ready()
    assert b"7707" not in await shell.output(), "cat was sent none of our keys"


async def test_keys_a_program_has_read_do_not_block(shell: Shell) -> None:
    await shell.type(b"sh -c 'read x; echo got-$x'\r")
    await asyncio.sleep(0.2)
    await shell.type(b"hello\r")
    await shell.ready()
    assert b"got-hello" in await shell.output()


async def test_a_shell_that_starts_slowly_is_starting(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".bash_profile").write_text("sleep 0.8\n")
    shell = await open_shell(wait=False)
    assert shell.waiting_for is STARTING
    await assert_refused(shell, STARTING)
    await shell.type(b"echo early\r")
    await shell.ready()
    assert (await shell.deliver("echo late")).evidence.output == "late\r\n"
    output = await shell.output()
    assert output.index(b"early\r\n") < output.rindex(b"late\r\n")


async def test_a_shell_that_ends_before_its_prompt_takes_nothing(
    open_shell: OpenShell, user_home: Path
) -> None:
    (user_home / ".bash_profile").write_text("sleep 0.3; exit 3\n")
    shell = await open_shell(wait=False)
    await until(lambda: not shell.state.open)
    assert (shell.state.exit_code, shell.state.diagnostic) == (3, "the shell ended with exit code 3")
    assert (await shell.offer("echo S")).closed


async def test_vi_mode(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".bash_profile").write_text("set -o vi\n")
    shell = await open_shell()
    await shell.type(b"\x1b")
    await shell.ready()
    assert (await shell.deliver("echo V")).evidence.output == "V\r\n"
    await shell.type(b"abc")
    await shell.waits_for(UNFINISHED)
    await shell.type(b"\x1b")
    await asyncio.sleep(0.8)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"\x03")
    await shell.ready()


async def test_clearing_and_resizing_the_screen_keep_the_prompt(shell: Shell) -> None:
    await shell.type(b"\x0c")
    await shell.sessions.resize(shell.id, 60, 20)
    await shell.sessions.resize(shell.id, 120, 40)
    await shell.ready()
    assert (await shell.deliver("stty size")).evidence.output == "40 120\r\n"


async def test_a_terminal_left_raw_does_no_harm(shell: Shell) -> None:
    await shell.run(b"stty -echo -icanon")
    assert (await shell.deliver("echo S")).exit_code == 0


async def test_output_in_the_background_is_not_busy(shell: Shell) -> None:
    await shell.run(b"(sleep 0.3; printf 'LATE\\033[c\\033[5n') &")
    await shell.shows(b"LATE\x1b[c")
    await asyncio.sleep(0.1)
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


async def test_a_query_is_answered_to_a_program_that_reads_the_answer(shell: Shell) -> None:
    read = "stty -echo -icanon; printf '\\033[c'; IFS= read -r -d c answer; stty sane"
    outcome = await shell.deliver(f"{read}; printf '%q' \"$answer\"")
    assert "[?62;22" in outcome.evidence.output
    outcome = await shell.deliver("printf '\\033[c'; sleep 0.2")
    assert outcome.exit_code == 0
    await shell.ready()
    outcome = await shell.deliver("echo S")
    assert outcome.evidence.output == "S\r\n", "and to others it would be typing"


async def test_hostile_payloads_are_refused_again_here(shell: Shell) -> None:
    for text in (
        "echo a\x1b[201~; touch pwned",
        "echo \x03",
        "x\x00y",
        "a\x9b201~b",
        "",
        " \n",
        "x" * 300_000,
    ):
        with pytest.raises(BadInput):
            await shell.offer(text)
    assert (await shell.deliver("echo OK")).exit_code == 0


@pytest.mark.contract("K+6", "K+7")
async def test_a_person_who_types_at_the_same_instant(shell: Shell) -> None:
    """Nothing a person typed is lost, torn or joined to what was delivered, whatever the moment."""
    chance = random.Random(20261130)
    for turn in range(25):
        delivery = asyncio.create_task(shell.deliver(f"echo S{turn}-$((40+2))"))
        await asyncio.sleep(chance.uniform(0, 0.02))
        line = f"echo H{turn}-$((50+5))\r".encode()
        cut = chance.randrange(len(line) + 1)
        await shell.type(line[:cut])
        await asyncio.sleep(chance.choice([0, 0, 0.001, 0.005]))
        await shell.type(line[cut:])
        outcome = await delivery
        assert (outcome.state, outcome.exit_code) == (AttemptState.COMPLETED, 0), turn
        assert f"S{turn}-42\r\n" in outcome.evidence.output, turn
        await shell.shows(f"H{turn}-55\r\n".encode())
        await shell.ready()
    output = await shell.output()
    for turn in range(25):
        assert output.count(f"S{turn}-42\r\n".encode()) == 1, turn
        assert output.count(f"H{turn}-55\r\n".encode()) == 1, turn


async def test_two_deliveries_at_once_do_not_mix(shell: Shell) -> None:
    texts = ("sleep 0.3; echo A-$((1+1))", "echo B-$((1+1))", "sh -c 'exit 4'")
    outcomes = await asyncio.gather(*(shell.deliver(text) for text in texts))
    assert [outcome.exit_code for outcome in outcomes] == [0, 0, 4]
    assert [outcome.evidence.output for outcome in outcomes] == ["A-2\r\n", "B-2\r\n", ""]
