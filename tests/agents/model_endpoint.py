"""A model on this machine's loopback: it answers real agents as their prompts tell it to (model_script)."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from model_dialects import DIALECTS, TOKENS_IN, Dialect, Event
from model_script import Conversation, Reply, next_reply

MODELS = ("stand-in", "claude-sonnet-4-5", "gpt-5")

WORDS_BEFORE_A_BREAK = 4
"""Events of a stream that come before it breaks or falls silent."""


class ModelEndpoint(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.asked: list[tuple[Conversation, Reply]] = []
        """What agents asked, without titles and summaries, and what they were answered, in order."""
        self.models: list[str] = []
        """Which models were asked, in order, for titles too; empty for one that the address names."""
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer_to(self, conversation: Conversation, model: str = "") -> Reply:
        reply = next_reply(conversation)
        self.models.append(model)
        if conversation.tools:
            self.asked.append((conversation, reply))
        return reply

    def tool_answers(self) -> list[str]:
        """What tools answered, as the model was told in the latest request."""
        return [turn.text for turn in self.asked[-1][0].turns if turn.role == "tool"]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client may go away at any time."""


@contextmanager
def model_endpoint() -> Iterator[ModelEndpoint]:
    endpoint = ModelEndpoint()
    serving = threading.Thread(target=endpoint.serve_forever, args=(0.05,), daemon=True)
    serving.start()
    try:
        yield endpoint
    finally:
        endpoint.closing.set()
        endpoint.shutdown()
        endpoint.server_close()
        serving.join()


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelEndpoint

    def log_message(self, format: str, *arguments: object) -> None: ...

    def do_HEAD(self) -> None:
        self._answer({})

    def do_GET(self) -> None:
        known = [{"id": name, "object": "model", "type": "model", "display_name": name} for name in MODELS]
        if self._path.endswith("/models"):
            self._answer({"object": "list", "data": known, "has_more": False})
        else:
            self._fail(404)

    def do_POST(self) -> None:
        body = self._body()
        if self._path.endswith("/count_tokens"):
            self._answer({"input_tokens": TOKENS_IN})
        elif self._path.endswith(":countTokens"):
            self._answer({"totalTokens": TOKENS_IN})
        else:
            dialect = next((DIALECTS[end] for end in DIALECTS if self._path.endswith(end)), None)
            if dialect is None:
                self._fail(404)
            else:
                self._play(dialect, body)

    @property
    def _path(self) -> str:
        return urlsplit(self.path).path.rstrip("/")

    def _body(self) -> dict[str, Any]:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        body: dict[str, Any] = json.loads(raw or b"{}")
        return body

    def _play(self, dialect: Dialect, body: dict[str, Any]) -> None:
        reply = self.server.answer_to(dialect.read(body), str(body.get("model", "")))
        if reply.verb == "error":
            self._fail(int(reply.number))
            return
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(dialect.stream(body, reply)):
            if number == WORDS_BEFORE_A_BREAK and reply.verb == "drop":
                return
            if number == WORDS_BEFORE_A_BREAK and reply.verb == "hang":
                self.server.closing.wait(reply.number)
            self._send_chunk(_as_sent(event))
        self._send_chunk(b"")

    def _send_chunk(self, chunk: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        self.wfile.flush()

    def _answer(self, document: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _fail(self, status: int) -> None:
        why = {"type": "api_error", "code": status, "message": f"the stand-in was told to answer {status}"}
        self._answer({"type": "error", "error": why}, status)


def _as_sent(event: Event) -> bytes:
    data = event.data
    if isinstance(data, dict):
        data = json.dumps({"type": event.name, **data} if event.name else data)
    head = f"event: {event.name}\n" if event.name else ""
    return f"{head}data: {data}\n\n".encode()
