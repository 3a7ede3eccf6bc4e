"""Where Nodes go on the Canvas when nobody says."""

from __future__ import annotations

from pathlib import Path

from scripted_runtime import ScriptedRuntime

from kavor.domain.graph import NodeKind, parse_kind
from kavor.domain.layout import Box


async def test_nodes_without_a_position_do_not_lie_on_each_other(
    scripted: ScriptedRuntime, directory: Path
) -> None:
    graph, schedules = scripted.services.graph, scripted.services.schedules
    await scripted.services.workspaces.add(str(directory), "place")
    for number in range(3):
        await schedules.add({"name": f"s{number}"}, "UTC", workspace=None, target=None)
        await graph.add_node(NodeKind.TERMINAL, {"name": f"t{number}"}, workspace=None, open_session=False)
    nodes = await graph.nodes(workspace=None, kind=None, ref=None)
    boxes = [Box.of(parse_kind(node["kind"]), node["x"], node["y"]) for node in nodes]
    assert len(boxes) == 6
    for number, box in enumerate(boxes):
        assert not any(box.is_near(other, 1) for other in boxes[:number])


async def test_a_schedule_goes_beside_its_target_whatever_is_newer(
    scripted: ScriptedRuntime, directory: Path
) -> None:
    graph, schedules = scripted.services.graph, scripted.services.schedules
    await scripted.services.workspaces.add(str(directory), "place")
    for name in ("target", "newer"):
        await graph.add_node(NodeKind.TERMINAL, {"name": name}, workspace=None, open_session=False)
    made = await schedules.add({"name": "s"}, "UTC", workspace=None, target="target")
    schedule, target, newer = [await graph.node(ref) for ref in (made["id"], "target", "newer")]
    box, aim, other = [
        Box.of(parse_kind(node["kind"]), node["x"], node["y"]) for node in (schedule, target, newer)
    ]
    assert box.right < aim.x
    assert abs(box.middle[1] - aim.middle[1]) <= 1
    assert other.middle != aim.middle


async def test_half_a_position_is_kept_too(scripted: ScriptedRuntime, directory: Path) -> None:
    graph = scripted.services.graph
    await scripted.services.workspaces.add(str(directory), "place")
    made = await graph.add_node(
        NodeKind.TERMINAL, {"name": "shell", "x": 5_000.0}, workspace=None, open_session=False
    )
    assert (made["x"], made["y"]) == (5_000.0, 0.0)


async def test_a_position_that_is_given_is_kept(scripted: ScriptedRuntime, directory: Path) -> None:
    await scripted.services.workspaces.add(str(directory), "place")
    made = await scripted.services.schedules.add(
        {"name": "s", "x": 12.0, "y": -3.0}, "UTC", workspace=None, target=None
    )
    node = await scripted.services.graph.node(made["id"])
    assert (node["x"], node["y"]) == (12.0, -3.0)
