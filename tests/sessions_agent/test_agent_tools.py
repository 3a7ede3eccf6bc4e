"""An agent and Kavor's tools: how it is told of them, what needs no question, and what is waited for."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest
from live_agent import Agent, OpenAgent, until

from kavor.domain.attempts import AttemptState as S
from kavor.home import Home
from kavor.sessions.agent import acp
from kavor.sessions.session import AgentSpec, ToolsAccess, WaitingFor

TOKEN = "a-token-of-this-session"


class Tools(ThreadingHTTPServer):
    """The smallest MCP server: one tool answers with what it was given, another with an object."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None]] = []

    @property
    def access(self) -> ToolsAccess:
        return ToolsAccess(f"http://127.0.0.1:{self.server_address[1]}/mcp", TOKEN)


class Handler(BaseHTTPRequestHandler):
    server: Tools

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((message["method"], self.headers["Authorization"]))
        body = b""
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": result(message)}
            body = f"data: {json.dumps(answer)}\n\n".encode()
        self.send_response(200 if body else 202)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None: ...


def result(message: dict[str, Any]) -> dict[str, Any]:
    match message["method"]:
        case "tools/list":
            return {"tools": [{"name": name, "inputSchema": {}} for name in ("read_sticky_note", "whoami")]}
        case "tools/call" if message["params"]["name"] == "whoami":
            return {"content": [{"type": "text", "text": '{"node": "1", "name": "scribe"}'}]}
        case "tools/call":
            text = f"read {message['params']['arguments']}"
            return {"content": [{"type": "text", "text": text}]}
    return {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}


@pytest.fixture
def tools() -> Iterator[Tools]:
    server = Tools()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_kavors_own_tools_are_called_without_a_question(open_agent: OpenAgent, tools: Tools) -> None:
    agent = await open_agent(tools=tools.access)
    outcome = await agent.play('call read_sticky_note {"node": "ideas"}\nsay $last')
    assert (outcome.state, outcome.evidence.output) == (S.COMPLETED, "read {'node': 'ideas'}")
    (call,) = outcome.evidence.tool_calls
    assert (call.title, call.status) == ("kavor: read_sticky_note", "completed")
    assert agent.heard.questions == []
    assert {who for _, who in tools.asked} == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("call whoami", "has no field 'text'; it has node, name"),
        ("call read_sticky_note {}", "has no field 'text'; it has no fields"),
        ("tool nothing of Kavor's", "has no field 'text'; it has no fields"),
    ],
)
async def test_a_field_that_the_last_answer_has_not_is_named(
    open_agent: OpenAgent, tools: Tools, before: str, why: str
) -> None:
    agent = await open_agent(tools=tools.access)
    assert (await agent.play("call whoami\nsay I am $last.name.")).evidence.output == "I am scribe."
    outcome = await agent.play(f"{before}\nsay $last.text")
    assert outcome.state is S.FAILED
    assert f"$last.text: the last call's answer {why}" in outcome.diagnostic


async def test_a_title_alone_is_no_identity(open_agent: OpenAgent, tools: Tools) -> None:
    agent = await open_agent(tools=tools.access)
    key = await agent.accept("ask kavor: read_sticky_note")
    question = await agent.question()
    assert question.text == "kavor: read_sticky_note"
    await agent.agents.answer(agent.id, question.id, "no")
    await agent.outcome(key)


async def test_the_token_is_neither_in_the_process_nor_in_what_is_printed(
    open_agent: OpenAgent, tools: Tools
) -> None:
    agent = await open_agent(tools=tools.access)
    process = psutil.Process(agent.pid)
    assert TOKEN not in " ".join(process.cmdline())
    assert TOKEN not in str(process.environ())
    assert TOKEN not in repr(tools.access)
    assert TOKEN not in repr(AgentSpec("agent-1", "/", "scripted", tools=tools.access))


SPEAKER = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    token = os.environ["KAVOR_AGENT_TOKEN"]
    results = {
        "tools/list": {"tools": [{"name": "whoami"}]},
        "tools/call": {"content": [{"type": "text", "text": f"{token} {sys.argv[1:]}"}]},
    }
    print(json.dumps({"id": message["id"], "result": results.get(message["method"], {})}), flush=True)
"""


async def test_an_agent_without_http_speaks_to_a_program_of_kavors(
    open_agent: OpenAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaker = tmp_path / "speaker"
    speaker.write_text(f"#!{sys.executable}\n{SPEAKER}")
    speaker.chmod(0o755)
    agent = await open_agent("--without-http", wait=False, tools=ToolsAccess("http://127.0.0.1:9/mcp", TOKEN))
    monkeypatch.setattr(acp.sys, "executable", str(speaker))
    await agent.ready()
    outcome = await agent.play("call whoami\nsay $last")
    assert outcome.evidence.output == f"{TOKEN} ['-P', '-m', 'kavor', 'mcp']"


def slow_to_list(home: Home, seconds: float) -> None:
    (home.data / "providers.toml").write_text(f"[scripted]\nwait_for_tools_s = {seconds}\n")


async def test_a_first_prompt_waits_until_the_tools_were_listed(
    open_agent: OpenAgent, tools: Tools, home: Home
) -> None:
    slow_to_list(home, 60)
    agent = await open_agent(wait=False, tools=tools.access)
    await until(lambda: agent.state.conversation, "the conversation")
    _, answer = await agent.offer("say Hello.")
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.STARTING)
    agent.agents.tools_listed(agent.id)
    await agent.ready()


async def test_it_does_not_wait_for_ever(open_agent: OpenAgent, tools: Tools, home: Home) -> None:
    slow_to_list(home, 0.1)
    agent: Agent = await open_agent(tools=tools.access)
    assert "has not asked for Kavor's tools" in agent.kinds()[-1][1]
