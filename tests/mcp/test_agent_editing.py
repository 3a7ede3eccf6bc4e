"""Where it was allowed to, an agent edits the Workspace: in one batch, within its reach, deleting nothing."""

from __future__ import annotations

from typing import Any

import pytest
from agent_world import AgentWorld, Said

from kavor.domain.errors import Refused
from kavor.domain.graph import NodeKind, parse_kind
from kavor.domain.layout import Box
from kavor.sessions.session import SessionsLost, SessionState

DAILY = {"preset": "daily", "time": "09:00"}


async def edit(world: AgentWorld, agent: str, *operations: dict[str, Any]) -> Said:
    return await world.call(agent, "edit_workspace", operations=list(operations))


def create(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"op": "create", "kind": kind, "name": name, **fields}


def connect(a: str, b: str, **fields: Any) -> dict[str, Any]:
    return {"op": "connect", "a": a, "b": b, **fields}


@pytest.mark.contract("K+5")
async def test_without_the_permission_nothing_is_changed(world: AgentWorld) -> None:
    agent = await world.agent()
    before = await world.everything()
    said = await edit(world, agent, create("sticky-note", "mine"))
    assert '"Allow workspace editing" is off' in said.refused(403)
    assert await world.everything() == before


@pytest.mark.contract("K+5")
async def test_a_schedule_that_an_agent_makes_waits_for_a_person(world: AgentWorld) -> None:
    agent = await world.agent("worker", may_edit=True)
    said = await edit(
        world,
        agent,
        create("schedule", "nightly", **{"as": "s"}, payload="go on", recurrence=DAILY),
        connect("@s", "worker"),
    )
    made = await world.services.schedules.get(said.done["created"]["s"], world.scripted.zone)
    assert made["state"] == "Paused"
    assert made["next_due"] is None
    assert "'worker'" in str(made["pause_reason"])
    assert made["target"] is not None
    assert made["target"]["id"] == agent
    assert made["payload"] == "go on"
    resumed = await world.services.schedules.resume(made["id"], world.scripted.zone)
    assert resumed["state"] == "Running"


@pytest.mark.contract("K+5")
async def test_a_running_schedule_that_an_agent_configures_is_paused_with_the_reason(
    world: AgentWorld,
) -> None:
    agent, shell = await world.agent("worker", may_edit=True), await world.node(NodeKind.TERMINAL, "shell")
    await world.join(agent, shell)
    running = await world.scripted.schedule("check", target="shell")
    step = {
        "op": "configure_schedule",
        "node": "check",
        "revision": running["revision"],
        "payload": "make all",
    }
    assert (await edit(world, agent, step)).done["operations"] == 1
    now = await world.services.schedules.get("check", world.scripted.zone)
    assert (now["state"], now["payload"], now["next_due"]) == ("Paused", "make all", None)
    assert now["pause_reason"] == "changed by the agent 'worker'; a person resumes it"
    stale = await edit(world, agent, step)
    assert "edited meanwhile" in stale.refused(409)


@pytest.mark.contract("K+5")
@pytest.mark.parametrize("place", [0, 1, 2])
async def test_a_batch_is_carried_out_wholly_or_not_at_all(world: AgentWorld, place: int) -> None:
    agent, note = await world.agent("worker", may_edit=True), await world.note()
    await world.join(agent, note)
    steps = [
        create("sticky-note", "one", text="x", **{"as": "n"}),
        connect("worker", "@n"),
        {"op": "move", "node": "note", "x": 5},
    ]
    steps.insert(place, {"op": "rename", "node": "nothing", "revision": 1, "name": "x"})
    before = await world.everything()
    assert f"operation {place} (rename)" in (await edit(world, agent, *steps)).refused(404)
    assert await world.everything() == before


