"""Which providers of coding agents there are, and which of them this machine has."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from typing_extensions import TypedDict

from kavor.domain.errors import BadInput
from kavor.home import Home
from kavor.sessions.agent.login_environment import LoginEnvironment
from kavor.sessions.agent.providers import Availability, Providers, Transport, look_for


class ProviderView(TypedDict):
    name: str
    label: str
    transport: str
    """acp, socket or tui."""
    installed: bool
    """Whether its program is there; true of one whose command each agent brings along."""
    takes_command: bool
    """Whether each agent brings its own command."""
    program: str | None
    """What is looked for on the PATH of the login shell, which begins with that of the runtime; None where
    each agent brings its own."""
    path: str | None
    version: str | None
    install: str
    """What a person does who does not have it."""
    needs: str
    sign_in: str
    configuration: str
    completion: str
    """How the end of its work is observed."""
    attention: str
    """How it is observed that it waits for a person."""


class ProviderService:
    """Reads the table anew each time: it is small and seldom asked for, and may have just been added to."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._login_environment = LoginEnvironment()

    async def listing(self) -> tuple[list[ProviderView], list[str]]:
        """All of them, and what is wrong with the tables that people have added."""
        found, problems = await self._look(await self._login_environment.get())
        if not all(each["installed"] for each in found):
            found, problems = await self._look(await self._login_environment.get(anew=True))
        return found, problems

    async def _look(self, environment: Mapping[str, str]) -> tuple[list[ProviderView], list[str]]:
        search_path = environment.get("PATH", "")

        def look() -> tuple[list[ProviderView], list[str]]:
            table = Providers(self._home)
            return [_view(look_for(provider, search_path)) for provider in table.all()], table.problems

        return await asyncio.to_thread(look)

    async def check(self, name: str, command: list[str] | None) -> None:
        """Raises BadInput for a provider that there is not, for a command where it has its own, and for none
        where it has not."""
        table = await asyncio.to_thread(Providers, self._home)
        known = {provider.name: provider for provider in table.all()}
        if name not in known:
            raise BadInput(
                f"{name!r} is not a provider of agents",
                "; ".join([f"use one of: {', '.join(known)}", *table.problems]),
            )
        provider = known[name]
        if provider.command and command:
            raise BadInput(f"the provider {name} has a command of its own", "leave the command out")
        if not provider.command and not command:
            what = "absolute path of its socket" if provider.transport is Transport.SOCKET else "program"
            raise BadInput(f"the provider {name} needs a command", f"give the {what} with --command")


def _view(found: Availability) -> ProviderView:
    provider = found.provider
    return {
        "name": provider.name,
        "label": provider.label,
        "transport": provider.transport,
        "installed": found.installed,
        "takes_command": not provider.command,
        "program": provider.command_of(())[0] if provider.command else None,
        "path": found.path,
        "version": found.version,
        "install": provider.install,
        "needs": provider.needs,
        "sign_in": provider.sign_in,
        "configuration": provider.configuration,
        "completion": provider.completion,
        "attention": provider.attention,
    }
