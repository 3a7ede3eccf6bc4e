"""A token lets in the one agent it was given to, as long as its session is open, and says nothing else."""

from __future__ import annotations

import pytest
from agent_world import AgentWorld

from kavor.runtime.agent_access.tokens import Tokens


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer wrong", "Basic d29ya2Vy", "bearer \x7f"])
async def test_whoever_is_not_known_is_told_nothing(world: AgentWorld, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    for tool, arguments in (
        ("whoami", {}),
        ("read_sticky_note", {"note": "x"}),
        ("edit_workspace", "no object"),
    ):
        said = await world.ask(tool, arguments, headers)
        assert said.status == 401
        assert said.document == {
            "type": "urn:kavor:problem:unauthorized",
            "title": "unauthorized",
            "status": 401,
            "detail": "unauthorized",
            "hint": "",
            "exit_code": 3,
        }


async def test_a_token_is_worth_nothing_after_its_session(world: AgentWorld) -> None:
    agent = await world.agent()
    assert (await world.call(agent, "whoami")).status == 200
    world.services.agents.tokens.withdraw(agent)
    assert (await world.call(agent, "whoami")).status == 401


async def test_a_new_session_has_a_new_token_and_the_former_is_void(world: AgentWorld) -> None:
    agent = await world.agent()
    former = world.tokens[agent]
    world.tokens[agent] = world.services.agents.tokens.issue(agent)
    assert (await world.call(agent, "whoami")).status == 200
    assert (await world.ask("whoami", {}, {"Authorization": f"Bearer {former}"})).status == 401


async def test_a_token_of_an_agent_that_was_removed_lets_nobody_in(world: AgentWorld) -> None:
    agent = await world.agent()
    await world.services.graph.remove_node(agent)
    assert (await world.call(agent, "whoami")).status == 401


def test_tokens_are_long_differ_and_are_not_kept() -> None:
    tokens = Tokens()
    made = [tokens.issue(f"agent {number}") for number in range(100)]
    assert len(set(made)) == 100
    assert all(len(token) >= 43 for token in made)
    assert not any(token in repr(vars(tokens)) for token in made)
