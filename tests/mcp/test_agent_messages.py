"""Agents send each other messages, read their own, and look at each other's turns."""

from __future__ import annotations

import pytest
from agent_world import AgentWorld, Said

from kavor.domain.messages import DEFAULT_HOPS
from kavor.domain.payload import MAX_PAYLOAD_BYTES


async def test_a_message_is_the_peers_next_prompt(world: AgentWorld) -> None:
    agent, peer = await world.agent("worker"), await world.agent("reviewer")
    await world.join(agent, peer)
    sent = (await world.call(agent, "send_message", agent="reviewer", text="please look")).done

    async def delivered() -> list[tuple[str, str]]:
        return [(session, text) for session, _, text in world.sessions.delivered]

    await world.scripted.eventually(delivered, [(peer, "Message from the agent 'worker':\n\nplease look")])
    for one in (agent, peer):
        (message,) = (await world.call(one, "read_messages")).done["messages"]
        assert message["id"] == sent["message"]
        assert message["from"] == {"kind": "agent", "agent": agent, "name": "worker"}
        assert (message["to"], message["text"]) == (peer, "please look")


async def test_the_turns_of_a_peer_come_in_pages(world: AgentWorld) -> None:
    agent, peer = await world.agent("worker"), await world.agent("reviewer")
    await world.join(agent, peer)

    async def turns() -> int:
        return len((await world.call(agent, "read_turns", agent=peer, limit=50)).done["turns"])

    for number in range(3):
        await world.call(agent, "send_message", agent=peer, text=f"question {number}")

        async def delivered(wanted: int = number + 1) -> bool:
            return len(world.sessions.delivered) == wanted

        await world.scripted.eventually(delivered, True)
        world.sessions.end_latest(output=f"answer {number}")
        await world.scripted.eventually(turns, number + 1)
    first = (await world.call(agent, "read_turns", agent=peer, limit=2)).done
    assert [turn["last_message"] for turn in first["turns"]] == ["answer 2", "answer 1"]
    assert first["turns"][0]["prompt"].endswith("question 2")
    rest = (await world.call(agent, "read_turns", agent=peer, limit=2, before=first["before"])).done
    assert [turn["last_message"] for turn in rest["turns"]] == ["answer 0"]
    assert rest["before"] is None


async def test_wrong_arguments_are_refused_with_a_hint_that_an_agent_can_follow(world: AgentWorld) -> None:
    said = (await world.call(await world.agent("worker"), "send_message", to="reviewer")).refused(422)
    assert "agent: Field required" in said
    assert said.endswith("(the tool's own schema names its arguments)")


async def test_no_message_to_oneself_and_none_that_could_not_be_delivered(world: AgentWorld) -> None:
    agent, peer = await world.agent("worker"), await world.agent("reviewer")
    await world.join(agent, peer)
    assert (await world.call(agent, "send_message", agent="worker", text="me")).status == 403
    assert (await world.call(agent, "send_message", agent=peer, text="")).status == 422
    assert (await world.call(agent, "send_message", agent=peer, text="a\x1b[201~")).status == 422
    # It would fit alone, and not with the words that say who sends it.
    assert (await world.call(agent, "send_message", agent=peer, text="x" * MAX_PAYLOAD_BYTES)).status == 422
    assert (await world.call(agent, "read_messages")).done["messages"] == []


