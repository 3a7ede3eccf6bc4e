"""The public ledger cases: each line is a scenario with its right answer, and a test of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scenarios import Document, only

from kavor.app.simulation.player import play
from kavor.app.simulation.scenario import read_scenario

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "ledger.jsonl").read_text().splitlines()
]

FIELDS = {"nominal": "nominal_at", "result": "state"}
"""What the cases call a field of an attempt by another name."""


def check_attempts(state: Document, expected: list[Document]) -> None:
    assert len(state["attempts"]) == len(expected)
    for attempt, wanted in zip(state["attempts"], expected, strict=True):
        assert {name: attempt[FIELDS.get(name, name)] for name in wanted} == wanted


def check_one_of(answer: Document, expected: list[Document]) -> None:
    """Of writers at once: both changes are there, or one writer was told of the conflict."""
    both, _ = expected
    shown = only(answer["state"]["schedules"])
    told = any(refusal["exit_code"] == 5 for refusal in answer["refusals"])
    assert told or {name: shown[name] for name in both} == both


def check_nothing_accepted_is_lost(answer: Document) -> None:
    shown = only(answer["state"]["schedules"])
    refused = {refusal["step"] for refusal in answer["refusals"]}
    for number, step in enumerate(answer["steps"], 1):
        if step["do"] == "write" and number not in refused:
            assert {name: shown[name] for name in step["change"]} == step["change"]


def check_still_paused(answer: Document) -> None:
    assert only(answer["state"]["schedules"])["state"] == "Paused"


NEVER: dict[str, Callable[[Document], None]] = {
    "a write reported as accepted is absent": check_nothing_accepted_is_lost,
    "the pause is undone by the attempt's bookkeeping": check_still_paused,
}


def missed(state: Document) -> Document:
    return only([attempt for attempt in state["attempts"] if attempt["state"] == "Missed"])


OF_A_STATE: dict[str, Callable[[Document, Any], None]] = {
    "attempts": check_attempts,
    "attempts_count": lambda state, count: _equal(len(state["attempts"]), count),
    "next_occurrence": lambda state, at: _equal(only(state["schedules"])["next_due"], at),
    "state": lambda state, word: _equal(only(state["schedules"])["state"], word),
    "action_offered_on_missed": lambda state, word: _contains(missed(state)["actions"], word),
    "results_in_order": lambda state, words: _equal([one["state"] for one in state["attempts"]], words),
    "first_result": lambda state, word: _equal(state["attempts"][0]["state"], word),
    "second_attempt_nominal": lambda state, at: _equal(state["attempts"][1]["nominal_at"], at),
    "coalesced_still": lambda state, count: _equal(
        sum(one["state"] == "Coalesced" for one in state["attempts"]), count
    ),
    "fired_nominals": lambda state, times: _equal([one["nominal_at"] for one in state["attempts"]], times),
    "must_not_fire": lambda state, times: _equal(
        [one["nominal_at"] for one in state["attempts"] if one["nominal_at"] in times], []
    ),
}


def _equal(found: object, expected: object) -> None:
    assert found == expected


def _contains(found: list[str], expected: str) -> None:
    assert expected in found


def check_state(state: Document, expected: Document) -> None:
    for form, value in expected.items():
        if form.startswith("deliveries_to_"):
            assert state["targets"][form.removeprefix("deliveries_to_")]["deliveries"] == value
        else:
            OF_A_STATE[form](state, value)


def check(answer: Document, expected: Document) -> None:
    """A form that is not known here fails, so that no expectation is passed over."""
    for form, value in expected.items():
        if form == "one_of":
            check_one_of(answer, value)
        elif form == "never":
            for sentence in value:
                NEVER[sentence](answer)
        elif form in answer and "occurrences" in answer[form]:
            assert [occurrence["at"] for occurrence in answer[form]["occurrences"]] == value
        elif form in answer and isinstance(value, dict):
            check_state(answer[form], value)
        else:
            check_state(answer["state"], {form: value})


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_case(case: Document) -> None:
    answer = play(read_scenario(case))
    check({**answer, "steps": case["steps"]}, case["expect"])
    if case["id"] != "P07":
        assert answer["refusals"] == []
