"""The HTTP application, and the server that gives it to the user's own processes alone."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable, Iterator

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import kavor
from kavor.api import events, routes, terminal_relay
from kavor.api.agent_tools import note_refusal
from kavor.api.asking import viewer_zone
from kavor.api.problems import problem_response
from kavor.domain.errors import BadInput, Conflict, KavorError, Unreachable
from kavor.home import Home
from kavor.runtime.services import Services
from kavor.sessions.session import SessionsLost

log = logging.getLogger(__name__)

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_SEE_OPENAPI = "/openapi.json lists what the API has"
_SEE_REQUESTS = "/openapi.json says what each request takes"


class NoSuchRoute(KavorError):
    status = 404
    kind = "no-such-route"


class MethodNotAllowed(KavorError):
    status = 405
    kind = "method-not-allowed"


class UnreadableBody(BadInput):
    """No text, or JSON that no parser can hold."""

    status = 400


class SessionsGone(KavorError):
    """The process that holds the shells died while it was asked."""

    status = 503
    kind = "sessions-lost"


def create_app(services: Services, stop: Callable[..., None]) -> FastAPI:
    """The application over these services. ``stop(end_sessions=…)`` is called when a face asks for it."""
    app = FastAPI(
        title="Kavor",
        version=kavor.__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        strict_content_type=False,
    )
    app.state.services = services
    app.state.stop = stop
    app.include_router(events.router)
    app.include_router(terminal_relay.router)
    app.include_router(routes.router)
    app.add_exception_handler(KavorError, _on_kavor_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(SessionsLost, _on_sessions_lost)
    app.add_exception_handler(Exception, _on_defect)
    return app


def bind_socket(home: Home) -> socket.socket:
    """A listening socket for this user alone. Call it under the runtime's lock: what is there is stale."""
    home.check_socket_paths()
    home.socket.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)  # no moment in which another user could connect
    try:
        bound.bind(str(home.socket))
    finally:
        os.umask(before)
    home.socket.chmod(0o600)
    bound.listen(128)
    bound.setblocking(False)
    return bound


class _AnswersToTheEnd:
    """A request that is given up, since the server stops, is told so; it is no defect to be logged."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = scope["type"] != "http"

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            if not begun:
                stopping = Unreachable(
                    "the runtime is stopping", "look whether it was done before you ask again"
                )
                await problem_response(stopping)(scope, receive, send)


class Server(uvicorn.Server):
    """uvicorn, without its ten wake-ups a second, and without its hands on signals."""

    def __init__(self, app: FastAPI, on_ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                _AnswersToTheEnd(app),
                log_config=None,
                access_log=False,
                lifespan="off",
                ws="websockets-sansio",
                # All is local: compression would only cost time, and a face that is gone is seen at once. One
                # that is slow to read is not cut off.
                ws_per_message_deflate=False,
                ws_ping_interval=None,
                date_header=False,
                server_header=False,
                timeout_graceful_shutdown=2,
            )
        )
        self._on_ready = on_ready
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        self.should_exit = True
        self._stopped.set()

    async def main_loop(self) -> None:
        self._on_ready()
        await self._stopped.wait()

    async def listen_anew(self, bound: socket.socket) -> None:
        """Take new connections at this socket alone; those that are open go on."""
        for listening in self.servers:
            listening.close()
        await self.startup(sockets=[bound])

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _present(request: Request) -> dict[str, object] | None:
    """What a stale edit was aimed at, as it is now."""
    services: Services = request.app.state.services
    ref = request.path_params.get("ref", "")
    try:
        if request.url.path.startswith("/api/schedules/"):
            zone = await viewer_zone(request.headers.get("kavor-zone"))
            return dict(await services.schedules.get(ref, zone))
        if request.url.path.endswith("/text"):
            return dict(await services.texts.get(ref))
        return dict(await services.graph.node(ref))
    except KavorError:
        return None


async def _on_kavor_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, KavorError)
    note_refusal(request, error)
    if isinstance(error, Conflict):
        return problem_response(error, present=await _present(request))
    return problem_response(error)


async def _on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = "; ".join(
        f"{'.'.join(str(part) for part in fault['loc'][1:]) or 'the request'}: {fault['msg']}"
        for fault in error.errors()
    )
    # An agent cannot read that document; its client shows it the schemas.
    is_of_a_tool = request.url.path.startswith("/api/agent-tools/")
    hint = "the tool's own schema names its arguments" if is_of_a_tool else _SEE_REQUESTS
    invalid = BadInput(faults, hint)
    note_refusal(request, invalid)
    return problem_response(invalid)


async def _on_http_exception(request: Request, error: Exception) -> JSONResponse:
    """What the framework refuses before any route of ours is asked."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    match error.status_code:
        case 404:
            return problem_response(NoSuchRoute(f"the API has nothing at {path}", _SEE_OPENAPI))
        case 405:
            refused = MethodNotAllowed(f"{path} does not take {request.method}", _SEE_OPENAPI)
            return problem_response(refused, headers={"Allow": ", ".join(_methods(request))})
        case 400:
            unreadable = UnreadableBody("the body cannot be read", "send JSON, in UTF-8")
            return problem_response(unreadable)
    raise error


def _methods(request: Request) -> list[str]:
    """What the path of this request can be asked with."""
    return [
        method
        for method in _METHODS
        for scope in ({**request.scope, "method": method},)
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    ]


async def _on_sessions_lost(request: Request, error: Exception) -> JSONResponse:
    lost = SessionsGone(
        "the process that holds the shells has ended", "open the session again: kavor session open NODE"
    )
    return problem_response(lost)


async def _on_defect(request: Request, error: Exception) -> JSONResponse:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    failed = KavorError(
        "the runtime failed at this: a defect of Kavor", "its log, logs/runtime.log in its home, says where"
    )
    return problem_response(failed)
