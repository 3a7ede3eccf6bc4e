"""``kavor doctor``: each check finds its fault and says what to do."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from kavor_command import Kavor

from kavor.cli import checks
from kavor.cli.checks import Check, Verdict
from kavor.home import Home, find_home


def test_a_sound_machine(kavor: Kavor) -> None:
    found = kavor.json("doctor")
    assert found["ok"] is True
    assert [check["name"] for check in found["checks"]] == [
        "python",
        "sqlite",
        "home",
        "socket path",
        "disk",
        "clock",
        "zone",
        "bash",
        "pty",
        "runtime",
        "agents",
    ]
    assert {check["state"] for check in found["checks"]} == {"ok"}
    assert "✓ python" in kavor("doctor").out


@pytest.fixture
def program_of_the_login_shell(tmp_path: Path) -> Path:
    """An OpenCode that only the login shell's PATH leads to."""
    program = tmp_path / "tools" / "opencode"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / ".bash_profile").write_text(f'PATH="{program.parent}:$PATH"\n')
    return program


def test_agents_are_found_where_no_runtime_runs(kavor: Kavor, program_of_the_login_shell: Path) -> None:
    before = sorted(kavor.home.data.rglob("*"))
    found = [check for check in kavor.json("doctor")["checks"] if check["name"] == "agents"]
    assert [(check["state"], "OpenCode" in check["message"]) for check in found] == [("ok", True)]
    assert sorted(kavor.home.data.rglob("*")) == before, "it starts nothing"
    program_of_the_login_shell.unlink()
    assert "OpenCode" not in kavor("doctor").out


def test_a_table_of_providers_that_is_wrong_is_named_where_no_runtime_runs(kavor: Kavor) -> None:
    (kavor.home.data / "providers.toml").write_text('[fast]\nlabel = "fast"\n')
    answer = kavor("doctor")
    assert answer.code == 0
    assert "fast.transport is missing" in answer.out
    assert "mend that table" in answer.out


def test_a_failing_check_is_exit_code_1_and_says_what_to_do(kavor: Kavor) -> None:
    answer = kavor("doctor", TZ="Nowhere/City")
    assert answer.code == 1
    assert "✗ zone         TZ is 'Nowhere/City', which names no known time zone\n" in answer.out
    assert "set TZ to the name of a zone" in answer.out


def assert_found(check: Check, verdict: Verdict, message: str) -> None:
    assert check.verdict is verdict
    assert message in check.message
    assert check.hint


def test_a_home_that_others_can_read(home: Home) -> None:
    home.data.chmod(0o755)
    assert_found(checks.check_home(home), Verdict.WARN, "open to others (mode 0755)")


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    home = find_home({"KAVOR_HOME": str(tmp_path / "file" / "home")})
    assert_found(checks.check_home(home), Verdict.FAIL, "is not a folder")


def test_a_home_that_is_not_writable(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    assert_found(checks.check_home(home), Verdict.FAIL, "is not writable")


def test_a_home_that_is_not_there_yet(tmp_path: Path) -> None:
    check = checks.check_home(find_home({"KAVOR_HOME": str(tmp_path / "deep" / "down")}))
    assert (check.verdict, check.hint) == (Verdict.OK, "")
    assert check.message.endswith("not made yet")


def test_a_socket_path_that_is_too_long(tmp_path: Path) -> None:
    home = find_home({"KAVOR_HOME": str(tmp_path / ("long" * 30))})
    assert_found(checks.check_socket_path(home), Verdict.FAIL, "bytes long")


@pytest.mark.parametrize(("free", "verdict"), [(10**6, Verdict.FAIL), (10**8, Verdict.WARN)])
def test_a_disk_that_is_filling_up(
    home: Home, monkeypatch: pytest.MonkeyPatch, free: int, verdict: Verdict
) -> None:
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: _Usage(free))
    assert_found(checks.check_disk(home), verdict, "MB free")


class _Usage:
    def __init__(self, free: int) -> None:
        self.free = free


def test_a_clock_that_lost_its_battery() -> None:
    assert_found(checks.check_clock(86_400.0), Verdict.FAIL, "1970-01-02")


def test_no_bash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert_found(checks.check_bash(), Verdict.WARN, "not found")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'GNU bash, version 3.2.57(1)-release'", "version 3.2.57(1)-release is too old"),
        ("echo hello", "does not tell its version"),
        ("exit 1", "does not run"),
    ],
)
def test_a_bash_that_will_not_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    bash = tmp_path / "bash"
    bash.write_text(f"#!/bin/sh\n{script}\n")
    bash.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert_found(checks.check_bash(), Verdict.WARN, message)


def test_no_pseudo_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left() -> tuple[int, int]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "openpty", none_left)
    assert_found(checks.check_pty(), Verdict.FAIL, "No space left on device")


def test_a_socket_left_behind_is_no_fault(home: Home) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(home.socket))
    (check,) = checks.check_runtime(home)
    assert check.verdict is Verdict.OK


def test_something_else_on_the_socket(home: Home) -> None:
    from threading import Thread

    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(home.socket))
        other.listen()

        def answer() -> None:
            connection, _ = other.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

        thread = Thread(target=answer)
        thread.start()
        (check,) = checks.check_runtime(home)
        thread.join()
    assert_found(check, Verdict.FAIL, "the runtime went away")
