"""Refusals as they go over the socket: each kind with its status, its exit code and every field."""

from __future__ import annotations

import os
import signal
import stat
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from api_world import Api, until


def test_the_socket_is_for_this_user_alone(api: Api) -> None:
    socket = api.home.socket.stat()
    assert stat.S_ISSOCK(socket.st_mode)
    assert stat.S_IMODE(socket.st_mode) == 0o600
    assert stat.S_IMODE(api.home.socket.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/schedules/nobody"),
        ("GET", "/api/nodes/nobody"),
        ("GET", "/api/workspaces/nobody"),
        ("GET", "/api/attempts/4711"),
        ("GET", "/api/attempts?schedule=nobody"),
        ("GET", "/api/nodes?workspace=nobody"),
        ("DELETE", "/api/nodes/nobody"),
        ("POST", "/api/schedules/nobody/run"),
        ("POST", "/api/attempts/4711/withdraw"),
        ("POST", "/api/sessions/nobody/open"),
        ("DELETE", "/api/connections?a=nobody&b=nothing"),
    ],
)
def test_what_is_not_there(api: Api, method: str, path: str) -> None:
    problem = api(method, path).problem("not-found", 404, 2)
    assert "nobody" in problem["detail"] or "4711" in problem["detail"]


def test_a_kind_is_part_of_what_is_looked_for(api: Api) -> None:
    terminal = api.terminal()
    api("GET", f"/api/schedules/{terminal['id']}").problem("not-found", 404, 2)
    api("DELETE", f"/api/schedules/{terminal['id']}").problem("not-found", 404, 2)
    assert api("GET", f"/api/nodes/{terminal['id']}").made["name"] == terminal["name"]


@pytest.mark.parametrize(
    "path", ["/", "/api", "/api/nowhere", "/api/schedules/", "/api/schedules/x/y", "/api/events", "/docs"]
)
def test_a_route_that_is_not_there(api: Api, path: str) -> None:
    assert path in api("GET", path).problem("no-such-route", 404, 1)["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/schedules", "GET, POST"),
        ("DELETE", "/api/runtime", "GET"),
        ("POST", "/api/nodes/x", "GET, PATCH, DELETE"),
        ("GET", "/api/schedules/x/run", "POST"),
        ("OPTIONS", "/api/connections", "GET, POST, DELETE"),
        ("POST", "/openapi.json", "GET, HEAD"),
    ],
)
def test_a_method_that_a_path_does_not_take(api: Api, method: str, path: str, allowed: str) -> None:
    answer = api(method, path)
    assert method in answer.problem("method-not-allowed", 405, 1)["detail"]
    assert answer.headers["allow"] == allowed


def test_a_body_that_is_no_json(api: Api) -> None:
    for raw in (b"", b"{", b"nothing", b'{"name": "x",}', b"\x00"):
        api("POST", "/api/schedules", raw=raw).problem("bad-input", 422, 2)
    for raw in (b'{"name": "\xff"}', b'{"x":' + b"9" * 5000 + b"}", b'{"x":' + b"[" * 9_999):
        api("POST", "/api/schedules", raw=raw).problem("bad-input", 400, 2)
    for raw in (b"null", b"[]", b'"name"', b"17"):
        api("POST", "/api/schedules", raw=raw).problem("bad-input", 422, 2)


def test_a_body_that_is_not_sent_as_json(api: Api) -> None:
    as_a_form = {"Content-Type": "application/x-www-form-urlencoded"}
    problem = api("POST", "/api/schedules", raw=b'{"name": "x"}', headers=as_a_form).problem(
        "bad-input", 422, 2
    )
    assert "Content-Type: application/json" in problem["detail"]
    made = api("POST", "/api/schedules", raw=b'{"name": "said nothing"}', headers={"Content-Type": ""}).made
    assert made["name"] == "said nothing"


def test_a_field_that_is_not_known_changes_nothing(api: Api) -> None:
    made = api.schedule()
    problem = api.edit(made, {"name": "other", "colour": "red"}).problem("bad-input", 422, 2)
    assert "colour" in problem["detail"]
    assert api("GET", f"/api/schedules/{made['id']}").made == made
    for path in ("schedules", "nodes", "workspaces", "connections", "preview"):
        body = {"name": "x", "kind": "terminal", "colour": "red"}
        assert "colour" in api("POST", f"/api/{path}", body).problem("bad-input", 422, 2)["detail"]


