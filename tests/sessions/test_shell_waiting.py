"""When zsh, fish, dash and ash take no delivery, and why: a person's line and a person's programs come first.

bash has the same tests in a file of its own; here are those that hold for every shell.
"""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from dialects import ASH, BASH, DASH, EVERY, FISH, TYPED_TO, WITH_AN_EDITOR, ZSH, Dialect, over
from live_shell import OpenShell, Shell, until

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


@over(ZSH, FISH, DASH, ASH)
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


@over(ZSH, FISH, DASH, ASH)
async def test_a_line_that_is_gone_again_is_empty(shell: Shell) -> None:
    """The keys follow once the line is drawn: fish itself loses a Ctrl-C that comes while it still draws."""
    for line, keys in enumerate((b"\x7f" * 9, b"\x15", b"\x03", b"\r"), start=1):
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
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"\x7f\x01")
    await asyncio.sleep(0.5)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"\x03")
    await shell.ready()


@over(*TYPED_TO)
async def test_a_prompt_that_is_only_drawn_again_is_none(shell: Shell) -> None:
    """ash draws its prompt again at Ctrl-U."""
    await shell.type(b"nothing\x15e")
    await asyncio.sleep(0.3)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"\x15sleep 0.4; cat\r")
    for _ in range(30):
        assert not (await shell.offer("echo INTRUDER")).accepted
        await asyncio.sleep(0.02)
    await shell.type(b"\x04")
    await shell.ready()
    assert b"INTRUDER" not in await shell.output()


@over(ZSH, FISH)
async def test_a_recalled_line_counts_as_typed(shell: Shell) -> None:
    await shell.run(b"echo earlier")
    await shell.type(b"\x1b[A")
    await asyncio.sleep(0.8)
    await shell.waits_for(UNFINISHED)
    await assert_refused(shell, UNFINISHED)
    await shell.type(b"\x15")
    await shell.ready()


@over(ZSH, FISH)
async def test_a_search_in_the_history_is_not_disturbed(shell: Shell) -> None:
    await shell.run(b"echo findme")
    await shell.run(b"echo other")
    await shell.type(b"\x12fin")
    await asyncio.sleep(0.9)
    await assert_refused(shell, UNFINISHED)
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
    await assert_refused(shell, UNFINISHED)
    assert b"7708" not in await shell.output()
    await shell.type(b"\x03")
    await asyncio.sleep(0.2)
    await shell.type(b"\x03\x15")
    await shell.ready()


@over(ZSH, FISH, DASH, ASH)
async def test_a_running_command_is_busy(shell: Shell) -> None:
    await shell.type(b"sleep 0.8\r")
    await shell.waits_for(BUSY)
    await assert_refused(shell, BUSY)
    await shell.ready()


PROGRAMS: dict[str, tuple[bytes, bytes]] = {
    "nested-sh": (b"sh", b"exit\r"),
    "nested-bash": (b"bash --norc -i", b"exit\r"),
    "cat": (b"cat", b"\x04"),
    "repl": (b"python3 -q", b"exit()\r"),
    "raw": (b"sh -c 'stty -icanon -echo; sleep 60'", b"\x03"),
    "password": (b"python3 -c 'import getpass; getpass.getpass()'", b"secret\r"),
    "ssh": (b"./ssh somewhere", b"\x04"),
}


@over(ZSH, FISH, DASH, ASH)
@pytest.mark.contract("K+6", "K+7")
async def test_a_program_that_reads_gets_nothing(open_shell: OpenShell, tmp_path: Path) -> None:
    """Each program in a shell of its own, all at once."""
    far = tmp_path / "ssh"  # what ssh shows: another machine's shell, with marks of its own
    far.write_text("#!/bin/sh\nprintf 'far \\033]133;A\\007$ \\033]133;B\\007'\nexec cat\n")
    far.chmod(0o755)
    shells = {name: await open_shell(name) for name in PROGRAMS}
    await asyncio.gather(*(program_gets_nothing(shells[name], *PROGRAMS[name]) for name in PROGRAMS))


