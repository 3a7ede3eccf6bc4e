"""A program with a screen of its own, as agents' are: raw keys, pasted text told from typed, a spinner while
it works, and notices of the end. It has no model, and does what the first word of its prompt says.

    tui_program.py LOG [--notices osc9|hooks|none] [--hooks FILE] [--starts-in SECONDS] [--no-pastes]

Each prompt that was sent off is a line of JSON in LOG, and so is each key that answered a question.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import subprocess
import sys
import time
import tty
from pathlib import Path

KEY = re.compile(
    r"\x1b\[200~(?P<paste>.*?)\x1b\[201~|(?P<other>\x1b\[[0-9;]*[A-Za-z~])|(?P<key>.)", re.DOTALL
)


class Tui:
    def __init__(self) -> None:
        parser = argparse.ArgumentParser()
        parser.add_argument("log", type=Path)
        parser.add_argument("--notices", default="osc9")
        parser.add_argument("--hooks", type=Path)
        parser.add_argument("--starts-in", type=float, default=0.05)
        parser.add_argument("--no-pastes", action="store_true")
        self.options = parser.parse_args()
        self.text = ""
        self.begun = ""
        self.queued: list[str] = []
        """Sent off while it worked."""

    def run(self) -> None:
        time.sleep(self.options.starts_in)
        tty.setraw(0)
        self.show("\x1b[?1049h\x1b[2J" + ("" if self.options.no_pastes else "\x1b[?2004h"))
        self.draw()
        while True:
            for kind, value in self.keys(None):
                self.took(kind, value)
                while self.queued:
                    self.work(self.queued.pop(0))
                self.draw()

    # --- its keys

    def keys(self, patience: float | None) -> list[tuple[str, str]]:
        if not select.select([0], [], [], patience)[0]:
            return []
        self.begun += os.read(0, 65536).decode(errors="surrogateescape")
        keys = []
        while self.begun and not self.is_partial():
            found = KEY.match(self.begun)
            assert found is not None
            self.begun = self.begun[found.end() :]
            keys.append((str(found.lastgroup), found["paste"] or found["other"] or found["key"] or ""))
        return keys

    def is_partial(self) -> bool:
        return self.begun.startswith("\x1b[200~") and "\x1b[201~" not in self.begun

    def took(self, kind: str, value: str) -> None:
        if kind == "paste":
            self.text += value
        elif value == "\r":
            prompt, self.text = self.text, ""
            self.log("prompt", prompt)
            self.queued += [prompt] if prompt.strip() else []
        elif value in ("\x7f", "\x08"):
            self.text = self.text[:-1]
        elif value == "\x03":
            self.text = ""
        elif kind == "key" and value >= " ":
            self.text += value

    # --- what it does

    def work(self, prompt: str) -> None:
        self.tell("UserPromptSubmit", "")
        verb, rest = (*prompt.split(maxsplit=2), "", "")[:2]
        match verb:
            case "die":
                os._exit(int(rest or 7))
            case "ask":
                self.ask(rest)
            case "lose":  # its notice
                return
            case "fail":
                self.tell("StopFailure", "the model is away")
                return
            case "work":
                if not self.spin(float(rest)):
                    return  # as real ones, it tells nothing when it is broken off
            case "hang":
                self.spin(1e9, deaf=True)
        self.tell("Stop", f"did: {verb}")

    def spin(self, seconds: float, *, deaf: bool = False) -> bool:
        """Whether it came to its end. What is typed meanwhile waits."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.show(f"\x1b[1;1Hworking {time.monotonic():.2f}\x1b[K")
            for kind, value in self.keys(0.05):
                if value == "\x1b" and not deaf:
                    self.show("\x1b[1;1Hbroken off\x1b[K")
                    return False
                self.took(kind, value)
        return True

    def ask(self, what: str) -> None:
        self.tell("PermissionRequest", f"May I {what}?")
        self.show(f"\x1b[1;1HMay I {what}? y/n\x1b[K\x1b[5;1H\x1b[K")
        while not (keys := self.keys(None)):
            pass
        self.log("answer", keys[0][1])
        for kind, value in keys[1:]:
            self.took(kind, value)

    # --- what it shows and tells

    def draw(self) -> None:
        shown = self.text.replace("\n", " ")[-60:]
        self.show(f"\x1b[1;1Hready\x1b[K\x1b[5;1H> {shown}\x1b[K")

    def show(self, output: str) -> None:
        os.write(1, output.encode(errors="replace"))

    def tell(self, event: str, message: str) -> None:
        if self.options.notices == "hooks":
            commands = json.loads(self.options.hooks.read_text())["hooks"].get(event, [])
            field = "last_assistant_message" if event == "Stop" else "message"
            told = json.dumps({"hook_event_name": event, field: message})
            for command in commands:
                subprocess.run(command["hooks"][0]["command"], shell=True, input=told, text=True, check=False)
        elif self.options.notices == "osc9" and event != "UserPromptSubmit":
            notice = f"Approval requested: {message}" if event == "PermissionRequest" else message
            self.show(f"\x1b]9;{notice}\x07")

    def log(self, kind: str, text: str) -> None:
        with self.options.log.open("a") as log:
            log.write(json.dumps([kind, text]) + "\n")


if __name__ == "__main__":
    sys.exit(Tui().run())
