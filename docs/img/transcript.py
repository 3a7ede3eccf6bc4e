"""Run a command, and make a picture of what it printed.

python docs/img/transcript.py docs/img/first-fire.svg kavor demo --headless
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COLUMNS = 92


def main(picture: Path, command: list[str]) -> None:
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    console = Console(record=True, width=COLUMNS, file=sys.stderr, force_terminal=True)
    console.print(Text(f"$ {' '.join(command)}", style="bold"))
    console.print(Text.from_ansi(printed.rstrip()), soft_wrap=True)
    drawing = console.export_svg(title="first fire", theme=MONOKAI)
    # The reader's own monospaced font will do: nothing is to be fetched to show a picture.
    picture.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawing, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
