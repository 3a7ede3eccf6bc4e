"""Agents that print garbage, flood, hang or leave children: each is handled, and nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from live_agent import DEADLINE, Agent, Heard, OpenAgent, alive, children, scripted_spec, until

from kavor.domain.attempts import AttemptState as S
from kavor.home import Home
from kavor.sessions.agent import acp
from kavor.sessions.agent.process import MARK, AgentProcess, new_mark
from kavor.sessions.agent.sessions import CodingAgents

INITIALIZE_SECONDS = "INITIALIZE_SECONDS"


async def test_garbage_on_stdout_is_passed_over(agent: Agent) -> None:
    outcome = await agent.play("babble\nsay Noisy, but well.")
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "Noisy, but well.")


async def test_a_line_without_an_end_is_passed_over_in_bounded_memory(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.sessions.agent.json_lines.LONGEST_LINE", 100_000)
    outcome = await agent.play("babble\nbabble\nsay Noisy, but well.")
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "Noisy, but well.")


def update(agent: Agent, **content: object) -> str:
    """A verb that prints one update of the session."""
    params = {"sessionId": agent.state.conversation, "update": content}
    return "print_line " + json.dumps({"method": "session/update", "params": params})


@pytest.mark.contract("K+14")
async def test_what_no_text_can_hold_does_not_hang_the_turn(agent: Agent) -> None:
    said = {"type": "text", "text": "\ud800 half a pair"}
    outcome = await agent.play(update(agent, sessionUpdate="agent_message_chunk", content=said))
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "? half a pair")


async def test_the_transcript_of_an_odd_plan_can_be_passed_on(agent: Agent) -> None:
    odd = {"content": "Look", "priority": float("nan"), "status": None, "more": float("inf")}
    await agent.play(update(agent, sessionUpdate="plan", entries=[odd, 5]))
    (plan,) = [entry for entry in agent.entries() if entry.kind == "plan"]
    assert plan.data == {"entries": [{"content": "Look", "priority": "nan", "status": ""}]}


@pytest.mark.contract("K+14")
async def test_an_error_told_in_plain_words_ends_the_turn(agent: Agent) -> None:
    outcome = await agent.play('print_line {"id": 2, "error": "boom"}\nbe_deaf')
    assert (outcome.state, outcome.diagnostic) == (S.FAILED, "the agent answered with an error: boom")


async def test_an_agent_whose_answer_breaks_the_connection_can_be_closed(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.sessions.agent.json_lines._message_of", json.loads)
    key = await agent.accept('print_line {"id": 2, "error": "boom"}\nbe_deaf')
    await asyncio.sleep(0.2)
    async with asyncio.timeout(DEADLINE):
        await agent.agents.close(agent.id)
    assert (await agent.outcome(key)).state is S.INTERRUPTED


@pytest.mark.contract("K+14")
async def test_a_question_that_a_turn_leaves_behind_keeps_nobody_waiting(agent: Agent) -> None:
    request = {"sessionId": agent.state.conversation, "toolCall": {}, "options": 7}
    asks = json.dumps({"id": 77, "method": "session/request_permission", "params": request})
    outcome = await agent.play(f"print_line {asks}\nwait 0.2\nsay I do not wait.")
    assert outcome.state is S.COMPLETED
    assert len(agent.heard.questions) == 1
    await until(lambda: agent.state.ready, lambda: f"readiness: {agent.state}")


async def test_a_flood_on_stderr_holds_nothing_up(agent: Agent) -> None:
    outcome = await agent.play("flood 3000000\nsay Still here.")
    assert outcome.state is S.COMPLETED
    assert len(await agent.agents.tail(agent.id, 1_000_000)) <= 16 * 1024


async def test_a_child_that_keeps_stdout_open_does_not_hide_the_end(agent: Agent) -> None:
    first = await agent.play("leave_child 600")
    child = int(first.evidence.output)
    assert alive(child)
    outcome = await agent.play("crash 3")
    assert outcome.state is S.INTERRUPTED
    assert "exit code 3" in outcome.diagnostic
    await agent.closed()
    await until(lambda: not alive(child), "the child's end")
    assert children() == []


async def test_closing_leaves_no_process_and_no_zombie(agent: Agent) -> None:
    child = int((await agent.play("leave_child 600")).evidence.output)
    await agent.agents.close(agent.id)
    assert not alive(child)
    assert not alive(agent.pid)
    assert children() == []


async def test_an_agent_that_never_answers_is_given_up(
    open_agent: OpenAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acp, INITIALIZE_SECONDS, 0.5)
    agent = await open_agent("--never-initialize", wait=False)
    state = await agent.closed()
    assert state.diagnostic == "Scripted did not answer initialize within 0.5 s"
    assert children() == []


async def test_a_program_that_ends_at_once_says_why(open_agent: OpenAgent) -> None:
    agent = await open_agent("--no-such-flag", wait=False)
    state = await agent.closed()
    assert "exit code 2" in state.diagnostic
    assert "--no-such-flag" in state.diagnostic


async def test_one_that_wants_a_sign_in_says_so(open_agent: OpenAgent) -> None:
    agent = await open_agent("--signed-out", wait=False)
    assert "wants you to sign in" in (await agent.closed()).diagnostic


async def test_other_sessions_do_not_notice(open_agent: OpenAgent) -> None:
    """A flood, a crash and a hang beside it: the quiet agent's turn is as quick as ever."""
    loud = [await open_agent(node=f"loud-{number}", wait=False) for number in range(3)]
    quiet = await open_agent(node="quiet")
    for agent in loud:
        await agent.ready()
    await loud[0].accept("flood 20000000\nbabble\nhang")
    await loud[1].accept("crash")
    await loud[2].accept("be_deaf")
    began = time.monotonic()
    assert (await quiet.play("say Quiet.")).state is S.COMPLETED
    assert time.monotonic() - began < 5


