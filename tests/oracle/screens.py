"""Records what full-screen tools print, and what another terminal makes of it: tests/cases/screens.jsonl.

Needs vim, htop, less, git, tmux and fzf, node, and @xterm/headless (xterm.js without a window) in a folder:
`python tests/oracle/screens.py FOLDER_WITH_NODE_MODULES`. Run by hand when a tool or the reference
is renewed; the cases must hold nothing of the machine they are recorded on.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases" / "screens.jsonl"
COLUMNS, ROWS = 90, 24

PREPARE = """
git init -q -b main . && git config user.email a@example.org && git config user.name A
for i in $(seq 1 80); do echo "line $i of the text, with 漢字 and é and a\ttab"; done > text
printf 'def greet(name: str) -> str:\\n    return f"hello {name}"  # ünï\\n' > code.py
git add . && git commit -qm 'First' && sed -i 's/line 4/LINE 4/' text && git commit -qam 'Second: gruß'
sed -i 's/hello/good day/' code.py
"""

SESSIONS: dict[str, tuple[str, list[str]]] = {
    # What is run, and what is typed, one piece after the other once the screen is quiet.
    "vim": (
        "vim -u NONE -N -c 'syntax on' code.py",
        ["Go", "x = 1\x1b", ":vsplit text\r", "\x06", ":set nu\r"],
    ),
    "vim left": ("vim -u NONE -N text; echo back", ["\x04", ":q\r"]),
    "less": ("less -N text", ["  ", "/LINE 4\r", "b"]),
    "git log": ("git -c color.ui=always -c core.pager='less -R' log -p", [" ", "j", "j"]),
    "git diff": ("git --no-pager -c color.ui=always diff", []),
    "htop": ("htop -d 100 -p $$", ["\x1b[B", "\x1b[B", "t"]),
    "tmux": (
        "tmux -L kavor-oracle -f /dev/null new-session 'env PS1=\"$ \" sh'",
        ["\x02%", "echo left; seq 5\r", '\x02"', "ls --color=always\r", "\x02o"],
    ),
    "fzf": ("fzf --height 60% --border < text", ["4", "5", "\x1b[A"]),
    "fzf full": ("fzf --reverse --preview 'echo {}' < text", ["漢", "\x1b[B"]),
}

REFERENCE = """
const {Terminal} = require('@xterm/headless');
const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const terminal = new Terminal({cols: input.columns, rows: input.rows, allowProposedApi: true});
terminal.write(Buffer.from(input.output, 'base64'), () => {
  const buffer = terminal.buffer.active, lines = [];
  for (let y = 0; y < input.rows; y++)
    lines.push(buffer.getLine(buffer.baseY + y).translateToString(true).trimEnd());
  const cursor = [buffer.cursorX, buffer.cursorY];
  console.log(JSON.stringify({screen: lines.join('\\n').trimEnd(), cursor}));
});
"""


def record(command: str, keys: list[str], place: Path) -> bytes:
    """All that the command prints, until it is quiet after the last key."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(place)
        own = {"PATH": os.environ["PATH"], "HOME": str(place), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        os.execve("/bin/sh", ["sh", "-c", command], own)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    output = _until_quiet(master)
    for key in keys:
        os.write(master, key.encode())
        output += _until_quiet(master)
    os.kill(pid, 9)
    os.close(master)
    os.waitpid(pid, 0)
    return output


def _until_quiet(master: int, seconds: float = 0.7) -> bytes:
    output = b""
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline and select.select([master], [], [], seconds)[0]:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        output += part
        if b"\x1b[6n" in part:
            os.write(master, b"\x1b[1;1R")  # fzf asks where it may begin
    return output


def main() -> int:
    (modules,) = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, CASES.open("w") as cases:
        place = Path(folder)
        subprocess.run(["sh", "-c", PREPARE], cwd=place, check=True)
        for name, (command, keys) in SESSIONS.items():
            output = record(command, keys, place)
            asked = {"columns": COLUMNS, "rows": ROWS, "output": base64.b64encode(output).decode()}
            answer = subprocess.run(
                ["node", "-e", REFERENCE],
                input=json.dumps(asked).encode(),
                cwd=modules,
                capture_output=True,
                check=True,
            )
            seen = json.loads(answer.stdout)
            packed = base64.b64encode(zlib.compress(output, 9)).decode()
            case = {"name": name, "columns": COLUMNS, "rows": ROWS, "output": packed, **seen}
            cases.write(json.dumps(case, ensure_ascii=False) + "\n")
            print(f"{name}: {len(output)} bytes\n{seen['screen']}\n")
    subprocess.run(["tmux", "-L", "kavor-oracle", "kill-server"], check=False, capture_output=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
