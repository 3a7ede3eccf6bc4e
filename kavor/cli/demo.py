"""``kavor demo``: a Workspace that shows, with real parts, what Kavor does."""

from __future__ import annotations

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command
from kavor.cli.display import has_display, open_canvas


@click.command(cls=Command)
@click.option("--headless", is_flag=True, help="Without a window: print each attempt, then the ledger.")
@pass_app
def demo(app: App, headless: bool) -> int:
    """Play the demo Workspace.

    One Schedule fires into a real shell and another wakes an agent, in a home of its own that is removed
    afterwards. With a screen it opens in a window, and ends when that is closed. Headless, they fire once,
    at the next minute, and the exit code is 0 only if both attempts ended Completed.
    """
    from kavor.app.demo import demo_home, run_demo

    if headless or app.as_json or not has_display():
        return run_demo(json=app.as_json)
    with demo_home() as home:
        return open_canvas(home)
