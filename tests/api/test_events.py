"""The numbered events: from hello, through every kind of change, to what a face is given that was away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from api_world import Api, until

from kavor.api.client import Client
from kavor.api.event_stream import EventStream
from kavor.domain.errors import KavorError


class Ear:
    """One face's stream, its numbers checked as they come."""

    def __init__(self, events: EventStream) -> None:
        self._events = events
        self.hello = next(events)
        assert set(self.hello) == {"type", "event", "runtime"}
        assert self.hello["type"] == "hello"
        self.last = self.hello["event"]

    def hear(self) -> dict[str, Any]:
        event = next(self._events)
        assert set(event) == {"event", "type", "id", "change", "value"}
        assert event["event"] == self.last + 1, "numbers have no gaps"
        assert event["value"] is None or event["change"] != "removed"
        self.last = event["event"]
        return event

    def until(self, kind: str, thing: object, change: str) -> dict[str, Any]:
        """The next event of this description."""
        while True:
            event = self.hear()
            if (event["type"], event["id"], event["change"]) == (kind, str(thing), change):
                return event


@pytest.fixture
def ear(api: Api) -> Iterator[Ear]:
    with api.client.events() as events:
        yield Ear(events)


def test_a_workspace_comes_and_goes(api: Api, ear: Ear) -> None:
    made = api("POST", "/api/workspaces", {"directory": str(api.folder), "name": "second"}).made
    assert ear.until("workspace", made["id"], "created")["value"] == made
    api("DELETE", f"/api/workspaces/{made['id']}")
    ear.until("workspace", made["id"], "removed")


def test_a_terminal_and_its_session_come_change_and_go(api: Api, ear: Ear) -> None:
    made = api.terminal()
    assert ear.until("node", made["id"], "created")["value"] == made
    path = f"/api/nodes/{made['id']}"
    renamed = api("PATCH", path, {"name": "renamed"}, headers={"If-Match": '"1"'}).made
    assert ear.until("node", made["id"], "changed")["value"] == renamed
    api("POST", f"/api/sessions/{made['id']}/open")
    opened = until(lambda: (event := ear.until("session", made["id"], "changed"))["value"]["open"] and event)
    assert opened["value"]["node"] == made["id"]
    until(lambda: ear.until("session", made["id"], "changed")["value"]["waiting_for"] is None)
    closed = api("POST", f"/api/sessions/{made['id']}/close").made
    until(lambda: ear.until("session", made["id"], "changed")["value"] == closed)
    api("DELETE", path)
    ear.until("node", made["id"], "removed")


def test_a_schedule_and_its_connection_come_change_and_go(api: Api, ear: Ear) -> None:
    terminal, made = api.terminal(), api.schedule()
    ear.until("node", terminal["id"], "created")
    ear.until("node", made["id"], "created")
    assert ear.until("schedule", made["id"], "created")["value"] == made
    edited = api.edit(made, {"payload": "false"}).made
    told = ear.until("schedule", made["id"], "changed")["value"]
    assert told == {name: edited[name] for name in told}
    for action, state in (("resume", "Running"), ("pause", "Paused")):
        api("POST", f"/api/schedules/{made['id']}/{action}")
        told = ear.until("schedule", made["id"], "changed")["value"]
        assert told["state"] == state
        assert told == api("GET", f"/api/schedules/{made['id']}").made, "as a GET would answer it"
    connection = api("POST", "/api/connections", {"a": made["id"], "b": terminal["id"]}).made
    assert ear.until("connection", connection["id"], "created")["value"] == connection
    assert ear.until("schedule", made["id"], "changed")["value"]["target"]["id"] == terminal["id"]
    api("DELETE", f"/api/connections?a={made['id']}&b={terminal['id']}")
    parted = [(event["type"], event["change"]) for event in (ear.hear(), ear.hear())]
    assert sorted(parted) == [("connection", "removed"), ("schedule", "changed")]
    again = api("POST", "/api/connections", {"a": made["id"], "b": terminal["id"]}).made
    ear.until("connection", again["id"], "created")
    api("DELETE", f"/api/schedules/{made['id']}")
    gone = ear.until("connection", again["id"], "removed"), ear.hear(), ear.hear()
    assert {(event["type"], event["change"]) for event in gone} == {
        ("connection", "removed"),
        ("schedule", "removed"),
        ("node", "removed"),
    }


