"""``kavor simulate``, as the real command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scenarios import Document, agent, clock, schedule, step

GIVEN = {"targets": [agent()], "schedules": [schedule(recurrence={"cron": "*/15 * * * *"})]}
SCENARIO = {
    "given": GIVEN,
    "steps": [
        step("08:00", "preview", count=1),
        step("09:00", "tick"),
        step("09:20", "human_answers_and_target_completes"),
        step("09:30", "disconnect"),
        step("09:31", "disconnect"),
        step("09:40", "read_state", save_as="end"),
    ],
}


def simulate(*arguments: str, said: str = "", home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "KAVOR_HOME": str(home / "never-made"), "TZ": "UTC"}
    command = [sys.executable, "-m", "kavor", "simulate", *arguments]
    return subprocess.run(command, input=said, capture_output=True, text=True, env=environment, timeout=60)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(SCENARIO))
    return path


def test_json_is_the_whole_answer(file: Path, tmp_path: Path) -> None:
    done = simulate(str(file), "--json", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    answer: Document = json.loads(done.stdout)
    assert set(answer) == {"preview", "end", "refusals"}
    assert [refusal["exit_code"] for refusal in answer["refusals"]] == [2]
    assert [attempt["state"] for attempt in answer["end"]["attempts"]][:2] == ["Completed", "Delivering"]


def test_a_person_reads_tables(file: Path, tmp_path: Path) -> None:
    done = simulate(str(file), home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for expected in ("end: Mon 2026-11-02 09:40 in UTC", "✓ Completed", "‖ Paused", "Refused", "disconnect"):
        assert expected in done.stdout


def test_it_reads_standard_input_and_makes_no_home(file: Path, tmp_path: Path) -> None:
    done = simulate("-", "--json", said=file.read_text(), home=tmp_path)
    assert done.returncode == 0
    assert "end" in json.loads(done.stdout)
    assert not (tmp_path / "never-made").exists()


def test_nothing_is_left_behind(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    assert simulate(str(file), home=tmp_path).returncode == 0
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("{", "error: - is not one JSON document"),
        ('{"steps": []} {"steps": []}', "error: - is not one JSON document"),
        ('{"steps": [{"do": "tack"}]}', "error: step 1: there is no verb 'tack'"),
    ],
)
def test_bad_input_is_exit_code_2(said: str, error: str, tmp_path: Path) -> None:
    done = simulate("-", "--json", said=said, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(error)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = simulate(str(tmp_path / "no.json"), home=tmp_path)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


def test_the_schema(tmp_path: Path) -> None:
    done = simulate("--schema", home=tmp_path)
    assert json.loads(done.stdout)["title"] == "Kavor scenario"


def test_a_clock_that_jumps_is_no_noise_on_stderr(tmp_path: Path) -> None:
    sleep = [step("08:00", "suspend_machine"), step("10:00", "wake_machine"), clock("10:00", "11:00")]
    done = simulate("-", said=json.dumps({"given": GIVEN, "steps": sleep}), home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "add a step read_state" in done.stdout


def test_ctrl_c_ends_it_and_leaves_nothing(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    file = tmp_path / "decade.json"
    decade = {"from_": "2026-01-01T00:00:00Z", "to": "2036-01-01T00:00:00Z", "do": "run_clock_every_minute"}
    file.write_text(json.dumps({"given": GIVEN, "steps": [decade]}))
    command = [sys.executable, "-m", "kavor", "simulate", str(file)]
    environment = {**os.environ, "KAVOR_HOME": str(tmp_path / "never-made"), "TMPDIR": str(scratch)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as playing:
        deadline = time.monotonic() + 30
        while not list(scratch.glob("*/kavor.db-wal")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        playing.send_signal(signal.SIGINT)
        _, said = playing.communicate(timeout=30)
    assert (playing.returncode, said.strip()) == (130, "")
    assert list(scratch.iterdir()) == []
