"""What real programs ask the terminal about itself: answered once, to them, and typed to nobody else."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from at_once import over
from dialects import BASH, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell

from kavor.sessions.session import WaitingFor

ASK_ALL = r"""
import os, select, sys, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"\x1b]10;?\x07\x1b]11;?\x1b\\\x1b[>c\x1b[>0q\x1b[?2026$p\x1bP$qm\x1b\\\x1b[c")
answers = b""
while not answers.endswith(b"\x1b[?62;22c"):  # the answer to the last question
    if not select.select([0], [], [], 5)[0]:
        break
    answers += os.read(0, 4096)
termios.tcsetattr(0, termios.TCSADRAIN, before)
print("GOT", answers.hex(), "END")
"""

IN_ORDER = (
    b"\x1b]10;rgb:c9c9/d1d1/dcdc\x07"
    b"\x1b]11;rgb:0c0c/0e0e/1212\x1b\\"
    b"\x1b[>1;10;0c\x1bP>|kavor\x1b\\\x1b[?2026;2$y\x1bP0$r\x1b\\\x1b[?62;22c"
)


@over(*WITH_AN_EDITOR)
async def test_every_question_is_answered_once_and_in_order(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "ask.py").write_text(ASK_ALL)
    outcome = await shell.deliver("python3 ask.py")
    assert outcome.exit_code == 0
    assert f"GOT {IN_ORDER.hex()} END" in outcome.evidence.output
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


PROGRAMS = {
    "vim": (b"vim -u NONE -N /etc/hostname", b":q!\r"),
    "nvim": (b"nvim -u NONE /etc/hostname", b":q!\r"),
    "htop": (b"htop", b"q"),
    "fish": (b"fish --no-config", b"exit\r"),
}


@pytest.mark.parametrize("program", PROGRAMS)
async def test_no_answer_is_left_for_the_shell(shell: Shell, program: str) -> None:
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    start, end = PROGRAMS[program]
    await shell.type(start + b"\r")
    await asyncio.sleep(0.7)
    await shell.type(end)
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


KEYS = {
    "bash": "pick() { x=$(printf 'one\\ntwo\\n' | fzf --height 5); }; bind -x '\"\\C-g\": pick'",
    "zsh": "pick() { x=$(print -l one two | fzf --height 5); zle redisplay }; zle -N pick; bindkey '^G' pick",
}


@over(BASH, ZSH)
@pytest.mark.skipif(not shutil.which("fzf"), reason="fzf is not installed")
async def test_a_program_that_a_key_has_started_is_answered_and_left_alone(
    open_shell: OpenShell, dialect: Dialect
) -> None:
    """fzf with a height asks where the cursor is, and reads nothing else before it knows."""
    shell = await open_shell()
    await shell.run(KEYS[dialect.name].encode())
    await shell.type(b"\x07")
    await shell.shows(b"two")
    await asyncio.sleep(0.8)
    answer = await shell.offer("echo INTRUDER")
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.UNFINISHED_INPUT)
    assert b"7707" not in await shell.output()
    assert b"7708" not in await shell.output()
    await shell.type(b"\r")
    await shell.ready()
    assert "[one]" in (await shell.deliver('echo "[$x]"')).evidence.output
