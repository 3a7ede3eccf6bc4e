"""What the commands share while one of them runs: the home, the zone, the runtime, and how to answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from kavor.api.client import Client
    from kavor.home import Home


class App:
    """One run of ``kavor``. What costs time is made when it is first asked for."""

    def __init__(self) -> None:
        self.as_json = False

    @cached_property
    def home(self) -> Home:
        from kavor.home import find_home

        return find_home()

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone of this machine, in which people read and write times. Raises BadInput."""
        from kavor.domain.zones import load_zone
        from kavor.host_zone import host_zone_name

        return load_zone(host_zone_name())

    @cached_property
    def client(self) -> Client:
        """The runtime, for what has to do with times; started if none runs. Raises BadInput where this
        machine's zone is not known, and whatever keeps a runtime from starting."""
        zone = self.zone.key
        return self._started(zone)

    @cached_property
    def zoneless_client(self) -> Client:
        """The runtime, for what has nothing to do with times; started if none runs."""
        return self._started(None)

    @cached_property
    def running_client(self) -> Client:
        """The runtime if one runs; its first request raises Unreachable if none does."""
        from kavor.api.client import Client

        return Client(self.home)

    def answer(self, document: dict[str, Any], readable: Callable[[dict[str, Any]], None]) -> None:
        """Print the one document, or what ``readable`` makes of it for a person."""
        if self.as_json:
            click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        else:
            readable(document)

    def _started(self, zone: str | None) -> Client:
        from kavor.api.client import Client
        from kavor.api.launch import ensure_runtime

        ensure_runtime(self.home)
        return Client(self.home, zone)


pass_app = click.make_pass_decorator(App)
