"""How every command of Kavor behaves: it takes ``--json``, and a group loads only what is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from kavor.cli.app import App


class Command(click.Command):
    """A command that answers ``--json`` with one JSON document on stdout."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.append(
            click.Option(
                ["--json"],
                is_flag=True,
                expose_value=False,
                callback=_remember_json,
                help="Answer with one JSON document.",
            )
        )


class Group(click.Group):
    """Commands under one noun, listed in the order they were written."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that help costs next to nothing.

    ``places`` gives for each command its module, the name there, and its one line of help.
    """

    def __init__(self, *args: Any, places: Mapping[str, tuple[str, str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.places = dict(places)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.places:
            return None
        module, name, _ = self.places[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.places and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"no such command {name!r}{_did_you_mean(name, self.places)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, place[2]) for name, place in self.places.items()])


def _remember_json(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    app = ctx.find_object(App)
    if app is not None:
        app.as_json = value


def _did_you_mean(name: str, known: Mapping[str, object]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known)
    return f"; did you mean {' or '.join(near)}?" if near else ""