async def program_gets_nothing(shell: Shell, start: bytes, end: bytes) -> None:
    await shell.type(start + b"\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(1.0)
    await assert_refused(shell, BUSY)
    await asyncio.sleep(0.5)
    assert b"7707" not in await shell.output(), f"no private key to {shell.id} either"
    await shell.type(end)
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n", shell.id


@over(BASH, ZSH, FISH)
@pytest.mark.skipif(not shutil.which("ssh"), reason="ssh is not installed")
async def test_an_ssh_that_connects_is_busy(shell: Shell) -> None:
    await shell.type(b"ssh -o ProxyCommand='sleep 30' -o BatchMode=yes nowhere.invalid\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(0.3)
    await assert_refused(shell, BUSY)
    await shell.type(b"\x03")
    await shell.ready()


@pytest.mark.parametrize(
    ("dialect", "start", "end"),
    [
        (ZSH, b"zsh -i", b"exit\r"),
        (ZSH, b"export PS1 precmd_functions; zsh -f", b"exit\r"),
        (ZSH, b"read line", b"x\r"),
        (ZSH, b"read -k1 key", b"x"),
        (ZSH, b"line=; vared line", b"x\r"),
        (ZSH, b"while true; do true; done", b"\x03"),
        (FISH, b"fish", b"exit\r"),
        (FISH, b"read line", b"x\r"),
        (FISH, b"while true; end", b"\x03"),
        (DASH, b"read line", b"x\r"),
        (DASH, b"export PS1 PS2; dash", b"exit\r"),
        (DASH, b"while true; do true; done", b"\x03"),
        (ASH, b"read line", b"x\r"),
        (BASH, b"fish --no-config", b"exit\r"),
        (ZSH, b"fish --no-config", b"exit\r"),
    ],
    ids=lambda value: value.decode().replace(" ", "_") if isinstance(value, bytes) else None,
    indirect=["dialect"],
)
async def test_a_shells_own_reading_and_nested_shells_get_nothing(
    shell: Shell, start: bytes, end: bytes
) -> None:
    if start.startswith(b"fish") and not shutil.which("fish"):
        pytest.skip("fish is not installed")
    await shell.type(start + b"\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(0.8)
    await assert_refused(shell, BUSY)
    assert b"7707" not in await shell.output()
    assert b"not found" not in await shell.output()
    await shell.type(end)
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


@over(ZSH, FISH, DASH)
@pytest.mark.skipif(not shutil.which("less"), reason="less is not installed")
async def test_a_full_screen_program_shows_as_alternate_screen(shell: Shell, dialect: Dialect) -> None:
    await shell.type(b"less /etc/passwd\r")
    await shell.waits_for(ALTERNATE)
    await assert_refused(shell, ALTERNATE)
    await shell.type(b"q")
    if not dialect.marks_starts:
        await shell.waits_for(UNFINISHED)  # nothing tells whether less has read that key
        await shell.type(b"\r")
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


@over(ZSH, FISH, DASH, ASH)
async def test_a_persons_unfinished_command_is_unfinished_input(shell: Shell, dialect: Dialect) -> None:
    await shell.type(dialect.unfinished_loop)
    await asyncio.sleep(0.8)
    await shell.waits_for(UNFINISHED)
    await assert_refused(shell, UNFINISHED)
    await shell.type(dialect.rest_of_loop)
    await shell.ready()
    await shell.shows(b"P1\r\nP2\r\n")


@over(ZSH, FISH, DASH)
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


@over(ZSH, FISH, DASH, ASH)
async def test_two_lines_typed_at_once_both_run_before_a_delivery(shell: Shell) -> None:
    await shell.type(b"sleep 0.3\rcat\r")
    key = shell.next_key()
    for _ in range(30):
        assert not (await shell.offer("echo S", key)).accepted
        await asyncio.sleep(0.03)
    await shell.type(b"\x04")
    await shell.ready()
    assert b"7707" not in await shell.output(), "cat was sent none of our keys"


@over(ZSH, FISH, DASH, ASH)
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


@over(ZSH, FISH, DASH, ASH)
async def test_a_shell_that_starts_slowly_is_starting(
    open_shell: OpenShell, user_home: Path, dialect: Dialect
) -> None:
    (user_home / dialect.startup_file).write_text("sleep 0.8\n")
    shell = await open_shell(wait=False)
    assert shell.waiting_for is STARTING
    await assert_refused(shell, STARTING)
    await shell.type(b"echo early\r")
    await shell.ready()
    assert (await shell.deliver("echo late")).evidence.output == "late\r\n"
    output = await shell.output()
    assert output.index(b"early\r\n") < output.rindex(b"late\r\n")


@over(ZSH, FISH, DASH, ASH)
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
    [(ZSH, "bindkey -v\n"), (ZSH, "bindkey -v; KEYTIMEOUT=1\n"), (FISH, "fish_vi_key_bindings\n")],
    ids=["zsh", "zsh-quick", "fish"],
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
    await assert_refused(shell, UNFINISHED)
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


@over(ZSH, FISH, DASH)
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
