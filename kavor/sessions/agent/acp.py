"""Agents that speak the Agent Client Protocol, version 1: the one place that knows its words.

What is sent is made with the protocol's own models. What comes in is read leniently, as plain JSON, since the
models refuse a whole message for one thing a newer agent adds. The import takes a second, so this module is
imported when the first such agent is opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping
from typing import Any

from acp import PROTOCOL_VERSION, RequestError, schema
from acp.connection import Connection
from pydantic import BaseModel

import kavor
from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError, Refused
from kavor.sessions.agent.acp_reading import (
    Json,
    call_of,
    dicts_in,
    error_text,
    inside,
    matches,
    option_of,
    plan_entry,
    question_text,
    text_of,
    values_of,
)
from kavor.sessions.agent.harness import Gone, Observer, TurnEnd
from kavor.sessions.agent.json_lines import JsonLines
from kavor.sessions.agent.process import AgentProcess
from kavor.sessions.agent.providers import Provider
from kavor.sessions.session import AgentSpec, ToolsAccess

INITIALIZE_SECONDS = 60.0
CONVERSATION_SECONDS = 120.0
"""How long an agent may take to begin a conversation, or to take one up again."""
LAST_OUTPUT_SECONDS = 0.2
"""How long what an agent printed last is waited for, once it has ended."""
CANCEL_SECONDS = 2.0
MOST_OPEN_CALLS = 200
"""Tool calls that have not ended, of which what was told is kept; the oldest are forgotten first."""

AUTHENTICATION_REQUIRED = -32000
_OUTPUT = ("content", "rawOutput")
SERVER_NAME = "kavor"

_STOP_REASONS: Mapping[str, TurnEnd] = {
    "end_turn": TurnEnd(AttemptState.COMPLETED),
    "max_tokens": TurnEnd(
        AttemptState.FAILED, "the model's answer was cut off: it reached its limit of tokens"
    ),
    "max_turn_requests": TurnEnd(
        AttemptState.FAILED, "the turn was cut off: it reached its limit of requests to the model"
    ),
    "refusal": TurnEnd(AttemptState.FAILED, "the agent refused to go on"),
    "cancelled": TurnEnd(AttemptState.INTERRUPTED, "the agent stopped its turn"),
}


class AcpHarness:
    def __init__(
        self, process: AgentProcess, spec: AgentSpec, provider: Provider, observer: Observer, *, replay: bool
    ) -> None:
        """``replay``: whether a conversation that is taken up again shall be told from its beginning."""
        self._process = process
        self._spec = spec
        self._provider = provider
        self._observer = observer
        self._replay = replay
        self._lines = JsonLines(process.reader, process.writer, self._slowed)
        self._connection = Connection(self._handle, self._lines)
        self._capabilities: Json = {}
        self._conversation: str | None = None
        self._taking_up = False
        self._calls: dict[str, Json] = {}
        """What is known of the tool calls that have not ended, by id, their output left out."""
        self._questions: set[asyncio.Task[str | None]] = set()
        self._broken = asyncio.Event()
        """Set when something could not be written to it, or the end of its output was read."""
        self._closing = False
        self._farewell = ""
        self._watch = asyncio.create_task(self._watch_end())

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def errors(self) -> bytes:
        return self._process.errors

    # --- A conversation

    async def start(self) -> str | None:
        answer = await self._ask_in_time(
            INITIALIZE_SECONDS,
            "initialize",
            schema.InitializeRequest(
                protocol_version=PROTOCOL_VERSION,
                client_capabilities=schema.ClientCapabilities(),
                client_info=schema.Implementation(name="kavor", version=kavor.__version__),
            ),
        )
        if answer.get("protocolVersion") != PROTOCOL_VERSION:
            raise KavorError(
                f"{self._provider.label} speaks version {answer.get('protocolVersion')} of its protocol; "
                f"Kavor speaks {PROTOCOL_VERSION}"
            )
        self._capabilities = answer.get("agentCapabilities") or {}
        begun = await self._take_up()
        if begun is None:
            begun = await self._begin()
        if self._spec.model is not None:
            await self._choose_model(self._spec.model, begun)
        return self._conversation

    async def _take_up(self) -> Json | None:
        """The former conversation; None where there is none, or it cannot be taken up again."""
        former = self._spec.conversation
        if former is None:
            return None
        resumes = inside(self._capabilities, "sessionCapabilities.resume") is not None
        request: BaseModel
        if self._capabilities.get("loadSession") and (self._replay or not resumes):
            method = "session/load"
            request = schema.LoadSessionRequest(
                session_id=former, cwd=self._spec.directory, mcp_servers=self._servers()
            )
        elif resumes:
            method = "session/resume"
            request = schema.ResumeSessionRequest(
                session_id=former, cwd=self._spec.directory, mcp_servers=self._servers()
            )
        else:
            self._observer.noticed("this agent cannot take up a conversation again; it begins a new one")
            return None
        self._conversation, self._taking_up = former, True
        try:
            return await self._ask_in_time(CONVERSATION_SECONDS, method, request)
        except KavorError as error:
            self._conversation = None
            self._observer.noticed(
                f"its former conversation could not be taken up again ({error.message}); it begins a new one"
            )
            return None
        finally:
            self._taking_up = False

    async def _begin(self) -> Json:
        request = schema.NewSessionRequest(cwd=self._spec.directory, mcp_servers=self._servers())
        answer = await self._ask_in_time(CONVERSATION_SECONDS, "session/new", request)
        self._conversation = str(answer.get("sessionId") or "")
        if not self._conversation:
            raise KavorError(f"{self._provider.label} began a conversation without an id")
        return answer

    def _servers(self) -> list[Any]:
        """Kavor's tools, over HTTP or over a program that speaks for it."""
        tools = self._spec.tools
        if tools is None:
            return []
        if inside(self._capabilities, "mcpCapabilities.http"):
            header = schema.HttpHeader(name="Authorization", value=f"Bearer {tools.token}")
            return [schema.HttpMcpServer(type="http", name=SERVER_NAME, url=tools.url, headers=[header])]
        environment = _speaker_environment(tools)
        return [
            schema.McpServerStdio(
                name=SERVER_NAME,
                command=sys.executable,
                args=["-P", "-m", "kavor", "mcp"],
                env=[schema.EnvVariable(name=name, value=value) for name, value in environment.items()],
            )
        ]

    async def _choose_model(self, model: str, begun: Json) -> None:
        """Raises Refused where the agent has no such model."""
        for option in dicts_in(begun.get("configOptions")):
            if (option.get("category") or option.get("id")) == "model":
                request = schema.SetSessionConfigOptionSelectRequest(
                    session_id=self._conversation or "", config_id=str(option.get("id")), value=model
                )
                try:
                    await self._ask_in_time(INITIALIZE_SECONDS, "session/set_config_option", request)
                except KavorError as error:
                    raise Refused(
                        f"the model {model} was not taken: {error.message}",
                        f"there are: {', '.join(values_of(option)) or 'none that it tells of'}",
                    ) from error
                return
        raise Refused(
            f"{self._provider.label} lets nobody choose its model",
            f"choose it in {self._provider.configuration or 'its own configuration'}",
        )

    # --- Turns

    async def prompt(self, key: str, text: str) -> TurnEnd:
        self._calls.clear()
        request = schema.PromptRequest(
            session_id=self._conversation or "", prompt=[schema.TextContentBlock(type="text", text=text)]
        )
        try:
            answer = await self._ask("session/prompt", request)
        except RequestError as error:
            return TurnEnd(AttemptState.FAILED, f"the agent answered with an error: {error_text(error)}")
        reason = str(answer.get("stopReason"))
        unknown = TurnEnd(
            AttemptState.INTERRUPTED, f"the turn ended for a reason that is not known: {reason}"
        )
        return _STOP_REASONS.get(reason, unknown)

    async def cancel(self) -> None:
        note = schema.CancelNotification(session_id=self._conversation or "")
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CANCEL_SECONDS):
                await self._connection.send_notification("session/cancel", _params(note))
        # OpenCode stops only once what it asked is answered so, and the protocol says that we do.
        for question in list(self._questions):
            question.cancel()

    def _slowed(self) -> None:
        self._observer.noticed("it prints more than an agent has to tell, so it is read more slowly")

    async def close(self) -> None:
        self._closing = True
        await self._process.end()
        await asyncio.wait([self._watch])

    # --- What it says and asks

    async def _handle(self, method: str, params: Any, is_notification: bool) -> Any:
        given: Json = params if isinstance(params, dict) else {}
        if method == "session/update":
            self._updated(given)
        elif method == "session/request_permission":
            return await self._permission(given)
        elif not is_notification:
            raise RequestError.method_not_found(method)
        return None

    def _updated(self, params: Json) -> None:
        """Nothing is awaited here: that keeps the updates, each a task of its own, in their order."""
        update = params.get("update")
        others = self._conversation is not None and params.get("sessionId") != self._conversation
        if not isinstance(update, dict) or others or (self._taking_up and not self._replay):
            return
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                self._observer.said(text_of(update.get("content")), update.get("messageId"))
            case "agent_thought_chunk":
                self._observer.thought(text_of(update.get("content")))
            case "user_message_chunk" if self._taking_up:
                self._observer.prompted(text_of(update.get("content")))
            case "tool_call" | "tool_call_update":
                self._merged(update)
                self._observer.called(call_of(update))
                if update.get("status") in ("completed", "failed"):
                    self._calls.pop(str(update.get("toolCallId")), None)
            case "plan":
                self._observer.planned([plan_entry(entry) for entry in dicts_in(update.get("entries"))])
        if matches(update, self._provider.model_failed):
            self._observer.model_failed("the model failed")

    def _merged(self, update: Json) -> Json:
        """What is known of a tool call: each telling has only what is new."""
        known = self._calls.setdefault(str(update.get("toolCallId")), {})
        if len(self._calls) > MOST_OPEN_CALLS:
            del self._calls[next(iter(self._calls))]
        known.update({name: value for name, value in update.items() if name not in _OUTPUT})
        return known

    async def _permission(self, params: Json) -> Json:
        told = params.get("toolCall")
        asked = told if isinstance(told, dict) else {}
        title_before = self._calls.get(str(asked.get("toolCallId")), {}).get("title")
        call = self._merged(asked)
        options = [option_of(option) for option in dicts_in(params.get("options"))]
        if self._spec.tools is not None and matches(call, self._provider.own_tools):
            allowed = next((option.id for option in options if option.kind == "allow_once"), None)
            if allowed is not None:
                return _selected(allowed)
        question = asyncio.ensure_future(self._observer.asked(question_text(call, title_before), options))
        self._questions.add(question)
        await asyncio.wait([question])
        self._questions.discard(question)
        return _selected(None if question.cancelled() else question.result())

    # --- Asking it

    async def _ask(self, method: str, request: BaseModel) -> Json:
        """Raises RequestError, and Gone."""
        asking = asyncio.create_task(self._connection.send_request(method, _params(request)))
        try:
            await asyncio.wait([asking, self._watch], return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise Gone(self._farewell)
            answer = asking.result()
        except OSError as error:
            self._broken.set()
            await asyncio.wait([self._watch])
            raise Gone(self._farewell) from error
        finally:
            asking.cancel()
        return answer if isinstance(answer, dict) else {}

    async def _ask_in_time(self, seconds: float, method: str, request: BaseModel) -> Json:
        """Raises KavorError, and Gone."""
        label = self._provider.label
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(method, request)
        except TimeoutError as error:
            raise KavorError(f"{label} did not answer {method} within {seconds:g} s") from error
        except RequestError as error:
            if error.code == AUTHENTICATION_REQUIRED:
                raise Refused(f"{label} wants you to sign in first", self._provider.sign_in) from error
            raise KavorError(f"{label} answered {method} with an error: {error_text(error)}") from error

    # --- Its end

    async def _watch_end(self) -> None:
        """The end of the process is the end of the agent, also where a child holds its output open; and so
        is the end of its output, since it can say nothing any more."""
        signs = [self._process.ended, self._lines.at_end, self._broken]
        waiting = [asyncio.create_task(sign.wait()) for sign in signs]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(waiting[:2], timeout=LAST_OUTPUT_SECONDS)
        for task in waiting:
            task.cancel()
        by_itself = self._process.ended.is_set()
        code = await self._process.end()
        self._farewell = _how_it_ended(code if by_itself else None, self._process.last_words)
        for question in list(self._questions):
            question.cancel()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(LAST_OUTPUT_SECONDS):
                await self._connection.close()
        if not self._closing:
            self._observer.gone(self._farewell, code if by_itself else None)


def _how_it_ended(code: int | None, last_words: str) -> str:
    if code is None:
        how = "the agent closed its output"
    elif code < 0:
        how = f"the agent's process was killed by signal {-code}"
    else:
        how = f"the agent's process ended with exit code {code}"
    return f"{how}: {last_words}" if last_words else how


def _params(model: BaseModel) -> Json:
    params: Json = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return params


def _selected(option_id: str | None) -> Json:
    if option_id is None:
        return {"outcome": {"outcome": "cancelled"}}
    return {"outcome": {"outcome": "selected", "optionId": option_id}}


def _speaker_environment(tools: ToolsAccess) -> dict[str, str]:
    """What `kavor mcp` must know to speak for this session."""
    home = {"KAVOR_HOME": os.environ["KAVOR_HOME"]} if "KAVOR_HOME" in os.environ else {}
    return {"KAVOR_AGENT_TOKEN": tools.token, **home}
