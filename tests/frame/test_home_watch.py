"""A home that is changed under a running runtime."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from kavor.api.client import Client
from kavor.api.server import Server, bind_socket
from kavor.app.home_watch import HomeWatch
from kavor.app.lock import home_lock
from kavor.home import Home

OFTEN = 0.01


@pytest.fixture
async def server(home: Home) -> AsyncIterator[Server]:
    """Serves the home under its lock, and keeps the home as a runtime does."""
    app = FastAPI()
    app.get("/here")(lambda: {"here": True})
    home.prepare()
    with home_lock(home):
        ready = asyncio.Event()
        server = Server(app, ready.set)
        serving = asyncio.create_task(server.serve(sockets=[bind_socket(home)]))
        await ready.wait()
        watch = HomeWatch(home)
        keeping = asyncio.create_task(
            watch.keep(
                stop=server.stop, listen_anew=lambda: server.listen_anew(bind_socket(home)), every=OFTEN
            )
        )
        yield server
        keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeping
        server.stop()
        await serving


async def answers(home: Home) -> bool:
    with contextlib.suppress(Exception):
        return (await asyncio.to_thread(Client(home).get, "/here"))["here"] is True
    return False


async def test_a_socket_that_was_removed_is_bound_anew(home: Home, server: Server) -> None:
    assert await answers(home)
    home.socket.unlink()
    end = time.monotonic() + 10
    while not await answers(home):
        assert time.monotonic() < end, "nobody listens"
        await asyncio.sleep(OFTEN)
    assert home.socket.stat().st_mode & 0o777 == 0o600
    assert not server.should_exit


@pytest.mark.contract("K77")
async def test_a_home_that_was_removed_or_put_back_from_a_copy_is_served_no_longer(
    home: Home, server: Server
) -> None:
    copy = home.data.with_name(f"{home.data.name}-copy")
    shutil.copytree(home.data, copy, ignore=shutil.ignore_patterns("*.sock"))
    shutil.rmtree(home.data)
    copy.rename(home.data)
    end = time.monotonic() + 10
    while not server.should_exit:
        assert time.monotonic() < end, "it serves on"
        await asyncio.sleep(OFTEN)
    assert not home.socket.exists(), "a socket in a home that is not ours"
