"""The tools as an agent's own client has them: over loopback HTTP and over stdio, from the real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import jsonschema
import psutil
import pytest
from agent_world import AgentWorld
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent
from mcp_clients import over_http, over_stdio

from kavor.api.server import create_app
from kavor.app import agent_door
from kavor.app.agent_door import LoopbackDoor
from kavor.domain.graph import NodeKind
from kavor.mcp.tools import TOOL_TEXTS, tools
from kavor.sessions.session import WaitingFor

PATIENCE_S = 30.0

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


@pytest.fixture
async def door(world: AgentWorld) -> AsyncIterator[LoopbackDoor]:
    door = LoopbackDoor(
        world.scripted.home, world.services.agents.tokens, world.scripted.runtime.supervisor.commands
    )
    yield door
    await door.close()


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def check_a_conversation(world: AgentWorld, agent: str, client: Client) -> None:
    """List the tools, read a note, be refused, run a command."""
    listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == [text.name for text in TOOL_TEXTS]
    me = await client.call_tool("whoami", {})
    assert me.structured_content["node"] == agent
    assert json.loads(text_of(me)) == me.structured_content
    note = await client.call_tool("read_sticky_note", {"note": "note"})
    assert note.structured_content["text"] == "kept"
    refused = await client.call_tool("append_sticky_note", {"note": "note", "text": "x"})
    assert refused.is_error
    assert "refused: the Guardrail sticky_note_read_only forbids it" in text_of(refused)
    nothing = await client.call_tool("read_sticky_note", {"note": "nothing"})
    assert nothing.is_error
    assert text_of(nothing).startswith("not-found: there is no Node 'nothing'")
    wrong = await client.call_tool("read_file", {"file": "x", "surprise": 1})
    assert wrong.is_error
    assert "surprise" in text_of(wrong)
    with pytest.raises(MCPError, match="there is no tool"):
        await client.call_tool("delete_node", {})
    run = asyncio.create_task(client.call_tool("terminal_run", {"terminal": "shell", "command": "make"}))

    async def delivered() -> int:
        return len(world.sessions.delivered)

    await world.scripted.eventually(delivered, 1)
    world.sessions.end_latest(output="made\r\n")
    assert (await run).structured_content["output"] == "made\n"


async def populated(world: AgentWorld) -> str:
    agent = await world.agent("worker")
    await world.join(agent, await world.note("note", "kept"), guardrail="sticky_note_read_only")
    await world.join(agent, await world.node(NodeKind.TERMINAL, "shell"))
    return agent


@pytest.mark.contract("K7")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_tools_over_http(world: AgentWorld, door: LoopbackDoor, mode: str) -> None:
    agent = await populated(world)
    access = await door.admit(agent)
    async with over_http(access.url, access.token, mode) as client:
        assert "Kavor canvas" in str(client.instructions)
        await check_a_conversation(world, agent, client)


@pytest.mark.contract("K7")
async def test_the_tools_over_stdio(world: AgentWorld) -> None:
    agent = await populated(world)
    async with over_stdio(world, world.tokens[agent]) as client:
        await check_a_conversation(world, agent, client)


async def test_an_unknown_token_lists_nothing_and_calls_nothing(
    world: AgentWorld, door: LoopbackDoor
) -> None:
    access = await door.admit(await populated(world))
    async with over_http(access.url, "unknown") as client:
        with pytest.raises(MCPError, match="unauthorized"):
            await client.list_tools()
        said = await client.call_tool("whoami", {})
        assert (said.is_error, text_of(said)) == (True, "unauthorized: unauthorized")


async def test_after_its_session_an_agent_is_let_in_no_more(world: AgentWorld, door: LoopbackDoor) -> None:
    agent = await populated(world)
    access = await door.admit(agent)
    async with over_http(access.url, access.token) as client:
        assert not (await client.call_tool("whoami", {})).is_error
        door.dismiss(agent)
        assert (await client.call_tool("whoami", {})).is_error


async def test_a_server_that_cannot_be_started_is_tried_again(
    world: AgentWorld, door: LoopbackDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the machine has no process to spare at the moment."""
    monkeypatch.setattr(agent_door, "START_AGAIN_S", 0.05)
    agent = await populated(world)
    with monkeypatch.context() as moment:
        moment.setattr(sys, "executable", "/nothing/python")
        access = await door.admit(agent)
        await asyncio.sleep(0.2)
    async with over_http(access.url, access.token) as client:
        assert not (await client.call_tool("whoami", {})).is_error


