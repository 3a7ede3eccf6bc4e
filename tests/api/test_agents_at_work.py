"""A real agent, a process of its own, in a real runtime: what it is asked, how it ends, and who is told."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from api_world import Answer, Api, until

_numbers = itertools.count(1)


class Agent:
    """A CodingAgent whose prompts are its script."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self.name = f"agent {next(_numbers)}"
        fields = {"kind": "coding-agent", "name": self.name, "provider": "scripted"}
        self.id = api("POST", "/api/nodes", fields).made["id"]
        until(lambda: self.session["waiting_for"] is None)

    @property
    def session(self) -> dict[str, Any]:
        found: dict[str, Any] = self._api("GET", f"/api/nodes/{self.id}").made["session"]
        return found

    def ask(self, verb: str, body: object = None) -> Answer:
        """Something of its session, which may be refused."""
        return self._api("POST", f"/api/sessions/{self.id}/{verb}", body)

    def do(self, verb: str, body: object = None) -> dict[str, Any]:
        """The same, which must be done."""
        return self.ask(verb, body).made

    def schedule(self, *script: str, cron: str = "0 0 1 1 *") -> str:
        made = self._api.schedule(payload="\n".join(script), target=self.id, recurrence={"cron": cron})
        return str(made["id"])

    def run(self, *script: str) -> int:
        """Run now; answers the attempt's number."""
        number = self._api("POST", f"/api/schedules/{self.schedule(*script)}/run").made["id"]
        assert isinstance(number, int)
        return number

    def attempt(self, number: int) -> dict[str, Any]:
        return self._api("GET", f"/api/attempts/{number}").made

    def ended(self, number: int) -> dict[str, Any]:
        until(lambda: self.attempt(number)["finished_at"])
        return self.attempt(number)

    def becomes(self, number: int, state: str) -> None:
        until(lambda: self.attempt(number)["state"] == state)

    def say(self, *script: str) -> int:
        sent = self._api("POST", f"/api/nodes/{self.id}/messages", {"text": "\n".join(script)}).made
        assert isinstance(sent["id"], int)
        return sent["id"]

    def message(self, number: int) -> dict[str, Any]:
        return self._api("GET", f"/api/messages/{number}").made

    def turns(self, **query: int) -> list[dict[str, Any]]:
        """Newest first."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        found = self._api("GET", f"/api/nodes/{self.id}/turns?{asked}").made["turns"]
        assert isinstance(found, list)
        return found


@pytest.fixture
def agent(api: Api) -> Iterator[Agent]:
    made = Agent(api)
    yield made
    api("DELETE", f"/api/nodes/{made.id}")


# --- How a turn ends


@pytest.mark.contract("K4", "K52", "K61")
def test_a_prompt_is_completed_with_its_evidence(agent: Agent, api: Api) -> None:
    number = agent.run("think about it", "tool look at the code", "say all is well")
    attempt = agent.ended(number)
    assert (attempt["state"], attempt["diagnostic"], attempt["exit_code"]) == ("Completed", "", None)
    assert attempt["evidence"]["output"] == "all is well"
    assert attempt["evidence"]["tool_calls"] == [
        {"title": "look at the code", "kind": "read", "status": "completed", "detail": ""}
    ]
    assert attempt["evidence"]["duration_ms"] >= 0
    (turn,) = agent.turns()
    assert (turn["attempt"], turn["state"], turn["last_message"]) == (number, "Completed", "all is well")
    assert turn["prompt"] == attempt["payload"]
    whole = api("GET", f"/api/turns/{turn['id']}").made
    assert [entry["kind"] for entry in whole["entries"]] == ["prompt", "thought", "tool", "text"]


@pytest.mark.contract("K53")
def test_a_permission_is_asked_told_given_and_the_prompt_completed(agent: Agent, api: Api) -> None:
    with api.client.events() as events:
        number = agent.run("ask rm -rf build", "say it is gone")
        notice = next(event for event in events if event["type"] == "notice")
    assert notice["value"]["node"] == agent.id
    assert notice["value"]["number"] == number
    assert f"attempt {number} Needs attention" in notice["value"]["text"]
    attempt = agent.attempt(number)
    assert (attempt["state"], attempt["actions"]) == ("Needs attention", ["Answer", "Stop"])
    assert "rm -rf build" in attempt["diagnostic"]
    until(lambda: agent.session["waiting_for"] == "an answer")
    question = agent.session["question"]
    assert [option["id"] for option in question["options"]] == ["yes", "no"]

    problem = agent.ask("answer", {"question": question["id"], "option": "maybe"})
    problem.problem("bad-input", 422, 2)
    agent.do("answer", {"question": question["id"], "option": "yes"})
    attempt = agent.ended(number)
    assert (attempt["state"], attempt["evidence"]["output"]) == ("Completed", "it is gone")
    assert attempt["evidence"]["tool_calls"][0]["status"] == "completed"
    agent.ask("answer", {"question": question["id"], "option": "yes"}).problem("refused", 403, 3)


@pytest.mark.contract("K53", "K69", "K59")
def test_an_agent_that_waits_for_an_answer_is_taken(agent: Agent) -> None:
    """Decision 1."""
    first = agent.run("ask may I?")
    agent.becomes(first, "Needs attention")
    said = agent.say("say good morning")
    second = agent.run("say next")
    until(lambda: agent.attempt(second)["waiting_for"] == "an answer")
    assert agent.attempt(second)["state"] == "Pending"
    assert agent.message(said)["waiting_for"] == "an answer"
    agent.do("answer", {"option": "no"})
    assert agent.ended(first)["state"] == "Completed"
    assert agent.ended(second)["state"] == "Completed"
    assert [turn["message"] or turn["attempt"] for turn in agent.turns()] == [second, said, first]


@pytest.mark.contract("K55")
@pytest.mark.parametrize(
    ("script", "diagnostic"),
    [
        ("refuse", "the agent refused to go on"),
        ("run_out", "limit of tokens"),
        ("fail the model is overloaded", "the model is overloaded"),
        ("lose_model 503 from upstream", "503 from upstream"),
    ],
)
def test_what_an_agent_or_its_model_fails_at_says_how(agent: Agent, script: str, diagnostic: str) -> None:
    attempt = agent.ended(agent.run(script))
    assert attempt["state"] == "Failed"
    assert diagnostic in attempt["diagnostic"]
    until(lambda: agent.session["waiting_for"] is None)
    assert agent.ended(agent.run("say and on"))["state"] == "Completed"


@pytest.mark.contract("K52")
def test_a_turn_in_which_nothing_happened_is_suspect(agent: Agent) -> None:
    attempt = agent.ended(agent.run("say_nothing"))
    assert attempt["state"] == "Completed"
    assert attempt["diagnostic"].startswith("suspect")


@pytest.mark.contract("K56", "K57")
def test_a_crash_interrupts_the_turn_blocks_what_waits_and_keeps_what_was_said(
    agent: Agent, api: Api
) -> None:
    first = agent.run("wait 0.5", "crash 7")
    agent.becomes(first, "Delivering")
    second = agent.run("say never")
    said = agent.say("say later")
    assert agent.ended(first)["state"] == "Interrupted"
    assert agent.ended(second)["state"] == "Blocked"
    assert agent.session["state"] == "ended"
    assert agent.message(said)["state"] == "queued"
    answer = api("POST", f"/api/nodes/{agent.id}/messages", {"text": "are you there?"})
    answer.problem("refused", 403, 3)
    agent.do("open")
    until(lambda: agent.message(said)["state"] == "completed")


@pytest.mark.contract("K56")
def test_a_turn_is_stopped_by_a_person(agent: Agent) -> None:
    number = agent.run("hang")
    agent.becomes(number, "Delivering")
    until(lambda: agent.session["waiting_for"] == "busy")
    assert agent.attempt(number)["actions"] == ["Stop"]
    agent.do("cancel")
    attempt = agent.ended(number)
    assert (attempt["state"], attempt["diagnostic"]) == ("Interrupted", "it was stopped by a person")
    until(lambda: agent.session["waiting_for"] is None)
    agent.ask("cancel").problem("refused", 403, 3)


def test_what_is_done_to_a_session_is_answered_with_what_it_is_afterwards(agent: Agent, api: Api) -> None:
    number = agent.run("ask one thing", "ask another thing", "hang")
    for following in ("another thing", None):
        until(lambda: agent.session["question"])
        answered = agent.do("answer", {"option": "yes"})
        assert answered["question"] is None or answered["question"]["text"] == following
        assert following or answered["waiting_for"] == "busy"
    said = agent.say("hang")
    stopped = agent.do("cancel")
    assert agent.attempt(number)["state"] == "Interrupted"
    assert stopped["waiting_for"] in (None, "busy")  # with what was said meanwhile
    until(lambda: agent.message(said)["state"] == "delivering")
    until(lambda: agent.session["waiting_for"] == "busy")
    assert agent.do("cancel")["waiting_for"] is None
    assert agent.message(said)["state"] == "interrupted"


@pytest.mark.contract("K74", "K56")
def test_a_session_that_is_closed_ends_its_turn_and_its_process(agent: Agent) -> None:
    number = agent.run("hang")
    until(lambda: agent.session["waiting_for"] == "busy")
    process = psutil.Process(agent.session["pid"])
    closed = agent.do("close")
    assert (closed["state"], closed["pid"]) == ("closed", None)
    assert agent.ended(number)["state"] == "Interrupted"
    assert not process.is_running()
    assert agent.ended(agent.run("say hello"))["state"] == "Blocked"


# --- Taking turns


@pytest.mark.contract("K50", "K+6")
def test_messages_and_attempts_take_turns_in_their_order_and_never_two_at_once(agent: Agent) -> None:
    first = agent.say("slow 0.05 one two three")
    second = agent.run("slow 0.05 four five six")
    third = agent.say("say seven")
    fourth = agent.say("say eight")
    until(lambda: agent.message(fourth)["state"] == "completed")
    turns = agent.turns()[::-1]
    assert [turn["message"] or turn["attempt"] for turn in turns] == [first, second, third, fourth]
    assert [turn["last_message"].strip() for turn in turns] == [
        "one two three",
        "four five six",
        "seven",
        "eight",
    ]
    for before, after in itertools.pairwise(turns):
        assert before["finished_at"] <= after["started_at"]
    page = agent.turns(limit=2)
    assert [turn["id"] for turn in page] == [turns[3]["id"], turns[2]["id"]]
    assert [turn["id"] for turn in agent.turns(before=page[-1]["id"])] == [turns[1]["id"], turns[0]["id"]]


def test_a_message_that_is_sent_again_under_its_key_is_not_another_one(agent: Agent, api: Api) -> None:
    def send(text: str, key: str, to: str = agent.id) -> Answer:
        path = f"/api/nodes/{to}/messages"
        return api("POST", path, {"text": text}, headers={"Idempotency-Key": key})

    first = send("say one\n", '"a key"').made["id"]
    until(lambda: agent.message(first)["state"] == "completed")
    again = send("say one", "a key").made  # quoted or not, and whatever has become of it meanwhile
    assert (again["id"], again["state"]) == (first, "completed")
    assert send("say one", "another key").made["id"] != first
    assert agent.say("say one") != agent.say("say one")
    for refused in (send("say two", "a key"), send("say one", "a key", Agent(api).id)):
        problem = refused.problem("bad-input", 422, 2)
        assert f"was that of message {first}" in problem["detail"]
    for no_key in ('""', "x" * 201, '"a\tb"'):
        send("say one", no_key).problem("bad-input", 422, 2)
    until(lambda: len(agent.turns()) == 4)


def test_a_message_is_withdrawn_before_its_turn(agent: Agent, api: Api) -> None:
    first = agent.say("hang")
    second = agent.say("say never")
    until(lambda: agent.session["waiting_for"] == "busy")
    assert agent.message(second)["actions"] == ["Withdraw"]
    withdrawn = api("POST", f"/api/messages/{second}/withdraw").made
    assert (withdrawn["state"], withdrawn["diagnostic"]) == ("blocked", "withdrawn")
    api("POST", f"/api/messages/{first}/withdraw").problem("refused", 403, 3)
    agent.do("cancel")
    until(lambda: agent.message(first)["state"] == "interrupted")
    assert [turn["message"] for turn in agent.turns()] == [first]


def test_the_transcript_is_read_along(agent: Agent, api: Api) -> None:
    with api.client.events() as events:
        said = agent.say("say let me see", "wait 0.3", "tool read", "hang")
        next(event for event in events if event["type"] == "transcript" and event["id"] == agent.id)
    path = f"/api/nodes/{agent.id}/transcript"
    until(lambda: len(api("GET", path).made["entries"]) >= 4)
    shown = api("GET", path).made
    assert [entry["kind"] for entry in shown["entries"]] == ["prompt", "text", "tool", "text"]
    assert {entry["message"] for entry in shown["entries"]} == {said}
    later = api("GET", f"{path}?after={shown['version']}").made
    assert later["entries"] == []
    agent.do("cancel")
    until(lambda: api("GET", f"{path}?after={shown['version']}").made["entries"])
