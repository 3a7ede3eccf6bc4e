"""The model: what a snapshot and events make of it, and whose word counts about a dragged Node."""

from __future__ import annotations

from typing import Any

import pytest

from kavor.canvas.model import Model, Snapshot
from kavor.canvas.things import Connection


def node(node_id: str, kind: str = "terminal", x: float = 0, **fields: Any) -> dict[str, Any]:
    return {
        "id": node_id,
        "workspace": "w",
        "kind": kind,
        "name": node_id,
        "x": x,
        "y": 0,
        "revision": 1,
        **fields,
    }


def changed(
    kind: str, thing_id: str, value: dict[str, Any] | None, change: str = "changed"
) -> dict[str, Any]:
    return {"event": 1, "type": kind, "id": thing_id, "change": change, "value": value}


@pytest.fixture
def model() -> Model:
    made = Model()
    workspace = {"id": "w", "name": "Lab", "directory": "/lab"}
    joined = {"id": 1, "a": "a", "b": "b", "env": None, "guardrail": None}
    made.load(Snapshot([workspace], [node("a"), node("b", x=500)], [joined], []))
    return made


def test_a_connection_has_no_direction(model: Model) -> None:
    assert model.connections_of("a") == model.connections_of("b")


def test_a_removed_node_takes_its_connections_along(model: Model) -> None:
    gone: list[Connection] = []
    model.connection_removed.connect(gone.append)
    model.apply(changed("node", "a", None, "removed"))
    assert [each.id for each in gone] == [1]
    assert model.connections_of("b") == []
    assert list(model.nodes) == ["b"]


def test_what_was_gone_before_it_could_be_told_changes_nothing(model: Model) -> None:
    model.apply(changed("node", "c", None, "created"))
    assert list(model.nodes) == ["a", "b"]


def test_a_kind_of_change_from_a_newer_runtime_is_passed_over(model: Model) -> None:
    model.apply(changed("weather", "1", {"sun": True}))


def test_an_older_place_does_not_pull_a_dragged_node_back(model: Model) -> None:
    model.move("a", 100, 50)
    model.expect_move("a")
    model.apply(changed("node", "a", {**node("a", x=20), "name": "renamed meanwhile"}))
    assert (model.nodes["a"].x, model.nodes["a"].y) == (100, 50)
    assert model.nodes["a"].name == "renamed meanwhile"
    model.confirm_move("a")
    model.apply(changed("node", "a", node("a", x=20)))
    assert model.nodes["a"].x == 20


def test_a_new_snapshot_keeps_a_move_that_is_on_its_way(model: Model) -> None:
    model.move("a", 100, 50)
    model.expect_move("a")
    model.load(Snapshot([], [node("a"), node("b")], [], []))
    assert (model.nodes["a"].x, model.nodes["b"].x) == (100, 0)