async def test_each_agent_has_its_own_sight_of_the_same_server(world: AgentWorld, door: LoopbackDoor) -> None:
    one, two = await world.agent("one"), await world.agent("two")
    accesses = [await door.admit(agent) for agent in (one, two)]
    assert accesses[0].url == accesses[1].url
    async with (
        over_http(accesses[0].url, accesses[0].token) as first,
        over_http(accesses[1].url, accesses[1].token) as second,
    ):
        for client, agent in ((first, one), (second, two), (first, one)):
            assert (await client.call_tool("whoami", {})).structured_content["node"] == agent


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Basic abc"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({}, 200),
    ],
)
async def test_no_web_page_gets_through(
    world: AgentWorld, door: LoopbackDoor, headers: dict[str, str], status: int
) -> None:
    access = await door.admit(await world.agent())
    sent = {
        "Authorization": f"Bearer {access.token}",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    async with httpx2.AsyncClient(timeout=PATIENCE_S, trust_env=False) as http:
        assert (await http.post(access.url, json=INITIALIZE, headers=sent)).status_code == status
        if status == 200:
            elsewhere = access.url.removesuffix("/mcp")
            for path in ("/", "/api/nodes", "/openapi.json"):
                assert (await http.get(elsewhere + path, headers=sent)).status_code == 404


def children_that_serve() -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if {"mcp", "--http"} <= set(child.cmdline()):
                found.append(child)
    return found


def child_of_this_process() -> psutil.Process:
    (child,) = children_that_serve()
    return child


async def test_the_server_listens_on_loopback_alone_and_knows_no_token(
    world: AgentWorld, door: LoopbackDoor, caplog: pytest.LogCaptureFixture
) -> None:
    agent = await populated(world)
    access = await door.admit(agent)
    async with over_http(access.url, access.token) as client:
        await client.call_tool("whoami", {})
        child = child_of_this_process()
        listening = [one.laddr for one in child.net_connections() if one.status == psutil.CONN_LISTEN]
        assert [(at.ip, f":{at.port}/" in access.url) for at in listening] == [("127.0.0.1", True)]
        assert access.token not in " ".join(child.cmdline())
        assert access.token not in " ".join(child.environ().values())
    assert access.token not in repr(access)
    assert access.token not in caplog.text
    assert not any(access.token in log.read_text() for log in world.scripted.home.logs.iterdir())


async def test_a_server_that_dies_is_replaced_at_the_same_address(
    world: AgentWorld, door: LoopbackDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_door, "START_AGAIN_S", 0.05)
    access = await door.admit(await populated(world))
    async with over_http(access.url, access.token) as client:
        await client.list_tools()
    former = child_of_this_process()
    former.kill()

    async def is_replaced() -> bool:
        return any(child.pid != former.pid for child in children_that_serve())

    await world.scripted.eventually(is_replaced, True)
    async with over_http(access.url, access.token) as client:
        assert not (await client.call_tool("whoami", {})).is_error
    assert child_of_this_process() != former


async def test_the_server_ends_with_the_door(world: AgentWorld) -> None:
    door = LoopbackDoor(
        world.scripted.home, world.services.agents.tokens, world.scripted.runtime.supervisor.commands
    )
    access = await door.admit(await world.agent())
    async with over_http(access.url, access.token) as client:
        await client.list_tools()
    child = child_of_this_process()
    await door.close()
    assert not child.is_running()


async def test_a_call_that_the_client_gives_up_runs_nothing(world: AgentWorld, door: LoopbackDoor) -> None:
    agent = await populated(world)
    shell = (await world.services.graph.node("shell"))["id"]
    world.sessions.becomes(shell, WaitingFor.BUSY)
    access = await door.admit(agent)
    lines = world.services.agents.terminals._lines
    async with over_http(access.url, access.token) as client:
        call = asyncio.create_task(
            client.call_tool("terminal_run", {"terminal": "shell", "command": "make", "wait_s": 600})
        )

        async def waits() -> bool:
            return lines[shell].locked()

        await world.scripted.eventually(waits, True)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await world.scripted.eventually(waits, False)
        world.sessions.becomes(shell)
        await asyncio.sleep(0.2)
        assert world.sessions.delivered == []


async def test_stdio_without_a_token_says_what_is_missing(world: AgentWorld) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "KAVOR_AGENT_TOKEN"}
    ended = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kavor", "mcp"),
        env={**environment, "KAVOR_HOME": str(world.scripted.home.data)},
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await ended.communicate()
    assert ended.returncode == 2
    assert b"KAVOR_AGENT_TOKEN is not set" in said


# --- The list of tools


def test_every_tool_is_a_route_that_takes_the_same_arguments(world: AgentWorld) -> None:
    api = create_app(world.services, lambda **_: None).openapi()
    prefix = "/api/agent-tools/"
    routes = {path.removeprefix(prefix) for path in api["paths"] if path.startswith(prefix)}
    assert routes - {"tools-listed"} == {tool.name for tool in tools()}
    for tool in tools():
        body = api["paths"][prefix + tool.name]["post"]["requestBody"]["content"]["application/json"][
            "schema"
        ]
        schema = api["components"]["schemas"][body["$ref"].rpartition("/")[2]]
        assert set(schema.get("properties", {})) == set(tool.input_schema["properties"])
        assert schema.get("required", []) == tool.input_schema.get("required", [])


@pytest.mark.parametrize("tool", tools(), ids=lambda tool: tool.name)
def test_a_tool_is_described_for_every_agent(tool: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(tool.input_schema)
    assert tool.input_schema["type"] == "object"
    assert tool.input_schema["additionalProperties"] is False
    # Not every model can be given these.
    assert not {"$ref", "$defs", "anyOf", "oneOf", "allOf"} & words_of(tool.input_schema)
    assert all(field.get("description") for field in tool.input_schema["properties"].values())
    assert len(tool.description) < 700
    hints = tool.annotations
    assert None not in (hints.read_only_hint, hints.destructive_hint, hints.open_world_hint)
    assert not (hints.read_only_hint and hints.destructive_hint)
    assert tool.meta == {"anthropic/alwaysLoad": True}


def words_of(schema: object) -> set[str]:
    if isinstance(schema, dict):
        return set(schema).union(*map(words_of, schema.values()))
    if isinstance(schema, list):
        return set().union(*map(words_of, schema))
    return set()