@pytest.mark.contract("K+5")
@pytest.mark.parametrize("op", ["delete", "remove", "disconnect", "guardrail", "resume", "run"])
async def test_there_is_no_operation_that_deletes_resumes_or_touches_guardrails(
    world: AgentWorld, op: str
) -> None:
    agent, note = await world.agent(may_edit=True), await world.note()
    await world.join(agent, note, guardrail="sticky_note_read_only")
    before = await world.everything()
    for step in (
        {"op": op, "node": "note"},
        {"op": "connect", "a": "worker", "b": "note", "guardrail": "none"},
        {"op": "create", "kind": "coding-agent", "name": "x", "provider": "opencode", "allow_editing": True},
    ):
        assert (await edit(world, agent, step)).status == 422
    assert await world.everything() == before


async def test_what_an_agent_makes_is_its_own_to_use(world: AgentWorld) -> None:
    agent = await world.agent("worker", may_edit=True)
    (world.directory / "data.txt").write_text("data")
    said = await edit(
        world,
        agent,
        create("terminal", "shell", **{"as": "t"}),
        create("file", "data", path="data.txt", **{"as": "f"}),
        create("specification", "plan", **{"as": "p"}),
        create("sticky-note", "report", text="# Report", colour="pink", x=1, y=2, **{"as": "n"}),
        create("coding-agent", "helper", provider="opencode", **{"as": "h"}),
        *(connect("worker", f"@{word}") for word in "tfpnh"),
        connect("@t", "@f", env="DATA"),
        {"op": "rename", "node": "worker", "revision": 1, "name": "lead"},
    )
    made = said.done["created"]
    assert said.done["problems"] == []
    listed = {node["id"]: node for node in (await world.call(agent, "list_nodes")).done["nodes"]}
    assert set(listed) == {agent, *made.values()}
    assert listed[agent]["name"] == "lead"
    assert listed[made["t"]]["session"] == "open"
    assert listed[made["h"]]["session"] == "closed"
    helper = await world.services.graph.node(made["h"])
    assert helper["allow_editing"] is False
    assert (await world.call(agent, "read_sticky_note", note="report")).done["text"] == "# Report"


async def test_what_an_agent_makes_stands_beside_it_and_over_nothing(world: AgentWorld) -> None:
    agent = await world.agent("worker", may_edit=True)
    world.scripted.clock.go(1)
    newer = await world.agent("newer")
    await edit(world, agent, *(create("sticky-note", f"note {number}") for number in range(3)))
    nodes = await world.services.graph.nodes(workspace=None, kind=None, ref=None)
    boxes = {node["id"]: Box.of(parse_kind(node["kind"]), node["x"], node["y"]) for node in nodes}
    for node in nodes:
        box = boxes.pop(node["id"])
        assert not any(box.is_near(other, 1) for other in boxes.values())
        boxes[node["id"]] = box
        if node["name"] == "note 0":
            assert abs(box.middle[0] - boxes[agent].middle[0]) < abs(box.middle[0] - boxes[newer].middle[0])


