"""The model that a person chose for an agent: told to it before its first prompt, or refused in words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from live_agent import OpenAgent

COMMAND = (sys.executable, "-I", str(Path(__file__).parent / "model_agent.py"))


@pytest.mark.parametrize(
    "conversation", [None, "s"], ids=["a new conversation", "one that is taken up again"]
)
async def test_the_model_that_was_chosen_is_asked(open_agent: OpenAgent, conversation: str | None) -> None:
    agent = await open_agent(
        provider="custom", command=COMMAND, model="house/large", conversation=conversation
    )
    assert (await agent.play("which?")).evidence.output == "asked house/large"


async def test_without_a_choice_it_is_the_agents_own(open_agent: OpenAgent) -> None:
    agent = await open_agent(provider="custom", command=COMMAND)
    assert (await agent.play("which?")).evidence.output == "asked house/small"


async def test_one_that_it_has_not_is_refused_and_those_there_are_are_named(open_agent: OpenAgent) -> None:
    agent = await open_agent(provider="custom", command=COMMAND, model="house/huge", wait=False)
    said = (await agent.closed()).diagnostic
    assert "the model house/huge was not taken" in said
    assert "no such model" in said
    assert "there are: house/small, house/large" in said


async def test_an_agent_that_offers_no_choice_is_not_opened_with_another_than_was_chosen(
    open_agent: OpenAgent,
) -> None:
    command = (*COMMAND, "--without-choice")
    agent = await open_agent(provider="custom", command=command, model="house/large", wait=False)
    assert "lets nobody choose its model" in (await agent.closed()).diagnostic
