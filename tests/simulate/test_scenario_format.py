"""What a scenario may say: anything else is refused, naming the step, before anything is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from scenarios import Document, agent, instant, schedule, step

from kavor.app.simulation.scenario import json_schema, read_scenario
from kavor.app.simulation.steps import VERBS
from kavor.domain.errors import BadInput

ROOT = Path(__file__).parents[2]
PUBLISHED = json.loads((ROOT / "docs" / "scenario.schema.json").read_text(encoding="utf-8"))


def scenario(*steps: Document, **given: Any) -> Document:
    usual = {"targets": [agent()], "schedules": [schedule()]}
    return {"given": {**usual, **given}, "steps": list(steps)}


def refused(document: object) -> str:
    with pytest.raises(BadInput) as caught:
        read_scenario(document)
    assert "docs/scenarios.md" in caught.value.hint
    return caught.value.message


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (step("09:00", "tack"), "step 2: there is no verb 'tack'; did you mean tick?"),
        ({"at": instant("09:00")}, "step 2: it does not say what to do"),
        ({"do": "tick"}, "step 2 (tick), at: it is missing"),
        (step("09:00", "tick", secs=3), "step 2 (tick), secs: there is no such field"),
        (
            step("09:00", "save_form", change={"time": "09:00"}),
            "step 2 (save_form), change, time: there is no",
        ),
        ({"do": "tick", "at": "2026-11-02"}, "step 2 (tick), at: '2026-11-02' is not an instant"),
        ({"do": "tick", "at": 7}, "step 2 (tick), at: an instant is text"),
        (step("09:00", "pause", schedule="s9"), "step 2 (pause): there is no schedule 's9'"),
        (step("09:00", "target_dies", target="s1"), "step 2 (target_dies): there is no target 's1'"),
        (step("09:00", "set_host_zone", zone="Europe/Berln"), "step 2 (set_host_zone), zone: "),
        (step("07:00", "tick"), "step 2 (tick) is at 2026-11-02T07:00:00Z, when it is 2026-11-02T08:00:00Z"),
        (step("09:00", "write", writer="cli", change={}), "step 2 (write): 'cli' has read no revision"),
        (step("09:00", "delete", schedule="s1", target="a1"), "step 2 (delete): name a schedule or a target"),
        (step("09:00", "read_state", save_as="refusals"), "step 2 (read_state): the answer's key"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_step_that_cannot_be_meant(wrong: Document, said: str) -> None:
    assert refused(scenario(step("08:00", "tick"), wrong)).startswith(said)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"targets": [agent(), agent()]}, "given: the id 'a1' is there twice"),
        ({"targets": [agent("s1")]}, "given: the id 's1' is there twice"),
        ({"targets": []}, "given: Schedule 's1' aims at 'a1', which is no target"),
        ({"schedules": [schedule(recurrence={"cron": "0 25 * * *"})]}, "given.schedules.0.recurrence: hour"),
        ({"schedules": [schedule(zone="Mars/Base")]}, "given.schedules.0.zone: "),
        ({"targets": [{"id": "a1", "kind": "Robot"}]}, "given.targets.0.kind: 'Robot' is not a kind"),
        ({"hostzone": "UTC"}, "given.hostzone: there is no such field"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_given_that_cannot_be_meant(given: Document, said: str) -> None:
    assert refused(scenario(step("08:00", "tick"), **given)).startswith(said)


@pytest.mark.parametrize("document", [[], "x", None, {}])
def test_what_is_no_scenario_at_all(document: object) -> None:
    refused(document)


def test_an_id_may_be_left_out_where_there_is_only_one() -> None:
    two = {"schedules": [schedule("s1"), schedule("s2")]}
    assert read_scenario(scenario(step("09:00", "pause")))
    assert refused(scenario(step("09:00", "pause"), **two)) == (
        "step 1 (pause): say which schedule; there are 2"
    )


def test_after_a_clock_is_set_back_steps_go_by_it() -> None:
    assert read_scenario(scenario(step("09:00", "set_clock", to=instant("07:00")), step("07:30", "tick")))
    refused(scenario(step("09:00", "set_clock", to=instant("07:00")), step("06:30", "tick")))


def test_remarks_are_welcome() -> None:
    case = scenario(step("09:00", "kill_app", moment="between claim and delivery", why="power cut"))
    assert read_scenario({**case, "title": "a remark", "expect": {"anything": 1}})


def test_the_published_schema_is_the_one_that_is_kept() -> None:
    assert json_schema() == PUBLISHED, "write it anew: kavor simulate --schema > docs/scenario.schema.json"


def test_the_published_schema_knows_every_case_and_every_verb() -> None:
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)
    for line in (ROOT / "tests" / "cases" / "ledger.jsonl").read_text().splitlines():
        jsonschema.validate(json.loads(line), PUBLISHED)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(scenario(step("09:00", "tack")), PUBLISHED)


def test_the_documentation_names_every_verb_and_every_field() -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    fields = {name for part in PUBLISHED["$defs"].values() for name in part.get("properties", {})}
    assert [name for name in [*VERBS, *sorted(fields)] if f"`{name}`" not in text] == []
