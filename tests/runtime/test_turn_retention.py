"""Turns of agents are kept up to a number and a size; what goes is the oldest, in small steps."""

from __future__ import annotations

import asyncio

import pytest
from scripted_runtime import ScriptedRuntime
from sqlalchemy.engine import Connection
from supervised_agent import changes, delivered

from kavor.domain.instant import Instant
from kavor.runtime import retention
from kavor.runtime.retention import Retention
from kavor.runtime.turn import Turn
from kavor.store import conversations
from kavor.store.conversations import AgentTurn

ENTRIES = '[{"kind": "text", "text": "grün"}]'
SIZE = len(ENTRIES.encode())


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MOST_TURNS", 3)
    monkeypatch.setattr(retention, "IN_A_STEP", 2)
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0)


async def keep(scripted: ScriptedRuntime, agent: str, *works: int | None) -> list[int]:
    """Turns of attempts by their numbers; None for one of a message."""

    def record(_: Turn, tx: Connection) -> list[int]:
        return [
            conversations.keep_turn(
                tx,
                AgentTurn(
                    agent_id=agent,
                    attempt_id=attempt,
                    message_id=1 if attempt is None else None,
                    prompt="do it",
                    state="Completed",
                    diagnostic="",
                    started_at=Instant(0),
                    finished_at=Instant(0),
                    last_message="done",
                    entries=ENTRIES,
                ),
            )
            for attempt in works
        ]

    return await scripted.runtime.change(record)


async def kept(scripted: ScriptedRuntime, agent: str) -> list[int]:
    """Oldest first."""

    def ask(view: Connection) -> list[int]:
        return [row.id for row in conversations.list_turns(view, agent, before=None, limit=100)][::-1]

    return await scripted.runtime.read(ask)


async def words(scripted: ScriptedRuntime, turn_id: int) -> list[str]:
    return [entry["text"] for entry in (await scripted.services.conversations.turn(turn_id))["entries"]]


async def test_of_each_agent_the_newest_are_kept(scripted: ScriptedRuntime) -> None:
    ones, twos = await keep(scripted, "one", *[None] * 8), await keep(scripted, "two", *[None] * 2)
    await Retention(scripted.runtime).look()
    assert await kept(scripted, "one") == ones[-3:]
    assert await kept(scripted, "two") == twos
    assert await words(scripted, ones[-1]) == ["grün"]
    assert [change.id for change in changes(scripted, "turn") if change.kind == "removed"] == [
        str(number) for number in ones[:-3]
    ]


async def test_a_turn_of_an_attempt_on_record_loses_its_transcript_alone(scripted: ScriptedRuntime) -> None:
    await delivered(scripted)
    scripted.sessions.end_latest(output="all well")
    (attempt,) = await scripted.attempts()
    of_attempt, _ = await keep(scripted, "one", attempt["id"], attempt["id"] + 1)
    newer = await keep(scripted, "one", *[None] * 3)
    await Retention(scripted.runtime).look()
    assert await kept(scripted, "one") == [of_attempt, *newer]
    turn = await scripted.services.conversations.turn(of_attempt)
    assert (turn["prompt"], turn["last_message"], turn["state"]) == ("do it", "done", "Completed")
    assert "not kept any more" in (await words(scripted, of_attempt))[0]
    await keep(scripted, "one", None)
    await Retention(scripted.runtime).look()
    assert of_attempt in await kept(scripted, "one"), "and it stays however many come"


async def test_long_transcripts_are_kept_up_to_a_size_and_the_newest_in_any_case(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = await keep(scripted, "one", *[None] * 3)
    for most_bytes, left in ((3 * SIZE, turns), (3 * SIZE - 1, turns[1:]), (SIZE - 1, turns[2:])):
        monkeypatch.setattr(retention, "MOST_BYTES", most_bytes)
        await Retention(scripted.runtime).look()
        assert await kept(scripted, "one") == left


async def test_they_go_in_small_steps_between_which_what_is_due_has_its_turn(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = await keep(scripted, "one", *[None] * 9)
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 30.0)
    looking = asyncio.create_task(Retention(scripted.runtime).look())

    async def first_is_gone() -> bool:
        return turns[0] not in await kept(scripted, "one")

    await scripted.eventually(first_is_gone, True)
    assert await kept(scripted, "one") == turns[2:]
    looking.cancel()


async def test_the_runtime_looks_again_and_again(scripted: ScriptedRuntime) -> None:
    keeping = asyncio.create_task(Retention(scripted.runtime).keep(every=0.01))
    for _ in range(2):
        await keep(scripted, "one", *[None] * 5)

        async def number() -> int:
            return len(await kept(scripted, "one"))

        await scripted.eventually(number, 3)
    keeping.cancel()
