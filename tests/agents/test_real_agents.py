"""Real agents against a model of the suite's own: from a Schedule's fire to its row in the ledger."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from agent_stage import PLAN, START_S, TURN_S, Stage, script_of, until

pytestmark = pytest.mark.timeout(300)


def next_minute() -> str:
    soon = datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(minutes=1, seconds=3)
    return f"{soon:%Y-%m-%dT%H:%M}"


@pytest.mark.contract("K4", "K7", "K52")
def test_a_schedule_wakes_it_and_it_works_with_the_graph_it_stands_in(agent: Stage) -> None:
    prompt = script_of(
        'call read_sticky_note {"note": "plan"}',
        'call terminal_run {"terminal": "shell", "command": "echo from the shell | tee made.txt"}',
        'call append_sticky_note {"note": "report", "text": "The shell has done it."}',
        "say All done.",
    )
    schedule = agent.schedule("whole", prompt, preset="once", local=next_minute())
    agent.client.post(f"/api/schedules/{schedule['id']}/resume")
    agent.open()
    history = f"/api/schedules/{schedule['id']}/history"
    until(lambda: agent.client.get(history)["attempts"], 70, lambda: "the Schedule has not fired")
    (fired,) = agent.client.get(history)["attempts"]
    attempt = agent.ended(fired, START_S)
    assert (attempt["state"], attempt["diagnostic"]) == ("Completed", ""), attempt
    assert attempt["trigger"] == "scheduled"
    evidence = attempt["evidence"]
    assert evidence["output"] == "All done."
    *told, seen = evidence["tool_calls"]
    assert [call["status"] for call in told] == ["completed"] * 3
    assert seen["title"].startswith("terminal_run in 'shell': echo from the shell")
    assert (seen["status"], seen["detail"]) == ("completed", "exit code 0")
    assert "read_sticky_note" in evidence["tool_calls"][0]["title"]
    assert PLAN in "".join(agent.endpoint.tool_answers())
    assert (agent.place / "made.txt").read_text() == "from the shell\n"
    assert "The shell has done it." in agent.node("report")["text"]


@pytest.mark.contract("K22")
def test_what_is_not_connected_is_not_there_for_it(agent: Stage) -> None:
    agent.open()
    attempt = agent.ended(agent.run("outside", 'call read_sticky_note {"note": "vault"}', "say I see."))
    assert attempt["state"] == "Completed", attempt
    assert "there is no Node 'vault'" in "".join(agent.endpoint.tool_answers())


@pytest.mark.contract("K53")
def test_it_asks_a_person_and_goes_on_when_it_is_answered(agent: Stage) -> None:
    agent.open()
    made = agent.run("ask", agent.shell_call("touch allowed.txt"), "say Touched.")
    asking = agent.becomes(made, "Needs attention")
    assert "touch allowed.txt" in agent.session["question"]["text"]
    assert not (agent.place / "allowed.txt").exists()
    assert asking["finished_at"] is None
    agent.answer("allow_once")
    attempt = agent.ended(made)
    assert (attempt["state"], attempt["evidence"]["output"]) == ("Completed", "Touched."), attempt
    assert (agent.place / "allowed.txt").exists()


def test_a_model_that_fails_is_no_success(agent: Stage) -> None:
    agent.open()
    attempt = agent.ended(agent.run("error", "error 400"))
    assert attempt["state"] == "Failed", attempt
    assert "the stand-in was told to answer 400" in attempt["diagnostic"]


def test_a_stream_that_breaks_is_no_success(agent: Stage) -> None:
    """Some tell that their model failed; some go on trying, until a person or the time limit stops them."""
    agent.open()
    made = agent.run("drop", "drop")
    if agent.recipe.gives_up:
        assert agent.ended(made)["state"] == "Failed", agent.attempt(made)
        return
    until(agent.has_tried_again, TURN_S, lambda: "it did not try again")
    agent.stop_turn()
    attempt = agent.ended(made)
    assert (attempt["state"], attempt["diagnostic"]) == ("Interrupted", "it was stopped by a person"), attempt


def test_stopped_by_a_person_it_is_interrupted_and_takes_the_next_prompt(agent: Stage) -> None:
    agent.open()
    made = agent.run("stopped", "hang 120")
    until(agent.is_hanging, TURN_S, lambda: "it did not ask its model")
    agent.stop_turn()
    attempt = agent.ended(made)
    assert (attempt["state"], attempt["diagnostic"]) == ("Interrupted", "it was stopped by a person"), attempt
    attempt = agent.ended(agent.run("next", "say Next, please."))
    assert (attempt["state"], attempt["evidence"]["output"]) == ("Completed", "Next, please."), attempt


@pytest.mark.contract("K56")
def test_killed_in_its_turn_it_is_interrupted_and_its_conversation_goes_on(agent: Stage) -> None:
    agent.open()
    made = agent.run("killed", "hang 120")
    until(agent.is_hanging, TURN_S, lambda: "it did not ask its model")
    agent.process().kill()
    attempt = agent.ended(made)
    assert attempt["state"] == "Interrupted", attempt
    assert "killed by signal 9" in attempt["diagnostic"]
    assert not agent.session["open"]
    agent.open()
    attempt = agent.ended(agent.run("after", "say Still here."))
    assert (attempt["state"], attempt["evidence"]["output"]) == ("Completed", "Still here."), attempt
    goes_on = "model> hang 120" in "".join(turn.text for turn in agent.endpoint.asked[-1][0].turns)
    assert goes_on or (not agent.recipe.finds_its_conversation and agent.says_that_it_begins_anew())


def test_the_model_that_is_chosen_for_it_is_asked(agent: Stage) -> None:
    agent.open()
    assert agent.ended(agent.run("before", "say Hello."))["state"] == "Completed"
    chosen, asked_as = agent.recipe.other_model or ("any", "any")
    assert not any(asked_as in model for model in agent.endpoint.models)
    agent.choose_model(chosen)  # in a session that takes up the conversation of the former one
    if agent.recipe.other_model is None:
        until(lambda: not agent.session["open"], START_S, agent.how_it_stands)
        said = agent.session["diagnostic"]
        assert "lets nobody choose its model" in said or "the model any was not taken" in said
        return
    agent.open()
    attempt = agent.ended(agent.run("chosen", "say From another one."))
    assert attempt["state"] == "Completed", attempt
    assert any(asked_as in model for model in agent.endpoint.models)
    agent.choose_model("no-such-model")
    until(lambda: not agent.session["open"], START_S, agent.how_it_stands)
    assert "the model no-such-model was not taken" in agent.session["diagnostic"]
    assert chosen in agent.session["diagnostic"], "it names those there are"
