"""``kavor attempts`` and ``kavor attempt``: what was delivered, and what was seen of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command, Group
from kavor.cli.complete import complete_schedules
from kavor.cli.find import attempt_number, find_node, find_schedule
from kavor.cli.options import limit_option, target_option
from kavor.cli.output import plain, print_facts, print_table, signed
from kavor.cli.times import MOMENT_FORMS, now, parse_moment, show_elapsed, show_local
from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput
from kavor.domain.instant import format_instant
from kavor.domain.printed import readable_output

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

Document = dict[str, Any]


@click.command(cls=Command)
@target_option
@click.option(
    "--schedule", metavar="S", shell_complete=complete_schedules, help="Only those of one Schedule."
)
@click.option("--since", metavar="T", help=f"Only newer ones: {MOMENT_FORMS}.")
@click.option("--state", metavar="X", help="Only those in this state.")
@limit_option
@pass_app
def attempts(
    app: App,
    target: str | None,
    schedule: str | None,
    since: str | None,
    state: str | None,
    limit: int,
) -> None:
    """List attempts, newest first."""
    wanted = read_state(state)
    start = None if since is None else format_instant(parse_moment(since, app.zone, now()))
    client = app.client
    found = client.get(
        "/api/attempts",
        target=None if target is None else find_node(client, target, None)["id"],
        schedule=None if schedule is None else find_schedule(client, schedule, None)["id"],
        since=start,
        state=wanted,
        limit=limit,
    )
    app.answer(found, lambda it: print_attempts(it["attempts"], app.zone))


@click.group(cls=Group)
def attempt() -> None:
    """Look at one attempt, withdraw or dismiss it. A is its number."""


@attempt.command()
@click.argument("ref", metavar="A")
@pass_app
def show(app: App, ref: str) -> None:
    """Show one attempt with its exact payload and what was seen of it."""
    number = attempt_number(ref)
    app.answer(app.client.get(f"/api/attempts/{number}"), lambda it: _print_attempt(it, app.zone))


@attempt.command()
@click.argument("ref", metavar="A")
@pass_app
def withdraw(app: App, ref: str) -> None:
    """Take back an attempt that is still Pending."""
    number = attempt_number(ref)
    withdrawn = app.client.post(f"/api/attempts/{number}/withdraw")
    app.answer(withdrawn, lambda it: click.echo(f"Attempt {number}: {outcome(it)}"))


@attempt.command()
@click.argument("ref", metavar="A")
@pass_app
def dismiss(app: App, ref: str) -> None:
    """Put a Missed attempt away: seen, and not to be run."""
    number = attempt_number(ref)
    dismissed = app.client.post(f"/api/attempts/{number}/dismiss")
    app.answer(dismissed, lambda _: click.echo(f"Attempt {number} is dismissed."))


def read_state(text: str | None) -> str | None:
    """One of the ten states, in any case. Raises BadInput naming them."""
    if text is None:
        return None
    wanted = text.strip().replace("-", " ").casefold()
    for state in AttemptState:
        if wanted == state.casefold():
            return state.value
    raise BadInput(f"{text!r} is not a state of an attempt", "use one of: " + ", ".join(AttemptState))


def print_attempts(attempts: list[Document], zone: ZoneInfo) -> None:
    """Attempts as a table, times in ``zone``."""
    print_table(
        (
            "id",
            "schedule",
            "target",
            "trigger",
            "nominal",
            "delivered",
            "lateness",
            "duration",
            "state",
            "exit",
            "diagnostic",
        ),
        [
            (
                one["id"],
                one.get("schedule_name") or one["schedule"],
                one.get("target_name") or one["target"],
                one["trigger"],
                show_local(one["nominal_at"], zone),
                show_local(one["delivered_at"], zone),
                show_elapsed(one.get("lateness_ms")),
                show_elapsed(one.get("duration_ms")),
                signed(one["state"]),
                one["exit_code"],
                _remark(one),
            )
            for one in attempts
        ],
        empty="There are no attempts.",
    )


def _print_attempt(one: Document, zone: ZoneInfo) -> None:
    print_facts(
        f"Attempt {one['id']}  {outcome(one)}",
        {
            "Schedule": f"{one.get('schedule_name') or ''} ({one['schedule']})",
            "target": f"{one.get('target_name') or ''} ({one['target']})" if one["target"] else "none",
            "trigger": one["trigger"],
            "nominal": show_local(one["nominal_at"], zone),
            "created": show_local(one["created_at"], zone),
            "delivered": show_local(one["delivered_at"], zone),
            "finished": show_local(one["finished_at"], zone),
            "lateness": show_elapsed(one.get("lateness_ms")),
            "duration": show_elapsed(one.get("duration_ms")),
            "exit code": one["exit_code"],
            "actions": ", ".join(one["actions"]),
            "payload": one["payload"],
            "tools": _tools(one["evidence"]),
            "seen": _seen(one["evidence"]),
        },
    )


def outcome(one: Document) -> str:
    """The state of an attempt with its sign, and what there is to say beside it."""
    remark = _remark(one)
    return f"{signed(one['state'])}: {remark}" if remark else signed(one["state"])


def _remark(one: Document) -> str:
    """What there is to say beside the state."""
    said = [one["diagnostic"] or ""]
    if one["waiting_for"]:
        said.append(f"waiting: {one['waiting_for']}")
    if (one["missed_count"] or 0) > 1:
        said.append(f"stands for {one['missed_count']} occurrences")
    if one["dismissed"]:
        said.append("dismissed")
    return "; ".join(filter(None, said))


def _tools(evidence: Document | None) -> str:
    """What an agent called, a line for each."""
    calls = evidence["tool_calls"] if evidence else []
    return "\n".join(f"{plain(call['title'])} ({call_end(call)})" for call in calls)


def call_end(call: Document) -> str:
    """How a tool call ended, and what there is to say of it."""
    return plain(": ".join(filter(None, (call["status"], call.get("detail")))))


def _seen(evidence: Document | None) -> str:
    if not evidence or not evidence["output"]:
        return ""
    cut = "(the beginning is cut)\n" if evidence["truncated"] else ""
    return cut + readable_output(evidence["output"])
