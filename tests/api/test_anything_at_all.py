"""Requests that nobody would make: whatever they hold, the answer is a thing or a problem, never a defect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from api_world import PROBLEM_FIELDS, Answer, Api
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

fuzz = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

REFUSALS = {400, 403, 404, 405, 409, 422, 428}

BODIES = {
    "/api/workspaces": ["directory", "name"],
    "/api/nodes": ["kind", "name", "workspace", "shell", "directory", "open", "path", "x", "target"],
    "/api/connections": ["a", "b", "env", "guardrail"],
    "/api/schedules": [
        *("name", "payload", "recurrence", "overlap", "catchup", "misfire_grace_s", "pending_limit_s"),
        *("x", "y", "workspace", "target"),
    ],
    "/api/preview": ["recurrence", "zone", "after", "count"],
    "/api/schedules/{schedule}/pause": ["reason"],
    "/api/sessions/{terminal}/input": ["text", "enter"],
}

text = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["", " ", "\0", "\x1b[2J", "‮", "~nobody/x", "/", "..", "9" * 5000, "x" * 70_000, "²", "é"]
    ),
    st.sampled_from(["terminal", "schedule", "file", "place", "* * * * *", "2026-10-25T02:30", "UTC"]),
)
number = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from([0, -1, 2**31, 2**63 - 1, 2**63, 1e308, -1e308, 5e-324, 10**400]),
)
value = st.recursive(
    st.one_of(st.none(), st.booleans(), number, text),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(text, inner, max_size=3)),
    max_leaves=5,
)
recurrence = st.dictionaries(
    st.sampled_from(
        [
            *("kind", "preset", "cron", "expression", "every", "anchor", "at", "local", "once"),
            *("time", "minute", "day", "weekday", "other"),
        ]
    ),
    st.one_of(
        value,
        st.sampled_from(["once", "cron", "every", "daily", "weekly", "monthly", "hourly", "custom", "3d"]),
        st.sampled_from(["09:00", "24:00", "0001-01-01T00:00", "9999-12-31T23:59", "31", "0 0 30 2 *"]),
        st.sampled_from(["99999999999999w", "1m", "*/0 * * * *", "0-99999999999 * * * *", "* * * * * *"]),
    ),
    max_size=4,
)


def check(answer: Answer) -> None:
    assert answer.status == 200 or answer.status in REFUSALS, answer.body.decode()
    if answer.status != 200:
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json
        assert set(problem) >= PROBLEM_FIELDS
        assert problem["exit_code"] in (1, 2, 3, 5)
        assert problem["detail"]


@pytest.fixture(scope="module")
def things(api: Api) -> dict[str, str]:
    return {"schedule": api.schedule()["id"], "terminal": api.terminal()["id"]}


@pytest.fixture(autouse=True)
def _what_was_made_is_removed(api: Api, things: dict[str, str]) -> Iterator[None]:
    yield
    for node in api("GET", "/api/nodes").made["nodes"]:
        if node["id"] not in things.values():
            api("DELETE", f"/api/nodes/{node['id']}")
    for workspace in api("GET", "/api/workspaces").made["workspaces"]:
        if workspace["name"] != "place":
            api("DELETE", f"/api/workspaces/{workspace['id']}?nodes=remove")


@fuzz
@given(data=st.data())
@pytest.mark.parametrize("path", BODIES)
def test_any_fields(api: Api, things: dict[str, str], path: str, data: st.DataObject) -> None:
    fields = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                name: st.one_of(recurrence, value) if name == "recurrence" else value for name in BODIES[path]
            },
        )
    )
    if path in ("/api/schedules", "/api/nodes", "/api/preview") and data.draw(st.booleans()):
        fields.setdefault("recurrence", data.draw(recurrence))
        fields.setdefault("workspace", "place") if path != "/api/preview" else None
    if path == "/api/nodes":
        fields["open"] = False  # a shell that is really there would be started
    check(api("POST", path.format(**things), fields))


@fuzz
@given(change=st.dictionaries(st.sampled_from(BODIES["/api/schedules"]), value, max_size=3), stated=text)
def test_any_edit(api: Api, things: dict[str, str], change: dict[str, Any], stated: str) -> None:
    path = f"/api/schedules/{things['schedule']}"
    now = api("GET", path).made
    check(api.edit(now, change))
    check(api.edit(now, change))
    header = stated.encode("latin-1", "replace").replace(b"\n", b"").replace(b"\r", b"").replace(b"\0", b"")
    check(api("PATCH", path, change, headers={"If-Match": header[:5000]}))


@fuzz
@given(rule=recurrence, after=text, count=number, zone=text)
def test_any_preview(api: Api, rule: dict[str, Any], after: str, count: float, zone: str) -> None:
    check(api("POST", "/api/preview", {"recurrence": rule, "count": 3}))
    check(api("POST", "/api/preview", {"recurrence": rule, "zone": zone, "after": after, "count": count}))


@settings(fuzz, max_examples=12)  # each is 16 requests
@given(ref=st.one_of(text.map(lambda ref: ref[:2000]), number.map(str)))
@example("%ED%A0%80")
@example("-" + "9" * 40)
def test_any_name_in_a_path_or_a_query(api: Api, ref: str) -> None:
    spelt = quote(ref, safe="%")
    for kind in ("schedules", "nodes", "workspaces", "attempts", "sessions"):
        check(api("GET", f"/api/{kind}/{spelt}"))
        check(api("GET", f"/api/{kind}?workspace={spelt}"))
    for query in ("target", "schedule", "since", "state", "limit"):
        check(api("GET", f"/api/attempts?{query}={spelt}"))
    for query in ("ref", "state", "kind"):
        check(api("GET", f"/api/schedules?{query}={spelt}"))
    check(api("POST", f"/api/attempts/{spelt}/withdraw"))
    check(api("DELETE", f"/api/connections?a={spelt}&b={spelt}"))


@fuzz
@given(raw=st.one_of(st.binary(max_size=40), value.map(lambda body: json.dumps(body).encode())))
@example(b'{"recurrence":{"cron":' + b"[" * 990 + b"]" * 990 + b"}}")
@example(b'{"recurrence":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}")
@example(b'{"count":' + b"9" * 5_000 + b',"recurrence":{}}')
@example(b'{"recurrence":{"cron":"\\ud800"}}')
@example(b'{"recurrence":{"cron":NaN},"count":Infinity}')
def test_any_body(api: Api, raw: bytes) -> None:
    check(api("POST", "/api/preview", raw=raw))
    check(api("POST", "/api/runtime/stop/x", raw=raw))


def test_the_database_works_after_all_this(api: Api) -> None:
    assert api("GET", "/api/runtime").made["storage"] == {"ok": True, "problem": None}
    assert api.schedule()["state"] == "Paused"
