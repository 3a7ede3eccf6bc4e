"""What an agent sees: its component, at the moment it asks, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_world import AgentWorld

from kavor.domain.graph import NodeKind


@pytest.mark.contract("K7")
async def test_an_agent_reaches_what_is_connected_directly_or_through_others(world: AgentWorld) -> None:
    agent, peer = await world.agent("worker"), await world.agent("reviewer")
    shell, note, far = await world.node(NodeKind.TERMINAL, "shell"), await world.note(), await world.file()
    await world.join(agent, peer, shell)
    await world.join(peer, note)
    await world.join(shell, far)
    schedule = await world.scripted.schedule("nightly", target="worker", resume=False)
    await world.note("elsewhere")
    listed = (await world.call(agent, "list_nodes")).done["nodes"]
    assert {node["id"] for node in listed} == {agent, peer, shell, note, far, schedule["id"]}
    by_id = {node["id"]: node for node in listed}
    assert by_id[shell]["direct"] is True
    assert by_id[far]["direct"] is False
    assert set(by_id[peer]["connected_to"]) == {agent, note}
    assert by_id[schedule["id"]]["payload"] == "make check"
    assert by_id[shell]["session"] == "open"


async def test_whoami_says_who_and_where_and_what_is_allowed(world: AgentWorld) -> None:
    agent = await world.agent("worker", may_edit=True)
    await world.join(agent, await world.note())
    me = (await world.call(agent, "whoami")).done
    assert (me["node"], me["name"], me["kind"]) == (agent, "worker", "coding-agent")
    assert me["workspace"]["directory"] == str(world.directory)
    assert me["allow_workspace_editing"] is True
    assert me["reachable_nodes"] == 1


CALLS = [
    ("read_sticky_note", {"note": "?"}),
    ("append_sticky_note", {"note": "?", "text": "x"}),
    ("replace_sticky_note", {"note": "?", "text": "x", "revision": 1}),
    ("read_file", {"file": "?"}),
    ("replace_file", {"file": "?", "text": "x", "version": "absent"}),
    ("read_specification", {"specification": "?"}),
    ("replace_specification", {"specification": "?", "text": "x", "version": "absent"}),
    ("set_specification_state", {"specification": "?", "state": "Done"}),
    ("terminal_screen", {"terminal": "?"}),
    ("terminal_tail", {"terminal": "?"}),
    ("terminal_buffer", {"terminal": "?"}),
    ("terminal_run", {"terminal": "?", "command": "true"}),
    ("terminal_run", {"terminal": "?", "run": "some-run"}),
    ("terminal_interrupt", {"terminal": "?"}),
    ("send_message", {"agent": "?", "text": "hello"}),
    ("read_messages", {"peer": "?"}),
    ("read_turns", {"agent": "?"}),
    ("edit_workspace", {"operations": [{"op": "move", "node": "?", "x": 1}]}),
    ("edit_workspace", {"operations": [{"op": "rename", "node": "?", "revision": 1, "name": "x"}]}),
    ("edit_workspace", {"operations": [{"op": "connect", "a": "worker", "b": "?"}]}),
    ("edit_workspace", {"operations": [{"op": "configure_schedule", "node": "?", "revision": 1}]}),
]


@pytest.mark.contract("K22")
@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[f"{n}-{call[0]}" for n, call in enumerate(CALLS)])
async def test_what_is_not_reachable_answers_exactly_as_what_does_not_exist(
    world: AgentWorld, tool: str, arguments: dict[str, object]
) -> None:
    agent = await world.agent(may_edit=True)
    # Each kind of Node, all called alike, none of them reachable; its name was put into the agent's prompt.
    secret = "secret"
    other = await world.agent(secret)
    shell, note = await world.node(NodeKind.TERMINAL, secret), await world.note(secret)
    await world.join(other, shell, note, await world.node(NodeKind.SPECIFICATION, secret))
    filled = _named(arguments, secret)
    unreachable = await world.call(agent, tool, **filled)
    assert unreachable.status == 404
    for thing in (
        node["id"] for node in await world.services.graph.nodes(workspace=None, kind=None, ref=secret)
    ):
        by_id = await world.call(agent, tool, **_named(arguments, thing))
        nothing = thing[::-1] + "0"
        not_there = await world.call(agent, tool, **_named(arguments, nothing))
        assert by_id.body.replace(thing.encode(), b"?") == not_there.body.replace(nothing.encode(), b"?")
    for node in await world.services.graph.nodes(workspace=None, kind=None, ref=secret):
        await world.services.graph.remove_node(node["id"])
    assert await world.call(agent, tool, **filled) == unreachable


def _named(arguments: object, name: str) -> dict[str, Any]:
    filled: dict[str, Any] = json.loads(json.dumps(arguments).replace("?", name))
    return filled


async def test_the_graph_is_looked_at_anew_for_each_call(world: AgentWorld) -> None:
    agent, note = await world.agent(), await world.note(text="seen")
    await world.join(agent, note)
    assert (await world.call(agent, "read_sticky_note", note=note)).done["text"] == "seen"
    await world.services.graph.disconnect(agent, note)
    assert (await world.call(agent, "read_sticky_note", note=note)).status == 404


async def test_a_name_is_enough_where_it_is_unique_among_what_is_reachable(world: AgentWorld) -> None:
    agent, mine, twin = (
        await world.agent(),
        await world.note("plan", "mine"),
        await world.note("plan", "theirs"),
    )
    await world.join(agent, mine)
    assert (await world.call(agent, "read_sticky_note", note="plan")).done["text"] == "mine"
    await world.join(agent, twin)
    said = (await world.call(agent, "read_sticky_note", note="plan")).refused(422)
    assert mine in said
    assert twin in said


async def test_another_kind_than_the_tool_is_for_is_named(world: AgentWorld) -> None:
    agent, note = await world.agent(), await world.note()
    await world.join(agent, note)
    said = (await world.call(agent, "terminal_screen", terminal=note)).refused(422)
    assert "'note' is a Sticky Note, not a Terminal" in said


async def test_the_layout_has_places_and_connections_of_what_is_reachable(world: AgentWorld) -> None:
    agent = await world.agent()
    note = await world.node(NodeKind.STICKY_NOTE, "note", x=12.5, y=-3.0)
    await world.join(agent, note)
    await world.join(await world.agent("other"), await world.note("far"))
    seen = (await world.call(agent, "layout")).done
    assert {node["id"]: (node["x"], node["y"]) for node in seen["nodes"]}[note] == (12.5, -3.0)
    assert [{one["a"], one["b"]} for one in seen["connections"]] == [{agent, note}]
