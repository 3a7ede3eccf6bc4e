"""The tools: what each is for, in words for an agent, and what it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from inspect import cleandoc

from mcp.types import Tool, ToolAnnotations

from kavor.api import agent_tool_arguments as arguments
from kavor.api.models import Body
from kavor.mcp.schemas import input_schema

INSTRUCTIONS = cleandoc("""
    You stand on a Kavor canvas: a graph that a person has drawn in a Workspace (a directory). Its Nodes are
    CodingAgents (you are one), Terminals (real shells), Files, Sticky Notes (short texts in Markdown),
    Specifications (Markdown files with a state) and Schedules (which wake an agent or run a command at set
    times). Connections join them.

    You reach the Nodes that are connected to you, directly or through others. Begin with whoami and
    list_nodes. Nothing else on the canvas exists for you; naming a Node in a prompt gives no access to it.

    A Guardrail on the Connection between you and a Node makes it read-only for you: do not look for a way
    around it, but say what you were kept from. Texts are replaced against the revision or version that you
    read; after a conflict read again. Leave results where others see them: in a Sticky Note, a File, a
    Specification, or as a message to another agent.
""")


@dataclass(frozen=True)
class ToolText:
    """One tool of the API, as an agent is told of it."""

    name: str
    title: str
    arguments: type[Body]
    description: str
    reads_only: bool = False
    repeatable: bool = False
    """Called twice with the same arguments, it changes nothing the second time."""
    writes_over: bool = False
    """What was there before may be gone afterwards."""
    open_world: bool = False
    """What it does goes beyond the canvas: a shell can do anything."""


TOOL_TEXTS = (
    ToolText(
        "whoami",
        "Who am I",
        arguments.NoArguments,
        "Which CodingAgent on the canvas you are, your Workspace and its directory, and whether you may "
        "edit the Workspace. Call it first.",
        reads_only=True,
    ),
    ToolText(
        "list_nodes",
        "List reachable Nodes",
        arguments.ListNodes,
        "The Nodes that you can reach: id, kind, name, state, what each is connected to, whether you are "
        "connected directly, and the Guardrail on that Connection. Contents are not included; read what you"
        " need by its id.",
        reads_only=True,
    ),
    ToolText(
        "read_sticky_note",
        "Read a Sticky Note",
        arguments.OneNote,
        "The text of a Sticky Note, and its revision.",
        reads_only=True,
    ),
    ToolText(
        "append_sticky_note",
        "Append to a Sticky Note",
        arguments.AppendToNote,
        "Put a text at the end of a Sticky Note. The way to leave a report: what others wrote stays.",
    ),
    ToolText(
        "replace_sticky_note",
        "Replace a Sticky Note's text",
        arguments.ReplaceNote,
        "Write a Sticky Note anew, against the revision that you read.",
        repeatable=True,
        writes_over=True,
    ),
    ToolText(
        "read_file",
        "Read a File",
        arguments.ReadFile,
        "The text of a File, its path, and its version. A long one comes in pieces: go on at next_offset.",
        reads_only=True,
    ),
    ToolText(
        "replace_file",
        "Replace a File's content",
        arguments.ReplaceFile,
        "Write a File anew, against the version that you read.",
        repeatable=True,
        writes_over=True,
    ),
    ToolText(
        "read_specification",
        "Read a Specification",
        arguments.OneSpecification,
        "The text of a Specification, its state and its version: what is to be built, and how far it is.",
        reads_only=True,
    ),
    ToolText(
        "replace_specification",
        "Replace a Specification's text",
        arguments.ReplaceSpecification,
        "Write a Specification anew, against the version that you read.",
        repeatable=True,
        writes_over=True,
    ),
    ToolText(
        "set_specification_state",
        "Set a Specification's state",
        arguments.SpecificationState,
        "Say how far a Specification is: Draft, Ready, In progress, In review or Done.",
        repeatable=True,
    ),
    ToolText(
        "terminal_screen",
        "Look at a Terminal",
        arguments.OneTerminal,
        "What a Terminal shows now, and whether it is at its prompt.",
        reads_only=True,
    ),
    ToolText(
        "terminal_tail",
        "End of a Terminal's output",
        arguments.TerminalTail,
        "The end of what a Terminal has printed, also beyond its screen.",
        reads_only=True,
    ),
    ToolText(
        "terminal_buffer",
        "A Terminal's whole buffer",
        arguments.TerminalBuffer,
        "All lines of a Terminal that are recorded, in pieces: go on at next_offset.",
        reads_only=True,
    ),
    ToolText(
        "terminal_run",
        "Run a command in a Terminal",
        arguments.TerminalRun,
        "Run a shell command in a real Terminal that people see, and wait for its exit code and output. It "
        "is run once, in the Terminal's own directory, and never over what a person is typing or ahead of "
        "what waits there: then nothing is run, and the answer says why. Where the command goes on after "
        "the wait, the answer names it as `run`; call again with that to wait on. Prefer this to a shell of"
        " your own where the work is to be seen.",
        writes_over=True,
        open_world=True,
    ),
    ToolText(
        "terminal_interrupt",
        "Interrupt a Terminal",
        arguments.TerminalInterrupt,
        "Send Ctrl-C to what runs in a Terminal; with `run`, only while that command of yours runs.",
        writes_over=True,
        open_world=True,
    ),
    ToolText(
        "send_message",
        "Message another CodingAgent",
        arguments.SendMessage,
        "Send a text to another CodingAgent. It waits for its turn there and is that agent's next prompt. "
        "The answer comes as a message of its own, or in read_turns.",
    ),
    ToolText(
        "read_messages",
        "Read messages",
        arguments.ReadMessages,
        "The messages to you and from you, newest first, with what became of them.",
        reads_only=True,
    ),
    ToolText(
        "read_turns",
        "Read an agent's turns",
        arguments.ReadTurns,
        "What another CodingAgent was asked in its completed turns, and what it said; newest first.",
        reads_only=True,
    ),
    ToolText(
        "layout",
        "Where Nodes are",
        arguments.NoArguments,
        "Where the Nodes that you can reach stand on the canvas, and the Connections between them.",
        reads_only=True,
    ),
    ToolText(
        "edit_workspace",
        "Edit the Workspace",
        arguments.EditWorkspace,
        "Change the canvas in one batch, all of it or nothing: create, connect, rename and move Nodes, "
        'configure Schedules. Only where "Allow workspace editing" is on for you (see whoami). Schedules '
        "that you make or change are Paused until a person resumes them. You can delete nothing, change no "
        "Guardrail, and connect nothing to Nodes that you cannot reach; connect in the same batch what you "
        "create, or you will not reach it.",
    ),
)


@cache
def tools() -> tuple[Tool, ...]:
    """As they are listed to a client."""
    return tuple(_tool(text) for text in TOOL_TEXTS)


def _tool(text: ToolText) -> Tool:
    return Tool(
        name=text.name,
        title=text.title,
        description=text.description,
        input_schema=input_schema(text.arguments),
        annotations=ToolAnnotations(
            read_only_hint=text.reads_only,
            destructive_hint=text.writes_over,
            idempotent_hint=text.reads_only or text.repeatable,
            open_world_hint=text.open_world,
        ),
        # Or one agent hides them behind a search of its own.
        _meta={"anthropic/alwaysLoad": True},
    )
