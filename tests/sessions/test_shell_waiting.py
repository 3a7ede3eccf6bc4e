"""When a shell takes no delivery, and why: a person's line and a person's programs come first."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from at_once import over
from dialects import BASH, DASH, EVERY, FISH, TYPED_TO, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell, until

from kavor.api.terminal_input import encode_paste
from kavor.domain.attempts import AttemptState
from kavor.sessions.session import WaitingFor
from kavor.terminal_frames import Modes

STARTING = WaitingFor.STARTING
BUSY = WaitingFor.BUSY
UNFINISHED = WaitingFor.UNFINISHED_INPUT
ALTERNATE = WaitingFor.ALTERNATE_SCREEN


@over(*EVERY)
@pytest.mark.contract("K+7")
async def test_a_half_typed_line_is_left_alone(shell: Shell) -> None:
    await shell.type(b"echo hu")
    await shell.waits_for(UNFINISHED)
    await shell.refuses(UNFINISHED)
    await shell.type(b"man\r")
    await shell.ready()
    output = await shell.shows(b"human\r\n")
    assert b"\x03" not in output
    assert b"^C" not in output
    assert (await shell.deliver("echo next")).evidence.output == "next\r\n"


@over(*EVERY)
async def test_a_line_that_is_gone_again_is_empty(shell: Shell, dialect: Dialect) -> None:
    """The keys follow once the line is drawn: fish itself loses a Ctrl-C that comes while it still draws."""
    ways = [b"\x7f" * 9, b"\x15", b"\x03", b"\r"]
    if dialect.marks_starts:
        ways += [b"\x01\x0b", b"\x17" * 4]
    for line, keys in enumerate(ways, start=1):
        await shell.type(b": rm -r%d" % line)
        await shell.waits_for(UNFINISHED)
        await shell.shows(b"-r%d" % line)
        await shell.type(keys)
        await shell.ready()
        assert (await shell.deliver("echo S")).evidence.output == "S\r\n", keys


@over(*TYPED_TO)
async def test_a_line_that_cannot_be_followed_is_unfinished_until_it_ends(shell: Shell) -> None:
    await shell.type(b"ab\x7f")
    await asyncio.sleep(0.5)
    await shell.refuses(UNFINISHED)
    await shell.type(b"\x7f\x01")
    await asyncio.sleep(0.5)
    await shell.refuses(UNFINISHED)
    await shell.type(b"\x03")
    await shell.ready()


@over(*TYPED_TO)
async def test_a_prompt_that_is_only_drawn_again_is_none(shell: Shell) -> None:
    """ash draws its prompt again at Ctrl-U."""
    await shell.type(b"nothing\x15e")
    await asyncio.sleep(0.3)
    await shell.refuses(UNFINISHED)
    await shell.type(b"\x15sleep 0.4; cat\r")
    for _ in range(30):
        assert not (await shell.offer("echo INTRUDER")).accepted
        await asyncio.sleep(0.02)
    await shell.type(b"\x04")
    await shell.ready()
    assert b"INTRUDER" not in await shell.output()


@over(*WITH_AN_EDITOR)
async def test_a_recalled_line_counts_as_typed(shell: Shell) -> None:
    await shell.run(b"echo earlier")
    await shell.type(b"\x1b[A")
    await asyncio.sleep(0.8)
    await shell.waits_for(UNFINISHED)
    await shell.refuses(UNFINISHED)
    await shell.type(b"\x15")
    await shell.ready()


@over(*WITH_AN_EDITOR)
async def test_a_search_in_the_history_is_not_disturbed(shell: Shell) -> None:
    await shell.run(b"echo findme")
    await shell.run(b"echo other")
    await shell.type(b"\x12fin")
    await asyncio.sleep(0.9)
    await shell.refuses(UNFINISHED)
    await shell.type(b"d")  # still goes to the search, not into the line
    await asyncio.sleep(0.3)
    await shell.type(b"\r\r")  # fish takes the first for the choice
    await shell.shows(b"findme\r\n", times=2)
    await shell.ready()


@over(ZSH, FISH)
async def test_a_menu_of_completions_is_not_closed(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".zshrc").write_text(
        "autoload -Uz compinit; compinit -u -D\nzstyle ':completion:*' menu select\n"
    )
    shell = await open_shell()
    await shell.run(b"mkdir -p pick/first-choice pick/second-choice")
    await shell.type(b"echo pick/\t\t")
    await asyncio.sleep(0.9)
    await shell.refuses(UNFINISHED)
    assert b"7708" not in await shell.output()
    await shell.type(b"\x03")
    await asyncio.sleep(0.2)
    await shell.type(b"\x03\x15")
    await shell.ready()


@over(*EVERY)
async def test_a_running_command_is_busy(shell: Shell) -> None:
    await shell.type(b"sleep 0.8\r")
    await shell.waits_for(BUSY)
    await shell.refuses(BUSY)
    await shell.ready()


@over(*EVERY)
async def test_a_persons_unfinished_command_is_unfinished_input(shell: Shell, dialect: Dialect) -> None:
    await shell.type(dialect.unfinished_loop)
    await asyncio.sleep(0.8)
    await shell.waits_for(UNFINISHED)
    await shell.refuses(UNFINISHED)
    await shell.type(dialect.rest_of_loop)
    await shell.ready()
    await shell.shows(b"P1\r\nP2\r\n")


@over(BASH, ZSH, FISH, DASH)
async def test_what_was_typed_ahead_becomes_the_next_line_first(shell: Shell) -> None:
    await shell.type(b"sleep 0.6\r")
    await shell.waits_for(BUSY)
    await shell.type(b"echo ty")
    await shell.waits_for(UNFINISHED)
    await asyncio.sleep(0.6)
    await shell.refuses(UNFINISHED)
    await shell.type(b"ped\r")
    await shell.ready()
    await shell.shows(b"typed\r\n")


@over(*EVERY)
async def test_two_lines_typed_at_once_both_run_before_a_delivery(shell: Shell) -> None:
    await shell.type(b"sleep 0.3\rcat\r")
    key = shell.next_key()
    for _ in range(30):
        assert not (await shell.offer("echo S", key)).accepted
        await asyncio.sleep(0.03)
    await shell.type(b"\x04")
    await shell.ready()
    assert b"7707" not in await shell.output(), "cat was sent none of our keys"


@over(*EVERY)
async def test_lines_a_program_has_read_do_not_block(shell: Shell) -> None:
    await shell.type(b"sh -c 'read x; read y; echo got-$x-$y'\r")
    await asyncio.sleep(0.2)
    await shell.type(b"hello\rworld\r")
    await shell.ready()
    assert b"got-hello-world" in await shell.output()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


@over(DASH)
async def test_a_read_that_was_typed_ahead_gets_nothing(shell: Shell) -> None:
    """Both lines are sent, one prompt has been shown; the second line is the shell's own `read`."""
    await shell.type(b"sleep 0.2\rread line\r")
    await asyncio.sleep(0.8)
    answer = await shell.offer("echo INTRUDER")
    assert not answer.accepted
    await shell.type(b"mine\r")
    await shell.ready()
    assert (await shell.deliver('echo "<$line>"')).evidence.output == "<mine>\r\n"


