"""Agents that live on when the runtime ends are let in by the next one, with the word that they have."""

from __future__ import annotations

import asyncio
import socket

import pytest
from agent_world import AgentWorld
from mcp_clients import over_http

from kavor.app import agent_door
from kavor.app.agent_door import LoopbackDoor
from kavor.domain.errors import NotAdmitted
from kavor.runtime.agent_access.tokens import Tokens
from kavor.sessions.session import ToolsAccess


def door_of(world: AgentWorld, tokens: Tokens) -> LoopbackDoor:
    """Of one run of the runtime."""
    return LoopbackDoor(world.scripted.home, tokens, world.scripted.runtime.supervisor.commands)


async def test_they_are_let_in_again_and_the_others_are_not(world: AgentWorld) -> None:
    one, other = await world.agent("one"), await world.agent("other")
    former = door_of(world, Tokens())
    access, gone = await former.admit(one), await former.admit(other)
    await former.close()
    tokens = world.services.agents.tokens
    tokens.withdraw(one)
    tokens.withdraw(other)
    door = door_of(world, tokens)
    door.take_up([one])
    async with over_http(access.url, access.token) as client:
        assert (await client.call_tool("whoami", {})).structured_content["node"] == one
    assert (await door.admit(other)).url == access.url
    with pytest.raises(NotAdmitted):
        tokens.agent_of(gone.token)
    await door.close()


async def test_what_ended_meanwhile_is_forgotten(world: AgentWorld) -> None:
    agent = await world.agent()
    former = door_of(world, Tokens())
    access = await former.admit(agent)
    former.dismiss(agent)
    await former.close()
    tokens = Tokens()
    door = door_of(world, tokens)
    door.take_up([agent])
    with pytest.raises(NotAdmitted):
        tokens.agent_of(access.token)
    await door.close()


async def test_an_agent_that_ends_after_the_server_is_forgotten_too(world: AgentWorld) -> None:
    """As a runtime stops, its agents end last."""
    agent = await world.agent()
    former = door_of(world, Tokens())
    access = await former.admit(agent)
    await former.close()
    former.dismiss(agent)
    tokens = Tokens()
    door = door_of(world, tokens)
    door.take_up([agent])
    with pytest.raises(NotAdmitted):
        tokens.agent_of(access.token)
    await door.close()


async def test_no_token_is_written_down_and_what_is_is_for_the_user_alone(world: AgentWorld) -> None:
    agent = await world.agent()
    door = door_of(world, Tokens())
    access = await door.admit(agent)
    kept = world.scripted.home.agent_door
    assert access.token not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    await door.close()


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"port": "x", "digests": {}}', '{"port": 1, "digests": 3}'])
async def test_what_cannot_be_read_is_no_obstacle(world: AgentWorld, kept: str) -> None:
    world.scripted.home.agent_door.write_text(kept)
    agent = await world.agent()
    door = door_of(world, Tokens())
    door.take_up([agent])
    assert (await door.admit(agent)).url.startswith("http://127.0.0.1:")
    await door.close()


async def test_a_port_that_another_program_has_is_left_to_it(
    world: AgentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which learns the word of whoever looks for Kavor there: it is worth nothing any more."""
    monkeypatch.setattr(agent_door, "SAME_PORT_S", 0.2)
    one, other = await world.agent("one"), await world.agent("other")
    former = door_of(world, Tokens())
    access = await former.admit(one)
    await former.close()
    tokens = Tokens()
    with socket.create_server(("127.0.0.1", port_of(access))):
        door = door_of(world, tokens)
        door.take_up([one])
        assert tokens.agent_of(access.token) == one

        async def is_let_in() -> bool:
            return one in tokens.digests()

        await world.scripted.eventually(is_let_in, False)
        assert (await door.admit(other)).url != access.url
        await door.close()


async def test_the_port_is_waited_for_before_another_agent_is_told_one(world: AgentWorld) -> None:
    """The server of a runtime that was killed takes its time to end; agents are restored meanwhile."""
    one, other = await world.agent("one"), await world.agent("other")
    former = door_of(world, Tokens())
    access = await former.admit(one)
    await former.close()
    door = door_of(world, Tokens())
    with socket.create_server(("127.0.0.1", port_of(access))):
        admitting = asyncio.create_task(door.admit(other))
        await asyncio.sleep(0.3)
    assert (await admitting).url == access.url
    await door.close()


def port_of(access: ToolsAccess) -> int:
    return int(access.url.rsplit(":", 1)[1].partition("/")[0])
