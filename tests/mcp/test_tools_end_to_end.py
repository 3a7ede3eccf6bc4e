"""A real runtime wakes a real agent process, which uses the tools on a real shell and leaves its report."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "api"))

from api_world import PATIENCE, Api, environment, until

from kavor.home import Home

PROMPT = """\
Look around, run the check, and leave a report.
call list_nodes
call terminal_run {"terminal": "shell", "command": "echo checked-$((40+2)); false", "wait_s": 30}
call append_sticky_note {"note": "report", "text": $last-is-json}
call read_sticky_note {"note": "hidden"}
say $last
"""


@contextmanager
def watched_runtime(home: Home, folder: Path) -> Iterator[tuple[Api, subprocess.Popen[bytes], Path]]:
    """A runtime that writes down every module that it imports."""
    user_home, place, imports = folder / "user", folder / "place", folder / "imports"
    user_home.mkdir()
    place.mkdir()
    reading, writing = os.pipe()
    with imports.open("wb") as log:
        runtime = subprocess.Popen(
            [
                *(sys.executable, "-X", "importtime", "-m", "kavor"),
                *("runtime", "run", "--ready-fd", str(writing)),
            ],
            env=environment(home, user_home),
            pass_fds=[writing],
            stderr=log,
        )
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as word:
            assert json.loads(word.readline())["ready"]
        api = Api(home, place)
        api("POST", "/api/workspaces", {"directory": str(place), "name": "place"})
        yield api, runtime, imports
        if runtime.poll() is None:
            api("POST", "/api/runtime/stop", {"end_sessions": True})
            assert runtime.wait(PATIENCE) == 0
    finally:
        runtime.kill()
        runtime.wait()


def node(api: Api, kind: str, name: str, **fields: Any) -> dict[str, Any]:
    return api("POST", "/api/nodes", {"kind": kind, "name": name, **fields}).made


@pytest.mark.contract("K7", "K22")
def test_a_schedule_wakes_an_agent_that_uses_what_it_reaches(home: Home, tmp_path: Path) -> None:
    with watched_runtime(home, tmp_path) as (api, runtime, imports):
        node(api, "terminal", "shell")
        note = node(api, "sticky-note", "report", text="# Report")
        node(api, "sticky-note", "hidden", text="not for agents")
        agent = node(api, "coding-agent", "worker", provider="scripted")
        for other in ("shell", "report"):
            api("POST", "/api/connections", {"a": "worker", "b": other})
        prompt = PROMPT.replace("$last-is-json", '"it said: $last"')
        schedule = api.schedule(name="wake", payload=prompt, target="worker")
        attempt = api("POST", f"/api/schedules/{schedule['id']}/run").made

        def ended() -> dict[str, Any] | None:
            found = api("GET", f"/api/attempts/{attempt['id']}").made
            return found if found["finished_at"] else None

        outcome = until(ended)
        assert outcome["state"] == "Completed", outcome
        # It was answered as if "hidden", which its prompt names, were not there at all.
        assert "there is no Node 'hidden' that you can reach" in outcome["evidence"]["output"]
        report = api("GET", f"/api/nodes/{note['id']}").made["text"]
        assert report.startswith("# Report\nit said: ")
        said = json.loads(report.partition("it said: ")[2])
        assert (said["state"], said["exit_code"], said["output"]) == ("Failed", 1, "checked-42\n")
        assert "checked-42" in api("GET", "/api/sessions/shell/screen").made["screen"]

        children = psutil.Process(runtime.pid).children(recursive=True)
        (server,) = [child for child in children if "mcp" in child.cmdline()]
        assert api("POST", f"/api/sessions/{agent['id']}/close").status == 200
        imported = set(re.findall(r"\|\s+([\w.]+)$", imports.read_text(), re.MULTILINE))
    assert "kavor.runtime.agent_access.access" in imported
    assert not {name for name in imported if name.split(".")[0] in {"mcp", "mcp_types", "httpx2"}}
    until(lambda: not server.is_running())


def test_the_server_ends_with_a_runtime_that_is_killed(home: Home, tmp_path: Path) -> None:
    with watched_runtime(home, tmp_path) as (api, runtime, _):
        node(api, "coding-agent", "worker", provider="scripted")

        def serving() -> list[psutil.Process]:
            children = psutil.Process(runtime.pid).children()
            return [child for child in children if "mcp" in child.cmdline()]

        (server,) = until(serving)
        runtime.kill()
        runtime.wait()
        until(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE)
