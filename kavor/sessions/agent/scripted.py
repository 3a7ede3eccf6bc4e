"""A scripted agent: speaks ACP, has no model, and does what the lines of its prompt say.

It serves the demo and the tests, as a program of its own: ``python -m kavor.sessions.agent.scripted``. A line
is a verb and what belongs to it; one that begins with no verb is prose, and passed over. The verbs are the
methods of `Script`. It uses the standard library alone, so that it starts at once and shares nothing with
the side it is spoken to by.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kavor.sessions.agent.scripted_tools import ToolServer, connect

Json = dict[str, Any]

RESOURCE_NOT_FOUND = -32002
AUTHENTICATION_REQUIRED = -32000
METHOD_NOT_FOUND = -32601

_LAST = re.compile(r"\$last(?:\.(?P<field>\w+))?")


class Wire:
    """Lines of JSON on stdin and stdout, for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[int, tuple[threading.Event, list[Json]]] = {}

    def send(self, message: Json) -> None:
        self.print(json.dumps({"jsonrpc": "2.0", **message}) + "\n")

    def print(self, text: str) -> None:
        with self._lock:
            sys.stdout.write(text)
            sys.stdout.flush()

    def ask(self, method: str, params: Json) -> Json:
        """Wait for the client's answer."""
        number = secrets.randbits(31)
        come, answers = self._asked[number] = threading.Event(), []
        self.send({"id": number, "method": method, "params": params})
        come.wait()
        return answers[0]

    def answered(self, message: Json) -> None:
        come, answers = self._asked.pop(message["id"], (threading.Event(), []))
        answers.append(message.get("result") or {})
        come.set()


class EndOfTurn(Exception):
    """The stop reason with which the turn ends at once."""


class Failure(Exception):
    """The turn is answered with an error."""


class Conversation:
    def __init__(self, identity: str, servers: list[Json], keep: Path | None) -> None:
        self.id = identity
        self.servers = servers
        self.cancelled = threading.Event()
        self.history: list[tuple[str, str]] = []
        self._file = keep / f"{identity}.json" if keep is not None else None

    def note(self, update: str, text: str) -> None:
        self.history.append((update, text))
        if self._file is not None:
            self._file.write_text(json.dumps(self.history))


