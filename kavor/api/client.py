"""The client every face holds: the runtime's HTTP API over its Unix socket, in plain Python values.

Each request is a connection of its own, so one client may be shared between threads. What the runtime
refuses arrives as the same error class it was raised with there.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from kavor.api.connection import (
    ANSWER_LIMIT_S,
    Document,
    EditedElsewhere,
    error_from_problem,
    open_socket,
    unreachable,
)
from kavor.domain.errors import KavorError, Unreachable
from kavor.home import Home

if TYPE_CHECKING:
    from kavor.api.event_stream import EventStream

__all__ = ["Client", "Document", "EditedElsewhere"]

Query = str | int | bool | None
"""A query parameter; None leaves it out."""


class Client:
    """Talks to the runtime of one home. ``zone`` is the IANA zone of the machine this face runs on: times
    come back in it too, and a save stamps it. Every request may raise any KavorError."""

    def __init__(self, home: Home, zone: str | None = None) -> None:
        self.home = home
        self.zone = zone

    def get(self, path: str, **query: Query) -> Document:
        return self._request("GET", path, query)

    def post(
        self, path: str, body: Mapping[str, object] | None = None, *, key: str | None = None
    ) -> Document:
        """With an idempotency ``key`` it is asked once more where the answer was lost: it is done once."""
        if key is None:
            return self._request("POST", path, body=body)
        under_it = {"Idempotency-Key": f'"{key}"'}
        try:
            return self._request("POST", path, body=body, headers=under_it)
        except Unreachable as lost:
            try:
                return self._request("POST", path, body=body, headers=under_it)
            except Unreachable:
                raise lost from lost.__cause__

    def patch(self, path: str, body: Mapping[str, object], *, revision: int) -> Document:
        """Edit what has this ``revision``. Raises EditedElsewhere when it has another by now."""
        return self._request("PATCH", path, body=body, headers={"If-Match": f'"{revision}"'})

    def put(self, path: str, body: Mapping[str, object], *, version: str) -> Document:
        """Save over what has this ``version``. Raises EditedElsewhere when it has another by now."""
        return self._request("PUT", path, body=body, headers={"If-Match": f'"{version}"'})

    def delete(self, path: str, **query: Query) -> Document:
        return self._request("DELETE", path, query)

    def events(self, after: int | None = None, runtime: str | None = None) -> EventStream:
        """Every change from now on, or from after event number ``after`` of that run of the ``runtime``;
        the first is ``hello``. Use it in a ``with``, and "now" is when that is entered."""
        from kavor.api.event_stream import EventStream  # most faces need no WebSocket

        path = _target("/api/events", {"after": after, "runtime": runtime})
        return EventStream(self.home, path, self._headers())

    def _headers(self) -> dict[str, str]:
        return {"Kavor-Zone": self.zone} if self.zone else {}

    def _request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Query] | None = None,
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Document:
        sent = {**self._headers(), **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        self.home.check_socket_paths()
        # We close, never the server: it may answer before it has read the whole body, and its close would
        # then take the answer with it.
        connection = _UnixConnection(self.home)
        try:
            connection.request(method, _target(path, query or {}), data, sent)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise unreachable(error, self.home) from error
        finally:
            connection.close()
        document = _parse(content, self.home)
        if answer.status >= 400:
            raise error_from_problem(document)
        return document


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, home: Home) -> None:
        super().__init__("kavor", timeout=ANSWER_LIMIT_S)
        self._home = home

    def connect(self) -> None:
        self.sock = open_socket(self._home, ANSWER_LIMIT_S)


def _target(path: str, query: Mapping[str, Query]) -> str:
    given = {name: _spell(value) for name, value in query.items() if value is not None}
    # An argument of the command line that is not UTF-8 is sent as the bytes it was, and names nothing.
    return quote(path) + ("?" + urlencode(given, errors="surrogateescape") if given else "")


def _spell(value: Query) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse(content: bytes, home: Home) -> Document:
    try:
        document = json.loads(content)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise KavorError(
            f"what answers on {home.socket} does not speak Kavor's API",
            f"look into {home.runtime_log}, or restart it: kavor runtime stop, kavor runtime start",
        )
    return document
