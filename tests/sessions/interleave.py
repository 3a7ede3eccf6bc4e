"""A person types just as deliveries come: many random interleavings in one shell.

    python tests/sessions/interleave.py [SHELL…] [--turns 1000] [--seed N]

Every line, a person's and a delivered one, adds its own name to a file when it runs. So the file shows
whether a line was lost, torn, doubled, reordered or joined to another.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from dialects import EVERY, Dialect
from live_shell import Heard, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.home import find_home
from kavor.sessions.session import SessionSpec
from kavor.sessions.terminal.client import TerminalSessions

ENDS_WELL = {True: AttemptState.COMPLETED, False: AttemptState.FIRED}


class Person:
    """Types lines in pieces, at random moments."""

    def __init__(self, shell: Shell, chance: random.Random) -> None:
        self._shell = shell
        self._chance = chance

    async def types(self, line: str) -> None:
        await self._press(line.encode() + b"\r")

    async def types_with_a_mistake(self, line: str) -> None:
        """The line is begun already. What is wrong is rubbed out again.

        Only while the editor has this line: keys that correct are lost in any terminal where they are typed
        ahead and arrive after the shell has changed the terminal's mode.
        """
        keys = line.encode()
        at = self._chance.randrange(len(keys))
        wrong = self._chance.choice([b"x", b"rm", b" ; "])
        await self._press(keys[:at] + wrong + b"\x7f" * len(wrong) + keys[at:] + b"\r")

    async def _press(self, keys: bytes) -> None:
        cuts = sorted(self._chance.randrange(len(keys) + 1) for _ in range(self._chance.randint(0, 3)))
        for start, end in zip([0, *cuts], [*cuts, len(keys)], strict=True):
            await self._shell.type(keys[start:end])
            await asyncio.sleep(self._chance.choice([0, 0, 0.001, 0.004, 0.02]))


async def interleave(shell: Shell, dialect: Dialect, log: Path, turns: int, seed: int) -> None:
    """Fails when a line did not run exactly once, as it was written, in its order."""
    chance = random.Random(seed)
    person = Person(shell, chance)
    written: set[str] = set()
    for turn in range(turns):
        typed = [f"H{turn}"] if chance.random() < 0.7 else [f"H{turn}", f"H{turn}b"]
        first = "sleep 0.02; " if chance.random() < 0.3 else ""
        text = f"{first}echo S{turn} >> {log}"
        written.update([f"S{turn}", *typed])
        if chance.random() < 0.3:
            await shell.ready()
            await shell.type(chance.choice([b"e", b"nothing\x15e"]))
            delivery = asyncio.ensure_future(shell.deliver(text))
            await person.types_with_a_mistake(f"cho {typed[0]} >> {log}")
            later = typed[1:]
        else:
            delivery = asyncio.ensure_future(shell.deliver(text))
            await asyncio.sleep(chance.choice([0, 0, chance.uniform(0, 0.03)]))
            later = typed
        for name in later:
            await person.types(f"echo {name} >> {log}")
        outcome = await delivery
        assert outcome.state is ENDS_WELL[dialect.marks_starts], (turn, outcome)
        await until(partial(has_run, log, typed[-1]), f"{typed[-1]} of seed {seed}")
    ran = lines(log)
    for whose in "HS":
        own = [line for line in ran if line.startswith(whose)]
        assert own == sorted(own, key=place), f"{whose} out of order, seed {seed}"
        assert len(set(own)) == len(own), f"{whose} doubled, seed {seed}"
    assert set(ran) == written, f"lost or torn, seed {seed}"


def has_run(log: Path, name: str) -> bool:
    return name in lines(log)[-4:]


def lines(log: Path) -> list[str]:
    return log.read_text().split("\n")[:-1] if log.exists() else []


def place(line: str) -> tuple[int, str]:
    return int(line[1:].rstrip("b")), line


async def run(dialect: Dialect, turns: int, seed: int) -> None:
    with tempfile.TemporaryDirectory(prefix="kv") as folder:
        root = Path(folder)
        user = root / "user"
        (user / dialect.startup_file).parent.mkdir(parents=True)
        (user / dialect.startup_file).touch()
        os.environ["HOME"] = str(user)
        home = find_home({"KAVOR_HOME": str(root / "home")})
        home.prepare()
        heard = Heard()
        sessions = TerminalSessions(home)
        await sessions.start(heard)
        try:
            spec = SessionSpec("node-1", str(root), shell=dialect.program(root))
            shell = Shell(sessions, heard, await sessions.open(spec))
            await shell.ready()
            try:
                await interleave(shell, dialect, root / "log", turns, seed)
            except BaseException:
                print((await shell.output())[-3000:].decode("utf-8", "backslashreplace"), file=sys.stderr)
                raise
        finally:
            await sessions.stop(end_sessions=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shells", nargs="*", default=["bash", "zsh", "fish", "dash"])
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    arguments = parser.parse_args()
    for dialect in EVERY:
        if dialect.name in arguments.shells:
            began = time.monotonic()
            asyncio.run(run(dialect, arguments.turns, arguments.seed))
            took = time.monotonic() - began
            print(
                f"{dialect.name}: {arguments.turns} turns, seed {arguments.seed}, {took:.0f} s: nothing lost"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
