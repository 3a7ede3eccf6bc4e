"""The scripted agent's side of MCP: just enough of a client to list tools and call one."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from typing import Any, Protocol

Json = dict[str, Any]

PROTOCOL = "2025-06-18"
SECONDS = 120.0

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Kavor's server is on this machine, whatever proxy is set."""


class ToolServer(Protocol):
    name: str

    def tools(self) -> list[str]: ...

    def call(self, tool: str, arguments: Json) -> tuple[bool, str]:
        """Whether it succeeded, and its answer as text."""
        ...

    def close(self) -> None: ...


def connect(server: Json) -> ToolServer:
    """To one server as ACP describes it. Raises OSError."""
    if server.get("type") == "http":
        headers = {header["name"]: header["value"] for header in server["headers"]}
        return _OverHttp(server["name"], server["url"], headers)
    environment = {variable["name"]: variable["value"] for variable in server.get("env") or []}
    return _OverStdio(server["name"], [server["command"], *server["args"]], environment)


class _Server:
    """What is the same over every transport."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._number = 0
        self._ask(
            "initialize",
            {
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": {"name": "kavor-scripted", "version": "1"},
            },
        )
        self._send({"method": "notifications/initialized"})

    def tools(self) -> list[str]:
        return [tool["name"] for tool in self._ask("tools/list", {})["tools"]]

    def call(self, tool: str, arguments: Json) -> tuple[bool, str]:
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        texts = [part["text"] for part in result.get("content") or [] if part.get("type") == "text"]
        return not result.get("isError", False), "\n".join(texts)

    def _ask(self, method: str, params: Json) -> Json:
        self._number += 1
        answer = self._send({"id": self._number, "method": method, "params": params})
        if answer is None or "error" in answer:
            raise OSError(f"{self.name} answered {method} with {answer and answer['error'].get('message')}")
        result: Json = answer["result"]
        return result

    def _send(self, message: Json) -> Json | None:
        """The answer to it, if it asks for one."""
        raise NotImplementedError


class _OverHttp(_Server):
    def __init__(self, name: str, url: str, headers: dict[str, str]) -> None:
        self._url = url
        self._headers = {
            **headers,
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOL,
        }
        super().__init__(name)

    def _send(self, message: Json) -> Json | None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        request = urllib.request.Request(self._url, body, self._headers)  # noqa: S310
        with _DIRECT.open(request, timeout=SECONDS) as response:
            session = response.headers.get("Mcp-Session-Id")
            if session is not None:
                self._headers["Mcp-Session-Id"] = session
            for raw in response:
                line = raw.decode().removeprefix("data:").strip()
                if line.startswith("{"):
                    answer: Json = json.loads(line)
                    if answer.get("id") == message.get("id"):
                        return answer
        return None

    def close(self) -> None: ...


class _OverStdio(_Server):
    def __init__(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        super().__init__(name)

    def _send(self, message: Json) -> Json | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()
        if "id" not in message:
            return None
        for line in self._process.stdout:
            answer: Json = json.loads(line)
            if answer.get("id") == message["id"]:
                return answer
        return None

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
