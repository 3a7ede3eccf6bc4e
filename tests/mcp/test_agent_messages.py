"""Agents send each other messages, read their own, and look at each other's turns."""

from __future__ import annotations

from agent_world import AgentWorld

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
