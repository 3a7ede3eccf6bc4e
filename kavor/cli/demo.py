"""``kavor demo``: a Workspace that shows, with real parts, what Kavor does."""

from __future__ import annotations

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command


@click.command(cls=Command)
@click.option("--headless", is_flag=True, help="Without a window: print each attempt, then the ledger.")
@pass_app
def demo(app: App, headless: bool) -> int:
    """Play the demo Workspace.

    A Schedule fires at the next minute into a real shell, in a home of its own that is removed afterwards.
    Exit code 0 only if the attempt ended Completed.
    """
    from kavor.app.demo import run_demo

    if not headless:
        click.echo("The canvas is not part of this version yet; the demo runs without a window.", err=True)
    return run_demo(headless=True, json=app.as_json)
