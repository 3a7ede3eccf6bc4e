"""What stands on the demo's canvas: two Schedules, a Terminal, and an agent with what it reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kavor.api.client import Client

Document = dict[str, Any]

PAGES = {
    "welcome.md": "Nothing here was typed by hand: Schedules delivered it, and were told how it ended.\n",
    "clocks.md": "A time that spring skips fires once, and so does one that autumn repeats.\n",
}

SPECIFICATION = """\
# Pages

Everything in `pages/` is short: a page has at most **40 words**.
"""

COMMAND = 'echo "Kavor fired at $(date +%T)" && ls pages'

PROMPT = r"""
Do the pages keep to their Specification? Read it, and count the words in the shell, where it can be seen.
Leave your report in the note; you are done when it is there.

This agent has no model. It does what these lines say:
call read_specification {"specification": "pages"}
call read_sticky_note {"note": "report"}
call terminal_run {"terminal": "shell", "command": "wc -w pages/*.md"}
call append_sticky_note {"note": "report", "text": "The shell has counted:\n\n```\n$last.output```"}
say My report is in the note.
""".strip()


@dataclass(frozen=True)
class Graph:
    """Nodes as the API answered when they were made; the Schedules are Paused."""

    terminal: Document
    agent: Document
    note: Document
    command: Document
    """The Schedule that fires a command into the shell."""
    prompt: Document
    """The Schedule that wakes the agent."""

    @property
    def schedules(self) -> tuple[Document, Document]:
        return self.command, self.prompt


def make_workspace_folder(directory: Path) -> None:
    pages = directory / "pages"
    pages.mkdir(parents=True)
    for name, text in PAGES.items():
        (pages / name).write_text(text, encoding="utf-8")


def draw_graph(client: Client, directory: Path, recurrence: Document) -> Graph:
    """The whole of it, laid out so that a screen of 1280×800 shows the cards in full; both Schedules have the
    same recurrence."""
    workspace = client.post("/api/workspaces", {"directory": str(directory), "name": "Demo"})["id"]

    def add(kind: str, name: str, x: int, y: int, **details: object) -> Document:
        body = {"workspace": workspace, "kind": kind, "name": name, "x": x, "y": y, **details}
        return client.post("/api/nodes", body)

    def schedule(name: str, x: int, y: int, payload: str, target: Document) -> Document:
        wakes = {"payload": payload, "target": target["id"], "recurrence": recurrence}
        return client.post("/api/schedules", {"workspace": workspace, "name": name, "x": x, "y": y, **wakes})

    terminal = add("terminal", "shell", 860, 13)
    agent = add("coding-agent", "reader", 400, 0, provider="scripted")
    specification = add("specification", "pages", 0, 410, text=SPECIFICATION, state="Ready")
    note = add("sticky-note", "report", 480, 510, text="# Report")
    for neighbour in (terminal, specification, note):
        client.post("/api/connections", {"a": agent["id"], "b": neighbour["id"]})

    return Graph(
        terminal=terminal,
        agent=agent,
        note=note,
        command=schedule("first fire", 991, 490, COMMAND, terminal),
        prompt=schedule("first prompt", 10, 94, PROMPT, agent),
    )