def test_an_attempt_comes_and_changes_to_its_end(api: Api, ear: Ear) -> None:
    terminal = api.terminal(open=True)
    schedule = api.schedule(target=terminal["id"], payload="echo told")
    made = api("POST", f"/api/schedules/{schedule['id']}/run").made
    assert ear.until("attempt", made["id"], "created")["value"]["schedule"] == schedule["id"]
    last = until(
        lambda: (event := ear.until("attempt", made["id"], "changed"))["value"]["finished_at"] and event
    )
    assert last["value"]["state"] == "Completed"
    assert last["value"]["evidence"] is None, "as in a list"


def test_what_is_refused_or_stale_is_not_told(api: Api, ear: Ear) -> None:
    made = api.schedule()
    ear.until("schedule", made["id"], "created")
    api.edit({**made, "revision": 9}, {"payload": "x"}).problem("conflict", 409, 5, "present")
    api("POST", f"/api/schedules/{made['id']}/run").problem("refused", 403, 3)
    api("POST", "/api/schedules", {"name": ""}).problem("bad-input", 422, 2)
    next_one = api.schedule()
    while (event := ear.hear())["type"] == "session":
        pass  # a shell of another test goes its way
    assert (event["type"], event["id"]) == ("node", next_one["id"])


def test_each_face_is_told_in_its_own_zone(api: Api) -> None:
    made = api.schedule(recurrence={"cron": "0 9 * * *"})
    with Client(api.home, "Asia/Kolkata").events() as far, Client(api.home).events() as plain:
        faces = [Ear(far), Ear(plain)]
        api("POST", f"/api/schedules/{made['id']}/resume")
        told_far, told_plain = (face.until("schedule", made["id"], "changed")["value"] for face in faces)
    assert (told_far["host_zone"], told_far["next_local"][-6:]) == ("Asia/Kolkata", "+05:30")
    assert told_plain["host_zone"] == "Europe/Berlin"
    assert told_far["next_due"] == told_plain["next_due"]


def test_a_face_that_was_away_is_given_what_it_missed(api: Api, ear: Ear) -> None:
    kept, gone = api.schedule(), api.schedule()
    api("DELETE", f"/api/schedules/{gone['id']}")
    live = [ear.hear() for _ in range(6)]
    first = ear.hello["event"]
    for heard in range(len(live) + 1):
        with api.client.events(after=first + heard, runtime=ear.hello["runtime"]) as events:
            back = Ear(events)
            assert back.hello["event"] == ear.last
            back.last = first + heard
            missed = [back.hear() for _ in live[heard:]]
        for event, original in zip(missed, live[heard:], strict=True):
            for part in ("event", "type", "id", "change"):
                assert event[part] == original[part]
            # Told as it is now, which for what has gone since is nothing.
            assert event["value"] == (None if event["id"] == gone["id"] else original["value"])
    assert {event["id"] for event in live} == {kept["id"], gone["id"]}


@pytest.mark.parametrize("after", [-1, 10**9, 2**70])
def test_a_number_that_was_never_given_out_means_read_anew(api: Api, after: int) -> None:
    api.schedule()
    with api.client.events(after=after) as events:
        hello, reset = next(events), next(events)
        assert reset == {"type": "reset", "event": hello["event"]}
        made = api.schedule()
        event = next(events)
        assert (event["event"], event["id"]) == (hello["event"] + 1, made["id"]), "and then live"


def test_a_number_of_another_runtime_means_read_anew(api: Api, ear: Ear) -> None:
    with api.client.events(after=ear.hello["event"], runtime="deadbeef") as events:
        hello, reset = next(events), next(events)
    assert hello["runtime"] == ear.hello["runtime"]
    assert reset == {"type": "reset", "event": hello["event"]}


def test_a_number_that_is_none_is_refused(api: Api) -> None:
    with (
        pytest.raises(KavorError, match="refused its event stream"),
        EventStream(api.home, "/api/events?after=x", {}),
    ):
        pass