@over(*EVERY)
async def test_a_shell_that_starts_slowly_is_starting(
    open_shell: OpenShell, user_home: Path, dialect: Dialect
) -> None:
    (user_home / dialect.startup_file).write_text("sleep 0.8\n")
    shell = await open_shell(wait=False)
    assert shell.waiting_for is STARTING
    await shell.refuses(STARTING)
    await shell.type(b"echo early\r")
    await shell.ready()
    assert (await shell.deliver("echo late")).evidence.output == "late\r\n"
    output = await shell.output()
    assert output.index(b"early\r\n") < output.rindex(b"late\r\n")


@over(*EVERY)
async def test_a_shell_that_ends_before_its_prompt_takes_nothing(
    open_shell: OpenShell, user_home: Path, dialect: Dialect
) -> None:
    (user_home / dialect.startup_file).write_text("sleep 0.3; exec sh -c 'exit 3'\n")
    shell = await open_shell(wait=False)
    await until(lambda: not shell.state.open)
    assert shell.state.exit_code == 3
    assert (await shell.offer("echo S")).closed


@pytest.mark.parametrize(
    ("dialect", "setting"),
    [
        (BASH, "set -o vi\n"),
        (ZSH, "bindkey -v\n"),
        (ZSH, "bindkey -v; KEYTIMEOUT=1\n"),
        (FISH, "fish_vi_key_bindings\n"),
    ],
    ids=["bash", "zsh", "zsh-quick", "fish"],
    indirect=["dialect"],
)
async def test_vi_mode(open_shell: OpenShell, user_home: Path, dialect: Dialect, setting: str) -> None:
    (user_home / dialect.startup_file).write_text(setting)
    shell = await open_shell()
    await shell.type(b"\x1b")
    await shell.ready()
    assert (await shell.deliver("echo V")).evidence.output == "V\r\n"
    await shell.type(b"abc")
    await shell.waits_for(UNFINISHED)
    await shell.type(b"\x1b")
    await asyncio.sleep(0.9)
    await shell.refuses(UNFINISHED)
    await shell.type(b"\x03")
    await shell.ready()


