"""Where Nodes go on the Canvas when nobody says."""

from __future__ import annotations

from pathlib import Path

from scripted_runtime import ScriptedRuntime

from kavor.domain.graph import NodeKind


async def test_nodes_without_a_position_do_not_lie_on_each_other(
    scripted: ScriptedRuntime, directory: Path
) -> None:
    graph, schedules = scripted.services.graph, scripted.services.schedules
    await scripted.services.workspaces.add(str(directory), "place")
    for number in range(3):
        await schedules.add({"name": f"s{number}"}, "UTC", workspace=None, target=None)
        await graph.add_node(NodeKind.TERMINAL, {"name": f"t{number}"}, workspace=None, open_session=False)
    nodes = await graph.nodes(workspace=None, kind=None, ref=None)
    places = {(node["x"], node["y"]) for node in nodes}
    assert len(places) == 6
    assert all(
        abs(a[0] - b[0]) >= 400 or abs(a[1] - b[1]) >= 272 for a in places for b in places if a != b
    ), "cards overlap"


async def test_a_position_that_is_given_is_kept(scripted: ScriptedRuntime, directory: Path) -> None:
    await scripted.services.workspaces.add(str(directory), "place")
    made = await scripted.services.schedules.add(
        {"name": "s", "x": 12.0, "y": -3.0}, "UTC", workspace=None, target=None
    )
    node = await scripted.services.graph.node(made["id"])
    assert (node["x"], node["y"]) == (12.0, -3.0)
