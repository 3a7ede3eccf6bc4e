"""The tools over streamable HTTP, for every agent of one runtime, on this machine's loopback alone.

Each request brings its agent's token, which is passed on and kept nowhere. A web page that a person looks
at cannot get here: Host and Origin must be this machine's, and every request needs a token.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Iterator

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kavor.home import Home
from kavor.mcp.link import RuntimeLink
from kavor.mcp.server import Context, tool_server

LOOPBACK = "127.0.0.1"
PATH = "/mcp"

_SCHEME = "bearer "


def listen() -> socket.socket:
    """A socket on loopback, at a port of the system's choice."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.bind((LOOPBACK, 0))
    listening.listen(128)
    return listening


def url_of(listening: socket.socket) -> str:
    return f"http://{LOOPBACK}:{listening.getsockname()[1]}{PATH}"


def serve_http(home: Home, listening: socket.socket, *, stdin: int, ready: str) -> None:
    """Serve until ``stdin`` ends, so that no runtime leaves a server behind. ``ready`` is printed when it
    takes requests."""
    asyncio.run(_serve(home, listening, stdin, ready))


async def _serve(home: Home, listening: socket.socket, stdin: int, ready: str) -> None:
    logging.getLogger("mcp").setLevel(logging.ERROR)  # it would tell of every stray request
    link = RuntimeLink(home)
    port = listening.getsockname()[1]
    hosts = [f"{name}:{port}" for name in (LOOPBACK, "localhost")]
    app = tool_server(link, _bearer).streamable_http_app(
        streamable_http_path=PATH,
        # One call knows nothing of another: an agent goes on where this process was started anew.
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    server = _QuietServer(_TokensOnly(app), ready)
    watch = asyncio.create_task(_end_with(stdin, server))
    try:
        await server.serve(sockets=[listening])
    finally:
        watch.cancel()
        await link.close()


def _bearer(ctx: Context) -> str:
    """The token of a request that has come through _TokensOnly."""
    token = _token(ctx.request.headers) if ctx.request is not None else None
    assert token is not None
    return token


def _token(headers: Headers) -> str | None:
    given = headers.get("authorization", "")
    token = given[len(_SCHEME) :].strip() if given.lower().startswith(_SCHEME) else ""
    return token if token.isascii() and token.isprintable() and token else None


class _TokensOnly:
    """Without a token nothing is answered, not even what there is. Whose it is, the runtime knows."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _token(Headers(scope=scope)) is None:
            refusal = PlainTextResponse("unauthorized", 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


class _QuietServer(uvicorn.Server):
    """uvicorn, without its ten wake-ups a second, its hands on signals, and its log of requests."""

    def __init__(self, app: ASGIApp, ready: str) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="on",
                ws="none",
                date_header=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._ready = ready
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        self.should_exit = True
        self._stopped.set()

    async def main_loop(self) -> None:
        print(self._ready, flush=True)
        await self._stopped.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _end_with(stdin: int, server: _QuietServer) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def read() -> None:
        if not os.read(stdin, 4096):
            loop.remove_reader(stdin)
            ended.set()

    os.set_blocking(stdin, False)
    loop.add_reader(stdin, read)
    await ended.wait()
    server.stop()
