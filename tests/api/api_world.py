"""The API as a face meets it: a real runtime process of its own, and raw requests over its socket."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from kavor.api.client import Client
from kavor.home import Home

PATIENCE = 30.0
"""Seconds that something is given to come true; reached only where it never will."""

ZONE = "Europe/Berlin"

PROBLEM_FIELDS = {"type", "title", "status", "detail", "hint", "exit_code"}

Truth = TypeVar("Truth")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        document = json.loads(self.body)
        assert isinstance(document, dict), document
        return document

    @property
    def made(self) -> dict[str, Any]:
        """The document of a request that must succeed."""
        assert self.status == 200, self.body.decode()
        assert self.headers["content-type"] == "application/json"
        return self.json

    def problem(self, kind: str, status: int, exit_code: int, *more: str) -> dict[str, Any]:
        """The problem document, whose every field must be what RFC 9457 and our own rules want of it."""
        assert self.status == status, self.body.decode()
        assert self.headers["content-type"] == "application/problem+json"
        problem = self.json
        assert set(problem) == PROBLEM_FIELDS | set(more)
        assert problem["type"] == f"urn:kavor:problem:{kind}"
        assert (problem["status"], problem["exit_code"]) == (status, exit_code)
        assert problem["title"] == kind.replace("-", " ")
        assert isinstance(problem["detail"], str)
        assert problem["detail"], "what is wrong"
        assert isinstance(problem["hint"], str)
        assert problem["hint"], "what to do"
        return problem


class Api:
    """Plain requests, a connection each."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.folder = folder
        """An empty directory for Workspaces."""
        self.client = Client(home, ZONE)
        self._names = itertools.count(1)

    def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        raw: bytes | None = None,
        headers: Mapping[str, str | bytes] | None = None,
    ) -> Answer:
        """``body`` is sent as JSON; ``raw`` as it is."""
        sent: dict[str, str | bytes] = {"Kavor-Zone": ZONE}
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        connection = http.client.HTTPConnection("kavor", timeout=PATIENCE)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(PATIENCE)
        try:
            connection.sock.connect(str(self.home.socket))
            connection.request(method, path, raw, {name: value for name, value in sent.items() if value})
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, named, answer.read())
        finally:
            connection.close()

    def name(self, kind: str) -> str:
        """One that nothing has yet."""
        return f"{kind} {next(self._names)}"

    def schedule(self, **fields: object) -> dict[str, Any]:
        """A new Schedule, Paused; every minute unless told otherwise."""
        fields = {
            "name": self.name("schedule"),
            "payload": "true",
            "recurrence": {"cron": "* * * * *"},
            **fields,
        }
        return self("POST", "/api/schedules", fields).made

    def terminal(self, **fields: object) -> dict[str, Any]:
        """A new Terminal, without a session unless told otherwise."""
        fields = {"kind": "terminal", "name": self.name("terminal"), "open": False, **fields}
        return self("POST", "/api/nodes", fields).made

    def edit(self, schedule: Mapping[str, Any], change: Mapping[str, object]) -> Answer:
        """Edit a Schedule over the revision it had when it was read."""
        headers = {"If-Match": f'"{schedule["revision"]}"'}
        return self("PATCH", f"/api/schedules/{schedule['id']}", change, headers=headers)


def until(condition: Callable[[], Truth]) -> Truth:
    """What ``condition`` answers once it is true."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := condition()):
        assert time.monotonic() < deadline, "the condition never came true"
        time.sleep(0.02)
    return answer


def environment(home: Home, user_home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(user_home),
        "SHELL": shutil.which("bash") or "/bin/sh",
        "LANG": "C.UTF-8",
        "TZ": ZONE,
        "KAVOR_HOME": str(home.data),
    }


@contextmanager
def running(home: Home, folder: Path) -> Iterator[Api]:
    """A runtime in ``home`` with a Workspace ``place`` in ``folder``; it ends with the block."""
    user_home, place = folder / "user", folder / "place"
    user_home.mkdir()
    place.mkdir()
    reading, writing = os.pipe()
    runtime = subprocess.Popen(
        [sys.executable, "-m", "kavor", "runtime", "run", "--ready-fd", str(writing)],
        env=environment(home, user_home),
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as word:
            said = json.loads(word.readline() or b"{}")
        assert said.get("ready"), said
        api = Api(home, place)
        api.client.post("/api/workspaces", {"directory": str(place), "name": "place"})
        yield api
        api.client.post("/api/runtime/stop", {"end_sessions": True})
        assert runtime.wait(PATIENCE) == 0
        log = home.runtime_log.read_text()
        assert "Traceback" not in log, log
    finally:
        runtime.kill()
        runtime.wait()
