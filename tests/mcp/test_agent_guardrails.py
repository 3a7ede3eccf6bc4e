"""A Guardrail refuses before any effect, names itself, and binds its pair whatever other way there is."""

from __future__ import annotations

import asyncio
import os

import pytest
from agent_world import AgentWorld

from kavor.domain.graph import NodeKind
from kavor.sessions.session import WaitingFor

pytestmark = pytest.mark.contract("K75")

GUARDED = {
    "sticky_note_read_only": [
        ("append_sticky_note", {"note": "guarded", "text": "x"}),
        ("replace_sticky_note", {"note": "guarded", "text": "x", "revision": 1}),
    ],
    "file_read_only": [("replace_file", {"file": "guarded", "text": "x", "version": "?"})],
    "specification_read_only": [
        ("replace_specification", {"specification": "guarded", "text": "x", "version": "?"}),
        ("set_specification_state", {"specification": "guarded", "state": "Done"}),
    ],
    "terminal_read_only": [
        ("terminal_run", {"terminal": "guarded", "command": "true"}),
        ("terminal_interrupt", {"terminal": "guarded"}),
    ],
}
READ = {
    "sticky_note_read_only": ("read_sticky_note", "note"),
    "file_read_only": ("read_file", "file"),
    "specification_read_only": ("read_specification", "specification"),
    "terminal_read_only": ("terminal_screen", "terminal"),
}
KINDS = {
    "sticky_note_read_only": NodeKind.STICKY_NOTE,
    "file_read_only": NodeKind.FILE,
    "specification_read_only": NodeKind.SPECIFICATION,
    "terminal_read_only": NodeKind.TERMINAL,
}


async def guarded_node(world: AgentWorld, rule: str) -> str:
    fields = {"path": "guarded.md"} if "file" in rule or "spec" in rule else {}
    (world.directory / "guarded.md").write_text("guarded")
    return await world.node(KINDS[rule], "guarded", **fields)


@pytest.mark.parametrize("rule", GUARDED)
async def test_a_guardrail_leaves_reading_and_forbids_the_rest(world: AgentWorld, rule: str) -> None:
    agent, peer = await world.agent(), await world.agent("peer")
    guarded = await guarded_node(world, rule)
    await world.join(agent, guarded, guardrail=rule)
    # Another way to the same Node, without a Guardrail: it binds the pair all the same (decision 18).
    await world.join(agent, peer)
    await world.join(peer, guarded)
    listed = (await world.call(agent, "list_nodes")).done["nodes"]
    assert {node["id"]: node["guardrail"] for node in listed}[guarded] == rule
    tool, argument = READ[rule]
    assert (await world.call(agent, tool, **{argument: guarded})).status == 200
    before = await world.everything()
    for tool, arguments in GUARDED[rule]:
        assert f"Guardrail {rule}" in (await world.call(agent, tool, **arguments)).refused(403)
    assert await world.everything() == before
    assert world.sessions.delivered == []
    assert (world.directory / "guarded.md").read_text() == "guarded"
    # The peer is bound by none.
    tool, arguments = GUARDED[rule][0]
    assert "Guardrail" not in (await world.call(peer, tool, **arguments)).body.decode()


@pytest.mark.parametrize("link", ["the same path", "a hard link"])
async def test_a_protected_file_is_protected_under_each_of_its_names(world: AgentWorld, link: str) -> None:
    agent = await world.agent(may_edit=True)
    guarded = await guarded_node(world, "file_read_only")
    await world.join(agent, guarded, guardrail="file_read_only")
    path = "guarded.md"
    if link == "a hard link":
        path = "other.md"
        os.link(world.directory / "guarded.md", world.directory / path)
    twin = await world.node(NodeKind.SPECIFICATION, "twin", path=path)
    await world.join(agent, twin)
    version = (await world.call(agent, "read_specification", specification=twin)).done["version"]
    said = await world.call(agent, "replace_specification", specification=twin, text="x", version=version)
    assert "Guardrail file_read_only" in said.refused(403)
    # Nor does it make itself, or another, a way there.
    create = {"op": "create", "kind": "file", "name": "way", "path": path}
    assert "Guardrail" in (await world.call(agent, "edit_workspace", operations=[create])).refused(403)
    assert (world.directory / "guarded.md").read_text() == "guarded"


async def test_a_guardrail_that_a_person_sets_binds_a_command_that_waits(world: AgentWorld) -> None:
    agent, shell = await world.agent(), await world.node(NodeKind.TERMINAL, "shell")
    await world.join(agent, shell)
    world.sessions.becomes(shell, WaitingFor.UNFINISHED_INPUT)
    waiting = asyncio.create_task(world.call(agent, "terminal_run", terminal=shell, command="true"))
    await asyncio.sleep(0.2)
    await world.join(agent, shell, guardrail="terminal_read_only")
    world.sessions.becomes(shell)
    assert "Guardrail terminal_read_only" in (await waiting).refused(403)
    assert world.sessions.delivered == []