class Talk:
    """Two agents, joined, and what is delivered to them."""

    def __init__(self, world: AgentWorld, one: str, other: str) -> None:
        self.world = world
        self.one = one
        self.other = other

    async def delivered(self, count: int) -> None:
        async def seen() -> int:
            return len(self.world.sessions.delivered)

        await self.world.scripted.eventually(seen, count)

    async def ends(self, agent: str) -> None:
        """This agent's turn, and it is on record."""
        turns = await self._turns()
        self.world.sessions.end_latest(session=agent)
        await self.world.scripted.eventually(self._turns, turns + 1)

    async def _turns(self) -> int:
        pages = [
            await self.world.services.conversations.turns(ref, before=None, limit=1000)
            for ref in (self.one, self.other)
        ]
        return sum(map(len, pages))

    async def until_refused(self) -> Said:
        """Each answers the other within the turn that it was woken for. What the first call past the limit
        is told."""
        speaker, listener = self.one, self.other
        while True:
            before = len(self.world.sessions.delivered)
            said = await self.world.call(speaker, "send_message", agent=listener, text="and you?")
            if said.status != 200:
                return said
            await self.delivered(before + 1)
            await self.ends(speaker)
            speaker, listener = listener, speaker


@pytest.fixture
async def talk(world: AgentWorld) -> Talk:
    talk = Talk(world, await world.agent("one"), await world.agent("other"))
    await world.join(talk.one, talk.other)
    return talk


async def test_two_agents_do_not_write_to_each_other_for_ever(talk: Talk) -> None:
    """A person begins it, and a person can begin it anew."""
    for _ in range(2):
        before = len(talk.world.sessions.delivered)
        await talk.world.services.conversations.send(talk.one, "ask the other")
        await talk.delivered(before + 1)
        refusal = (await talk.until_refused()).refused(403)
        assert "the limit of hops forbids it: 16 messages" in refusal
        assert len(talk.world.sessions.delivered) == before + 1 + DEFAULT_HOPS
        await talk.ends(talk.one)
    found = (await talk.world.call(talk.one, "read_messages", limit=100)).done["messages"]
    hops = [message["hops"] for message in found][::-1]
    assert hops == [0, *range(1, DEFAULT_HOPS + 1)] * 2


async def test_a_turn_that_a_schedule_began_has_no_hops_behind_it(talk: Talk) -> None:
    await talk.world.services.conversations.send(talk.one, "ask the other")
    await talk.delivered(1)
    await talk.until_refused()
    await talk.ends(talk.one)
    delivered = len(talk.world.sessions.delivered)
    schedule = await talk.world.scripted.schedule(target=talk.one, resume=False)
    await talk.world.services.schedules.run_now(schedule["id"])
    await talk.delivered(delivered + 1)
    sent = await talk.world.call(talk.one, "send_message", agent=talk.other, text="hello")
    assert (await talk.world.services.conversations.message(sent.done["message"]))["hops"] == 1


async def test_what_is_sent_between_turns_follows_from_the_last_one(talk: Talk) -> None:
    """A program that goes on in the background gets around no limit."""
    await talk.world.services.conversations.send(talk.one, "ask the other")
    await talk.delivered(1)
    await talk.until_refused()
    await talk.ends(talk.one)
    for sender, to in ((talk.one, talk.other), (talk.other, talk.one)):
        sent = await talk.world.call(sender, "send_message", agent=to, text="once more")
        if sent.status == 200:
            hops = (await talk.world.services.conversations.message(sent.done["message"]))["hops"]
            assert hops == DEFAULT_HOPS
        else:
            assert "hops" in sent.refused(403)


async def test_what_others_say_to_each_other_is_theirs(world: AgentWorld) -> None:
    agent, one, two = await world.agent(), await world.agent("one"), await world.agent("two")
    await world.join(agent, one, two)
    await world.call(one, "send_message", agent=two, text="between us")
    assert (await world.call(agent, "read_messages")).done["messages"] == []
    assert (await world.call(agent, "read_messages", peer="one")).done["messages"] == []
    assert len((await world.call(two, "read_messages", peer="one")).done["messages"]) == 1


async def test_of_an_agent_that_is_no_longer_reachable_nothing_is_told(world: AgentWorld) -> None:
    agent, peer = await world.agent(), await world.agent("peer")
    await world.join(agent, peer)
    await world.call(agent, "send_message", agent=peer, text="hello")
    await world.services.graph.disconnect(agent, peer)
    assert (await world.call(agent, "read_messages")).done["messages"] == []
