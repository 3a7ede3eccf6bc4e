"""``kavor runtime``, and the runtime that other commands start on demand."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from kavor_command import Answer, Kavor

from kavor.api.launch import ensure_runtime, is_running, wait_until_stopped
from kavor.runtime import retention
from kavor.store.database import open_store


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_start_status_stop(kavor: Kavor) -> None:
    started = kavor.json("runtime", "start")
    assert kavor.json("runtime", "start")["pid"] == started["pid"]
    status = kavor.json("runtime", "status")
    assert status["pid"] == started["pid"]
    assert status["storage"] == {"ok": True, "problem": None}
    assert f"process {status['pid']}" in kavor("runtime", "status").out
    assert kavor("runtime", "stop").out == "The runtime has stopped.\n"
    assert wait_until_stopped(kavor.home, seconds=0)
    assert kavor("runtime", "status").code == 4


def test_a_stop_tells_of_the_sessions_that_live_on(kavor: Kavor, tmp_path: Path) -> None:
    kavor.json("workspace", "add", str(tmp_path))
    kavor.json("node", "add", "terminal", "--name", "build", "--shell", "bash")
    assert "\n1 session lives on. To end what lives on: " in kavor("runtime", "stop").out
    assert "may live on without one" in kavor.refused(4, "runtime", "stop", "--end-sessions")
    kavor.json("runtime", "start")
    assert kavor("runtime", "stop", "--end-sessions").out == "The runtime has stopped.\n"


def test_a_command_that_needs_it_starts_it_for_the_user_alone(kavor: Kavor) -> None:
    assert kavor.json("workspace", "list") == {"workspaces": []}
    assert is_running(kavor.home)
    assert mode_of(kavor.home.socket) == 0o600
    assert mode_of(kavor.home.database) == 0o600
    assert mode_of(kavor.home.logs / "runtime.err") == 0o600
    assert mode_of(kavor.home.data) == 0o700


def test_the_runtime_outlives_the_command_and_its_process_group(kavor: Kavor) -> None:
    pid = kavor.json("runtime", "start")["pid"]
    assert os.getsid(pid) == pid
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")


def test_a_relative_home_is_the_one_of_this_directory(kavor: Kavor) -> None:
    started = kavor("runtime", "start", "--json", KAVOR_HOME=os.path.relpath(kavor.home.data))
    assert Path(started.json["home"]).resolve() == kavor.home.data.resolve()
    assert is_running(kavor.home)


def test_a_face_may_start_it_for_any_home(kavor: Kavor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAVOR_HOME", raising=False)
    ensure_runtime(kavor.home)
    assert kavor.json("runtime", "status")["home"] == str(kavor.home.data)


def test_faces_that_start_it_at_once_share_one(kavor: Kavor) -> None:
    with ThreadPoolExecutor(4) as faces:
        answers = list(faces.map(lambda _: kavor("runtime", "start", "--json"), range(4)))
    assert len({answer.json["pid"] for answer in answers}) == 1


def test_a_second_one_is_refused(kavor: Kavor) -> None:
    pid = kavor.json("runtime", "start")["pid"]
    second = kavor("runtime", "run")
    assert second.code == 3
    assert f"(process {pid})" in second.err
    assert "hint: " in second.err
    assert kavor.json("runtime", "status")["pid"] == pid


def test_one_that_was_killed_is_started_anew(kavor: Kavor) -> None:
    pid = kavor.json("runtime", "start")["pid"]
    os.kill(pid, signal.SIGKILL)
    assert wait_until_stopped(kavor.home, seconds=10)
    assert kavor("runtime", "status").code == 4
    assert kavor.json("runtime", "start")["pid"] != pid


def test_one_that_is_stopping_is_waited_for(kavor: Kavor) -> None:
    pid = kavor.json("runtime", "start")["pid"]
    os.kill(pid, signal.SIGTERM)
    assert kavor.json("runtime", "start")["pid"] != pid


def test_in_the_foreground_it_runs_until_it_is_stopped(kavor: Kavor) -> None:
    with subprocess.Popen(
        kavor.command("runtime", "run"), env=kavor.environment, stderr=subprocess.PIPE
    ) as running:
        kavor.until(lambda: is_running(kavor.home))
        assert kavor.json("runtime", "status")["pid"] == running.pid
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=20)
    assert running.returncode == 0
    assert b"Traceback" not in said


def assert_told(answer: Answer, code: int, message: str) -> None:
    assert answer.code == code, answer.err
    error, hint = answer.err.splitlines()
    assert error.startswith("error: ")
    assert message in error
    assert hint.startswith("hint: ")


def test_a_database_that_is_not_one(kavor: Kavor) -> None:
    kavor.home.database.write_bytes(b"this is no database" * 100)
    assert_told(kavor("workspace", "list"), 1, "kavor.db")
    assert kavor.home.database.read_bytes().startswith(b"this is no database")


def test_a_home_that_is_not_a_folder(kavor: Kavor, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert_told(kavor("workspace", "list", KAVOR_HOME=str(tmp_path / "file" / "home")), 1, "cannot be used")


def test_a_home_whose_socket_path_is_too_long(kavor: Kavor, tmp_path: Path) -> None:
    long = str(tmp_path / ("x" * 100))
    assert_told(kavor("workspace", "list", KAVOR_HOME=long), 2, "bytes long")
    assert_told(kavor("runtime", "status", KAVOR_HOME=long), 2, "bytes long")


def test_a_runtime_that_dies_as_it_starts_points_to_its_last_words(kavor: Kavor, tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise SystemError('broken installation')\n")
    answer = kavor("workspace", "list", PYTHONPATH=str(tmp_path))
    assert_told(answer, 1, "the runtime ended as it started")
    log = Path(answer.err.split()[-1])
    assert "broken installation" in log.read_text()


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_doctor_sees_the_running_one(kavor: Kavor, zone: str) -> None:
    pid = kavor.json("runtime", "start", TZ=zone)["pid"]
    (found,) = [check for check in kavor.json("doctor")["checks"] if check["name"] == "runtime"]
    assert found["state"] == "ok"
    assert f"process {pid}" in found["message"]


def test_a_runtime_lets_old_turns_of_agents_go(kavor: Kavor) -> None:
    open_store(kavor.home.database, kavor.home.backups).close()
    with closing(sqlite3.connect(kavor.home.database)) as database, database:
        database.execute(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?) "
            "INSERT INTO turns (agent_id, message_id, prompt, state, started_at, finished_at, size) "
            "SELECT 'gone', n, 'look', 'Completed', 0, 0, 2 FROM numbers",
            (retention.MOST_TURNS + 1,),
        )
    kavor.json("runtime", "start")

    def oldest() -> int:
        with closing(sqlite3.connect(kavor.home.database)) as database:
            (found,) = database.execute("SELECT min(id) FROM turns").fetchone()
        return int(found)

    kavor.until(lambda: oldest() == 2)
