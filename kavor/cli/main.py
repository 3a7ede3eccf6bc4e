"""``kavor``: the command line, and how its errors reach a person."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from kavor import __version__
from kavor.cli.app import App
from kavor.cli.command import LazyGroup
from kavor.cli.display import has_display, open_canvas
from kavor.domain.errors import Ambiguous, KavorError

INTERRUPTED = 130
NOBODY_READS = 1  # click's own choice for a broken pipe

_PLACES = {
    "demo": ("kavor.cli.demo", "demo", "Play the demo Workspace."),
    "runtime": ("kavor.cli.runtime", "runtime", "Start, stop and look at the runtime."),
    "next": ("kavor.cli.next", "next_", "Show the next occurrences of a cron expression or a preset."),
    "workspace": (
        "kavor.cli.workspace",
        "workspace",
        "Workspaces: a directory, and the graph on its Canvas.",
    ),
    "node": ("kavor.cli.node", "node", "Nodes: what stands on a Canvas."),
    "connect": ("kavor.cli.connection", "connect", "Connect two Nodes."),
    "disconnect": ("kavor.cli.connection", "disconnect", "Remove the Connection between two Nodes."),
    "session": ("kavor.cli.session", "session", "Sessions: what runs in a Terminal or a CodingAgent."),
    "message": ("kavor.cli.message", "message", "Messages to CodingAgents."),
    "turn": (
        "kavor.cli.turn",
        "turn",
        "Turns of CodingAgents: each prompt that was delivered, and what came of it.",
    ),
    "schedule": ("kavor.cli.schedule", "schedule", "Schedules: what is delivered when, and to whom."),
    "attempts": ("kavor.cli.attempt", "attempts", "List attempts, newest first."),
    "attempt": ("kavor.cli.attempt", "attempt", "Look at one attempt, withdraw or dismiss it."),
    "simulate": (
        "kavor.cli.simulate",
        "simulate",
        "Play a scenario on the real runtime with simulated clocks and targets.",
    ),
    "mcp": ("kavor.cli.mcp", "mcp", "Give an agent Kavor's tools, over the Model Context Protocol."),
    "doctor": ("kavor.cli.doctor", "doctor", "Check this machine and say what to fix."),
    "completion": ("kavor.cli.completion", "completion", "Print the completion script for a shell."),
}


@click.group(cls=LazyGroup, places=_PLACES, invoke_without_command=True)
@click.version_option(__version__, message="kavor %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> int:
    """Kavor gives a graph of coding agents and terminals a clock. Alone it opens the canvas.

    Exit codes: 0 done, 2 bad usage or bad input, 3 refused by a rule, 4 runtime not reachable, 5 edited by
    someone else meanwhile, 1 anything else.
    """
    ctx.obj = App()
    if ctx.invoked_subcommand is not None:
        return 0
    if has_display():
        return open_canvas(ctx.obj.home)
    click.echo(ctx.get_help())
    click.echo("\nThere is no screen here to open the canvas on; everything above works without one.")
    return 0


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 still gets its answer
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = NOBODY_READS
        # Python's own flush at exit must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(arguments, prog_name="kavor", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "kavor"
        return _complain(_as_sentence(error.format_message()), f"see {command} --help", error.exit_code)
    except click.ClickException as error:
        return _complain(_as_sentence(error.format_message()), "", error.exit_code)
    except Ambiguous as error:
        named = f" ({'; '.join(error.candidates)})" if error.candidates else ""
        return _complain(error.message, (error.hint or "use an id") + named, error.exit_code)
    except KavorError as error:
        return _complain(error.message, error.hint, error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("KAVOR_DEBUG"):
            raise
        return _complain(
            f"something went wrong that has no name yet: {type(error).__name__}: {error}",
            "this is a defect of Kavor; run it again with KAVOR_DEBUG=1 to see where",
            1,
        )


def _complain(message: str, hint: str, code: int) -> int:
    click.echo(f"error: {message}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
    return code


def _as_sentence(message: str) -> str:
    text = message.strip().removesuffix(".")
    return text[:1].lower() + text[1:]
