"""docs/cli.md names every command and every option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from kavor.cli.main import cli

REFERENCE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, f"{path} {name}")


def test_every_command_is_named() -> None:
    missing = [path for path, _ in commands(cli, "kavor") if path not in REFERENCE]
    assert missing == []


def test_every_option_is_named() -> None:
    missing = [
        f"{path} {parameter.opts[0]}"
        for path, command in commands(cli, "kavor")
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden and parameter.opts[0] not in REFERENCE
    ]
    assert missing == []
