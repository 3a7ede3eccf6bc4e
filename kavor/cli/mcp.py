"""``kavor mcp``: what an agent starts to have Kavor's tools."""

from __future__ import annotations

import json
import os
import socket
import sys

import click

from kavor.cli.app import App, pass_app
from kavor.cli.command import Command
from kavor.domain.errors import BadInput

TOKEN = "KAVOR_AGENT_TOKEN"  # noqa: S105 - where it is, not what it is


@click.command(cls=Command)
@click.option("--http", is_flag=True, help="Over HTTP on this machine, for every agent with a token.")
@click.option("--socket-fd", type=int, hidden=True, help="The listening socket to take for it.")
@pass_app
def mcp(app: App, http: bool, socket_fd: int | None) -> None:
    """Give an agent Kavor's tools, over the Model Context Protocol.

    Over stdin and stdout, for the agent whose token is in the environment variable KAVOR_AGENT_TOKEN; it
    never belongs on a command line. With --http the first line of the output says where it listens, and it
    ends when its stdin does.
    """
    if http or socket_fd is not None:
        from kavor.mcp.http import listen, serve_http, url_of

        listening = listen() if socket_fd is None else socket.socket(fileno=socket_fd)
        serve_http(
            app.home, listening, stdin=sys.stdin.fileno(), ready=json.dumps({"url": url_of(listening)})
        )
        return
    token = os.environ.get(TOKEN, "")
    if not token:
        raise BadInput(
            f"{TOKEN} is not set, so nobody knows which agent this is",
            "Kavor gives it to the agents that it starts",
        )
    from kavor.mcp.stdio import serve_stdio

    serve_stdio(app.home, token)
