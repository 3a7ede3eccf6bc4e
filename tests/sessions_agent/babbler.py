"""An agent that prints for ever, once it is asked for anything: ``babbler.py KIND``. It goes on answering,
unless KIND is ``deaf``."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def line(**message: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", **message}) + "\n"


def update(**content: Any) -> str:
    return line(method="session/update", params={"sessionId": "s", "update": content})


def forever(kind: str) -> Iterator[str]:
    option = {"optionId": "yes", "name": "Yes", "kind": "allow_once"}
    asked = {"sessionId": "s", "toolCall": {"toolCallId": "t", "title": "more"}, "options": [option]}
    pieces = {
        "strays": "what it is doing, as programs print it\n" * 300,
        "endless line": "x" * 16_384,
        "words": update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "more "}) * 100,
        "requests": line(id=1, method="nothing/known", params={}) * 100,
        "questions": line(id=1, method="session/request_permission", params=asked) * 100,
        "deaf": line(id=1, method="nothing/known", params={}) * 100,
    }
    number = 0
    while True:
        number += 1
        calls = [update(sessionUpdate="tool_call", toolCallId=f"{number}-{n}", title="t") for n in range(100)]
        yield "".join(calls) if kind == "calls" else pieces[kind]


def babble(kind: str) -> None:
    for text in forever(kind):
        sys.stdout.write(text)
        sys.stdout.flush()


def main() -> None:
    kind = sys.argv[1]
    answers: dict[str, Json] = {
        "initialize": {"protocolVersion": 1, "agentCapabilities": {}},
        "session/new": {"sessionId": "s"},
        "session/prompt": {"stopReason": "end_turn"},
    }
    for text in sys.stdin:
        message = json.loads(text)
        method = message.get("method")
        if method in answers:
            sys.stdout.write(line(id=message["id"], result=answers[method]))
            sys.stdout.flush()
        if method == "session/prompt":
            if kind == "deaf":
                babble(kind)
            threading.Thread(target=babble, args=(kind,), daemon=True).start()


main()
