"""What answers carry, field by field, and in which zone their times are told."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from api_world import ZONE, Api, until

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(?!000)\d{3})?Z")

WORKSPACE = {"id", "name", "directory", "revision", "created_at"}
NODE = {
    *("id", "workspace", "workspace_name", "kind", "name", "x", "y", "revision", "created_at", "connections"),
}
SESSION = {
    *("node", "name", "workspace", "kind", "open", "state", "waiting_for", "pid", "started_at", "exit_code"),
    *("diagnostic", "closed_on_purpose"),
}
CONNECTION = {"id", "a", "b", "env"}
SCHEDULE = {
    *("id", "name", "workspace", "workspace_name", "state", "pause_reason", "recurrence", "description"),
    *("zone", "host_zone", "zone_mismatch", "next_due", "next_local", "payload", "target", "overlap"),
    *("catchup", "misfire_grace_s", "pending_limit_s", "revision", "last_attempt", "actions"),
}
CHANGED_SCHEDULE = SCHEDULE | {"next_due_before", "next_due_after"}
ATTEMPT = {
    *("id", "schedule", "schedule_name", "target", "target_name", "trigger", "nominal_at", "created_at"),
    *("delivered_at", "finished_at", "lateness_ms", "duration_ms", "state", "waiting_for", "diagnostic"),
    *("exit_code", "missed_count", "holder", "dismissed", "payload", "evidence", "actions"),
}
RUNTIME = {
    *("pid", "version", "home", "started_at", "host_zone", "tzdata", "storage", "event", "schedules"),
    *("next_due", "sessions", "agents"),
}


def test_the_runtime(api: Api) -> None:
    runtime = api("GET", "/api/runtime").made
    assert set(runtime) >= RUNTIME
    assert runtime["home"] == str(api.home.data)
    assert runtime["storage"] == {"ok": True, "problem": None}
    assert set(runtime["schedules"]) == {"Running", "Paused"}
    assert INSTANT.fullmatch(runtime["started_at"])
    assert runtime["host_zone"] == ZONE


def test_a_workspace(api: Api) -> None:
    (workspace,) = api("GET", "/api/workspaces").made["workspaces"]
    assert set(workspace) >= WORKSPACE
    assert (workspace["name"], workspace["directory"]) == ("place", str(api.folder))
    assert INSTANT.fullmatch(workspace["created_at"])
    for ref in (workspace["id"], "place"):
        assert api("GET", f"/api/workspaces/{ref}").made == workspace
        assert api("GET", f"/api/workspaces?ref={ref}").made == {"workspaces": [workspace]}
    assert api("GET", "/api/workspaces?ref=other").made == {"workspaces": []}


def test_a_terminal_its_session_and_its_connection(api: Api) -> None:
    terminal, schedule = api.terminal(x=10.5, y=-3), api.schedule()
    assert set(terminal) >= NODE | {"shell", "directory", "session"}
    assert (terminal["kind"], terminal["x"], terminal["y"], terminal["revision"]) == ("terminal", 10.5, -3, 1)
    assert terminal["directory"] == str(api.folder)
    session = terminal["session"]
    assert set(session) >= SESSION
    assert (session["node"], session["open"], session["state"]) == (terminal["id"], False, "closed")
    assert (session["closed_on_purpose"], session["pid"], session["exit_code"]) == (True, None, None)
    pair = {"a": terminal["id"], "b": schedule["id"]}
    connection = api("POST", "/api/connections", pair).made
    assert set(connection) >= CONNECTION
    assert {connection["a"], connection["b"]} == {terminal["id"], schedule["id"]}
    assert api("POST", "/api/connections", {"a": pair["b"], "b": pair["a"]}).made == connection
    assert connection in api("GET", "/api/connections").made["connections"]
    (end,) = api("GET", f"/api/nodes/{terminal['id']}").made["connections"]
    assert end == {
        "node": schedule["id"],
        "kind": "schedule",
        "name": schedule["name"],
        "env": None,
        "guardrail": None,
    }
    removed = api("DELETE", f"/api/connections?a={pair['b']}&b={pair['a']}").made
    assert removed == {"removed": connection}
    assert api("DELETE", f"/api/nodes/{terminal['id']}").made == {"removed": terminal["id"]}


def test_a_session_that_is_opened_closed_and_restarted(api: Api) -> None:
    terminal = api.terminal()
    path = f"/api/sessions/{terminal['id']}"
    opened = api("POST", f"{path}/open").made
    assert set(opened) >= SESSION
    assert (opened["open"], opened["state"], opened["closed_on_purpose"]) == (True, "open", False)
    assert INSTANT.fullmatch(opened["started_at"])
    until(lambda: api("GET", f"/api/nodes/{terminal['id']}").made["session"]["waiting_for"] is None)
    typed = api("POST", f"{path}/input", {"text": "echo $((40+2))", "enter": True}).made
    assert typed["node"] == terminal["id"]
    until(lambda: "\n42" in api("GET", f"{path}/screen").made["screen"])
    assert "42" in api("GET", f"{path}/tail?bytes=200").made["tail"]
    again = api("POST", f"{path}/restart").made
    assert again["pid"] != opened["pid"]
    closed = api("POST", f"{path}/close").made
    assert (closed["open"], closed["state"], closed["closed_on_purpose"]) == (False, "closed", True)
    listed = api("GET", "/api/sessions").made["sessions"]
    assert closed in listed


def test_a_schedule_is_new_paused_and_once(api: Api) -> None:
    made = api("POST", "/api/schedules", {"name": api.name("plain")}).made
    assert set(made) >= SCHEDULE
    tomorrow = datetime.now(ZoneInfo(ZONE)).date() + timedelta(days=1)
    assert made["recurrence"]["kind"] == "once"
    assert made["recurrence"]["local"] in (f"{tomorrow}T09:00", f"{tomorrow - timedelta(days=1)}T09:00")
    assert (made["state"], made["pause_reason"], made["payload"]) == ("Paused", None, "")
    assert (made["next_due"], made["next_local"], made["target"], made["last_attempt"]) == (None,) * 4
    assert (made["overlap"], made["catchup"]) == ("coalesce", "none")
    assert (made["misfire_grace_s"], made["pending_limit_s"]) == (60, None)
    assert (made["zone"], made["host_zone"], made["zone_mismatch"]) == (ZONE, ZONE, False)
    assert made["workspace_name"] == "place"
    assert made["actions"] == []


def test_a_change_tells_the_next_time_before_and_after(api: Api) -> None:
    terminal = api.terminal()
    made = api.schedule(recurrence={"preset": "daily", "time": "09:00"}, target=terminal["id"])
    assert made["target"] == {"id": terminal["id"], "kind": "terminal", "name": terminal["name"]}
    assert made["actions"] == ["Resume", "Run now"]
    path = f"/api/schedules/{made['id']}"
    resumed = api("POST", f"{path}/resume").made
    assert set(resumed) >= CHANGED_SCHEDULE
    assert resumed["next_due_before"] is None
    assert resumed["next_due_after"] == resumed["next_due"]
    assert INSTANT.fullmatch(resumed["next_due"])
    assert resumed["actions"] == ["Pause", "Run now"]
    edited = api.edit(made, {"recurrence": {"preset": "daily", "time": "10:00"}}).made
    assert edited["next_due_before"] == resumed["next_due"]
    moved = datetime.fromisoformat(edited["next_due"]) - datetime.fromisoformat(resumed["next_due"])
    assert moved in (timedelta(hours=1), timedelta(hours=-23))
    paused = api("POST", f"{path}/pause").made
    assert (paused["next_due_before"], paused["next_due_after"]) == (edited["next_due"], None)
    assert set(api("GET", path).made) & {"next_due_before", "next_due_after"} == set()


CRON_INPUTS: list[tuple[dict[str, Any], str, str]] = [
    ({"preset": "hourly", "minute": 20}, "20 * * * *", "hourly"),
    ({"preset": "Daily", "time": "09:05"}, "5 9 * * *", "daily"),
    ({"preset": "WEEKDAYS", "time": "09:00"}, "0 9 * * 1-5", "weekdays"),
    ({"preset": "weekly", "weekday": "mon", "time": "17:30"}, "30 17 * * mon", "weekly"),
    ({"preset": "monthly", "day": 31, "time": "09:00"}, "0 9 31 * *", "monthly"),
    ({"preset": "custom", "cron": "*/7 3 * * 2"}, "*/7 3 * * 2", "custom"),
    ({"cron": "20 * * * *"}, "20 * * * *", "hourly"),
    ({"kind": "cron", "expression": "0 9 * * 1-5", "preset": "custom"}, "0 9 * * 1-5", "weekdays"),
]


@pytest.mark.contract("K24", "K26")
@pytest.mark.parametrize(("given", "expression", "preset"), CRON_INPUTS)
def test_every_way_to_write_an_expression_is_kept_as_one(
    api: Api, given: dict[str, Any], expression: str, preset: str
) -> None:
    kept = api.schedule(recurrence=given)["recurrence"]
    assert kept == {"kind": "cron", "expression": expression, "preset": preset}
    assert api.schedule(recurrence=kept)["recurrence"] == kept, "what comes out goes in again"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (
            {"kind": "once", "local": "2031-08-01T02:17"},
            {"kind": "once", "local": "2031-08-01T02:17"},
        ),
        (
            {"preset": "once", "local": "2031-08-01 02:17"},
            {"kind": "once", "local": "2031-08-01T02:17"},
        ),
        (
            {"kind": "every", "every": "2w", "anchor": "2026-10-05T09:00"},
            {"kind": "every", "every": "2w", "anchor": "2026-10-05T09:00"},
        ),
    ],
)
def test_once_and_every(api: Api, given: dict[str, Any], kept: dict[str, Any]) -> None:
    assert api.schedule(recurrence=given)["recurrence"] == kept


OCCURRENCE = {"at", "local", "zone", "note"}


def test_occurrences_in_the_viewers_zone(api: Api) -> None:
    question = {
        "recurrence": {"cron": "30 2 * * *"},
        "zone": "America/New_York",
        "after": "2027-03-13T12:00:00Z",
        "count": 2,
    }
    headers = {"Kavor-Zone": "America/New_York"}
    answer = api("POST", "/api/preview", question, headers=headers).made
    moved, plain = answer["occurrences"]
    assert set(moved) >= OCCURRENCE
    assert moved["at"] == "2027-03-14T07:00:00Z"
    assert moved["local"] == "2027-03-14T03:00:00-04:00"
    assert moved["zone"] == "America/New_York"
    assert moved["note"], "a clock change bent it, and it says so"
    assert (plain["at"], plain["note"]) == ("2027-03-15T06:30:00Z", None)
    assert answer["description"]
    elsewhere = api("POST", "/api/preview", question).made["occurrences"][0]
    assert (elsewhere["at"], elsewhere["zone"]) == (moved["at"], ZONE)
    assert elsewhere["local"] == "2027-03-14T08:00:00+01:00"
    assert elsewhere["schedule_local"] == moved["local"]
    assert elsewhere["schedule_zone"] == "America/New_York"


def test_an_early_instant_has_four_digits_of_year(api: Api) -> None:
    question = {"recurrence": {"cron": "* * * * *"}, "after": "0500-01-01T00:00:00Z", "count": 1}
    (early,) = api("POST", "/api/preview", question).made["occurrences"]
    assert INSTANT.fullmatch(early["at"])


def test_the_next_times_of_a_schedule_are_those_of_its_preview(api: Api) -> None:
    made = api.schedule(recurrence={"cron": "17 */5 * * *"})
    after = "2026-10-24T20:00:00Z"
    coming = api("GET", f"/api/schedules/{made['id']}/next?count=7&after={after}").made
    question = {"recurrence": made["recurrence"], "zone": made["zone"], "after": after, "count": 7}
    assert coming["occurrences"] == api("POST", "/api/preview", question).made["occurrences"]
    assert len(coming["occurrences"]) == 7


@pytest.mark.contract("K29", "K30", "K32")
def test_the_viewers_zone_tells_times_and_is_stamped_by_a_save_alone(api: Api) -> None:
    made = api.schedule(recurrence={"cron": "0 9 * * *"})
    path = f"/api/schedules/{made['id']}"
    api("POST", f"{path}/resume")
    kolkata = {"Kavor-Zone": "Asia/Kolkata"}
    seen = api("GET", path, headers=kolkata).made
    assert (seen["zone"], seen["host_zone"], seen["zone_mismatch"]) == (ZONE, "Asia/Kolkata", True)
    assert seen["next_local"].endswith("+05:30")
    assert datetime.fromisoformat(seen["next_local"]) == datetime.fromisoformat(seen["next_due"])
    for action in ("pause", "resume"):
        assert api("POST", f"{path}/{action}", headers=kolkata).made["zone"] == ZONE
    stated = {**kolkata, "If-Match": f'"{made["revision"]}"'}
    saved = api("PATCH", path, {"payload": "echo saved there"}, headers=stated).made
    assert (saved["zone"], saved["zone_mismatch"]) == ("Asia/Kolkata", False)
    assert saved["next_due_before"] != saved["next_due_after"]
    assert "T09:00:00+05:30" in saved["next_local"]
    without = api("GET", path, headers={"Kavor-Zone": ""}).made
    assert without["host_zone"] == ZONE, "without the header it is the runtime's own"
    born = api("POST", "/api/schedules", {"name": api.name("there")}, headers=kolkata).made
    assert born["zone"] == "Asia/Kolkata"


def test_an_attempt(api: Api) -> None:
    terminal = api.terminal(open=True)
    schedule = api.schedule(target=terminal["id"], payload="echo seen; exit_with() { return 7; }; exit_with")
    made = api("POST", f"/api/schedules/{schedule['id']}/run").made
    assert set(made) >= ATTEMPT
    path = f"/api/attempts/{made['id']}"
    attempt = until(lambda: (now := api("GET", path).made)["finished_at"] and now)
    assert (attempt["state"], attempt["exit_code"], attempt["trigger"]) == ("Failed", 7, "manual")
    assert (attempt["schedule"], attempt["target"]) == (schedule["id"], terminal["id"])
    assert (attempt["schedule_name"], attempt["target_name"]) == (schedule["name"], terminal["name"])
    assert (attempt["nominal_at"], attempt["lateness_ms"]) == (None, None)
    for name in ("created_at", "delivered_at", "finished_at"):
        assert INSTANT.fullmatch(attempt[name])
    assert (attempt["waiting_for"], attempt["holder"], attempt["missed_count"]) == (None, None, None)
    assert (attempt["dismissed"], attempt["actions"]) == (False, [])
    evidence = attempt["evidence"]
    assert set(evidence) >= {"output", "truncated", "duration_ms"}
    assert evidence["output"].strip() == "seen"
    in_a_list = {**attempt, "evidence": None}
    for question in (
        f"/api/schedules/{schedule['id']}/history",
        f"/api/attempts?schedule={schedule['id']}",
        f"/api/attempts?target={terminal['id']}&state=failed",
        f"/api/attempts?target={terminal['id']}&since={attempt['created_at']}",
    ):
        assert api("GET", question).made == {"attempts": [in_a_list]}
    assert api("GET", f"/api/schedules/{schedule['id']}").made["last_attempt"] == in_a_list
    assert api("GET", f"/api/attempts?target={terminal['id']}&state=Missed").made == {"attempts": []}
    api("POST", f"{path}/withdraw").problem("refused", 403, 3)
    api("POST", f"{path}/dismiss").problem("refused", 403, 3)


def test_an_attempt_that_waits_is_withdrawn(api: Api) -> None:
    terminal = api.terminal(open=True)
    busy = api.schedule(target=terminal["id"], payload="sleep 600")
    waiting = api.schedule(target=terminal["id"], payload="echo never")
    first = api("POST", f"/api/schedules/{busy['id']}/run").made
    until(lambda: api("GET", f"/api/attempts/{first['id']}").made["state"] == "Delivering")
    second = api("POST", f"/api/schedules/{waiting['id']}/run").made
    assert (second["state"], second["waiting_for"], second["actions"]) == ("Pending", "busy", ["Withdraw"])
    refused = api("POST", f"/api/schedules/{busy['id']}/run").problem("refused", 403, 3)
    assert str(second["id"]) in refused["detail"]
    withdrawn = api("POST", f"/api/attempts/{second['id']}/withdraw").made
    assert (withdrawn["state"], withdrawn["diagnostic"]) == ("Blocked", "withdrawn")
    newest_first = api("GET", f"/api/attempts?target={terminal['id']}").made["attempts"]
    assert [attempt["id"] for attempt in newest_first] == [second["id"], first["id"]]


def test_lists_have_one_key_and_the_things_as_they_are_alone(api: Api) -> None:
    terminal, schedule = api.terminal(), api.schedule()
    for kind in ("workspaces", "nodes", "connections", "schedules", "attempts", "sessions"):
        answer = api("GET", f"/api/{kind}").made
        assert list(answer) == [kind]
        assert isinstance(answer[kind], list)
    nodes = api("GET", "/api/nodes").made["nodes"]
    assert api("GET", f"/api/nodes/{terminal['id']}").made in nodes
    assert schedule in api("GET", "/api/schedules").made["schedules"]
    by_name = f"/api/schedules?ref={schedule['name'].replace(' ', '%20')}"
    assert api("GET", by_name).made == {"schedules": [schedule]}
    running = api("GET", "/api/schedules?state=running").made["schedules"]
    assert {one["state"] for one in running} <= {"Running"}
    kinds = {node["kind"] for node in api("GET", "/api/nodes?kind=terminal").made["nodes"]}
    assert kinds == {"terminal"}


def test_a_schedule_is_a_node(api: Api) -> None:
    body = {"kind": "Schedule", "name": api.name("node"), "payload": "true"}
    node = api("POST", "/api/nodes", body).made
    assert node["kind"] == "schedule"
    schedule = api("GET", f"/api/schedules/{node['id']}").made
    assert (schedule["name"], schedule["payload"], schedule["state"]) == (node["name"], "true", "Paused")
    api("POST", "/api/nodes", {**body, "shell": "bash"}).problem("bad-input", 422, 2)
