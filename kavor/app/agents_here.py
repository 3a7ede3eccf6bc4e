"""Which agents this machine has, found as a runtime finds them, where none runs."""

from __future__ import annotations

import asyncio

from kavor.home import Home
from kavor.runtime.providers import ProviderService, ProviderView


def agents_here(home: Home) -> tuple[list[ProviderView], list[str]]:
    """Every provider, and what is wrong with the tables that people have added.

    Starts the login shell for its PATH, which may take some seconds, and nothing else. Raises nothing.
    """
    return asyncio.run(ProviderService(home).listing())
