"""CodingAgents, Sticky Notes, Specifications and Guardrails from the command line."""

from __future__ import annotations

import os
from pathlib import Path

from kavor_command import Kavor


def place_of(kavor: Kavor) -> Path:
    return Path(kavor.json("workspace", "show", "place")["directory"])


def test_an_agent_from_add_to_edit(shared: Kavor) -> None:
    add = ("node", "add", "CodingAgent", "--name", "iris", "--provider", "custom", "--closed")
    made = shared.json(
        *add, "--command", "my-agent --say 'good morning'", "--turn-limit", "1h30m", "--no-keep-open"
    )
    assert made["command"] == ["my-agent", "--say", "good morning"]
    assert (made["turn_limit_s"], made["keep_open"], made["allow_editing"]) == (5400, False, False)
    assert (made["session"]["state"], made["directory"]) == ("closed", str(place_of(shared)))
    edited = shared.json("node", "edit", "iris", "--allow-editing", "--keep-open", "--model", "big")
    assert (edited["allow_editing"], edited["keep_open"], edited["model"]) == (True, True, "big")
    assert shared.json("node", "edit", "iris", "--model", "")["model"] is None
    shown = shared("node", "show", "iris").out
    assert "CodingAgent iris" in shown
    assert "custom (my-agent --say good morning)" in shown
    assert "1h30m" in shown
    assert "quote its words" in shared.refused(2, "node", "edit", "iris", "--command", "a 'b")
    assert "opencode" in shared.refused(2, "node", "edit", "iris", "--provider", "skynet")


def test_a_note_from_text_or_file(shared: Kavor, tmp_path: Path) -> None:
    made = shared.json("node", "add", "sticky-note", "--name", "todo", "--text", "# One", "--colour", "Blue")
    assert (made["text"], made["colour"]) == ("# One", "blue")
    file = tmp_path / "note.md"
    file.write_text("- two\n- three\n")
    assert shared.json("node", "edit", "todo", "--text-file", str(file))["text"] == "- two\n- three\n"
    assert "- three" in shared("node", "show", "todo").out
    stale = ("node", "edit", "todo", "--text", "lost", "--revision", "1")
    assert "was edited meanwhile" in shared.refused(5, *stale)
    both = ("node", "edit", "todo", "--text", "a", "--text-file", str(file))
    assert "--text and --text-file cannot both be given" in shared.refused(2, *both)


def test_a_specification_and_its_file(shared: Kavor) -> None:
    add = ("node", "add", "specification", "--name", "plan", "--text", "what is wanted")
    made = shared.json(*add, "--state", "ready")
    path = place_of(shared) / "plan.md"
    assert (made["state"], made["path"], path.read_text()) == ("Ready", str(path), "what is wanted")
    assert "there is a file" in shared.refused(2, *add)
    edited = shared.json("node", "edit", "plan", "--state", "In progress", "--text", "more is wanted")
    assert (edited["state"], edited["file"]["size"]) == ("In progress", 14)
    assert path.read_text() == "more is wanted"
    assert "In progress" in shared("node", "list", "--kind", "specification").out
    path.unlink()
    assert "plan.md (not there)" in shared("node", "show", "plan").out


def test_the_text_of_a_file_is_written_into_it(shared: Kavor) -> None:
    path = place_of(shared) / "list.txt"
    path.write_text("one\n")
    shared.json("node", "add", "file", "--path", "list.txt")
    edited = shared.json("node", "edit", "list.txt", "--text", "two\n")
    assert (path.read_text(), edited["revision"]) == ("two\n", 1)


def test_a_guardrail_is_chosen_and_taken_away(shared: Kavor) -> None:
    shared.json("node", "add", "coding-agent", "--name", "scribe", "--provider", "scripted", "--closed")
    shared.json("node", "add", "sticky-note", "--name", "rules")
    made = shared.json("connect", "rules", "scribe", "--guardrail", "sticky_note_read_only")
    assert made["guardrail"] == "sticky_note_read_only"
    assert "rules" in shared("node", "show", "scribe").out
    assert "sticky_note_read_only" in shared("node", "show", "scribe").out
    assert shared.json("connect", "scribe", "rules")["guardrail"] == "sticky_note_read_only"
    assert shared.json("connect", "scribe", "rules", "--guardrail", "none")["guardrail"] is None
    wrong = ("connect", "scribe", "rules", "--guardrail", "file_read_only")
    assert "use sticky_note_read_only" in shared.refused(2, *wrong)
    shared.json("node", "add", "specification", "--name", "aim")
    for rule in ("specification_read_only", "terminal_read_only"):
        assert "binds a CodingAgent" in shared.refused(2, "connect", "build", "aim", "--guardrail", rule)


MINE = """
[mine]
label = "Mine"
transport = "acp"
command = ["no-such-program-anywhere"]
install = "make it yourself"
"""


def test_doctor_names_the_agents_that_are_here_and_those_that_are_missed(shared: Kavor) -> None:
    table = shared.home.data / "providers.toml"
    table.write_text(MINE)
    shared.json("node", "add", "coding-agent", "--name", "absent", "--provider", "mine", "--closed")
    table.write_text(MINE + '[half]\nlabel = "Half"\n')
    found = [check for check in shared.json("doctor")["checks"] if check["name"] == "agents"]
    here, problem, missing = found
    assert here["state"] == "ok"
    assert "Scripted" in here["message"]
    assert (problem["state"], "half.transport is missing" in problem["message"]) == ("warn", True)
    assert missing["message"] == "Mine is not installed, and absent cannot be opened"
    assert missing["hint"] == "make it yourself"


def test_doctor_tells_of_an_agent_that_is_not_on_the_runtimes_path(shared: Kavor, tmp_path: Path) -> None:
    (shared.home.data / "providers.toml").write_text(MINE)
    shared.json("node", "add", "coding-agent", "--name", "behind", "--provider", "mine", "--closed")
    program = tmp_path / "no-such-program-anywhere"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    found = [check for check in shared.json("doctor", PATH=path)["checks"] if check["name"] == "agents"]
    assert f"Mine is at {program}, which is not on the PATH" in found[-1]["message"]
    assert "kavor runtime stop, kavor runtime start" in found[-1]["hint"]
