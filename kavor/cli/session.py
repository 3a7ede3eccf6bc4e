"""``kavor session``: what runs in a Terminal or a CodingAgent."""

from __future__ import annotations

import sys
from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.find import find_node, workspace_id
from kavor.cli.options import node_argument, workspace_option
from kavor.cli.output import print_facts, print_table
from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.printed import readable_output


@click.group(cls=Group)
def session() -> None:
    """Sessions: what runs in a Terminal or a CodingAgent.

    NODE is the id of a Terminal or a CodingAgent, or its name where that is unique.
    """


@session.command("open")
@node_argument
@workspace_option
@pass_app
def open_(app: App, ref: str, workspace: str | None) -> None:
    """Open a session; one that is open is left alone."""
    app.answer(_ask(app, ref, workspace, "open"), _print_session)


@session.command()
@node_argument
@workspace_option
@pass_app
def close(app: App, ref: str, workspace: str | None) -> None:
    """Close a session on purpose: nothing starts it but you."""
    app.answer(_ask(app, ref, workspace, "close"), _print_session)


@session.command()
@node_argument
@workspace_option
@pass_app
def restart(app: App, ref: str, workspace: str | None) -> None:
    """Close a session and open it anew."""
    app.answer(_ask(app, ref, workspace, "restart"), _print_session)


@session.command("list")
@workspace_option
@pass_app
def list_(app: App, workspace: str | None) -> None:
    """List the sessions."""
    client = app.zoneless_client
    found = client.get("/api/sessions", workspace=workspace_id(client, workspace))
    app.answer(found, lambda it: _print_sessions(it["sessions"], client.get("/api/workspaces")["workspaces"]))


@session.command()
@node_argument
@click.option("--full", is_flag=True, help="With what has scrolled out of it, as far as it is recorded.")
@workspace_option
@pass_app
def screen(app: App, ref: str, full: bool, workspace: str | None) -> None:
    """Print the screen of a session as it is now, or as it was when the session ended."""
    shown = app.zoneless_client.get(_path(app, ref, workspace, "screen"), full=full)
    app.answer(shown, lambda it: click.echo(readable_output(it["screen"])))


@session.command()
@node_argument
@click.option("--bytes", "size", type=click.IntRange(min=1), default=4096, show_default=True)
@workspace_option
@pass_app
def tail(app: App, ref: str, size: int, workspace: str | None) -> None:
    """Print the end of a session's output.

    On a terminal it is made readable; a pipe gets it as it came, colours and all.
    """
    ended = app.zoneless_client.get(_path(app, ref, workspace, "tail"), bytes=size)
    app.answer(ended, lambda it: _print_output(it["tail"]))


@session.command("type")
@node_argument
@click.argument("text")
@click.option("--enter", is_flag=True, help="Press Enter after it.")
@workspace_option
@pass_app
def type_(app: App, ref: str, text: str, enter: bool, workspace: str | None) -> None:
    """Type into a session, as you would at its keyboard.

    Keys are the characters that they send: in bash, $'\\x03' is Ctrl-C and $'\\e' is Escape. A TEXT that
    begins with - comes after --.
    """
    path = _path(app, ref, workspace, "input")
    typed = app.zoneless_client.post(path, {"text": text, "enter": enter})
    app.answer(typed, _print_session)


@session.command()
@node_argument
@click.argument("option", required=False)
@workspace_option
@pass_app
def answer(app: App, ref: str, option: str | None, workspace: str | None) -> None:
    """Answer what a CodingAgent asks.

    OPTION is the id of one of the offered answers, or its words; without one they are shown, and nothing is
    answered.
    """
    client = app.zoneless_client
    asking = find_node(client, ref, workspace).get("session") or {}
    question = asking.get("question")
    if question is not None and option is None:
        app.answer(asking, _print_session)
        return
    body = {} if question is None else {"question": question["id"], "option": _option(question, option)}
    app.answer(client.post(_path(app, ref, workspace, "answer"), body), _print_session)


@session.command()
@node_argument
@workspace_option
@pass_app
def cancel(app: App, ref: str, workspace: str | None) -> None:
    """Stop the turn that a CodingAgent works on."""
    app.answer(_ask(app, ref, workspace, "cancel"), _print_session)


def session_state(session: dict[str, Any] | None) -> str:
    """``open``, ``open (busy)``, ``closed``, ``ended, exit 3`` …; empty for no session."""
    if session is None:
        return ""
    if session["state"] == "open":
        return f"open ({session['waiting_for']})" if session["waiting_for"] else "open"
    if session["state"] == "ended" and session["exit_code"] is not None:
        return f"ended, exit {session['exit_code']}"
    return str(session["state"])


def _path(app: App, ref: str, workspace: str | None, part: str) -> str:
    node = find_node(app.zoneless_client, ref, workspace)
    return f"/api/sessions/{node['id']}/{part}"


def _ask(app: App, ref: str, workspace: str | None, verb: str) -> dict[str, Any]:
    return app.zoneless_client.post(_path(app, ref, workspace, verb))


def _option(question: dict[str, Any], given: str | None) -> str:
    """The id of the answer that is meant by its id or its words. Raises BadInput, and Refused for what is
    answered elsewhere."""
    if not question["options"]:
        raise Refused("this agent asks on its own screen", "answer it there: kavor session type NODE KEYS")
    for option in question["options"]:
        if given is not None and given.casefold() in (option["id"].casefold(), option["label"].casefold()):
            return str(option["id"])
    offered = ", ".join(option["id"] for option in question["options"])
    raise BadInput(f"{given!r} is not one of the answers", f"use one of: {offered}")


def _print_output(text: str) -> None:
    if sys.stdout.isatty():
        click.echo(readable_output(text))
    else:
        sys.stdout.write(text)  # click.echo would cut colours out


def _print_session(session: dict[str, Any]) -> None:
    print_facts(
        f"{NodeKind(session['kind']).label} {session['name']}  {session_state(session)}",
        {
            "node": session["node"],
            "process": session["pid"],
            "ended": session["diagnostic"],
            "restart needed": session["restart_reason"],
            "asks": _question(session["question"]),
        },
    )


def _question(question: dict[str, Any] | None) -> str:
    if question is None:
        return ""
    offered = [f"{option['id']}: {option['label']}" for option in question["options"]]
    return "\n".join([question["text"], *offered])


def _print_sessions(sessions: list[dict[str, Any]], workspaces: list[dict[str, Any]]) -> None:
    names = {workspace["id"]: workspace["name"] for workspace in workspaces}
    print_table(
        ("node", "name", "kind", "workspace", "state", "process", "diagnostic", "restart needed"),
        [
            (
                one["node"],
                one["name"],
                NodeKind(one["kind"]).label,
                names.get(one["workspace"]),
                session_state(one),
                one["pid"],
                one["diagnostic"],
                one["restart_reason"],
            )
            for one in sessions
        ],
        empty="There are no sessions.",
    )
