"""``kavor runtime``: start, stop and look at the one process that decides."""

from __future__ import annotations

from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.output import print_facts, show_counts
from kavor.domain.errors import KavorError, Unreachable

STOP_LIMIT_S = 30.0


@click.group(cls=Group)
def runtime() -> None:
    """Start, stop and look at the runtime.

    One runtime per home holds the database and the sessions. Commands that need it start it by themselves.
    """


@runtime.command()
@pass_app
def start(app: App) -> None:
    """Start the runtime in the background, if none runs."""
    app.answer(app.zoneless_client.get("/api/runtime"), _print_status)


@runtime.command()
@click.option(
    "--end-sessions",
    is_flag=True,
    help="Close every session too; without it shells live on. Agents end in any case.",
)
@pass_app
def stop(app: App, end_sessions: bool) -> None:
    """Stop the runtime; nothing fires until it is started again."""
    from kavor.api.launch import is_running, wait_until_stopped

    if end_sessions and not is_running(app.home):
        raise Unreachable(
            "no runtime is running",
            "sessions may live on without one; it takes one to end them: kavor runtime start",
        )
    client = app.running_client
    status = client.get("/api/runtime")
    answer = client.post("/api/runtime/stop", {"end_sessions": end_sessions})
    if not wait_until_stopped(app.home, STOP_LIMIT_S):
        raise KavorError(
            f"the runtime (process {status['pid']}) has not stopped after {STOP_LIMIT_S:g} s",
            f"look into {app.home.runtime_log}",
        )
    left = 0 if end_sessions else status["sessions"] - status["agents"]
    app.answer(answer, lambda _: _print_stopped(left))


@runtime.command()
@pass_app
def status(app: App) -> None:
    """Say whether the runtime runs and what it holds. Exit code 4 if none runs."""
    app.answer(app.running_client.get("/api/runtime"), _print_status)


@runtime.command()
@click.option("--ready-fd", type=int, hidden=True, help="Where to say, in one JSON line, how it started.")
@pass_app
def run(app: App, ready_fd: int | None) -> int:
    """Run the runtime in the foreground until it is stopped."""
    from kavor.app.compose import run_runtime

    return run_runtime(app.home, ready_fd=ready_fd)


def _print_stopped(sessions_left: int) -> None:
    click.echo("The runtime has stopped.")
    if sessions_left:
        live = "1 session lives on" if sessions_left == 1 else f"{sessions_left} sessions live on"
        click.echo(f"{live}. To end what lives on: kavor runtime start && kavor runtime stop --end-sessions")


def _sessions(count: int, agents: int) -> str:
    return f"{count}, {agents} of them agents" if agents else str(count)


def _print_status(status: dict[str, Any]) -> None:
    storage = status["storage"]
    print_facts(
        f"The runtime runs (process {status['pid']}, version {status['version']})",
        {
            "home": status["home"],
            "since": status["started_at"],
            "zone": f"{status['host_zone']} (zone data {status['tzdata']})",
            "storage": "ok" if storage["ok"] else storage["problem"],
            "schedules": show_counts(status["schedules"]),
            "sessions": _sessions(status["sessions"], status["agents"]),
            "next due": status["next_due"] or "nothing",
        },
    )
