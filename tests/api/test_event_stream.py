"""A face that follows the event stream and leaves it, in every way it may."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from api_world import PATIENCE, Api, environment, until

from kavor.api.client import Client, Document
from kavor.api.event_stream import EventStream
from kavor.api.server import Server, bind_socket, create_app
from kavor.domain.errors import BadInput, KavorError, StorageFailed, Unreachable
from kavor.home import Home
from kavor.runtime.events import KEPT, TOO_MANY, Change, EventLog

LEAVING = {
    "a with and a break": """
with client.events() as events:
    for event in events:
        break
""",
    "a break, and the stream is kept": """
events = client.events()
for event in events:
    break
""",
    "a break, and nothing is kept": """
for event in client.events():
    break
""",
    "an error": """
with client.events() as events:
    next(events)
    raise SystemExit(0)
""",
}


@pytest.mark.parametrize("way", LEAVING)
def test_a_script_that_leaves_the_stream_ends_at_once(api: Api, way: str) -> None:
    script = (
        "from kavor.api.client import Client\n"
        "from kavor.home import find_home\n"
        "client = Client(find_home())\n" + LEAVING[way]
    )
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(api.home, api.folder),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert time.monotonic() - begun < 8, "no time-out was waited for"


def test_it_is_connected_when_it_is_entered(api: Api) -> None:
    with api.client.events() as events:
        made = api.schedule()
        assert next(events)["type"] == "hello"
        assert next(events)["id"] == made["id"], "what was made before the first event was read is told"


def test_another_thread_closes_it_while_it_waits(api: Api) -> None:
    heard: list[str] = []

    def follow() -> None:
        heard.extend(event["type"] for event in events)

    with api.client.events() as events:
        assert next(events)["type"] == "hello"
        reader = threading.Thread(target=follow)
        reader.start()
        events.close()
        reader.join(PATIENCE)
        assert not reader.is_alive()
    assert heard == []
    assert list(events) == [], "a closed stream is at its end"
    events.close()


def test_one_that_was_closed_before_it_began_never_connects(api: Api) -> None:
    events = api.client.events()
    events.close()
    assert list(events) == []


def test_without_a_runtime_it_cannot_be_entered(home: Home) -> None:
    with pytest.raises(Unreachable, match="no runtime is running"), Client(home).events():
        pass


def test_a_zone_that_is_not_known_is_refused_in_words(api: Api) -> None:
    with (
        pytest.raises(BadInput, match="'Nowhere/Ünknown' is not a known time zone"),
        Client(api.home, "Nowhere/Ünknown").events(),
    ):
        pass


def test_a_large_event_arrives_whole(api: Api) -> None:
    with api.client.events() as events:
        next(events)
        made = api.schedule(payload="# " + "wörter " * 8_000)
        told = until(lambda: (event := next(events))["type"] == "schedule" and event)
        assert told["value"]["payload"] == made["payload"]


@asynccontextmanager
async def serving(home: Home, log: EventLog, problem: KavorError | None = None) -> AsyncIterator[None]:
    """The real server and stream over a log of the test's own; a ``problem`` is met by what asks what is in
    the database."""

    class Shown:
        runtime = SimpleNamespace(events=log)

        async def present(self, change: Change, zone: str) -> None:
            if problem is not None:
                raise problem

    ready = asyncio.Event()
    server = Server(create_app(Shown(), lambda **_: None), ready.set)  # type: ignore[arg-type]
    running = asyncio.create_task(server.serve(sockets=[bind_socket(home)]))
    await ready.wait()
    try:
        yield
    finally:
        server.stop()
        await running


async def test_an_event_that_cannot_be_shown_breaks_the_stream_off(home: Home) -> None:
    """Passed over in silence it would be lost, and an end in order would say that the runtime stopped."""
    log = EventLog()
    async with serving(home, log, StorageFailed("the disk is gone: " + "ü" * 200, "look at it")):
        log.publish([Change("node", "before", "removed")])
        events = Client(home).events(after=0)
        hello = await heard(events)
        assert (hello["type"], hello["event"]) == ("hello", 1)
        assert (await heard(events))["id"] == "before"
        log.publish([Change("schedule", "told", "removed"), Change("schedule", "cannot be read")])
        assert (await heard(events))["event"] == 2
        with pytest.raises(KavorError, match="broke its event stream off: the disk is gone: ü") as broken:
            await heard(events)
        assert broken.value.exit_code == 1
        assert await asyncio.to_thread(list, events) == [], "it stays at its end"
        # Whoever comes back for what followed the last event it heard is not told that it has heard all.
        again = Client(home).events(after=2, runtime=hello["runtime"])
        assert (await heard(again))["event"] == 3
        with pytest.raises(KavorError, match="the disk is gone"):
            await heard(again)


async def test_what_is_no_longer_kept_means_read_anew(home: Home) -> None:
    log = EventLog()
    async with serving(home, log):
        for number in range(KEPT + 5):
            log.publish([Change("node", str(number), "removed")])
        for after, kept in ((4, False), (5, True)):
            events = Client(home).events(after=after, runtime=log.runtime_id)
            assert (await heard(events))["event"] == KEPT + 5
            event = await heard(events)
            assert (event["type"], event["event"]) == (("node", 6) if kept else ("reset", KEPT + 5))
            events.close()


async def test_one_that_does_not_keep_up_is_told_to_read_anew(home: Home) -> None:
    log = EventLog()
    async with serving(home, log):
        events = Client(home).events()
        assert (await heard(events))["type"] == "hello"
        log.publish([Change("node", str(number)) for number in range(TOO_MANY)])
        log.publish([Change("node", "one too many")])
        assert await heard(events) == {"type": "reset", "event": TOO_MANY + 1}
        log.publish([Change("node", "after that")])
        assert (await heard(events))["event"] == TOO_MANY + 2
        log.publish([Change("node", str(number)) for number in range(TOO_MANY + 1)])
        assert await heard(events) == {"type": "reset", "event": TOO_MANY + 3}
        events.close()


async def heard(events: EventStream) -> Document:
    return await asyncio.to_thread(next, events)