@over(*EVERY)
async def test_clearing_and_resizing_the_screen_keep_the_prompt(shell: Shell, dialect: Dialect) -> None:
    if dialect.marks_starts:
        await shell.type(b"\x0c")
    await shell.sessions.resize(shell.id, 60, 20)
    await shell.sessions.resize(shell.id, 120, 40)
    await shell.ready()
    assert "40 120" in (await shell.deliver("stty size")).evidence.output


@over(*WITH_AN_EDITOR)
async def test_a_terminal_left_raw_does_no_harm(shell: Shell, dialect: Dialect) -> None:
    await shell.run(b"stty -echo -icanon")
    dialect.assert_ended(await shell.deliver("echo S"), 0)


@over(BASH, ZSH, FISH, DASH)
async def test_output_in_the_background_is_not_busy(shell: Shell) -> None:
    await shell.run(b"sh -c 'sleep 0.3; echo LATE' &")
    await shell.shows(b"LATE\r\n")
    await asyncio.sleep(0.1)
    outcome = await shell.deliver("echo S")  # dash tells behind it that the job is done
    assert outcome.evidence.output.startswith("S\r\n")


@over(ZSH)
async def test_a_line_the_shell_has_put_into_the_editor_is_a_persons(shell: Shell) -> None:
    await shell.type(b"print -z echo prepared\r")
    await asyncio.sleep(0.4)
    answer = await shell.offer("echo INTRUDER")
    assert (answer.accepted, answer.waiting_for) == (False, UNFINISHED)
    await shell.type(b"\r")
    await shell.shows(b"prepared\r\n")
    await shell.ready()


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


@over(*WITH_AN_EDITOR)
@pytest.mark.parametrize("closing", ["\x1b[201~", "\x9b201~"], ids=["ESC", "C1"])
async def test_a_paste_that_would_close_its_own_brackets_is_one_line_of_text(
    shell: Shell, tmp_path: Path, closing: str
) -> None:
    """What a payload with this is refused for, a person may paste: it shows, and nothing runs."""
    await shell.type(encode_paste(f"echo ok{closing}; touch {tmp_path}/pwned\r", Modes.BRACKETED_PASTE))
    await shell.waits_for(UNFINISHED)
    await shell.shows(b"201~; touch")
    await shell.refuses(UNFINISHED)
    assert not (tmp_path / "pwned").exists()
    await asyncio.sleep(0.3)  # fish loses a Ctrl-C that comes while it still draws
    await shell.type(b"\x03")
    await shell.ready()
    assert not (tmp_path / "pwned").exists()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"
