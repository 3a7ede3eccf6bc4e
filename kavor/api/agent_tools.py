"""The tools that agents are given. Each request is on behalf of the one agent whose token it brings."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request

from kavor.api import agent_tool_arguments as arguments
from kavor.api.asking import Ask
from kavor.domain.errors import BadInput, KavorError, NotAdmitted
from kavor.domain.graph import NodeKind, parse_kind
from kavor.runtime.services import Services

router = APIRouter(prefix="/agent-tools")

Answer = dict[str, Any]

_SCHEME = "bearer "


async def caller(request: Request, ask: Ask, authorization: Annotated[str, Header()] = "") -> str:
    """The agent whose token this request brings."""
    if not authorization.lower().startswith(_SCHEME):
        raise NotAdmitted
    agent_id = ask.agents.tokens.agent_of(authorization[len(_SCHEME) :].strip())
    request.state.agent_id = agent_id
    return agent_id


def note_refusal(request: Request, error: KavorError) -> None:
    """Whatever an agent is refused, by whomever, is on record with what it works on."""
    agent_id = getattr(request.state, "agent_id", None)
    if agent_id is not None:
        services: Services = request.app.state.services
        services.agents.refused(agent_id, request.url.path.rpartition("/")[2], error)


Caller = Annotated[str, Depends(caller)]


@router.post("/tools-listed")
async def tools_listed(ask: Ask, agent: Caller) -> Answer:
    """Told by whoever lists the tools to an agent."""
    ask.agents.tools_listed(agent)
    return {}


# --- Seeing


@router.post("/whoami")
async def whoami(ask: Ask, agent: Caller, body: arguments.NoArguments) -> Answer:
    return await ask.agents.seeing.whoami(agent)


@router.post("/list_nodes")
async def list_nodes(ask: Ask, agent: Caller, body: arguments.ListNodes) -> Answer:
    return await ask.agents.seeing.list_nodes(agent, parse_kind(body.kind) if body.kind else None)


@router.post("/layout")
async def layout(ask: Ask, agent: Caller, body: arguments.NoArguments) -> Answer:
    return await ask.agents.seeing.layout(agent)


# --- Texts


@router.post("/read_sticky_note")
async def read_sticky_note(ask: Ask, agent: Caller, body: arguments.OneNote) -> Answer:
    return await ask.agents.papers.read_note(agent, body.note)


@router.post("/append_sticky_note")
async def append_sticky_note(ask: Ask, agent: Caller, body: arguments.AppendToNote) -> Answer:
    return await ask.agents.papers.append_to_note(agent, body.note, body.text)


@router.post("/replace_sticky_note")
async def replace_sticky_note(ask: Ask, agent: Caller, body: arguments.ReplaceNote) -> Answer:
    return await ask.agents.papers.replace_note(agent, body.note, body.text, body.revision)


@router.post("/read_file")
async def read_file(ask: Ask, agent: Caller, body: arguments.ReadFile) -> Answer:
    return await ask.agents.papers.read_file(agent, body.file, body.offset, body.limit)


@router.post("/replace_file")
async def replace_file(ask: Ask, agent: Caller, body: arguments.ReplaceFile) -> Answer:
    return await ask.agents.papers.replace_text(agent, body.file, NodeKind.FILE, body.text, body.version)


@router.post("/read_specification")
async def read_specification(ask: Ask, agent: Caller, body: arguments.OneSpecification) -> Answer:
    return await ask.agents.papers.read_specification(agent, body.specification)


@router.post("/replace_specification")
async def replace_specification(ask: Ask, agent: Caller, body: arguments.ReplaceSpecification) -> Answer:
    return await ask.agents.papers.replace_text(
        agent, body.specification, NodeKind.SPECIFICATION, body.text, body.version
    )


@router.post("/set_specification_state")
async def set_specification_state(ask: Ask, agent: Caller, body: arguments.SpecificationState) -> Answer:
    return await ask.agents.papers.set_specification_state(agent, body.specification, body.state)


# --- Terminals


@router.post("/terminal_screen")
async def terminal_screen(ask: Ask, agent: Caller, body: arguments.OneTerminal) -> Answer:
    return await ask.agents.terminals.screen(agent, body.terminal)


@router.post("/terminal_tail")
async def terminal_tail(ask: Ask, agent: Caller, body: arguments.TerminalTail) -> Answer:
    return await ask.agents.terminals.tail(agent, body.terminal, body.bytes)


@router.post("/terminal_buffer")
async def terminal_buffer(ask: Ask, agent: Caller, body: arguments.TerminalBuffer) -> Answer:
    return await ask.agents.terminals.buffer(agent, body.terminal, body.offset, body.limit)


@router.post("/terminal_run")
async def terminal_run(request: Request, ask: Ask, agent: Caller, body: arguments.TerminalRun) -> Answer:
    """With ``run``, waits on for a command that an earlier call has run."""
    if bool(body.command) == bool(body.run):
        raise BadInput("give either a command or a run to wait for", "a run is what an earlier call named so")
    terminals = ask.agents.terminals
    if body.run:
        return await terminals.wait(agent, body.terminal, body.run, body.wait_s)
    return await _while_connected(request, terminals.run(agent, body.terminal, body.command, body.wait_s))


@router.post("/terminal_interrupt")
async def terminal_interrupt(ask: Ask, agent: Caller, body: arguments.TerminalInterrupt) -> Answer:
    return await ask.agents.terminals.interrupt(agent, body.terminal, body.run)


async def _while_connected(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Nobody's command is run any more once nobody waits for it."""
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_until_disconnected(request))
    try:
        await asyncio.wait([doing, leaving], return_when=asyncio.FIRST_COMPLETED)
        return await doing if doing.done() else {}
    finally:
        doing.cancel()
        leaving.cancel()


async def _until_disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


# --- Other agents


@router.post("/send_message")
async def send_message(ask: Ask, agent: Caller, body: arguments.SendMessage) -> Answer:
    return await ask.agents.conversing.send(agent, body.agent, body.text)


@router.post("/read_messages")
async def read_messages(ask: Ask, agent: Caller, body: arguments.ReadMessages) -> Answer:
    return await ask.agents.conversing.messages(agent, body.peer, before=body.before, limit=body.limit)


@router.post("/read_turns")
async def read_turns(ask: Ask, agent: Caller, body: arguments.ReadTurns) -> Answer:
    return await ask.agents.conversing.turns(agent, body.agent, before=body.before, limit=body.limit)


# --- Editing


@router.post("/edit_workspace")
async def edit_workspace(ask: Ask, agent: Caller, body: arguments.EditWorkspace) -> Answer:
    operations = [step.model_dump(exclude_unset=True, by_alias=True) for step in body.operations]
    return await ask.agents.editing.edit(agent, operations)
