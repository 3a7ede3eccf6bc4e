"""Files and Specifications reach a shell through the graph: their paths, in variables, when it starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from kavor_command import Kavor

PLACE = "place"


def session(kavor: Kavor) -> dict[str, Any]:
    (only,) = kavor.json("session", "list")["sessions"]
    assert isinstance(only, dict)
    return only


def ready(kavor: Kavor) -> None:
    kavor.until(lambda: session(kavor)["open"] and session(kavor)["waiting_for"] is None)


def run(kavor: Kavor, command: str) -> str:
    """What a command delivered to the shell printed; it must have ended well."""
    name = f"s{len(kavor.json('schedule', 'list')['schedules'])}"
    kavor.json("schedule", "add", "--name", name, "--payload", command, "--target", "shell")
    attempt = kavor.json("schedule", "run", name)
    kavor.until(lambda: kavor.json("attempt", "show", str(attempt["id"]))["finished_at"])
    ended = kavor.json("attempt", "show", str(attempt["id"]))
    assert ended["state"] == "Completed", ended
    return str(ended["evidence"]["output"])


@pytest.mark.contract("K9", "K+11")
def test_a_shell_uses_the_canonical_path_of_a_file_connected_to_it(kavor: Kavor, tmp_path: Path) -> None:
    queries = tmp_path / PLACE / "queries with spaces"
    queries.mkdir()
    (queries / "check.sql").write_text("select 40 + 2;\n")
    link = tmp_path / PLACE / "latest"
    link.symlink_to(queries)
    added = kavor.json("node", "add", "file", "--path", "latest/check.sql")
    canonical = os.path.realpath(queries / "check.sql")
    assert (added["name"], added["path"]) == ("check.sql", canonical)
    assert not session(kavor)["restart_needed"]

    kavor.json("connect", "check.sql", "shell", "--env", "CHECK_SQL")
    changed = session(kavor)
    assert changed["restart_needed"]
    assert "$CHECK_SQL is new" in changed["restart_reason"]
    for shown in (("node", "show", "shell"), ("session", "list")):
        assert changed["restart_reason"] in kavor(*shown).out
    assert run(kavor, 'echo "[$CHECK_SQL]"').strip() == "[]", "a running shell keeps what it has"

    kavor.json("session", "restart", "shell")
    ready(kavor)
    assert not session(kavor)["restart_needed"]
    read = "import os, pathlib; print(pathlib.Path(os.environ['CHECK_SQL']).read_text())"
    assert "select 40 + 2;" in run(kavor, f'python3 -c "{read}" && cat < "$CHECK_SQL"')
    assert canonical in run(kavor, 'echo "$CHECK_SQL"').replace("\r\n", "")

    kavor.json("disconnect", "check.sql", "shell")
    assert "$CHECK_SQL is gone" in session(kavor)["restart_reason"]
    kavor.json("connect", "check.sql", "shell", "--env", "CHECK_SQL")
    assert not session(kavor)["restart_needed"], "it is again what the shell has"


@pytest.mark.contract("K+11")
def test_a_later_change_of_a_specification_waits_for_a_restart(kavor: Kavor, tmp_path: Path) -> None:
    kavor("session", "close", "shell")
    added = kavor.json("node", "add", "specification", "--name", "The plan")
    assert added["path"] == os.path.realpath(tmp_path / PLACE / "The plan.md")
    made = kavor.json("connect", "shell", "The plan")
    assert made["env"] == "THE_PLAN", "named after it, where no name was given"
    kavor.json("session", "open", "shell")
    ready(kavor)
    assert not session(kavor)["restart_needed"]
    kavor.json("node", "edit", "The plan", "--path", "other.md")
    assert "$THE_PLAN names another path" in session(kavor)["restart_reason"]
    kavor.json("connect", "shell", "The plan", "--env", "PLAN")
    assert "$PLAN is new, $THE_PLAN is gone" in session(kavor)["restart_reason"]


@pytest.mark.contract("K+11")
@pytest.mark.parametrize("name", ["TERM", "COLORTERM", "KAVOR_SESSION", "1ST", "a-b", "a b", ""])
def test_a_name_that_no_shell_may_be_given_is_refused(kavor: Kavor, tmp_path: Path, name: str) -> None:
    (tmp_path / PLACE / "a.sql").touch()
    kavor.json("node", "add", "file", "--path", "a.sql")
    refused = kavor("connect", "a.sql", "shell", "--env", name)
    assert refused.code == 2
    assert "hint" in refused.err
    assert kavor.json("node", "show", "a.sql")["connections"] == []


def test_what_is_no_file_or_already_taken_is_refused(kavor: Kavor, tmp_path: Path) -> None:
    for name in ("a.sql", "b.sql"):
        (tmp_path / PLACE / name).touch()
        kavor.json("node", "add", "file", "--path", name)
    kavor.json("connect", "a.sql", "shell", "--env", "SQL")
    assert kavor("connect", "b.sql", "shell", "--env", "SQL").code == 3
    assert kavor("node", "add", "file", "--path", "missing.sql").code == 2
    assert kavor("node", "add", "file", "--path", ".").code == 2
    assert kavor("node", "edit", "shell", "--path", "a.sql").code == 2
    assert kavor("connect", "a.sql", "b.sql").code == 3