async def test_while_it_works_the_loop_is_free(agent: Agent) -> None:
    key = await agent.accept("\n".join(["babble"] * 20) + "\nsay Done.")
    longest = 0.0
    while not agent.outcomes(key):
        began = time.monotonic()
        await asyncio.sleep(0.001)
        longest = max(longest, time.monotonic() - began)
    assert longest < 1.0


async def test_an_agent_lets_a_stopping_runtime_go(home: Home, user_home: Path, tmp_path: Path) -> None:
    agents, heard = CodingAgents(home), Heard()
    await agents.start(heard)
    agent = Agent(agents, heard, await agents.open(scripted_spec("agent-1", tmp_path)))
    await agent.ready()
    await agent.accept("be_deaf")
    began = time.monotonic()
    await agents.stop(end_sessions=False)
    assert time.monotonic() - began < 8
    assert children() == []


RUNTIME = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from live_agent import DEADLINE, Agent, Heard, scripted_spec
from kavor.home import find_home
from kavor.sessions.agent.sessions import CodingAgents

async def main():
    agents, heard = CodingAgents(find_home()), Heard()
    await agents.start(heard)
    agent = Agent(agents, heard, await agents.open(scripted_spec("agent-1", Path(sys.argv[2]))))
    await agent.ready()
    child = await agent.play("leave_child 600")
    print(agent.pid, child.evidence.output, flush=True)
    await agent.accept("be_deaf")
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_what_a_killed_runtime_left_running_the_next_one_ends(
    home: Home, user_home: Path, tmp_path: Path
) -> None:
    environment = {**os.environ, "KAVOR_HOME": str(home.data)}
    here = str(Path(__file__).parent)
    runtime = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUNTIME, here, str(tmp_path), env=environment, stdout=subprocess.PIPE
    )
    assert runtime.stdout is not None
    agent, child = (int(word) for word in (await runtime.stdout.readline()).split())
    runtime.send_signal(signal.SIGKILL)
    await runtime.communicate()
    assert alive(child)
    agents = CodingAgents(home)
    assert await agents.start(Heard()) == []
    assert not alive(agent)
    assert not alive(child)
    assert list((home.data / "agents").iterdir()) == []


async def test_an_agent_is_in_a_group_of_its_own_and_has_its_mark(agent: Agent) -> None:
    assert os.getpgid(agent.pid) == agent.pid
    assert psutil.Process(agent.pid).environ()[MARK]


async def test_a_program_whose_start_is_given_up_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def never(self: AgentProcess) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(AgentProcess, "_connect", never)
    before = {child.pid for child in children()}
    mark = {**os.environ, MARK: new_mark()}
    starting = asyncio.create_task(AgentProcess.start(["sleep", "600"], "/", mark, tmp_path / "agents"))
    await begun.wait()
    assert {child.pid for child in children()} - before
    starting.cancel()
    await asyncio.wait([starting])
    assert starting.cancelled()
    assert {child.pid for child in children()} <= before
    assert list((tmp_path / "agents").iterdir()) == []


BABBLER = Path(__file__).parent / "babbler.py"
KINDS = ("strays", "endless line", "words", "calls", "requests", "questions", "deaf")


@pytest.mark.skipif(not hasattr(psutil.Process, "io_counters"), reason="nobody tells what it has written")
@pytest.mark.parametrize("kind", KINDS)
async def test_one_that_prints_for_ever_is_read_at_a_pace_and_says_so(
    open_agent: OpenAgent, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("kavor.sessions.agent.json_lines.BYTES_AT_ONCE", 1_000_000)
    monkeypatch.setattr("kavor.sessions.agent.json_lines.MESSAGES_AT_ONCE", 1_000)
    command = (sys.executable, "-I", str(BABBLER), kind)
    agent = await open_agent(provider="custom", command=command)
    await agent.accept("go on")
    said = "it prints more than an agent has to tell, so it is read more slowly"
    await until(lambda: agent.kinds().count(("notice", said)) == 1, agent.shown)
    before = printed(agent)
    turns = 0
    end = time.monotonic() + 1
    while time.monotonic() < end:
        await asyncio.sleep(0)
        turns += 1
    # Of what it could print in a second, some hundred MB, it was let print so much as is read.
    assert printed(agent) - before < 8_000_000
    assert turns > 1_000, "others have their turn"
    assert agent.kinds().count(("notice", said)) <= 1
    assert not (await agent.agents.close(agent.id)).open
    assert not alive(agent.pid)


def printed(agent: Agent) -> int:
    """Bytes that it has written so far."""
    count: int = psutil.Process(agent.pid).io_counters().write_chars
    return count


async def test_what_a_babbler_makes_grow_is_bounded(
    open_agent: OpenAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.sessions.agent.agent_session.MOST_QUESTIONS", 3)
    agent = await open_agent(provider="custom", command=(sys.executable, "-I", str(BABBLER), "questions"))
    await agent.accept("go on")
    await until(lambda: len([kind for kind, _ in agent.kinds() if kind == "question"]) == 3, agent.shown)
    await asyncio.sleep(0.3)
    assert len([kind for kind, _ in agent.kinds() if kind == "question"]) == 3
