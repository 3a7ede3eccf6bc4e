"""Whatever happens, in whatever order: the ledger explains every instant once, and nothing is done twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenarios import Document, agent, run, schedule, terminal

from kavor.domain.instant import Instant, format_instant, parse_instant
from kavor.domain.recurrence import instants, parse_recurrence
from kavor.domain.zones import load_zone

ZONE = "Europe/Berlin"
START = parse_instant("2026-10-24T21:00:00Z")
"""Four hours before the clocks go back there."""
MINUTE = 60_000

slowly = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

RECURRENCES = st.sampled_from(
    [
        {"cron": "*/7 * * * *"},
        {"cron": "0,20 * * * *"},
        {"cron": "30 2 * * *"},
        {"preset": "hourly", "minute": 0},
        {"every": "50m", "anchor": "2026-10-24T09:10"},
        {"every": "1d", "anchor": "2026-10-20T02:30"},
    ]
)
TARGETS = [agent("a"), terminal("b")]

schedules = st.lists(
    st.fixed_dictionaries(
        {
            "recurrence": RECURRENCES,
            "target": st.sampled_from(["a", "b"]),
            "state": st.sampled_from(["Running", "Paused"]),
            "overlap": st.sampled_from(["coalesce", "replace"]),
            "catchup": st.sampled_from(["none", "latest"]),
            "misfire_grace_s": st.sampled_from([0, 60, 1800]),
            "pending_limit_s": st.sampled_from([None, None, 1200]),
        }
    ),
    min_size=1,
    max_size=3,
).map(
    lambda found: [
        {"id": f"s{number}", "zone": ZONE, "payload": "go", **one} for number, one in enumerate(found)
    ]
)

OF_A_SCHEDULE = ("pause", "resume", "run_now", "save_form", "finish_running_attempt_record")
OF_A_TARGET = (
    "target_becomes_busy",
    "target_becomes_idle",
    "target_reports_completed",
    "target_reports_failed",
    "target_asks_for_permission",
    "human_answers_and_target_completes",
    "target_dies",
    "close_session",
    "open_session",
    "human_types",
    "human_clears_line",
)
OF_ALL = (
    "tick",
    "suspend_machine",
    "wake_machine",
    "stop_app",
    "start_app",
    "kill_app",
    "kill_and_restart_app",
    "tick_both_copies_at_once",
    "read_state",
)

happenings = st.lists(
    st.tuples(
        st.integers(0, 100),
        st.one_of(
            st.tuples(st.sampled_from(OF_A_SCHEDULE), st.integers(0, 2)),
            st.tuples(st.sampled_from(OF_A_TARGET), st.integers(0, 1)),
            st.tuples(st.sampled_from(OF_ALL), st.just(0)),
        ),
    ),
    max_size=25,
)


def as_steps(happened: list[Any], count: int) -> list[Document]:
    """Steps in the order of time; every state that is read has a name of its own."""
    now, steps = START, []
    for minutes, (verb, which) in happened:
        now = Instant(now + minutes * MINUTE)
        step: Document = {"at": format_instant(now), "do": verb}
        if verb in OF_A_SCHEDULE:
            step["schedule"] = f"s{which % count}"
        elif verb in OF_A_TARGET:
            step["target"] = TARGETS[which]["id"]
        if verb == "read_state":
            step["save_as"] = f"state {len(steps)}"
        if verb == "human_types":
            step["text"] = "half a li"
        steps.append(step)
    end = format_instant(Instant(now + 5 * MINUTE))
    return [
        *steps,
        {"at": end, "do": "wake_machine"},
        {"at": end, "do": "start_app"},
        {"at": end, "do": "read_state", "save_as": "end"},
    ]


def states_of(answer: Document) -> Iterator[Document]:
    return (part for name, part in answer.items() if name != "refusals")


def running_spans(given_schedule: Document, answer: Document, steps: list[Document]) -> Iterator[range]:
    """When a Schedule was Running, as ranges of instants: from just after a Resume up to a pause."""
    refused = {refusal["step"] for refusal in answer["refusals"]}
    since = parse_instant(steps[0]["at"]) - MINUTE if given_schedule["state"] == "Running" else None
    for number, step in enumerate(steps, 1):
        if step.get("schedule") != given_schedule["id"] or number in refused:
            continue
        at = parse_instant(step["at"])
        if step["do"] == "resume" and since is None:
            since = at
        elif step["do"] == "pause" and since is not None:
            yield range(since + 1, at + 1)
            since = None
    if since is not None:
        yield range(since + 1, parse_instant(answer["end"]["at"]) + 1)


def states_of_schedule(attempts: list[Document], schedule_id: str) -> set[str]:
    return {row["state"] for row in attempts if row["schedule"] == schedule_id}


def nominal_instants(given_schedule: Document, span: range) -> list[str]:
    coming = instants(
        parse_recurrence(given_schedule["recurrence"]), load_zone(ZONE), Instant(span.start - 1)
    )
    return [format_instant(at) for at in takewhile(lambda at: at < span.stop, coming)]


@pytest.mark.contract("K49", "K58", "K59", "K69", "K70", "K71", "K77", "K79")
@slowly
@given(schedules, happenings)
def test_the_ledger_is_whole_and_nothing_is_done_twice(defined: list[Document], happened: list[Any]) -> None:
    steps = as_steps(happened, len(defined))
    answer = run(*steps, targets=TARGETS, schedules=defined, host_zone=ZONE)
    attempts = answer["end"]["attempts"]

    for one in defined:
        due = [at for span in running_spans(one, answer, steps) for at in nominal_instants(one, span)]
        rows = [row for row in attempts if row["schedule"] == one["id"] and row["trigger"] == "scheduled"]
        nominal = [row["nominal_at"] for row in rows]
        assert len(nominal) == len(set(nominal)), "an instant has two rows"
        assert set(nominal) <= set(due), "a row for an instant that is none, or passed while Paused"
        assert sum(row["missed_count"] or 1 for row in rows) == len(due), "an instant is explained by nothing"

    delivered = Counter(row["target"] for row in attempts if row["delivered_at"] is not None)
    for target, shown in answer["end"]["targets"].items():
        assert shown["deliveries"] == delivered[target], "delivered twice, or without a row that says so"
    for row in attempts:
        if row["state"] in ("Missed", "Coalesced", "Blocked"):
            assert row["delivered_at"] is None
        assert (row["holder"] is not None) == (row["state"] == "Coalesced")
    for state in states_of(answer):
        for places in (("Pending",), ("Delivering", "Needs attention")):
            held = Counter(row["target"] for row in state["attempts"] if row["state"] in places)
            assert max(held.values(), default=0) <= 1, f"two at once: {places}"


@pytest.mark.contract("K77")
@settings(slowly, max_examples=20)
@given(
    schedules,
    st.lists(
        st.tuples(
            st.integers(0, 60),
            st.sampled_from(["tick", "kill_and_restart_app", "suspend_machine", "wake_machine"]),
            st.one_of(st.none(), st.integers(-300, 300)),
        ),
        max_size=15,
    ),
)
def test_however_clocks_are_set_no_instant_is_used_twice(
    defined: list[Document], happened: list[tuple[int, str, int | None]]
) -> None:
    now, steps = START, []
    for minutes, verb, jump in happened:
        now = Instant(now + minutes * MINUTE)
        steps += [{"at": format_instant(now), "do": "target_reports_completed", "target": "a"},
                  {"at": format_instant(now), "do": verb}]  # fmt: skip
        if jump is not None:
            to = Instant(now + jump * MINUTE)
            steps.append({"at": format_instant(now), "do": "set_clock", "to": format_instant(to)})
            now = to
    end = format_instant(Instant(now + 8 * 60 * MINUTE))
    steps += [
        {"at": format_instant(now), "do": "wake_machine"},
        {"from_": format_instant(now), "to": end, "do": "run_clock_every_minute"},
        {"at": end, "do": "read_state"},
    ]
    answer = run(*steps, targets=TARGETS, schedules=defined, host_zone=ZONE)
    attempts = answer["state"]["attempts"]
    used = Counter((row["schedule"], row["nominal_at"]) for row in attempts)
    assert max(used.values(), default=1) == 1
    for target, shown in answer["state"]["targets"].items():
        assert shown["deliveries"] == sum(
            row["target"] == target and row["delivered_at"] is not None for row in attempts
        )
    for one in defined:
        if one["state"] == "Running":
            after = nominal_instants(one, range(now + 1, parse_instant(end) + 1))
            silent = [at for at in after if (one["id"], at) not in used]
            assert not silent or "Missed" in states_of_schedule(attempts, one["id"]), (
                "a wrong clock silenced it"
            )


@pytest.mark.contract("K33")
@settings(slowly, max_examples=15)
@given(RECURRENCES, st.integers(0, 200))
def test_what_is_previewed_is_what_fires(recurrence: Document, minutes: int) -> None:
    start = Instant(START + minutes * MINUTE)
    end = Instant(start + 30 * 60 * MINUTE)
    answer = run(
        {"at": format_instant(start), "do": "preview", "count": 1000},
        {"from_": format_instant(start), "to": format_instant(end), "do": "run_clock_every_minute"},
        {"at": format_instant(end), "do": "read_state"},
        targets=[agent("a")],
        schedules=[schedule(recurrence=recurrence, zone=ZONE, target="a")],
        host_zone=ZONE,
    )
    fired = [attempt["nominal_at"] for attempt in answer["state"]["attempts"]]
    # The minute before the first step is played too, and its instants are not in the question.
    fired = [at for at in fired if parse_instant(at) > start]
    assert fired == [one["at"] for one in islice(answer["preview"]["occurrences"], len(fired))]
    assert parse_instant(answer["preview"]["occurrences"][len(fired)]["at"]) > end


@settings(slowly, max_examples=12)
@given(happenings)
def test_a_scenario_plays_the_same_each_time(happened: list[Any]) -> None:
    defined = [schedule("s0", recurrence={"cron": "*/7 * * * *"}, zone=ZONE, target="a")]
    steps = as_steps(happened, 1)
    first, second = (run(*steps, targets=TARGETS, schedules=defined, host_zone=ZONE) for _ in range(2))
    assert first == second
