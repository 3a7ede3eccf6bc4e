"""``kavor schedule``: what is delivered when, and to whom."""

from __future__ import annotations

from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.attempt import outcome, print_attempts, read_state
from kavor.cli.cards import print_change, print_schedule, print_schedules
from kavor.cli.command import Group
from kavor.cli.find import find_node, find_schedule, warn_of_namesakes, workspace_id
from kavor.cli.occurrences import print_occurrences
from kavor.cli.options import (
    count_option,
    limit_option,
    schedule_argument,
    schedule_body,
    schedule_options,
    target_option,
    workspace_option,
)
from kavor.domain.attempts import FINAL
from kavor.domain.errors import BadInput


@click.group(cls=Group)
def schedule() -> None:
    """Schedules: what is delivered when, and to whom.

    S is the id of a Schedule, or its name where that is unique. A new Schedule is Paused: read its next
    occurrences, then resume it.
    """


@schedule.command()
@click.option("--name", required=True, metavar="N")
@target_option
@workspace_option
@schedule_options
@pass_app
def add(app: App, /, name: str, target: str | None, workspace: str | None, **given: Any) -> None:
    """Add a Schedule, Paused. Without a recurrence it is Once, tomorrow at 09:00."""
    body = {"name": name, **schedule_body(given)}
    client = app.client
    if workspace is not None:
        body["workspace"] = workspace_id(client, workspace)
    if target is not None:
        body["target"] = find_node(client, target, workspace)["id"]
    added = client.post("/api/schedules", body)
    app.answer(added, lambda it: print_schedule(it, app.zone, _next(app, it, 3)))
    warn_of_namesakes(client, added)


@schedule.command("list")
@click.option("--state", type=click.Choice(["Running", "Paused"], case_sensitive=False))
@workspace_option
@pass_app
def list_(app: App, state: str | None, workspace: str | None) -> None:
    """List the Schedules, each with its next time and its last outcome."""
    client = app.client
    found = client.get("/api/schedules", workspace=workspace_id(client, workspace), state=state)
    empty = f"There are no Schedules that are {state}." if state else "There are no Schedules."
    app.answer(found, lambda it: print_schedules(it["schedules"], app.zone, empty=empty))


@schedule.command()
@schedule_argument
@workspace_option
@pass_app
def show(app: App, ref: str, workspace: str | None) -> None:
    """Show one Schedule: what, when, to whom, and what came of it."""
    found = find_schedule(app.client, ref, workspace)
    app.answer(found, lambda it: print_schedule(it, app.zone, _next(app, it, 3)))


@schedule.command()
@schedule_argument
@click.option("--name", metavar="N", help="A new name.")
@click.option("--revision", type=int, metavar="R", help="Refuse (5) unless this is still its revision.")
@workspace_option
@schedule_options
@pass_app
def edit(
    app: App,
    /,
    ref: str,
    name: str | None,
    revision: int | None,
    workspace: str | None,
    **given: Any,
) -> None:
    """Change a Schedule; what is not given stays.

    The zone of this machine is stored with it. Its target is chosen by kavor connect.
    """
    change = schedule_body(given)
    if name is not None:
        change["name"] = name
    if not change:
        raise BadInput("nothing to change was given", "see kavor schedule edit --help")
    client = app.client
    found = find_schedule(client, ref, workspace)
    based_on = found["revision"] if revision is None else revision
    changed = client.patch(f"/api/schedules/{found['id']}", change, revision=based_on)
    app.answer(changed, lambda it: print_change(it, app.zone, "is changed"))
    if name is not None:
        warn_of_namesakes(client, changed)


@schedule.command()
@schedule_argument
@click.option("--reason", metavar="R", help="Kept with the Schedule until it is resumed.")
@workspace_option
@pass_app
def pause(app: App, ref: str, reason: str | None, workspace: str | None) -> None:
    """Pause a Schedule: nothing new comes due."""
    found = find_schedule(app.client, ref, workspace)
    paused = app.client.post(f"/api/schedules/{found['id']}/pause", {"reason": reason} if reason else {})
    app.answer(paused, lambda it: print_change(it, app.zone, "is Paused"))


@schedule.command()
@schedule_argument
@workspace_option
@pass_app
def resume(app: App, ref: str, workspace: str | None) -> None:
    """Let a Schedule run, from its next occurrence on.

    What came due while it was Paused is not made up for.
    """
    found = find_schedule(app.client, ref, workspace)
    resumed = app.client.post(f"/api/schedules/{found['id']}/resume")
    app.answer(resumed, lambda it: print_change(it, app.zone, "is Running"))
    if resumed["target"] is None:
        click.echo(
            f"warning: {resumed['name']} has no target yet; until it has one, every occurrence is Blocked",
            err=True,
        )


@schedule.command()
@schedule_argument
@workspace_option
@pass_app
def run(app: App, ref: str, workspace: str | None) -> None:
    """Run now: one delivery by hand, Paused or Running.

    It moves nothing else: the next occurrence stays where it is.
    """
    found = find_schedule(app.client, ref, workspace)
    attempt = app.client.post(f"/api/schedules/{found['id']}/run")
    app.answer(attempt, lambda it: _print_run(it, found["name"]))


@schedule.command()
@schedule_argument
@workspace_option
@pass_app
def rm(app: App, ref: str, workspace: str | None) -> None:
    """Remove a Schedule."""
    found = find_schedule(app.client, ref, workspace)
    removed = app.client.delete(f"/api/schedules/{found['id']}")
    app.answer(removed, lambda _: click.echo(f"Schedule {found['name']} is removed."))


@schedule.command("next")
@schedule_argument
@count_option
@workspace_option
@pass_app
def next_(app: App, ref: str, count: int, workspace: str | None) -> None:
    """Show its next occurrences, Running or Paused.

    Where a clock change bent a time, its line says how.
    """
    found = find_schedule(app.client, ref, workspace)
    app.answer(_next(app, found, count), lambda it: print_occurrences(it["occurrences"]))


@schedule.command()
@schedule_argument
@click.option("--state", metavar="X", help="Only attempts in this state.")
@limit_option
@workspace_option
@pass_app
def history(app: App, ref: str, state: str | None, limit: int, workspace: str | None) -> None:
    """List the attempts of one Schedule, newest first."""
    wanted = read_state(state)
    found = find_schedule(app.client, ref, workspace)
    attempts = app.client.get(f"/api/schedules/{found['id']}/history", state=wanted, limit=limit)
    app.answer(attempts, lambda it: print_attempts(it["attempts"], app.zone))


def _print_run(attempt: dict[str, Any], name: str) -> None:
    click.echo(f"Attempt {attempt['id']} of {name}: {outcome(attempt)}")
    if attempt["state"] not in FINAL:
        click.echo(f"kavor attempt show {attempt['id']} tells what comes of it")


def _next(app: App, schedule: dict[str, Any], count: int) -> dict[str, Any]:
    return app.client.get(f"/api/schedules/{schedule['id']}/next", count=count)
