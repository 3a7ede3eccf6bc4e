"""What an agent did through Kavor's tools stands in the evidence of its turn, as Kavor saw it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agent_world import AgentWorld

from kavor.domain.attempts import AttemptState
from kavor.domain.graph import NodeKind
from kavor.sessions.session import MOST_TOOL_CALLS, Evidence, Outcome, ToolCall


class AtWork:
    """An agent that works on an attempt, connected to a note and a Terminal."""

    def __init__(self, world: AgentWorld, agent: str) -> None:
        self.world = world
        self.agent = agent

    async def begin(self) -> int:
        before = len(self.world.sessions.delivered)
        number = (await self.world.services.schedules.run_now("check"))["id"]
        await self.delivered(before + 1)
        return number

    async def delivered(self, count: int) -> None:
        async def number() -> int:
            return len(self.world.sessions.delivered)

        await self.world.scripted.eventually(number, count)

    async def ends(self, number: int) -> list[dict[str, Any]]:
        """What is on record of the calls of that attempt."""
        self.world.sessions.end_latest(session=self.agent)

        async def over() -> bool:
            return (await self.world.services.attempts.get(number))["finished_at"] is not None

        await self.world.scripted.eventually(over, True)
        evidence = (await self.world.services.attempts.get(number))["evidence"]
        assert evidence is not None
        return [dict(call) for call in evidence["tool_calls"]]

    async def entries(self) -> list[tuple[str, str, str]]:
        """Of the latest turn."""
        (turn, *_) = await self.world.services.conversations.turns(self.agent, before=None, limit=1)
        whole = await self.world.services.conversations.turn(turn["id"])
        return [
            (entry["text"], str(entry["data"]["status"]), str(entry["data"]["detail"]))
            for entry in whole["entries"]
        ]


@pytest.fixture
async def at_work(world: AgentWorld) -> AtWork:
    agent = await world.agent("worker")
    await world.join(agent, await world.note("rules"), guardrail="sticky_note_read_only")
    await world.join(agent, await world.node(NodeKind.TERMINAL, "shell"))
    await world.scripted.schedule("check", target="worker", resume=False)
    return AtWork(world, agent)


@pytest.mark.contract("K61")
async def test_a_call_that_a_guardrail_refuses_is_on_record_with_the_rule(at_work: AtWork) -> None:
    number = await at_work.begin()
    refused = await at_work.world.call(at_work.agent, "append_sticky_note", note="rules", text="x")
    assert refused.status == 403
    (call,) = await at_work.ends(number)
    assert (call["title"], call["status"]) == ("append_sticky_note", "refused")
    assert call["detail"] == refused.document["detail"]
    assert "the Guardrail sticky_note_read_only forbids it" in call["detail"]
    assert await at_work.entries() == [(call["title"], call["status"], call["detail"])]


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("read_sticky_note", {"note": "elsewhere"}, "there is no Node 'elsewhere' that you can reach"),
        ("replace_sticky_note", {"note": "rules"}, "text: Field required"),
        ("edit_workspace", {"operations": [{"op": "move", "node": "rules"}]}, "Allow workspace editing"),
        ("send_message", {"agent": "worker", "text": "me"}, "a message to yourself"),
    ],
)
async def test_so_is_any_other_call_that_is_refused(
    at_work: AtWork, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    number = await at_work.begin()
    assert (await at_work.world.call(at_work.agent, tool, **arguments)).status >= 400
    (call,) = await at_work.ends(number)
    assert (call["title"], call["status"]) == (tool, "refused")
    assert reason in call["detail"]


async def test_a_command_is_on_record_with_its_terminal_and_its_exit_code(at_work: AtWork) -> None:
    number = await at_work.begin()
    for state, code in ((AttemptState.COMPLETED, 0), (AttemptState.FAILED, 2), (AttemptState.FIRED, None)):
        call = asyncio.create_task(
            at_work.world.call(at_work.agent, "terminal_run", terminal="shell", command="make check")
        )
        await at_work.delivered(len(at_work.world.sessions.delivered) + 1)
        at_work.world.sessions.end_latest(state, code)
        await call
    calls = await at_work.ends(number)
    title = "terminal_run in 'shell': make check"
    told = [(title, "completed", "exit code 0"), (title, "failed", "exit code 2"), (title, "fired", "")]
    assert [(call["title"], call["status"], call["detail"]) for call in calls] == told
    assert await at_work.entries() == told


async def test_a_command_that_outlasts_its_turn_is_on_record_as_it_was_then(at_work: AtWork) -> None:
    number = await at_work.begin()
    said = await at_work.world.call(
        at_work.agent, "terminal_run", terminal="shell", command="serve", wait_s=0.1
    )
    assert said.done["state"] == "running"
    (call,) = await at_work.ends(number)
    assert (call["title"], call["status"]) == ("terminal_run in 'shell': serve", "in_progress")
    at_work.world.sessions.end_latest()  # and nothing is at odds afterwards
    again = await at_work.begin()
    assert await at_work.ends(again) == []


async def test_it_stands_in_the_turn_of_a_message_too(at_work: AtWork) -> None:
    await at_work.world.services.conversations.send(at_work.agent, "look")
    await at_work.delivered(1)
    await at_work.world.call(at_work.agent, "append_sticky_note", note="rules", text="x")
    at_work.world.sessions.end_latest(session=at_work.agent)

    async def turns() -> int:
        found = await at_work.world.services.conversations.turns(at_work.agent, before=None, limit=9)
        return len(found)

    await at_work.world.scripted.eventually(turns, 1)
    assert [status for _, status, _ in await at_work.entries()] == ["refused"]


async def test_of_many_the_first_and_the_last_are_kept(at_work: AtWork) -> None:
    number = await at_work.begin()
    for count in range(MOST_TOOL_CALLS + 1):
        await at_work.world.call(at_work.agent, "read_sticky_note", note=f"note {count}")
    calls = await at_work.ends(number)
    assert len(calls) == MOST_TOOL_CALLS
    assert "'note 0'" in calls[0]["detail"]
    assert f"'note {MOST_TOOL_CALLS}'" in calls[-1]["detail"]


async def test_what_is_refused_between_turns_is_no_evidence_of_the_next(at_work: AtWork) -> None:
    await at_work.world.call(at_work.agent, "append_sticky_note", note="rules", text="x")
    assert await at_work.ends(await at_work.begin()) == []


async def test_what_the_agent_tells_comes_first(at_work: AtWork) -> None:
    number = await at_work.begin()
    await at_work.world.call(at_work.agent, "append_sticky_note", note="rules", text="x")
    ((_, key, _),) = at_work.world.sessions.delivered
    told = Evidence(tool_calls=(ToolCall("Append to rules", "edit", "failed"),))
    at_work.world.sessions.listener.outcome_observed(Outcome(key, AttemptState.COMPLETED, evidence=told))
    assert [call["status"] for call in await at_work.ends(number)] == ["failed", "refused"]
