"""The client over the real runtime, and over one that answers oddly."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Sequence
from threading import Thread

import pytest
from kavor_command import Kavor

from kavor.api import client as module
from kavor.api.client import Client, EditedElsewhere
from kavor.domain.errors import BadInput, KavorError, NotFound, Unreachable
from kavor.home import Home


def test_a_round_trip(shared: Kavor) -> None:
    client = Client(shared.home, "Europe/Berlin")
    made = client.post("/api/schedules", {"name": "näme with spaces & signs", "payload": "true"})
    assert made["zone"] == "Europe/Berlin"
    assert client.get("/api/schedules", ref=made["name"])["schedules"] == [
        client.get(f"/api/schedules/{made['id']}")
    ]
    changed = client.patch(f"/api/schedules/{made['id']}", {"name": "b"}, revision=made["revision"])
    with pytest.raises(EditedElsewhere) as stale:
        client.patch(f"/api/schedules/{made['id']}", {"name": "c"}, revision=made["revision"])
    assert stale.value.present["name"] == "b"
    assert stale.value.present["revision"] == changed["revision"]
    assert client.delete(f"/api/schedules/{made['id']}") == {"removed": made["id"]}
    with pytest.raises(NotFound):
        client.get(f"/api/schedules/{made['id']}")


def test_what_the_api_does_not_know_is_an_error(shared: Kavor) -> None:
    client = Client(shared.home)
    with pytest.raises(KavorError, match="/api/nowhere"):
        client.get("/api/nowhere")
    with pytest.raises(BadInput, match="color"):
        client.post("/api/schedules", {"name": "x", "color": "red"})


def test_a_zone_that_is_not_known_is_refused(shared: Kavor) -> None:
    with pytest.raises(BadInput, match="'Nowhere/City'"):
        Client(shared.home, "Nowhere/City").get("/api/schedules")


def test_events_begin_with_hello_and_tell_each_change(shared: Kavor) -> None:
    client = Client(shared.home, "Europe/Berlin")
    events = client.events()
    hello = next(events)
    assert hello["type"] == "hello"
    made = client.post("/api/schedules", {"name": "seen", "payload": "true"})
    node, event = [next(events) for _ in ("as a Node", "as a Schedule")]
    assert (node["type"], node["change"], node["id"]) == ("node", "created", made["id"])
    assert event["event"] > hello["event"]
    assert (event["type"], event["change"]) == ("schedule", "created")
    assert event["value"]["name"] == "seen"
    events.close()
    again = client.events(after=hello["event"])
    assert next(again)["type"] == "hello"
    assert next(again)["id"] == made["id"]
    again.close()


def test_events_end_with_the_runtime(kavor: Kavor) -> None:
    kavor.json("runtime", "start")
    events = Client(kavor.home).events()
    next(events)
    kavor.json("runtime", "stop")
    assert list(events) == []


def test_events_tell_when_the_runtime_dies(kavor: Kavor) -> None:
    pid = kavor.json("runtime", "start")["pid"]
    events = Client(kavor.home).events()
    next(events)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(Unreachable, match="went away"):
        list(events)


def test_no_runtime_is_unreachable(home: Home) -> None:
    with pytest.raises(Unreachable, match="no runtime is running"):
        Client(home).get("/api/runtime")
    with pytest.raises(Unreachable, match="no runtime is running"):
        next(Client(home).events())


def test_a_socket_left_behind_is_unreachable(home: Home) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(home.socket))
    with pytest.raises(Unreachable, match="no runtime is running"):
        Client(home).get("/api/runtime")


class Scripted:
    """Something else on the runtime's socket: one connection after the other, each answered by its script."""

    def __init__(self, home: Home, *scripts: Callable[[socket.socket], None]) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(home.socket))
        self._listening.listen()
        self._thread = Thread(target=self._serve, args=(scripts,))

    def _serve(self, scripts: Sequence[Callable[[socket.socket], None]]) -> None:
        for script in scripts:
            connection, _ = self._listening.accept()
            with connection:
                script(connection)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._listening.close()


def test_an_answer_that_comes_before_the_body_was_read_is_heard(home: Home) -> None:
    def answer_early(connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(1)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        if b"connection: close" in head.lower():
            return
        while connection.recv(100):
            pass

    with Scripted(home, answer_early):
        assert Client(home).post("/api/schedules", {"name": "x" * 1000}) == {}


def test_one_that_speaks_another_language(home: Home) -> None:
    def greet(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello")

    with Scripted(home, greet), pytest.raises(KavorError, match="does not speak Kavor's API"):
        Client(home).get("/api/runtime")


def test_one_that_goes_away(home: Home) -> None:
    with (
        Scripted(home, lambda connection: None),
        pytest.raises(Unreachable, match="went away"),
    ):
        Client(home).get("/api/runtime")


def test_what_has_a_key_is_asked_once_more_where_its_answer_was_lost(home: Home) -> None:
    heard: list[bytes] = []

    def hang_up(connection: socket.socket) -> None:
        heard.append(b"")
        while not heard[-1].endswith(b"}"):
            heard[-1] += connection.recv(1000)

    def answer(connection: socket.socket) -> None:
        hang_up(connection)
        connection.sendall(b'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"id": 1}')

    with Scripted(home, hang_up, answer):
        assert Client(home).post("/api/nodes/1/messages", {"text": "x"}, key="k") == {"id": 1}
    assert len(heard) == 2
    assert heard[0] == heard[1]
    assert b'Idempotency-Key: "k"' in heard[0]
    home.socket.unlink()
    with Scripted(home, hang_up), pytest.raises(Unreachable, match="went away"):
        Client(home).post("/api/schedules/1/run", {})


def test_a_runtime_that_is_gone_does_not_hide_that_the_answer_was_lost(home: Home) -> None:
    def hang_up_for_good(connection: socket.socket) -> None:
        connection.recv(1000)
        home.socket.unlink()

    with Scripted(home, hang_up_for_good), pytest.raises(Unreachable, match="went away") as lost:
        Client(home).post("/api/nodes/1/messages", {"text": "x"}, key="k")
    assert "look whether it was done" in lost.value.hint


def test_one_that_never_answers(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_LIMIT_S", 0.2)
    with (
        Scripted(home, lambda connection: connection.recv(1000) and connection.recv(1)),
        pytest.raises(Unreachable, match="did not answer within"),
    ):
        Client(home).get("/api/runtime")
