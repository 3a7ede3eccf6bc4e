"""``kavor completion``: the script that teaches a shell our commands and names."""

from __future__ import annotations

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command

SHELLS = ("bash", "zsh", "fish")


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
@pass_app
def completion(app: App, /, ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash, in ~/.bashrc:  eval "$(kavor completion bash)"
    zsh, in ~/.zshrc:    eval "$(kavor completion zsh)", after compinit
    fish, once:          kavor completion fish > ~/.config/fish/completions/kavor.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    script = made(ctx.find_root().command, {}, "kavor", "_KAVOR_COMPLETE").source()
    app.answer({"shell": shell, "script": script}, lambda it: click.echo(it["script"]))
