"""A file system that does not answer holds up what agents ask of it, and nothing else they ask."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from agent_world import AgentWorld
from hung_files import HungFiles

from kavor.domain.graph import NodeKind
from kavor.runtime import file_access

K = NodeKind
SILENT = "cannot be read just now"


@pytest.fixture
def hung(monkeypatch: pytest.MonkeyPatch) -> Iterator[HungFiles]:
    monkeypatch.setattr(file_access, "WORK_SECONDS", 0.3)
    files = HungFiles("hung", monkeypatch)
    yield files
    files.answers()


@pytest.fixture
async def agent(world: AgentWorld) -> str:
    """One that may edit, and reaches a file at hand and one on the file system that will hang."""
    (world.directory / "hung").mkdir()
    agent_id = await world.agent(may_edit=True)
    await world.join(agent_id, await world.file("near.txt", "near"), await world.file("hung/far.txt", "far"))
    return agent_id


async def test_other_tools_answer_while_a_file_hangs(world: AgentWorld, agent: str, hung: HungFiles) -> None:
    hung.hang()
    far = asyncio.create_task(world.call(agent, "read_file", file="hung/far.txt"))
    await world.scripted.eventually(hung.calls, 1)
    assert len((await world.call(agent, "list_nodes")).done["nodes"]) == 3
    near = (await world.call(agent, "read_file", file="near.txt")).done
    assert near["text"] == "near"
    written = await world.call(agent, "replace_file", file="near.txt", text="nearer", version=near["version"])
    assert written.done
    assert SILENT in (await far).refused(403)
    hung.answers()
    await world.scripted.eventually(lambda: _is_read(world, agent), True)


async def test_a_batch_with_a_path_that_hangs_is_refused_whole_and_others_are_not(
    world: AgentWorld, agent: str, hung: HungFiles
) -> None:
    note = {"op": "create", "kind": "sticky-note", "name": "note"}
    hung.hang()
    before = len(await world.everything())
    far = {"op": "create", "kind": "file", "path": "hung/far.txt"}
    said = (await world.call(agent, "edit_workspace", operations=[note, far])).refused(403)
    assert SILENT in said
    assert "operation 1 (create)" in said
    assert len(await world.everything()) == before
    plan = {"op": "create", "kind": "specification", "name": "plan"}
    assert (await world.call(agent, "edit_workspace", operations=[note, plan])).done["operations"] == 2


async def test_a_guardrail_over_a_file_that_hangs_is_not_got_around(
    world: AgentWorld, agent: str, hung: HungFiles
) -> None:
    """Whether the other file is the same one cannot be told, so it is not written."""
    guarded = await world.file("hung/guarded.md", "guarded")
    await world.join(agent, guarded, guardrail="file_read_only")
    version = (await world.call(agent, "read_file", file="near.txt")).done["version"]
    hung.hang()
    said = await world.call(agent, "replace_file", file="near.txt", text="lost", version=version)
    assert SILENT in said.refused(403)
    hung.answers()
    await world.scripted.eventually(lambda: _is_written(world, agent, version), True)


async def _is_read(world: AgentWorld, agent: str) -> bool:
    return (await world.call(agent, "read_file", file="hung/far.txt")).document.get("text") == "far"


async def _is_written(world: AgentWorld, agent: str, version: str) -> bool:
    said = await world.call(agent, "replace_file", file="near.txt", text="kept", version=version)
    return said.status == 200
