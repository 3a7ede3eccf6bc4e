"""A face that follows the event stream and leaves it, in every way it may."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest
from api_world import PATIENCE, Api, environment, until

from kavor.api.client import Client
from kavor.api.server import Server, bind_socket, create_app
from kavor.domain.errors import BadInput, KavorError, StorageFailed, Unreachable
from kavor.home import Home
from kavor.runtime.events import Change, EventLog

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


@pytest.fixture
async def unreadable(home: Home) -> AsyncIterator[tuple[Home, EventLog]]:
    """The API over a database that cannot be read, with its log of events."""
    log = EventLog()

    class Unreadable:
        runtime = SimpleNamespace(events=log)

        async def present(self, change: Change, zone: str) -> None:
            raise StorageFailed("the disk is gone: " + "ü" * 200, "look at it")

    ready = asyncio.Event()
    server = Server(create_app(Unreadable(), lambda **_: None), ready.set)  # type: ignore[arg-type]
    serving = asyncio.create_task(server.serve(sockets=[bind_socket(home)]))
    await ready.wait()
    yield home, log
    server.stop()
    await serving


async def test_an_event_that_cannot_be_shown_breaks_the_stream_off(unreadable: tuple[Home, EventLog]) -> None:
    """Passed over in silence it would be lost, and an end in order would say that the runtime stopped."""
    home, log = unreadable
    log.publish([Change("node", "before", "removed")])
    events = Client(home).events(after=0)
    hello = await asyncio.to_thread(next, events)
    assert (hello["type"], hello["event"]) == ("hello", 1)
    assert (await asyncio.to_thread(next, events))["id"] == "before"
    log.publish([Change("schedule", "told", "removed"), Change("schedule", "cannot be read")])
    assert (await asyncio.to_thread(next, events))["event"] == 2
    with pytest.raises(KavorError, match="broke its event stream off: the disk is gone: ü") as broken:
        await asyncio.to_thread(next, events)
    assert broken.value.exit_code == 1
    assert await asyncio.to_thread(list, events) == [], "it stays at its end"
    # Whoever comes back for what followed the last event it heard is not told that it has heard all.
    again = Client(home).events(after=2, runtime=hello["runtime"])
    assert (await asyncio.to_thread(next, again))["event"] == 3
    with pytest.raises(KavorError, match="the disk is gone"):
        await asyncio.to_thread(next, again)
