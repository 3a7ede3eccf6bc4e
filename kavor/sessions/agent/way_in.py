"""Agents with a way in: any harness that listens on a Unix socket, one JSON line each way for each prompt.

docs/agents.md has the lines.
"""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, Refused
from kavor.sessions.agent.harness import Call, Gone, Observer, TurnEnd
from kavor.sessions.agent.json_lines import read_object
from kavor.sessions.agent.providers import Provider
from kavor.sessions.session import AgentSpec

VERSION = 1
CONNECT_SECONDS = 5.0
LONGEST_ANSWER = 4 * 1024 * 1024

_STATES: Mapping[str, AttemptState] = {
    "completed": AttemptState.COMPLETED,
    "failed": AttemptState.FAILED,
    "fired": AttemptState.FIRED,
}


class WayIn:
    """A connection is made for each prompt, and ends with it: closing it stops the turn."""

    def __init__(self, spec: AgentSpec, provider: Provider, observer: Observer) -> None:
        """Raises BadInput where the agent has no socket's path."""
        command = provider.command_of(spec.command)
        if len(command) != 1 or not Path(command[0]).is_absolute():
            raise BadInput("a way in is the absolute path of a socket", "give it as the agent's command")
        self._path = Path(command[0])
        self._spec = spec
        self._observer = observer
        self._exchange: asyncio.Task[TurnEnd] | None = None

    @property
    def pid(self) -> int | None:
        return None

    @property
    def errors(self) -> bytes:
        return b""

    async def start(self) -> str | None:
        """Raises Refused where nobody listens, or somebody else's socket lies there."""
        _, writer = await self._connect()
        writer.close()
        return None

    async def prompt(self, key: str, text: str) -> TurnEnd:
        self._exchange = asyncio.create_task(self._talk(self._message(key, text)))
        await asyncio.wait([self._exchange])
        if self._exchange.cancelled():
            raise Gone("its way in was hung up on")
        return self._exchange.result()

    async def cancel(self) -> None:
        if self._exchange is not None:
            self._exchange.cancel()

    async def close(self) -> None:
        await self.cancel()

    async def _talk(self, message: dict[str, Any]) -> TurnEnd:
        try:
            reader, writer = await self._connect()
        except Refused as refused:
            return TurnEnd(AttemptState.FAILED, refused.message)
        try:
            writer.write(json.dumps(message).encode() + b"\n")
            await writer.drain()
            line = await reader.readuntil(b"\n")
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return TurnEnd(AttemptState.INTERRUPTED, "the way in ended without an answer")
        finally:
            writer.close()
        return self._read(line)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        hint = "start the harness that listens there"
        try:
            about = await asyncio.to_thread(self._path.stat)
            if not stat.S_ISSOCK(about.st_mode) or about.st_uid != os.geteuid():
                raise Refused(f"{self._path} is not a socket of yours", hint)
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.open_unix_connection(self._path, limit=LONGEST_ANSWER)
        except (OSError, TimeoutError) as error:
            raise Refused(f"nobody listens at the way in {self._path}: {error}", hint) from error

    def _message(self, key: str, text: str) -> dict[str, Any]:
        message: dict[str, Any] = {
            "version": VERSION,
            "id": key,
            "agent": self._spec.id,
            "directory": self._spec.directory,
            "prompt": text,
        }
        if self._spec.model is not None:
            message["model"] = self._spec.model
        if self._spec.tools is not None:
            message["tools"] = {"url": self._spec.tools.url, "token": self._spec.tools.token}
        return message

    def _read(self, line: bytes) -> TurnEnd:
        answer = read_object(line) or {}
        state = _STATES.get(str(answer.get("state")))
        if state is None:
            return TurnEnd(AttemptState.INTERRUPTED, "the way in answered with something else than an answer")
        for number, tool in enumerate(answer.get("tools") or []):
            if isinstance(tool, dict):
                self._observer.called(
                    Call(
                        id=f"{number}",
                        title=str(tool.get("title", "")),
                        kind=str(tool.get("kind", "other")),
                        status=str(tool.get("status", "completed")),
                    )
                )
        self._observer.said(str(answer.get("text") or ""))
        return TurnEnd(state, str(answer.get("diagnostic") or ""))