@pytest.mark.parametrize("error", [Refused("no shell is there"), SessionsLost()])
async def test_a_terminal_whose_shell_does_not_start_is_there_all_the_same(
    world: AgentWorld, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """An agent that is told of a failure would make it once more."""
    agent = await world.agent("worker", may_edit=True)

    async def does_not_open(spec: object) -> SessionState:
        raise error

    monkeypatch.setattr(world.sessions, "open", does_not_open)
    said = await edit(world, agent, create("terminal", "shell", **{"as": "t"}))
    (problem,) = said.done["problems"]
    assert problem.startswith("the session of 'shell' did not open")
    made = await world.services.graph.node(said.done["created"]["t"])
    assert not made["session"]["open"]


async def test_a_variable_that_is_there_is_not_given_another_name(world: AgentWorld) -> None:
    """Else what a Schedule delivers there would no longer find its File (K9)."""
    agent = await world.agent("worker", may_edit=True)
    shell, data = await world.node(NodeKind.TERMINAL, "shell"), await world.file("data")
    await world.join(agent, shell, data)
    await world.services.graph.connect(shell, data, "DATA")
    before = await world.everything()
    said = await edit(world, agent, connect("shell", "data", env="OTHER"))
    assert "connected already, as $DATA" in said.refused(403)
    for same in (connect("shell", "data"), connect("data", "shell", env="DATA")):
        assert (await edit(world, agent, same)).status == 200
    assert await world.everything() == before


async def test_a_node_outside_is_not_reached_by_editing(world: AgentWorld) -> None:
    agent, peer = await world.agent("worker", may_edit=True), await world.agent("peer")
    await world.join(agent, peer)
    outside = await world.note("outside")
    before = await world.everything()
    for end in ("worker", "peer"):
        assert (await edit(world, agent, connect(end, outside))).status == 404
    step = create("coding-agent", "bridge", provider="opencode", **{"as": "b"})
    assert (await edit(world, agent, step, connect("@b", outside))).status == 404
    assert await world.everything() == before


async def test_a_file_outside_the_workspace_is_refused_whether_it_is_there_or_not(world: AgentWorld) -> None:
    agent = await world.agent(may_edit=True)
    (world.directory / "link").symlink_to("/etc")
    for path in ("/etc/passwd", "/etc/nothing", "../kavor.db", "link/passwd", "~/.profile"):
        for kind in ("file", "specification"):
            said = (await edit(world, agent, create(kind, "x", path=path))).refused(403)
            assert "outside the Workspace" in said
    assert len(await world.everything()) == 1


async def test_a_new_node_is_no_way_to_a_file_of_a_node_that_is_not_reachable(world: AgentWorld) -> None:
    agent = await world.agent(may_edit=True)
    await world.file("secret.txt", "secret")
    outside = (await edit(world, agent, create("file", "x", path="/nothing"))).refused(403)
    for kind in ("file", "specification"):
        said = (await edit(world, agent, create(kind, "x", path="secret.txt"))).refused(403)
        assert said == outside.replace("/nothing", str(world.directory / "secret.txt"))


@pytest.mark.parametrize(
    "step",
    [
        connect("shell", "data"),
        connect("peer", "shell"),
        {"op": "rename", "node": "shell", "revision": 1, "name": "x"},
        {"op": "configure_schedule", "node": "check", "revision": 1, "payload": "rm -r ."},
        create("schedule", "s", payload="true", **{"as": "s"}),
    ],
    ids=["give it more", "give it to another", "rename", "through a Schedule", "a Schedule of its own"],
)
async def test_a_guardrail_is_not_got_around_by_editing(world: AgentWorld, step: dict[str, Any]) -> None:
    agent, peer = await world.agent("worker", may_edit=True), await world.agent("peer")
    shell, data = await world.node(NodeKind.TERMINAL, "shell"), await world.file("data")
    await world.join(agent, shell, guardrail="terminal_read_only")
    await world.join(agent, peer, data)
    await world.scripted.schedule("check", target="shell", resume=False)
    before = await world.everything()
    steps = [step, connect("@s", "shell")] if step["op"] == "create" else [step]
    assert "Guardrail terminal_read_only" in (await edit(world, agent, *steps)).refused(403)
    assert await world.everything() == before
    # It may be moved: that changes nothing of it.
    assert (await edit(world, agent, {"op": "move", "node": "shell", "x": 7})).status == 200


async def test_what_cannot_be_meant_is_said(world: AgentWorld) -> None:
    agent = await world.agent("worker", may_edit=True)
    note = await world.note()
    await world.join(agent, note)
    for step, words in (
        ({"op": "rename", "node": "note", "name": "x"}, "needs the revision"),
        ({"op": "rename", "node": "note", "revision": 1}, "needs name"),
        ({"op": "move", "node": "note"}, "needs x or y"),
        ({"op": "move", "node": "note", "x": 1, "name": "x"}, "has no name"),
        ({"op": "configure_schedule", "node": "note", "revision": 1}, "is a Sticky Note, not a Schedule"),
        (create("sticky-note", "x", payload="x"), "has no payload"),
        (create("coding-agent", "x", provider="nobody"), "is not a provider"),
        (connect("@x", "note"), "no operation before this one"),
    ):
        said = await edit(world, agent, step)
        assert words in str(said.document["detail"]), said.body
