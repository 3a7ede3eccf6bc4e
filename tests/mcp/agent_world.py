"""A runtime with agents in it, and what each of them is answered when it calls a tool over the API."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "runtime"))

from scripted_runtime import ScriptedRuntime

from kavor.api.server import Server, bind_socket, create_app
from kavor.domain.graph import TARGET_KINDS, NodeKind
from kavor.home import Home


@dataclass(frozen=True)
class Said:
    """What a tool answered."""

    status: int
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found

    @property
    def done(self) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        assert self.status == 200, self.body.decode()
        return self.document

    def refused(self, status: int) -> str:
        """What a call that must be refused with this status says, and what it advises."""
        assert self.status == status, self.body.decode()
        return f"{self.document['detail']} ({self.document['hint']})"


class AgentWorld:
    """A Workspace, in it the agents and Nodes that a test makes, and the API on its socket."""

    def __init__(self, scripted: ScriptedRuntime) -> None:
        self.scripted = scripted
        self.services = scripted.services
        self.sessions = scripted.sessions
        self.directory = scripted.home.data / "work"
        self.tokens: dict[str, str] = {}

    async def node(self, kind: NodeKind, name: str, **fields: Any) -> str:
        made = await self.services.graph.add_node(
            kind,
            {"name": name, **fields},  # type: ignore[typeddict-item]
            workspace=None,
            open_session=kind in TARGET_KINDS,
        )
        return made["id"]

    async def agent(self, name: str = "worker", *, may_edit: bool = False) -> str:
        agent_id = await self.node(
            NodeKind.CODING_AGENT, name, provider="custom", command=["agent"], allow_editing=may_edit
        )
        self.tokens[agent_id] = self.services.agents.tokens.issue(agent_id)
        return agent_id

    async def note(self, name: str = "note", text: str = "") -> str:
        return await self.node(NodeKind.STICKY_NOTE, name, text=text)

    async def file(self, name: str = "data.txt", text: str = "data") -> str:
        (self.directory / name).write_text(text)
        return await self.node(NodeKind.FILE, name, path=name)

    async def join(self, one: str, *others: str, guardrail: str | None = None) -> None:
        for other in others:
            await self.services.graph.connect(one, other, guardrail=guardrail)

    async def call(self, agent_id: str, tool: str, **arguments: Any) -> Said:
        """Ask as this agent does, over the API's socket."""
        return await self.ask(tool, arguments, {"Authorization": f"Bearer {self.tokens[agent_id]}"})

    async def ask(self, tool: str, arguments: object, headers: Mapping[str, str]) -> Said:
        return await asyncio.to_thread(self._ask, tool, arguments, headers)

    def _ask(self, tool: str, arguments: object, headers: Mapping[str, str]) -> Said:
        connection = http.client.HTTPConnection("kavor", timeout=60)
        connection.sock = socket.socket(socket.AF_UNIX)
        try:
            connection.sock.connect(str(self.scripted.home.socket))
            sent = {"Content-Type": "application/json", **headers}
            connection.request("POST", f"/api/agent-tools/{tool}", json.dumps(arguments).encode(), sent)
            answer = connection.getresponse()
            return Said(answer.status, answer.read())
        finally:
            connection.close()

    async def everything(self) -> list[dict[str, Any]]:
        """All Nodes, Connections and Schedules as a person sees them."""
        zone = self.scripted.zone
        return [
            *map(dict, await self.services.graph.nodes(workspace=None, kind=None, ref=None)),
            *map(dict, await self.services.graph.connections(None)),
            *map(
                dict,
                await self.services.schedules.listing(zone, workspace=None, ref=None, state=None),
            ),
        ]


@asynccontextmanager
async def agent_world(home: Home) -> AsyncIterator[AgentWorld]:
    with ThreadPoolExecutor(max_workers=1) as thread:
        scripted = ScriptedRuntime(home, thread)
        await scripted.start()
        await scripted.workspace()
        async with serving(scripted):
            yield AgentWorld(scripted)
        await scripted.stop()


@asynccontextmanager
async def serving(scripted: ScriptedRuntime) -> AsyncIterator[None]:
    """Serve the API of this runtime on its home's socket."""
    ready = asyncio.Event()
    server = Server(create_app(scripted.services, lambda **_: None), ready.set)
    task = asyncio.create_task(server.serve(sockets=[bind_socket(scripted.home)]))
    await ready.wait()
    yield
    server.stop()
    await task
