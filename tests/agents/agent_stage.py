"""A whole Kavor with one real agent in it: its graph, and what a test does there."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from agent_recipes import Recipe
from model_endpoint import ModelEndpoint

from kavor.api.client import Client
from kavor.home import Home

sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))

from kavor_command import Kavor

Document = dict[str, Any]

START_S = 90.0
"""How long an agent may take to start on a machine that is busy."""
TURN_S = 60.0

PLAN = "The word for today is plover."


class Stage:
    """A Workspace with the CodingAgent ``worker``, a Terminal ``shell`` and the Sticky Notes ``plan`` and
    ``report`` connected to it, and a note ``vault`` that is not."""

    def __init__(self, kavor: Kavor, place: Path, endpoint: ModelEndpoint, recipe: Recipe) -> None:
        self.client = Client(kavor.home, "Europe/Berlin")
        self.kavor = kavor
        self.place = place
        self.endpoint = endpoint
        self.recipe = recipe
        self._nodes: dict[str, str] = {}

    def build(self, provider: str) -> None:
        self.kavor.json("workspace", "add", str(self.place))
        self._add("terminal", "shell")
        self._add("sticky-note", "plan", text=PLAN)
        self._add("sticky-note", "report", text="Nothing yet.")
        self._add("sticky-note", "vault", text="Not for everybody.")
        self._add("coding-agent", "worker", provider=provider)
        for name in ("shell", "plan", "report"):
            ends = {"a": self._nodes["worker"], "b": self._nodes[name]}
            self.client.post("/api/connections", ends)

    def _add(self, kind: str, name: str, **details: object) -> None:
        body = {"kind": kind, "name": name, **details}
        self._nodes[name] = self.client.post("/api/nodes", body)["id"]

    def node(self, name: str) -> Document:
        return self.client.get(f"/api/nodes/{self._nodes[name]}")

    @property
    def session(self) -> Document:
        """The agent's."""
        session: Document = self.node("worker")["session"]
        return session

    def open(self) -> None:
        """Open the agent's session where it is not, and wait until it can be prompted."""
        self.client.post(f"/api/sessions/{self._nodes['worker']}/open")
        until(
            lambda: not self.session["open"] or not self.session["waiting_for"], START_S, self.how_it_stands
        )
        assert self.session["open"], self.how_it_stands()

    def schedule(self, name: str, prompt: str, **recurrence: str) -> Document:
        body = {"name": name, "payload": prompt, "target": self._nodes["worker"]}
        return self.client.post("/api/schedules", body | ({"recurrence": recurrence} if recurrence else {}))

    def run(self, name: str, *script: str) -> Document:
        """Run now: the attempt that was made."""
        schedule = self.schedule(name, script_of(*script))
        return self.client.post(f"/api/schedules/{schedule['id']}/run")

    def attempt(self, made: Document) -> Document:
        return self.client.get(f"/api/attempts/{made['id']}")

    def becomes(self, made: Document, state: str, seconds: float = TURN_S) -> Document:
        until(lambda: self.attempt(made)["state"] == state, seconds, lambda: self.how_it_stands(made))
        return self.attempt(made)

    def ended(self, made: Document, seconds: float = TURN_S) -> Document:
        def is_over() -> bool:
            if self.recipe.asks_for_own_tools:
                self._permit_own_tools()
            return self.attempt(made)["finished_at"] is not None

        until(is_over, seconds, lambda: self.how_it_stands(made))
        return self.attempt(made)

    def _permit_own_tools(self) -> None:
        """As a person does once, for the whole session."""
        question = self.session["question"]
        if question is not None and "kavor" in question["text"]:
            self.answer("allow_always")

    def shell_call(self, command: str) -> str:
        """A step of the script: the agent's own shell, for which it needs a person."""
        tool, arguments = self.recipe.shell(command)
        return f"call {tool} {json.dumps(arguments)}"

    def answer(self, kind: str) -> None:
        """Answer what it asks with the option of this kind."""
        question = self.session["question"]
        option = next(option["id"] for option in question["options"] if option["kind"] == kind)
        answer = {"question": question["id"], "option": option}
        self.client.post(f"/api/sessions/{self._nodes['worker']}/answer", answer)

    def choose_model(self, model: str | None) -> None:
        """From its next session on, which is begun here."""
        revision = self.node("worker")["revision"]
        self.client.patch(f"/api/nodes/{self._nodes['worker']}", {"model": model}, revision=revision)
        self.client.post(f"/api/sessions/{self._nodes['worker']}/restart")

    def stop_turn(self) -> None:
        self.client.post(f"/api/sessions/{self._nodes['worker']}/cancel")

    def has_tried_again(self) -> bool:
        """Whether its model broke off twice in a row."""
        return [reply.verb for _, reply in self.endpoint.asked[-2:]] == ["drop", "drop"]

    def is_hanging(self) -> bool:
        return self.endpoint.asked[-1][1].verb == "hang"

    def says_that_it_begins_anew(self) -> bool:
        return any(
            "could not be taken up again" in text for kind, text in self.transcript() if kind == "notice"
        )

    def transcript(self) -> list[tuple[str, str]]:
        """Kinds and texts."""
        told = self.client.get(f"/api/nodes/{self._nodes['worker']}/transcript")["entries"]
        return [(entry["kind"], entry["text"]) for entry in told]

    def process(self) -> psutil.Process:
        return psutil.Process(self.session["pid"])

    def how_it_stands(self, made: Document | None = None) -> str:
        told = [(kind, text[:300]) for kind, text in self.transcript()[-8:]]
        attempt = self.attempt(made) if made is not None else None
        return f"{self.session}\n{attempt}\n{told}\n{[reply for _, reply in self.endpoint.asked[-5:]]}"


def script_of(*steps: str) -> str:
    """A prompt that has the model do this (model_script)."""
    return "\n".join(["Please go on.", *(f"model> {step}" for step in steps)])


def until(true: Callable[[], object], seconds: float, what: Callable[[], str]) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, what()
        time.sleep(0.1)


@contextmanager
def stage(
    name: str, recipe: Recipe, search_path: Sequence[Path], endpoint: ModelEndpoint, home: Home, folder: Path
) -> Iterator[Stage]:
    """With everything that the agent needs in a home of its own, as a login shell reports it."""
    user_home, place = folder / "user", folder / "place"
    for made in (user_home, place):
        made.mkdir()
    (place / "README.md").write_text("# A place to work\n", encoding="utf-8")
    variables = {"DO_NOT_TRACK": "1", "CI": "1", **recipe.configure(user_home, endpoint.url)}
    exports = [f"export {variable}={shlex.quote(value)}" for variable, value in variables.items()]
    folders = ":".join(shlex.quote(str(path)) for path in search_path)
    (user_home / ".profile").write_text("\n".join([f"export PATH={folders}:$PATH", *exports, ""]))
    kavor = Kavor(home, user_home)
    try:
        whole = Stage(kavor, place, endpoint, recipe)
        whole.build(name)
        yield whole
    finally:
        if home.socket.exists():
            kavor("runtime", "stop", "--end-sessions")
        until(lambda: not processes_of(home), 20, lambda: f"left behind: {processes_of(home)}")


def processes_of(home: Home) -> list[str]:
    """Of everything that its runtime started, and itself."""
    return [shown for process in psutil.process_iter() if (shown := _shown_if_of(home, process))]


def _shown_if_of(home: Home, process: psutil.Process) -> str:
    try:
        is_its = process.environ().get("KAVOR_HOME") == str(home.data)
        return " ".join(process.cmdline()) if is_its and process.is_running() else ""
    except psutil.Error:
        return ""
