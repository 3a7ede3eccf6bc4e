"""``kavor workspace``, ``node``, ``connect`` and ``disconnect``, and how names find their things."""

from __future__ import annotations

from pathlib import Path

import pytest
from kavor_command import Kavor


def test_a_workspace_from_its_directory_to_its_end(kavor: Kavor, tmp_path: Path) -> None:
    directory = tmp_path / "project"
    directory.mkdir()
    made = kavor.json("workspace", "add", str(directory))
    assert (made["name"], made["directory"]) == ("project", str(directory))
    assert kavor.json("workspace", "list")["workspaces"] == [made]
    assert kavor.json("workspace", "show", "project") == kavor.json("workspace", "show", made["id"]) == made
    assert str(directory) in kavor("workspace", "list").out
    kavor.json("node", "add", "terminal", "--name", "t", "--closed")
    assert "still has 1 Node" in kavor.refused(3, "workspace", "rm", "project")
    assert kavor.json("workspace", "rm", "project", "--nodes") == {"removed": made["id"]}
    assert "There are no Workspaces" in kavor("workspace", "list").out
    assert directory.is_dir()


def test_a_terminal_from_add_to_rm(shared: Kavor) -> None:
    made = shared.json("node", "add", "terminal", "--name", "t1", "--shell", "bash", "--closed", "--x", "40")
    assert (made["kind"], made["x"], made["shell"]) == ("terminal", 40, "bash")
    assert (made["session"]["state"], made["session"]["closed_on_purpose"]) == ("closed", True)
    assert made in shared.json("node", "list", "--kind", "Terminal")["nodes"]
    edited = shared.json("node", "edit", "t1", "--name", "t2", "--y", "7")
    assert (edited["id"], edited["name"], edited["y"]) == (made["id"], "t2", 7)
    assert edited["revision"] == made["revision"] + 1
    stale = ["node", "edit", "t2", "--name", "t3", "--revision", str(made["revision"])]
    assert "was edited meanwhile" in shared.refused(5, *stale)
    assert "nothing to change" in shared.refused(2, "node", "edit", "t2")
    shown = shared("node", "show", "t2").out
    assert "Terminal t2" in shown
    assert "closed" in shown
    assert shared.json("node", "rm", "t2") == {"removed": made["id"]}
    assert "there is no Node 't2'" in shared.refused(2, "node", "show", "t2")


def test_the_directory_of_a_terminal_is_in_its_workspace(shared: Kavor) -> None:
    place = Path(shared.json("workspace", "show", "place")["directory"])
    (place / "inner").mkdir()
    add = ["node", "add", "terminal", "--closed", "--name"]
    assert shared.json(*add, "d1", "--directory", "inner")["directory"] == str(place / "inner")
    user_home = shared.environment["HOME"]
    assert shared.json(*add, "d2", "--directory", "~")["directory"] == user_home
    assert "nowhere" in shared.refused(2, *add, "d3", "--directory", "nowhere")
    assert "d3" not in [node["name"] for node in shared.json("node", "list")["nodes"]]


@pytest.mark.contract("K12")
def test_a_connection_has_no_direction(shared: Kavor) -> None:
    shared.json("schedule", "add", "--name", "c1", "--payload", "true")
    made = shared.json("connect", "build", "c1")
    assert shared.json("connect", "c1", "build")["id"] == made["id"]
    neighbours = [one["name"] for one in shared.json("node", "show", "build")["connections"]]
    assert neighbours.count("c1") == 1
    assert shared("disconnect", "build", "c1").out == "build and c1 are connected no longer.\n"
    assert shared.json("node", "show", "c1")["connections"] == []
    assert "are not connected" in shared.refused(2, "disconnect", "build", "c1")


@pytest.mark.contract("K+4")
def test_pairs_that_cannot_be_connected(shared: Kavor) -> None:
    for name in ("p1", "p2"):
        shared.json("schedule", "add", "--name", name, "--payload", "true")
    assert "cannot be connected" in shared.refused(3, "connect", "p1", "p2")
    assert "to itself" in shared.refused(3, "connect", "build", "build")


def test_an_ambiguous_name_names_its_candidates(kavor: Kavor, tmp_path: Path) -> None:
    ids = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        kavor.json("workspace", "add", str(tmp_path / name))
        added = kavor.json("node", "add", "terminal", "--name", "same", "--closed", "--workspace", name)
        ids.append(added["id"])
    said = kavor.refused(2, "node", "show", "same")
    assert all(id_ in said for id_ in ids)
    assert kavor.json("node", "show", "same", "--workspace", "two")["id"] == ids[1]
    assert kavor.json("node", "show", ids[0])["id"] == ids[0]
    said = kavor.refused(2, "node", "add", "terminal", "--name", "third", "--closed")
    assert "--workspace" in said
    assert "one" in said
    assert len(kavor.json("node", "list", "--workspace", "one")["nodes"]) == 1


def test_an_unknown_name_names_its_likes(shared: Kavor) -> None:
    assert "did you mean build?" in shared.refused(2, "node", "show", "biuld")
    assert "did you mean place?" in shared.refused(2, "workspace", "show", "palce")
    assert "there is no Workspace 'x'" in shared.refused(2, "schedule", "list", "--workspace", "x")


def test_a_name_with_spaces_and_signs(shared: Kavor) -> None:
    name = "täglich: 100 % & mehr/weniger?"
    made = shared.json("node", "add", "terminal", "--name", name, "--closed")
    assert shared.json("node", "show", name)["id"] == made["id"]
    assert name in shared("node", "list").out


def test_completion_offers_names(shared: Kavor) -> None:
    shared.json("schedule", "add", "--name", "offered", "--payload", "true")
    offered = shared(_KAVOR_COMPLETE="bash_complete", COMP_WORDS="kavor schedule show off", COMP_CWORD="3")
    assert offered.out.split() == ["plain,offered"]


def test_a_second_node_of_one_name_is_told_how_to_refer_to_it(shared: Kavor) -> None:
    first = shared("node", "add", "terminal", "--name", "double", "--closed")
    assert first.err == ""
    second = shared("node", "add", "sticky-note", "--name", "double", "--json")
    assert f"2 Nodes are called 'double' now; refer to this one by its id, {second.json['id']}" in second.err
    third = shared("schedule", "add", "--name", "double", "--payload", "true", "--json")
    assert f"3 Nodes are called 'double' now; refer to this one by its id, {third.json['id']}" in third.err
    named = shared.refused(2, "node", "show", "double")
    assert second.json["id"] in named
    assert third.json["id"] in named
    assert shared.json("node", "show", second.json["id"])["kind"] == "sticky-note"


def test_so_is_one_that_is_renamed_to_anothers(shared: Kavor) -> None:
    shared("node", "add", "sticky-note", "--name", "taken")
    made = shared.json("node", "add", "sticky-note", "--name", "free")
    assert shared("node", "edit", "free", "--colour", "blue").err == ""
    assert f"by its id, {made['id']}" in shared("node", "edit", "free", "--name", "taken").err
    schedule = shared.json("schedule", "add", "--name", "soon", "--payload", "true")
    assert f"by its id, {schedule['id']}" in shared("schedule", "edit", "soon", "--name", "taken").err
