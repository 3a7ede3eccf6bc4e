"""``kavor message``: what is said to CodingAgents."""

from __future__ import annotations

import secrets
from typing import Any

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Group
from kavor.cli.find import find_node, message_number, page_of
from kavor.cli.given_text import given_text
from kavor.cli.options import node_argument, page_options, workspace_option
from kavor.cli.output import first_line, print_facts, print_table
from kavor.cli.times import show_local
from kavor.domain.errors import BadInput
from kavor.domain.printed import readable_output

Document = dict[str, Any]


@click.group(cls=Group)
def message() -> None:
    """Messages to CodingAgents.

    They wait in the agent's inbox with what Schedules have for it, and are delivered in the order in which
    they were accepted. NODE is the id of a CodingAgent, or its name where that is unique.
    """


@message.command()
@node_argument
@click.argument("text", required=False)
@click.option("--text-file", "text_file", metavar="F", help="Read it from a file; - is stdin.")
@click.option("--key", metavar="K", help="Sent again under the same K, it is not another message.")
@workspace_option
@pass_app
def send(
    app: App, ref: str, text: str | None, text_file: str | None, key: str | None, workspace: str | None
) -> None:
    """Send a message to an agent whose session is open.

    A TEXT that begins with - comes after --.
    """
    if (text is None) == (text_file is None):
        raise BadInput("a message has either a TEXT or a --text-file", "give one of them")
    text = given_text("text", text, text_file)
    client = app.client
    node = find_node(client, ref, workspace)
    under_it = secrets.token_hex(16) if key is None else key
    sent = client.post(f"/api/nodes/{node['id']}/messages", {"text": text}, key=under_it)
    app.answer(sent, lambda it: _print_message(app, it))


@message.command("list")
@page_options
@pass_app
def list_(app: App, /, **page: Any) -> None:
    """List the messages to an agent, newest first."""
    found = page_of(app.client, "messages", **page)
    app.answer(found, lambda it: _print_messages(app, it["messages"]))


@message.command()
@click.argument("ref", metavar="M")
@pass_app
def show(app: App, ref: str) -> None:
    """Show one message. M is its number."""
    found = app.client.get(f"/api/messages/{message_number(ref)}")
    app.answer(found, lambda it: _print_message(app, it))


@message.command()
@click.argument("ref", metavar="M")
@pass_app
def withdraw(app: App, ref: str) -> None:
    """Take back a message that still waits. M is its number."""
    withdrawn = app.client.post(f"/api/messages/{message_number(ref)}/withdraw")
    app.answer(withdrawn, lambda it: _print_message(app, it))


def _print_message(app: App, one: Document) -> None:
    print_facts(
        f"Message {one['id']}  {_state(one)}",
        {
            "for": one["agent"],
            "from": _sender(one),
            "hops": one["hops"] or "",
            "sent": show_local(one["created_at"], app.zone),
            "delivered": show_local(one["delivered_at"], app.zone),
            "finished": show_local(one["finished_at"], app.zone),
            "text": readable_output(one["text"]),
        },
    )


def _print_messages(app: App, messages: list[Document]) -> None:
    print_table(
        ("id", "from", "sent", "state", "text"),
        [
            (
                one["id"],
                _sender(one),
                show_local(one["created_at"], app.zone),
                _state(one),
                first_line(one["text"]),
            )
            for one in messages
        ],
        empty="There are no messages.",
    )


def _sender(one: Document) -> str:
    return "a person" if one["sender"]["kind"] == "person" else str(one["sender"]["name"])


def _state(one: Document) -> str:
    remarks = [one["diagnostic"], f"waiting: {one['waiting_for']}" if one["waiting_for"] else ""]
    said = "; ".join(filter(None, remarks))
    return f"{one['state']}: {said}" if said else str(one["state"])
