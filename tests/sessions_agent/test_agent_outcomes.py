"""What became of a prompt: every end a turn can have, with a real process behind it."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from live_agent import Agent, OpenAgent, until

from kavor.domain.attempts import AttemptState as S
from kavor.domain.errors import BadInput, NotFound
from kavor.sessions.agent import agent_session
from kavor.sessions.session import ToolCall, WaitingFor


@pytest.mark.contract("K4", "K52")
async def test_a_turn_that_ends_is_completed_with_its_last_message_and_its_tools(agent: Agent) -> None:
    outcome = await agent.play("say First.\ntool Read README\nslow 0.01 All is well")
    assert (outcome.state, outcome.diagnostic) == (S.COMPLETED, "")
    assert outcome.evidence.output == "All is well"
    assert outcome.evidence.tool_calls == (ToolCall("Read README", "read", "completed"),)
    assert outcome.evidence.duration_ms is not None
    assert outcome.evidence.duration_ms >= 20
    assert outcome.delivered_at is not None
    assert outcome.finished_at is not None
    assert outcome.delivered_at <= outcome.finished_at
    assert agent.state.ready


async def test_the_outcome_is_told_before_the_session_is_free_again(agent: Agent) -> None:
    await agent.play("say Done.")
    assert agent.heard.told[-3:] == ["busy", "outcome", "ready"]


async def test_a_turn_with_nothing_said_or_done_is_suspect(agent: Agent) -> None:
    outcome = await agent.play("say_nothing")
    assert outcome.state is S.COMPLETED
    assert outcome.diagnostic.startswith("suspect: ")
    assert (await agent.play("tool Look")).diagnostic == ""


@pytest.mark.contract("K55")
@pytest.mark.parametrize(
    ("prompt", "diagnostic"),
    [
        ("refuse", "refused"),
        ("run_out", "limit of tokens"),
        ("fail the model is overloaded", "the model is overloaded"),
        ("say Well.\nlose_model overloaded", "the model failed: overloaded"),
    ],
)
async def test_a_failure_that_the_agent_tells_of_is_failed(
    agent: Agent, prompt: str, diagnostic: str
) -> None:
    outcome = await agent.play(prompt)
    assert outcome.state is S.FAILED
    assert diagnostic in outcome.diagnostic
    assert (await agent.play("say Again.")).state is S.COMPLETED


@pytest.mark.contract("K56")
async def test_an_agent_that_dies_in_its_turn_is_interrupted_and_its_session_closed(agent: Agent) -> None:
    outcome = await agent.play("crash 7")
    assert outcome.state is S.INTERRUPTED
    assert "exit code 7: Segmentation fault (scripted)" in outcome.diagnostic
    assert outcome.evidence.output == "about to"
    state = await agent.closed()
    assert (state.exit_code, "exit code 7" in state.diagnostic) == (7, True)
    assert agent.heard.told[-2:] == ["outcome", "closed"]
    _, answer = await agent.offer("say Are you there?")
    assert (answer.accepted, answer.closed) == (False, True)


async def test_an_agent_that_is_killed_while_idle_is_closed(agent: Agent) -> None:
    os.kill(agent.pid, signal.SIGKILL)
    state = await agent.closed()
    assert state.exit_code == -signal.SIGKILL
    assert "killed by signal 9" in state.diagnostic


async def test_a_turn_that_is_stopped_by_a_person_is_interrupted(agent: Agent) -> None:
    key = await agent.accept("hang")
    await until(lambda: agent.kinds()[-1] == ("text", "thinking…"))
    await agent.agents.cancel(agent.id)
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "it was stopped by a person")
    assert (await agent.play("say Here I am.")).state is S.COMPLETED


async def test_stopping_an_idle_agent_does_nothing(agent: Agent) -> None:
    await agent.agents.cancel(agent.id)
    assert (await agent.play("say Here I am.")).state is S.COMPLETED


async def test_a_turn_has_a_time_limit(open_agent: OpenAgent) -> None:
    agent = await open_agent(turn_limit_ms=300)
    outcome = await agent.play("hang")
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "it was stopped: it took longer than 0.3 s")
    assert agent.state.ready


async def test_an_agent_that_does_not_stop_is_ended(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_session, "STOP_SECONDS", 0.3)
    key = await agent.accept("be_deaf")
    await agent.agents.cancel(agent.id)
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "it was stopped by a person")
    assert "could not be stopped" in (await agent.closed()).diagnostic


async def test_closing_ends_what_is_under_way(agent: Agent) -> None:
    key = await agent.accept("hang")
    state = await agent.agents.close(agent.id)
    assert (state.open, state.diagnostic) == (False, "its session is closed")
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "its session was closed during the turn")


# --- Questions


@pytest.mark.contract("K53")
async def test_a_permission_that_is_asked_is_a_persons_to_give(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build\nsay Removed.")
    question = await agent.question()
    assert agent.waiting_for is WaitingFor.ANSWER
    assert agent.heard.questions == [(key, question)]
    assert (question.key, question.text) == (key, "rm -rf build")
    assert [(option.id, option.label, option.kind) for option in question.options] == [
        ("yes", "Allow once", "allow_once"),
        ("no", "Reject", "reject_once"),
    ]
    await agent.agents.answer(agent.id, question.id, "yes")
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "Removed.")
    assert agent.heard.told[-6:] == ["asked", "an answer", "settled", "busy", "outcome", "ready"]


async def test_what_is_rejected_is_not_done(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build\nsay Removed.")
    await agent.agents.answer(agent.id, (await agent.question()).id, "no")
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "Left alone.")
    assert outcome.evidence.tool_calls[0].status == "failed"


async def test_no_answer_ends_the_turn(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build\nsay Removed.")
    await agent.agents.answer(agent.id, (await agent.question()).id, None)
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "the agent stopped its turn")


async def test_only_an_open_question_and_one_of_its_answers_will_do(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build")
    question = await agent.question()
    with pytest.raises(BadInput, match="'maybe' is no answer"):
        await agent.agents.answer(agent.id, question.id, "maybe")
    with pytest.raises(NotFound):
        await agent.agents.answer(agent.id, "q0", "yes")
    await agent.agents.answer(agent.id, question.id, "yes")
    await agent.outcome(key)
    with pytest.raises(NotFound, match="not open"):
        await agent.agents.answer(agent.id, question.id, "yes")


async def test_of_two_answers_at_once_the_first_counts_and_the_second_hears_so(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build\nsay Removed.")
    question = await agent.question()
    await agent.agents.answer(agent.id, question.id, "no")
    with pytest.raises(NotFound, match="not open"):
        await agent.agents.answer(agent.id, question.id, "yes")
    assert (await agent.outcome(key)).evidence.output == "Left alone."


async def test_no_question_has_an_id_that_another_runtime_gives(agent: Agent) -> None:
    """An answer that comes late must not be taken for one to another question."""
    ids = []
    for _ in range(2):
        key = await agent.accept("ask rm -rf build")
        ids.append((await agent.question()).id)
        await agent.agents.answer(agent.id, ids[-1], "yes")
        await agent.outcome(key)
    assert len(set(ids)) == 2
    assert all(len(question_id) >= 16 for question_id in ids)


async def test_a_question_ends_with_a_turn_that_is_stopped(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build")
    await agent.question()
    await agent.agents.cancel(agent.id)
    outcome = await agent.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (S.INTERRUPTED, "it was stopped by a person")
    assert agent.state.ready
    assert agent.state.question is None


async def test_a_question_ends_with_the_agent_that_asked(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build")
    await agent.question()
    os.kill(agent.pid, signal.SIGKILL)
    assert (await agent.outcome(key)).state is S.INTERRUPTED
    assert (await agent.closed()).question is None


async def test_of_a_message_that_streams_long_the_end_is_kept(agent: Agent) -> None:
    outcome = await agent.play("\n".join([f"say {'x' * 90}"] * 2_500) + "\nsay The end.")
    assert outcome.evidence.truncated
    assert len(outcome.evidence.output) <= 64 * 1024
    assert outcome.evidence.output.endswith("xThe end.")


# --- One delivery after the other


@pytest.mark.contract("K77")
async def test_a_key_is_delivered_once_and_remembered(agent: Agent) -> None:
    key = await agent.accept("slow 0.05 one two")
    _, again = await agent.offer("slow 0.05 one two", key)
    assert again.accepted
    _, other = await agent.offer("say Something else.", "other")
    assert (other.accepted, other.waiting_for) == (False, WaitingFor.BUSY)
    await agent.outcome(key)
    assert await agent.agents.known([key, "other", "never"]) == {key: True, "other": False, "never": False}
    await agent.agents.acknowledge([key])
    _, again = await agent.offer("slow 0.05 one two", key)
    assert again.accepted
    assert [kind for kind, _ in agent.kinds()].count("prompt") == 1
    await asyncio.sleep(0.05)
    assert len(agent.outcomes(key)) == 1


async def test_nothing_is_delivered_to_an_agent_that_starts(open_agent: OpenAgent) -> None:
    agent = await open_agent("--slow-start", "0.3", wait=False)
    key, answer = await agent.offer("say Hello.")
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.STARTING)
    await agent.ready()
    _, answer = await agent.offer("say Hello.", key)
    assert answer.accepted
    await agent.outcome(key)


async def test_what_is_no_payload_is_refused(agent: Agent) -> None:
    with pytest.raises(BadInput, match=r"U\+001B"):
        await agent.offer("say \x1b[201~")


async def test_a_prompt_of_200_kb_with_emoji_arrives_whole(agent: Agent) -> None:
    message = "🦉 Größe \\[201~ " * 10_500
    outcome = await agent.play(f"say {message}")
    assert outcome.state is S.COMPLETED
    assert outcome.evidence.truncated
    output = outcome.evidence.output.encode()
    assert len(output) <= 64 * 1024
    assert message.strip().encode().endswith(output)
    texts = [text for kind, text in agent.kinds() if kind == "text"]
    assert "".join(texts) == message.strip()
