"""What is seen of an agent while it works, and a conversation that is taken up again."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from live_agent import Agent, Heard, OpenAgent, scripted_spec, until

from kavor.home import Home
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.agent.transcript import LONGEST_TEXT, MOST_ENTRIES, Transcript
from kavor.sessions.session import Entry


async def test_the_transcript_has_everything_in_its_order(agent: Agent) -> None:
    prompt = "think Hm.\nplan Look; Say so\ntool Read README\nslow 0.01 All is well"
    key = await agent.accept(prompt)
    await agent.outcome(key)
    assert agent.kinds() == [
        ("prompt", prompt),
        ("thought", "Hm."),
        ("plan", "Look\nSay so"),
        ("tool", "Read README"),
        ("text", "All is well "),
    ]
    entries = agent.entries()
    assert [entry.number for entry in entries] == [1, 2, 3, 4, 5]
    assert {entry.key for entry in entries} == {key}
    tool = entries[3]
    assert (tool.data["kind"], tool.data["status"], tool.data["output"]) == ("read", "completed", "done")


async def test_a_question_and_its_answer_stand_in_the_transcript(agent: Agent) -> None:
    key = await agent.accept("ask rm -rf build")
    question = await agent.question()
    shown = agent.entries()[-1]
    assert (shown.kind, shown.text, shown.data["id"]) == ("question", "rm -rf build", question.id)
    await agent.agents.answer(agent.id, question.id, "yes")
    await agent.outcome(key)
    (answered,) = [entry for entry in agent.entries() if entry.kind == "question"]
    assert (answered.number, answered.data["answer"]) == (shown.number, "yes")
    assert answered.version > shown.version


async def test_a_face_asks_for_what_is_newer(agent: Agent) -> None:
    await agent.play("say First.")
    _, version = agent.agents.transcript(agent.id)
    assert agent.agents.transcript(agent.id, version) == ([], version)
    await agent.play("say Second.")
    newer, _ = agent.agents.transcript(agent.id, version)
    assert [(entry.kind, entry.text) for entry in newer] == [("prompt", "say Second."), ("text", "Second.")]


async def test_a_stream_is_told_ten_times_a_second_at_most(agent: Agent) -> None:
    await agent.play("slow 0.01 " + "word " * 60)
    changes = agent.heard.changes
    await until(lambda: len(changes) >= 4)
    gaps = [later - earlier for earlier, later in itertools.pairwise(changes)]
    assert min(gaps) > 0.09
    assert len(changes) <= 15


async def test_the_screen_of_an_agent_is_its_transcript(agent: Agent) -> None:
    await agent.play("say First.")
    await agent.play("tool Read README\nsay Second.")
    assert await agent.agents.screen(agent.id) == (
        "> tool Read README\nsay Second.\n* Read README [completed]\nSecond."
    )
    assert "First." in await agent.agents.screen(agent.id, whole=True)


async def test_a_conversation_is_taken_up_again_after_a_restart(
    open_agent: OpenAgent, agents: CodingAgents, home: Home, tmp_path: Path, heard: Heard
) -> None:
    keep = tmp_path / "keep"
    keep.mkdir()
    agent = await open_agent("--keep", str(keep))
    await agent.play("say The word is plover.")
    conversation = agent.state.conversation
    assert conversation is not None
    await agents.stop(end_sessions=False)

    later, heard_later = CodingAgents(home), Heard()
    await later.start(heard_later)
    spec = scripted_spec("agent-1", tmp_path, conversation=conversation)
    again = Agent(later, heard_later, await later.open(spec))
    try:
        await again.ready()
        assert again.state.conversation == conversation, again.kinds()
        assert again.kinds() == [("prompt", "say The word is plover."), ("text", "The word is plover.")]
        assert {entry.key for entry in again.entries()} == {None}
        await again.play("say Still here.")
    finally:
        await later.stop(end_sessions=False)


async def test_reopened_in_the_same_runtime_nothing_is_told_twice(
    open_agent: OpenAgent, agents: CodingAgents, tmp_path: Path
) -> None:
    keep = tmp_path / "keep"
    keep.mkdir()
    agent = await open_agent("--keep", str(keep))
    await agent.play("say The word is plover.")
    told = agent.kinds()
    await agents.close(agent.id)
    again = await open_agent("--keep", str(keep), conversation=agent.state.conversation)
    assert again.state.conversation == agent.state.conversation
    assert again.kinds() == told


async def test_a_conversation_that_is_gone_gives_way_to_a_new_one(open_agent: OpenAgent) -> None:
    agent = await open_agent(conversation="scripted-of-long-ago")
    assert agent.state.conversation != "scripted-of-long-ago"
    ((kind, text),) = agent.kinds()
    assert kind == "notice"
    assert "could not be taken up again" in text


async def test_an_open_session_is_left_as_it_is(agent: Agent, open_agent: OpenAgent) -> None:
    again = await open_agent()
    assert again.first.pid == agent.pid


# --- The transcript itself


@pytest.fixture
async def transcript() -> Transcript:
    return Transcript(lambda: 0, lambda: None)  # type: ignore[arg-type, return-value]


def entries(transcript: Transcript) -> list[Entry]:
    return list(transcript.since(0)[0])


async def test_an_entry_that_grows_keeps_its_number_and_gets_a_newer_version(transcript: Transcript) -> None:
    first = transcript.add("text", "one")
    transcript.add("thought", "hm")
    transcript.append(first, " two")
    assert [(entry.number, entry.version, entry.text) for entry in entries(transcript)] == [
        (1, 3, "one two"),
        (2, 2, "hm"),
    ]
    assert [entry.number for entry in transcript.since(2)[0]] == [1]


async def test_a_transcript_is_bounded(transcript: Transcript) -> None:
    number = transcript.add("text", "")
    for _ in range(5):
        transcript.append(number, "x" * 100_000)
    (entry,) = entries(transcript)
    assert len(entry.text) == LONGEST_TEXT + 1
    for _ in range(MOST_ENTRIES + 10):
        transcript.add("text", "y")
    assert len(entries(transcript)) == MOST_ENTRIES
    transcript.append(number, "to one that is gone")
