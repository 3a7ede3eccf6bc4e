"""Any harness with a way in: one JSON line each way over a Unix socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from live_agent import Agent, Heard, until

from kavor.domain.attempts import AttemptState as S
from kavor.domain.errors import BadInput
from kavor.home import Home
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.session import AgentSpec, ToolCall, ToolsAccess

Line = dict[str, Any]


class Harness:
    """Answers every line as the test says; None hangs up instead."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[Line] = []
        self.answer: Callable[[Line], Awaitable[bytes | None]] = self._complete
        self.hung_up = asyncio.Event()

    async def _complete(self, line: Line) -> bytes:
        return json.dumps({"state": "completed", "text": f"heard {len(line['prompt'])}"}).encode()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if raw := await reader.readline():
            self.lines.append(json.loads(raw))
            answering = asyncio.ensure_future(self.answer(self.lines[-1]))
            gone = asyncio.create_task(reader.read())
            await asyncio.wait([answering, gone], return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                self.hung_up.set()
            answer = answering.result() if answering.done() else None
            answering.cancel()
            gone.cancel()
            if answer is not None:
                writer.write(answer + b"\n")
        writer.close()


@pytest.fixture
async def harness(home: Home) -> AsyncIterator[Harness]:
    harness = Harness(home.data / "way-in.sock")
    server = await asyncio.start_unix_server(harness.serve, harness.path, limit=1024 * 1024)
    async with server:
        yield harness


@pytest.fixture
async def agent(harness: Harness, agents: CodingAgents, heard: Heard, tmp_path: Path) -> Agent:
    spec = AgentSpec(
        "agent-1",
        str(tmp_path),
        "socket",
        command=(str(harness.path),),
        turn_limit_ms=5_000,
        tools=ToolsAccess("http://127.0.0.1:9/mcp", "token"),
    )
    return await Agent(agents, heard, await agents.open(spec)).ready()


async def test_one_line_goes_out_and_one_comes_back(agent: Agent, harness: Harness, tmp_path: Path) -> None:
    prompt = "🦉" * 50_000
    key = await agent.accept(prompt)
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "heard 50000")
    assert harness.lines == [
        {
            "version": 1,
            "id": key,
            "agent": "agent-1",
            "directory": str(tmp_path),
            "prompt": prompt,
            "tools": {"url": "http://127.0.0.1:9/mcp", "token": "token"},
        }
    ]


@pytest.mark.parametrize(
    ("answer", "state", "diagnostic"),
    [
        (b'{"state": "failed", "diagnostic": "no model"}', S.FAILED, "no model"),
        (b'{"state": "fired"}', S.FIRED, ""),
        (b'{"state": "splendid"}', S.INTERRUPTED, "the way in answered with something else than an answer"),
        (b"[]", S.INTERRUPTED, "the way in answered with something else than an answer"),
        (b"\xff", S.INTERRUPTED, "the way in answered with something else than an answer"),
        (None, S.INTERRUPTED, "the way in ended without an answer"),
    ],
)
async def test_what_it_answers_is_the_outcome(
    agent: Agent, harness: Harness, answer: bytes | None, state: S, diagnostic: str
) -> None:
    async def answered(line: Line) -> bytes | None:
        return answer

    harness.answer = answered
    outcome = await agent.play("Hello.")
    assert (outcome.state, outcome.diagnostic) == (state, diagnostic)
    assert agent.state.ready


async def test_it_may_tell_what_it_did(agent: Agent, harness: Harness) -> None:
    async def answered(line: Line) -> bytes:
        tools = [{"title": "make test", "kind": "execute"}]
        return json.dumps({"state": "completed", "text": "Green.", "tools": tools}).encode()

    harness.answer = answered
    outcome = await agent.play("Hello.")
    assert outcome.evidence.output == "Green."
    assert outcome.evidence.tool_calls == (ToolCall("make test", "execute", "completed"),)


async def test_a_turn_that_is_stopped_is_hung_up_on(agent: Agent, harness: Harness) -> None:
    async def never(line: Line) -> bytes | None:
        await asyncio.Event().wait()
        return None

    harness.answer = never
    key = await agent.accept("Hello.")
    await agent.agents.cancel(agent.id)
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "it was stopped by a person")
    key = await agent.accept("Hello again.")
    await until(lambda: harness.lines and harness.lines[-1]["prompt"] == "Hello again.")
    await agent.agents.close(agent.id)
    assert (await agent.outcome(key)).diagnostic == "its session was closed during the turn"
    await asyncio.wait_for(harness.hung_up.wait(), 10)


async def test_a_harness_that_is_gone_fails_the_turn(agent: Agent, harness: Harness) -> None:
    harness.path.unlink()
    outcome = await agent.play("Hello.")
    assert outcome.state is S.FAILED
    assert "nobody listens at the way in" in outcome.diagnostic


async def test_without_a_harness_it_does_not_open(agents: CodingAgents, heard: Heard, home: Home) -> None:
    spec = AgentSpec("agent-1", "/", "socket", command=(str(home.data / "nobody.sock"),))
    agent = Agent(agents, heard, await agents.open(spec))
    assert "nobody listens" in (await agent.closed()).diagnostic
    (home.data / "a-file").touch()
    spec = AgentSpec("agent-2", "/", "socket", command=(str(home.data / "a-file"),))
    agent = Agent(agents, heard, await agents.open(spec))
    assert "is not a socket of yours" in (await agent.closed()).diagnostic


async def test_a_way_in_is_a_path(agents: CodingAgents) -> None:
    with pytest.raises(BadInput, match="absolute path of a socket"):
        await agents.open(AgentSpec("agent-1", "/", "socket", command=("way-in.sock",)))
