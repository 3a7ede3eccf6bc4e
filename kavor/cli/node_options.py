"""What may be said of Nodes of each kind, and what the given options mean to the API."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from kavor.cli.given_text import given_text
from kavor.cli.options import all_options
from kavor.cli.times import parse_duration
from kavor.domain.errors import BadInput
from kavor.domain.specification import SpecificationState, parse_state
from kavor.domain.sticky_note import Colour

F = TypeVar("F", bound=Callable[..., Any])


def place_options(command: F) -> F:
    """``--x --y``: where a Node stands."""
    return all_options(
        click.option("--x", type=float, help="Where it stands on the Canvas."),
        click.option("--y", type=float),
    )(command)


def agent_options(command: F) -> F:
    """How a CodingAgent works; ``--provider`` and ``--directory`` are the command's own."""
    return all_options(
        click.option(
            "--command",
            metavar="C",
            help="Program and arguments, of custom; the path of its socket, of a way in.",
        ),
        click.option(
            "--model", metavar="M", help="The provider's name of a model; '' leaves the choice to it."
        ),
        click.option(
            "--keep-open/--no-keep-open",
            "keep_open",
            default=None,
            help="Whether its session is opened again when the runtime starts, for a Running Schedule.",
        ),
        click.option(
            "--allow-editing/--no-allow-editing",
            "allow_editing",
            default=None,
            help="Whether it may make and change Nodes.",
        ),
        click.option(
            "--turn-limit",
            "turn_limit_s",
            type=parse_duration,
            metavar="2h",
            help="How long one turn may take, 1m to 24h.",
        ),
    )(command)


def text_options(command: F) -> F:
    """``--text --text-file``."""
    return all_options(
        click.option("--text", metavar="T", help="Its text."),
        click.option("--text-file", "text_file", metavar="F", help="Read it from a file; - is stdin."),
    )(command)


def colour_option(command: F) -> F:
    return click.option(
        "--colour", type=click.Choice([colour.value for colour in Colour], case_sensitive=False)
    )(command)


def state_option(command: F) -> F:
    return click.option(
        "--state",
        type=_read_state,
        metavar="S",
        help="Of a Specification: " + ", ".join(SpecificationState) + ".",
    )(command)


def _read_state(text: str) -> str:
    return parse_state(text).value


def node_body(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a Node that the given options set. Raises BadInput before anything is asked."""
    body = {name: value for name, value in given.items() if value is not None}
    text = given_text("text", body.pop("text", None), body.pop("text_file", None))
    if text is not None:
        body["text"] = text
    for path in ("directory", "path"):
        if path in body:
            body[path] = str(Path(body[path]).expanduser())  # ~ is the home of the person who typed it
    if "command" in body:
        body["command"] = _words(body["command"])
    if body.get("model") == "":
        body["model"] = None
    return body


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise BadInput(f"the command cannot be read: {error}", "quote its words as in a shell") from None