def test_several_of_one_name(api: Api) -> None:
    name = api.name("twin")
    twins = [api.schedule(name=name), api.schedule(name=name)]
    problem = api("GET", f"/api/schedules/{name.replace(' ', '%20')}").problem(
        "ambiguous", 422, 2, "candidates"
    )
    assert len(problem["candidates"]) == 2
    for twin in twins:
        assert any(twin["id"] in candidate for candidate in problem["candidates"])
        api("DELETE", f"/api/schedules/{twin['id']}")


def test_what_a_rule_refuses(api: Api) -> None:
    schedule, terminal = api.schedule(), api.terminal()
    passed = api.schedule(recurrence={"preset": "once", "local": "2020-01-01T09:00"})
    empty = api("POST", "/api/schedules", {"name": api.name("empty")}).made
    pair = {"a": schedule["id"], "b": passed["id"]}
    for answer in (
        api("POST", f"/api/schedules/{schedule['id']}/run"),
        api("POST", f"/api/schedules/{passed['id']}/resume"),
        api("POST", f"/api/schedules/{empty['id']}/resume"),
        api("POST", "/api/connections", pair),
        api("GET", f"/api/sessions/{terminal['id']}/screen"),
        api("POST", f"/api/sessions/{schedule['id']}/open"),
        api("DELETE", "/api/workspaces/place"),
    ):
        answer.problem("refused", 403, 3)
    assert api("GET", f"/api/schedules/{schedule['id']}/history").made == {"attempts": []}


def test_the_folder_of_a_user_who_is_not_there_and_one_that_cannot_be_looked_at(api: Api) -> None:
    for directory in ("~nobody-of-this-name/x", "/" + "x" * 300, "/" + "x/" * 3000, "/\0", ""):
        api("POST", "/api/workspaces", {"directory": directory}).problem("bad-input", 422, 2)
    for directory in ("~nobody-of-this-name/x", "/" + "x" * 300, "no/such", "\0"):
        body = {"kind": "terminal", "name": "t", "directory": directory, "open": False}
        api("POST", "/api/nodes", body).problem("bad-input", 422, 2)
        body = {"kind": "file", "name": "f", "path": directory}
        api("POST", "/api/nodes", body).problem("bad-input", 422, 2)


def test_a_zone_that_is_not_known(api: Api) -> None:
    for zone in ("Nowhere/City", "../../etc/passwd", "europe/berlin", "UTC+1", "x" * 9_000, b"\xff"):
        api("GET", "/api/schedules", headers={"Kavor-Zone": zone}).problem("bad-input", 422, 2)


def test_a_pause_with_no_reason_in_its_reason(api: Api) -> None:
    path = f"/api/schedules/{api.schedule()['id']}/pause"
    for reason in ("", "  ", "x" * 501):
        api("POST", path, {"reason": reason}).problem("bad-input", 422, 2)
    assert api("POST", path, {"reason": " away "}).made["pause_reason"] == "away"


def test_the_process_that_holds_the_shells_dies(own_api: Api) -> None:
    """Not the runtime: a command must not say that it could not be reached."""
    terminal = own_api.terminal(open=True)
    shell = own_api("GET", f"/api/nodes/{terminal['id']}").made["session"]["pid"]
    host = psutil.Process(psutil.Process(shell).ppid())
    os.kill(host.pid, signal.SIGSTOP)  # it cannot answer, so the question is still open when it dies
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(own_api, "GET", f"/api/sessions/{terminal['id']}/tail")
        until(asked.running)
        for _ in range(20):  # one after the other: the question has long reached the host then
            own_api("GET", "/api/runtime")
        os.kill(host.pid, signal.SIGKILL)
        problem = asked.result().problem("sessions-lost", 503, 1)
    assert "holds the shells" in problem["detail"]
    until(lambda: not own_api("GET", f"/api/nodes/{terminal['id']}").made["session"]["open"])
    assert own_api("POST", f"/api/sessions/{terminal['id']}/open").made["open"]
