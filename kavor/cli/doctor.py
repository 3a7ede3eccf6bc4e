"""``kavor doctor``: what keeps Kavor from working well on this machine."""

from __future__ import annotations

from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command
from kavor.cli.output import plain

_SIGNS = {"ok": "✓", "warn": "!", "fail": "✗"}


@click.command(cls=Command)
@pass_app
def doctor(app: App) -> int:
    """Check this machine and say what to fix.

    Starts no runtime. Exit code 1 if a check fails; a warning is no failure.
    """
    from kavor.cli.agent_checks import check_agents
    from kavor.cli.checks import Verdict, run_checks

    checks = [*run_checks(app.home), *check_agents(app.home)]
    failed = any(check.verdict is Verdict.FAIL for check in checks)
    document = {
        "ok": not failed,
        "checks": [
            {"name": one.name, "state": one.verdict.value, "message": one.message, "hint": one.hint}
            for one in checks
        ],
    }
    app.answer(document, _print_checks)
    return 1 if failed else 0


def _print_checks(document: dict[str, Any]) -> None:
    for check in document["checks"]:
        click.echo(f"{_SIGNS[check['state']]} {check['name']:<12} {plain(check['message'])}")
        if check["hint"]:
            click.echo(f"  {'':<12} {check['hint']}")