class Script:
    """One turn. Each public method is a verb, and takes the rest of its line."""

    def __init__(self, wire: Wire, conversation: Conversation) -> None:
        self._wire = wire
        self._conversation = conversation
        self._tools: list[ToolServer] = []
        self._calls = 0
        self._last = ""

    def play(self, text: str) -> str:
        """The stop reason."""
        lines = [line.strip().partition(" ") for line in text.splitlines()]
        steps = [(verb, rest) for verb, _, rest in lines if verb in VERBS]
        try:
            for verb, rest in steps or [("say", "There is nothing for me to do.")]:
                if self._conversation.cancelled.is_set():
                    return "cancelled"
                getattr(self, verb)(rest)
        except EndOfTurn as end:
            return str(end)
        finally:
            for server in self._tools:
                server.close()
        return "end_turn"

    def say(self, text: str) -> None:
        """say TEXT: a message; $last in it is what the last call answered, $last.NAME a field of that."""
        self._speak(_LAST.sub(self._recalled, text))

    def think(self, text: str) -> None:
        self._update("agent_thought_chunk", content={"type": "text", "text": text})

    def plan(self, text: str) -> None:
        """plan ONE; TWO"""
        entries = [
            {"content": part.strip(), "priority": "medium", "status": "pending"} for part in text.split(";")
        ]
        self._update("plan", entries=entries)

    def tool(self, title: str) -> None:
        """tool TITLE: a tool of its own that it pretends to use."""
        call = self._call_begins(title, "read", {})
        self._call_ends(call, "completed", "done")

    def slow(self, rest: str) -> None:
        """slow SECONDS TEXT: one word after the other."""
        seconds, _, text = rest.partition(" ")
        for word in text.split():
            self._speak(f"{word} ")
            self._pause(float(seconds))

    def wait(self, seconds: str) -> None:
        self._pause(float(seconds))

    def ask(self, title: str) -> None:
        """ask TITLE: for permission. Without it, the turn ends."""
        call = self._call_begins(title, "execute", {"command": title})
        chosen = self._permission({"toolCallId": call, "title": title, "kind": "execute"})
        self._call_ends(call, "completed" if chosen == "yes" else "failed", "")
        if chosen is None:
            raise EndOfTurn("cancelled")
        if chosen != "yes":
            self._speak("Left alone.")
            raise EndOfTurn("end_turn")

    def call(self, rest: str) -> None:
        """call TOOL JSON: a tool of the session's MCP servers; permission for it is asked first."""
        name, _, given = rest.partition(" ")
        filled = _LAST.sub(lambda found: json.dumps(self._recalled(found))[1:-1], given)
        arguments = json.loads(filled or "{}")
        server = self._server_with(name)
        call = self._call_begins(f"{server.name}: {name}", "other", arguments)
        asked = {"toolCallId": call, "title": name, "_meta": {"kavor": {"mcpServer": server.name}}}
        if self._permission(asked) != "yes":
            self._call_ends(call, "failed", "not permitted")
            return
        succeeded, self._last = server.call(name, arguments)
        self._call_ends(call, "completed" if succeeded else "failed", self._last)

    def refuse(self, rest: str) -> None:
        raise EndOfTurn("refusal")

    def run_out(self, rest: str) -> None:
        """Of tokens."""
        self._speak("and then I ran ou")
        raise EndOfTurn("max_tokens")

    def fail(self, message: str) -> None:
        raise Failure(message)

    def lose_model(self, reason: str) -> None:
        """lose_model REASON: the model fails; the turn ends as if all were well."""
        self._update("session_info_update", _meta={"kavor": {"model": "failed"}})
        self._speak(reason)
        raise EndOfTurn("end_turn")

    def say_nothing(self, rest: str) -> None:
        raise EndOfTurn("end_turn")

    def crash(self, code: str) -> None:
        self._speak("about to ")
        sys.stderr.write("Segmentation fault (scripted)\n}\n")
        sys.stderr.flush()
        os._exit(int(code or 7))

    def hang(self, rest: str) -> None:
        """Until it is cancelled."""
        self._speak("thinking…")
        self._conversation.cancelled.wait()
        raise EndOfTurn("cancelled")

    def be_deaf(self, rest: str) -> None:
        """For ever, whatever is asked of it."""
        threading.Event().wait()

    def babble(self, rest: str) -> None:
        """Print what is no message on stdout."""
        self._wire.print('a stray print\n42\n[]\n{"half": \n\x00\xff\n' + '"' + "x" * 300_000 + "\n")

    def print_line(self, text: str) -> None:
        """print_line TEXT: print it on stdout as it is."""
        self._wire.print(f"{text}\n")

    def flood(self, number: str) -> None:
        """flood BYTES: on stderr."""
        sys.stderr.write("x" * int(number) + "\n")
        sys.stderr.flush()

    def leave_child(self, seconds: str) -> None:
        """leave_child SECONDS: a child in a session of its own that keeps stdout open; its pid is said."""
        child = subprocess.Popen(["sleep", seconds or "600"], start_new_session=True)
        self._speak(f"{child.pid}")

    # --- Inside

    def _recalled(self, found: re.Match[str]) -> str:
        field = found["field"]
        if field is None:
            return self._last
        try:
            answer = json.loads(self._last)
        except ValueError:
            answer = None
        fields = answer if isinstance(answer, dict) else {}
        if field not in fields:
            there_is = f"it has {', '.join(fields)}" if fields else "it has no fields"
            raise Failure(f"{found[0]}: the last call's answer has no field {field!r}; {there_is}")
        return str(fields[field])

    def _speak(self, text: str) -> None:
        self._conversation.note("agent_message_chunk", text)
        self._update("agent_message_chunk", content={"type": "text", "text": text})

    def _update(self, update_kind: str, /, **content: Any) -> None:
        update = {"sessionUpdate": update_kind, **content}
        self._wire.send(
            {"method": "session/update", "params": {"sessionId": self._conversation.id, "update": update}}
        )

    def _pause(self, seconds: float) -> None:
        if self._conversation.cancelled.wait(seconds):
            raise EndOfTurn("cancelled")

    def _call_begins(self, title: str, kind: str, given: Json) -> str:
        self._calls += 1
        call = f"call-{self._calls}"
        self._update("tool_call", toolCallId=call, title=title, kind=kind, status="pending", rawInput=given)
        return call

    def _call_ends(self, call: str, status: str, output: str) -> None:
        content = [{"type": "content", "content": {"type": "text", "text": output}}]
        self._update("tool_call_update", toolCallId=call, status=status, content=content)

    def _permission(self, tool_call: Json) -> str | None:
        """The id of the option that was chosen."""
        options = [
            {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"},
        ]
        answer = self._wire.ask(
            "session/request_permission",
            {"sessionId": self._conversation.id, "toolCall": tool_call, "options": options},
        )
        chosen: str | None = (answer.get("outcome") or {}).get("optionId")
        return chosen

    def _server_with(self, tool: str) -> ToolServer:
        if not self._tools:
            self._tools = [connect(server) for server in self._conversation.servers]
        for server in self._tools:
            if tool in server.tools():
                return server
        raise Failure(f"there is no tool {tool}")


VERBS = frozenset(name for name in vars(Script) if not name.startswith("_") and name != "play")


class Agent:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._wire = Wire()
        self._conversations: dict[str, Conversation] = {}
        self._methods: dict[str, Callable[[Json], Json]] = {
            "initialize": self._initialize,
            "session/new": self._new,
            "session/load": self._load,
            "session/prompt": self._prompt,
        }

    def serve(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if "method" not in message:
                self._wire.answered(message)
            elif message["method"] == "session/cancel":
                conversation = self._conversations.get(message["params"]["sessionId"])
                if conversation is not None:
                    conversation.cancelled.set()
            elif "id" in message:
                if message["method"] == "session/prompt":
                    self._begin_turn(message["params"]["sessionId"])
                threading.Thread(target=self._answer, args=(message,), daemon=True).start()
        os._exit(0)  # the client is gone; threads that still play have nobody to tell

    def _answer(self, message: Json) -> None:
        method = self._methods.get(message["method"])
        try:
            if method is None:
                self._fail(message, METHOD_NOT_FOUND, "Method not found")
            else:
                self._wire.send({"id": message["id"], "result": method(message.get("params") or {})})
        except KeyError as error:
            self._fail(message, RESOURCE_NOT_FOUND, f"Resource not found: {error}")
        except PermissionError as error:
            self._fail(message, AUTHENTICATION_REQUIRED, str(error))
        except (Failure, OSError, ValueError) as error:
            self._fail(message, -32603, "Internal error", {"details": str(error)})

    def _fail(self, message: Json, code: int, text: str, data: Json | None = None) -> None:
        self._wire.send({"id": message["id"], "error": {"code": code, "message": text, "data": data}})

    def _initialize(self, params: Json) -> Json:
        if self._options.never_initialize:
            threading.Event().wait()
        return {
            "protocolVersion": 1,
            "agentInfo": {"name": "kavor-scripted", "version": "1"},
            "agentCapabilities": {
                "loadSession": True,
                "mcpCapabilities": {"http": not self._options.without_http, "sse": False},
            },
            "authMethods": [],
        }

    def _new(self, params: Json) -> Json:
        if self._options.signed_out:
            raise PermissionError("Authentication required")
        time.sleep(self._options.slow_start)
        conversation = self._conversation(f"scripted-{secrets.token_hex(6)}", params)
        return {"sessionId": conversation.id}

    def _load(self, params: Json) -> Json:
        identity = params["sessionId"]
        keep = self._options.keep
        if keep is None or not (keep / f"{Path(identity).name}.json").exists():
            raise KeyError(identity)
        conversation = self._conversation(identity, params)
        for update, text in json.loads((keep / f"{identity}.json").read_text()):
            conversation.history.append((update, text))
            content = {"sessionUpdate": update, "content": {"type": "text", "text": text}}
            self._wire.send(
                {"method": "session/update", "params": {"sessionId": identity, "update": content}}
            )
        return {}

    def _conversation(self, identity: str, params: Json) -> Conversation:
        conversation = Conversation(identity, params.get("mcpServers") or [], self._options.keep)
        self._conversations[identity] = conversation
        return conversation

    def _begin_turn(self, identity: str) -> None:
        """Before anything that comes next is read: a cancellation is meant for this turn."""
        if identity in self._conversations:
            self._conversations[identity].cancelled.clear()

    def _prompt(self, params: Json) -> Json:
        conversation = self._conversations[params["sessionId"]]
        text = "".join(block.get("text", "") for block in params["prompt"])
        conversation.note("user_message_chunk", text)
        return {"stopReason": Script(self._wire, conversation).play(text)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder for conversations, to take them up again")
    parser.add_argument("--never-initialize", action="store_true")
    parser.add_argument("--signed-out", action="store_true")
    parser.add_argument("--without-http", action="store_true", help="MCP servers over stdio alone")
    parser.add_argument("--slow-start", type=float, default=0.0, metavar="SECONDS")
    Agent(parser.parse_args()).serve()


if __name__ == "__main__":
    main()
