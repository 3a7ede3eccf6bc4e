"""A person's programs: whatever reads the terminal, not one byte of a delivery goes into it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from at_once import over
from dialects import BASH, DASH, EVERY, FISH, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import WaitingFor

BUSY = WaitingFor.BUSY
ALTERNATE = WaitingFor.ALTERNATE_SCREEN
UNFINISHED = WaitingFor.UNFINISHED_INPUT

PROGRAMS: dict[str, tuple[bytes, bytes]] = {
    "nested-sh": (b"sh", b"exit\r"),
    "nested-bash": (b"bash --norc -i", b"exit\r"),
    "cat": (b"cat", b"\x04"),
    "repl": (b"python3 -q", b"exit()\r"),
    "raw": (b"sh -c 'stty -icanon -echo; sleep 60'", b"\x03"),
    "password": (b"python3 -c 'import getpass; getpass.getpass()'", b"secret\r"),
    "ssh": (b"./ssh somewhere", b"\x04"),
    "read": (b"read line", b"x\r"),
}
OF_ONE_SHELL: dict[str, dict[str, tuple[bytes, bytes]]] = {
    "bash": {
        "its-prompt-exported": (b"export PROMPT_COMMAND PS1 PS2; bash --norc", b"exit\r"),
        "read-e": (b"read -e line", b"x\r"),
        "read-n1": (b"read -n1 key", b"x"),
        "read-s": (b"read -s secret", b"x\r"),
        "nested-fish": (b"fish --no-config", b"exit\r"),
    },
    "zsh": {
        "itself": (b"zsh -i", b"exit\r"),
        "its-prompt-exported": (b"export PS1 precmd_functions; zsh -f", b"exit\r"),
        "read-k1": (b"read -k1 key", b"x"),
        "vared": (b"line=; vared line", b"x\r"),
        "nested-fish": (b"fish --no-config", b"exit\r"),
    },
    "fish": {"itself": (b"fish", b"exit\r")},
    "dash": {"its-prompt-exported": (b"export PS1 PS2; dash", b"exit\r")},
}


@over(*EVERY)
@pytest.mark.contract("K+6", "K+7")
async def test_a_program_that_reads_gets_nothing(
    open_shell: OpenShell, dialect: Dialect, tmp_path: Path
) -> None:
    """Each program in a shell of its own, all at once."""
    far = tmp_path / "ssh"  # what ssh shows: another machine's shell, with marks of its own
    far.write_text("#!/bin/sh\nprintf 'far \\033]133;A\\007$ \\033]133;B\\007'\nexec cat\n")
    far.chmod(0o755)
    programs = PROGRAMS | OF_ONE_SHELL.get(dialect.name, {})
    if not shutil.which("fish"):
        programs.pop("nested-fish", None)
    shells = {name: await open_shell(name) for name in programs}
    await asyncio.gather(*(program_gets_nothing(shells[name], *programs[name]) for name in programs))


async def program_gets_nothing(shell: Shell, start: bytes, end: bytes) -> None:
    await shell.type(start + b"\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(1.0)
    await shell.refuses(BUSY)
    await asyncio.sleep(0.5)
    assert b"7707" not in await shell.output(), f"no private key to {shell.id} either"
    assert b"not found" not in await shell.output(), shell.id
    await shell.type(end)
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n", shell.id


@over(*WITH_AN_EDITOR)
@pytest.mark.skipif(not shutil.which("ssh"), reason="ssh is not installed")
async def test_an_ssh_that_connects_is_busy(shell: Shell) -> None:
    await shell.type(b"ssh -o ProxyCommand='sleep 30' -o BatchMode=yes nowhere.invalid\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(0.3)
    await shell.refuses(BUSY)
    await shell.type(b"\x03")
    await shell.ready()


@over(*EVERY)
async def test_a_loop_of_the_shells_own_is_busy(shell: Shell, dialect: Dialect) -> None:
    await shell.type(b"while true; end\r" if dialect is FISH else b"while true; do true; done\r")
    await shell.waits_for(BUSY)
    await asyncio.sleep(0.8)
    await shell.refuses(BUSY)
    await shell.type(b"\x03")
    await shell.ready()


@over(BASH, ZSH, FISH, DASH)
@pytest.mark.skipif(not shutil.which("less"), reason="less is not installed")
async def test_a_full_screen_program_shows_as_alternate_screen(shell: Shell, dialect: Dialect) -> None:
    await shell.type(b"less /etc/passwd\r")
    await shell.waits_for(ALTERNATE)
    await shell.refuses(ALTERNATE)
    await shell.type(b"q")
    if not dialect.marks_starts:
        await shell.waits_for(UNFINISHED)  # nothing tells whether less has read that key
        await shell.type(b"\r")
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


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


async def test_a_query_is_answered_to_a_program_that_reads_the_answer(shell: Shell) -> None:
    read = "stty -echo -icanon; printf '\\033[c'; IFS= read -r -d c answer; stty sane"
    outcome = await shell.deliver(f"{read}; printf '%q' \"$answer\"")
    assert "[?62;22" in outcome.evidence.output
    outcome = await shell.deliver("printf '\\033[c'; sleep 0.2")
    assert outcome.exit_code == 0
    await shell.ready()
    outcome = await shell.deliver("echo S")
    assert outcome.evidence.output == "S\r\n", "and to others it would be typing"
