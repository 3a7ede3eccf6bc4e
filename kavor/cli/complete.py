"""What the shell may offer for a name: asked of the runtime if one runs, never starting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kavor.domain.errors import KavorError

if TYPE_CHECKING:
    import click


def complete_schedules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return _names("/api/schedules", "schedules", incomplete)


def complete_nodes(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return _names("/api/nodes", "nodes", incomplete)


def complete_workspaces(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return _names("/api/workspaces", "workspaces", incomplete)


def _names(path: str, key: str, incomplete: str) -> list[str]:
    from kavor.api.client import Client
    from kavor.home import find_home

    try:
        found = Client(find_home()).get(path)[key]
    except KavorError:
        return []
    return [thing["name"] for thing in found if thing["name"].startswith(incomplete)]
