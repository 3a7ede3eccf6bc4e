"""An agent looks at Terminals, and runs commands there: once, in turn, never over what a person types."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from agent_world import AgentWorld, Said

from kavor.domain.attempts import AttemptState
from kavor.domain.graph import NodeKind
from kavor.sessions.session import HandOver, WaitingFor


@pytest.fixture
async def agent(world: AgentWorld) -> str:
    """An agent connected to a Terminal ``shell``."""
    agent = await world.agent("worker")
    await world.join(agent, await world.node(NodeKind.TERMINAL, "shell"))
    return agent


def running(world: AgentWorld, agent: str, command: str = "make", **more: Any) -> asyncio.Task[Said]:
    call = world.call(agent, "terminal_run", terminal="shell", command=command, **more)
    return asyncio.create_task(call)


async def delivered(world: AgentWorld, count: int) -> None:
    async def found() -> int:
        return len(world.sessions.delivered)

    await world.scripted.eventually(found, count)


def shell(world: AgentWorld) -> str:
    return next(iter(session for session in world.sessions.living if session not in world.sessions.agents))


async def test_a_command_is_run_and_its_end_is_waited_for(world: AgentWorld, agent: str) -> None:
    call = running(world, agent, "make check")
    await delivered(world, 1)
    world.sessions.end_latest(AttemptState.FAILED, 2, "\x1b[31mno\x1b[0m\r\n")
    assert (await call).done == {
        "state": "Failed",
        "exit_code": 2,
        "output": "no\n",
        "truncated": False,
        "duration_ms": 250,
        "diagnostic": "",
    }
    assert [(session, text) for session, _, text in world.sessions.delivered] == [
        (shell(world), "make check")
    ]


async def test_a_command_that_takes_long_is_waited_for_in_further_calls(
    world: AgentWorld, agent: str
) -> None:
    said = (await running(world, agent, wait_s=0.3)).done
    assert said["state"] == "running"
    on = asyncio.create_task(world.call(agent, "terminal_run", terminal="shell", run=said["run"], wait_s=30))
    world.sessions.end_latest(output="done")
    assert (await on).done["output"] == "done"
    again = await world.call(agent, "terminal_run", terminal="shell", run=said["run"])
    assert again.done["output"] == "done"
    assert len(world.sessions.delivered) == 1
    other = await world.agent("other")
    await world.join(agent, other)
    assert (await world.call(other, "terminal_run", terminal="shell", run=said["run"])).status == 404


@pytest.mark.contract("K+7")
async def test_over_a_line_that_a_person_has_begun_nothing_is_run(world: AgentWorld, agent: str) -> None:
    world.sessions.becomes(shell(world), WaitingFor.UNFINISHED_INPUT)
    said = (await running(world, agent, wait_s=0.3)).done
    assert (said["state"], said["waiting_for"]) == ("not run", "unfinished input")
    assert world.sessions.delivered == []
    world.sessions.becomes(shell(world))
    await asyncio.sleep(0.2)
    assert world.sessions.delivered == []  # it was given up, and is not run later


@pytest.mark.contract("K+7")
async def test_a_command_waits_until_the_line_is_free(world: AgentWorld, agent: str) -> None:
    world.sessions.becomes(shell(world), WaitingFor.BUSY)
    call = running(world, agent)
    await asyncio.sleep(0.2)
    assert world.sessions.delivered == []
    world.sessions.becomes(shell(world))
    await delivered(world, 1)
    world.sessions.end_latest()
    assert (await call).done["state"] == "Completed"


async def test_a_terminal_that_only_seemed_free_is_asked_again_under_the_same_key(
    world: AgentWorld, agent: str
) -> None:
    world.sessions.answers.append(HandOver(accepted=False, waiting_for=WaitingFor.UNFINISHED_INPUT))
    call = running(world, agent)
    await delivered(world, 1)
    assert world.sessions.declined == [world.sessions.delivered[0][1]]
    world.sessions.end_latest()
    assert (await call).done["state"] == "Completed"


async def test_a_command_never_passes_what_waits_there(world: AgentWorld, agent: str) -> None:
    world.sessions.becomes(shell(world), WaitingFor.UNFINISHED_INPUT)
    schedule = await world.scripted.schedule("check", target="shell", resume=False)
    await world.services.schedules.run_now(schedule["id"])
    call = running(world, agent, "mine")
    await asyncio.sleep(0.2)
    world.sessions.becomes(shell(world))
    await delivered(world, 1)
    await asyncio.sleep(0.2)
    assert [text for *_, text in world.sessions.delivered] == ["make check"]
    world.sessions.end_latest()
    await delivered(world, 2)
    assert [text for *_, text in world.sessions.delivered] == ["make check", "mine"]
    world.sessions.end_latest()
    assert (await call).done["state"] == "Completed"


async def test_agents_that_want_the_same_terminal_take_turns(world: AgentWorld, agent: str) -> None:
    other = await world.agent("other")
    await world.join(agent, other)
    calls = []
    for number, who in enumerate((agent, other, agent)):
        calls.append(running(world, who, f"echo {number}"))
        await asyncio.sleep(0.1)
    for number in range(3):
        await delivered(world, number + 1)
        assert world.sessions.delivered[-1][2] == f"echo {number}"
        world.sessions.end_latest()
    assert [(await call).done["state"] for call in calls] == ["Completed"] * 3


async def test_whoever_gives_up_before_the_hand_over_has_nothing_run(world: AgentWorld, agent: str) -> None:
    world.sessions.becomes(shell(world), WaitingFor.BUSY)
    terminals = world.services.agents.terminals
    waiting = asyncio.create_task(terminals.run(agent, "shell", "mine", 30))
    await asyncio.sleep(0.1)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    world.sessions.becomes(shell(world))
    after = running(world, agent, "next")  # and the line is free for the next one
    await delivered(world, 1)
    assert world.sessions.delivered[0][2] == "next"
    world.sessions.end_latest()
    await after


async def test_when_the_holder_dies_the_command_is_interrupted_not_run_again(
    world: AgentWorld, agent: str
) -> None:
    call = running(world, agent)
    await delivered(world, 1)
    world.sessions.all_lost()
    said = (await call).done
    assert said["state"] == "Interrupted"
    assert "nobody observed" in said["diagnostic"]
    assert len(world.sessions.delivered) == 1


async def test_an_outcome_that_nobody_waits_for_is_acknowledged(world: AgentWorld, agent: str) -> None:
    await running(world, agent, wait_s=0.1)
    key = world.sessions.delivered[-1][1]
    world.services.agents.tokens.withdraw(agent)
    world.scripted.runtime.supervisor.commands.forget(agent)
    world.sessions.end_latest()

    async def acknowledged() -> list[str]:
        return world.sessions.acknowledged

    await world.scripted.eventually(acknowledged, [key])


async def test_what_no_schedule_could_deliver_no_agent_runs(world: AgentWorld, agent: str) -> None:
    for command in ("a\x03", "a\u202eb", " "):
        assert (await running(world, agent, command)).status == 422
    assert (await running(world, agent, "a", run="b")).status == 422
    assert (await running(world, agent, "")).status == 422
    assert world.sessions.delivered == []


async def test_a_closed_terminal_is_said_to_be_closed(world: AgentWorld, agent: str) -> None:
    await world.services.sessions.close("shell")
    for tool, more in (
        ("terminal_run", {"command": "true"}),
        ("terminal_screen", {}),
        ("terminal_interrupt", {}),
    ):
        assert "is not open" in (await world.call(agent, tool, terminal="shell", **more)).refused(403)


async def test_only_what_runs_is_interrupted(world: AgentWorld, agent: str) -> None:
    for waiting_for in (None, WaitingFor.UNFINISHED_INPUT, WaitingFor.STARTING):
        world.sessions.becomes(shell(world), waiting_for)
        await world.scripted.ring()

        async def seen(wanted: WaitingFor | None = waiting_for) -> bool:
            return world.scripted.runtime.targets.state(shell(world)).waiting_for is wanted

        await world.scripted.eventually(seen, True)
        said = await world.call(agent, "terminal_interrupt", terminal="shell")
        assert "nothing runs" in said.refused(403)
        assert world.sessions.interrupted == []


async def until_it_runs(world: AgentWorld, what: str | None) -> None:
    async def running_now() -> str | None:
        session = world.scripted.runtime.targets.session(shell(world))
        return None if session is None else session.running

    await world.scripted.eventually(running_now, what)


async def test_an_interrupt_is_for_what_ran_as_it_was_asked_for_and_not_for_what_comes_next(
    world: AgentWorld, agent: str
) -> None:
    world.sessions.becomes(shell(world), WaitingFor.BUSY, running="one")
    await until_it_runs(world, "one")
    assert (await world.call(agent, "terminal_interrupt", terminal="shell")).done["interrupted"]
    assert world.sessions.interrupted == ["one"]
    # It has ended since, and another one runs; the runtime has not heard of it yet.
    world.sessions.living[shell(world)] = replace(world.sessions.living[shell(world)], running="two")
    said = await world.call(agent, "terminal_interrupt", terminal="shell")
    assert "has just ended" in said.refused(403)
    assert world.sessions.interrupted == ["one"]


async def test_an_agent_may_name_its_own_command_and_no_other_is_interrupted(
    world: AgentWorld, agent: str
) -> None:
    run = (await running(world, agent, "serve", wait_s=0.1)).done["run"]
    await until_it_runs(world, run)
    world.sessions.end_latest()
    world.sessions.becomes(shell(world), WaitingFor.ALTERNATE_SCREEN, running="a person's")
    await until_it_runs(world, "a person's")
    said = await world.call(agent, "terminal_interrupt", terminal="shell", run=run)
    assert "does not run" in said.refused(403)
    assert world.sessions.interrupted == []
    world.sessions.becomes(shell(world), WaitingFor.BUSY, running=run)
    await until_it_runs(world, run)
    assert (await world.call(agent, "terminal_interrupt", terminal="shell", run=run)).status == 200
    assert world.sessions.interrupted == [run]


@pytest.mark.contract("K+6")
async def test_what_was_declined_and_waits_again_is_not_passed(world: AgentWorld, agent: str) -> None:
    busy = HandOver(accepted=False, waiting_for=WaitingFor.BUSY)
    world.sessions.answers.extend([busy] * 10)  # although it seems free all the time
    schedule = await world.scripted.schedule("check", target="shell", resume=False)
    await world.services.schedules.run_now(schedule["id"])
    call = running(world, agent, "mine")
    await delivered(world, 1)
    assert len(set(world.sessions.declined)) == 1
    assert world.sessions.delivered[0][2] == "make check"
    world.sessions.end_latest()
    await delivered(world, 2)
    world.sessions.end_latest()
    assert (await call).done["state"] == "Completed"


async def test_an_agent_whose_offer_was_declined_is_not_passed_by_another(
    world: AgentWorld, agent: str
) -> None:
    world.sessions.answers.append(HandOver(accepted=False, waiting_for=WaitingFor.BUSY))
    other = await world.agent("other")
    await world.join(agent, other)
    run = world.services.agents.terminals.run
    calls = [asyncio.create_task(run(agent, "shell", "first", 30))]

    async def declined() -> int:
        return len(world.sessions.declined)

    await world.scripted.eventually(declined, 1)
    calls.append(asyncio.create_task(run(other, "shell", "second", 30)))
    for number, command in enumerate(("first", "second"), 1):
        await delivered(world, number)
        assert world.sessions.delivered[-1][2] == command
        world.sessions.end_latest()
    assert [call["state"] for call in await asyncio.gather(*calls)] == ["Completed"] * 2
