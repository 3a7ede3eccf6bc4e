"""What ``kavor doctor`` says of coding agents.

A runtime that runs is asked, since it finds programs where its sessions do; else they are looked for as the
next one will.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kavor.api.client import Client
from kavor.cli.checks import Check, Verdict
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind
from kavor.home import Home


def check_agents(home: Home) -> Iterator[Check]:
    client = Client(home)
    try:
        found = client.get("/api/providers")
        nodes = client.get("/api/nodes", kind=NodeKind.CODING_AGENT.value)["nodes"]
    except KavorError:  # what is wrong with the runtime, if something is, has been said
        from kavor.app.agents_here import agents_here

        providers, problems = agents_here(home)
        yield from _found(providers, problems)
        return
    yield from _found(found["providers"], found["problems"])
    yield from _missing(nodes, found["providers"])


def _found(providers: Sequence[Mapping[str, Any]], problems: Sequence[str]) -> Iterator[Check]:
    # Those that bring their own command are there or not by what each agent names.
    here = [one for one in providers if one["installed"] and not one["takes_command"]]
    yield Check("agents", Verdict.OK, ", ".join(map(_with_version, here)) or "none is installed")
    for problem in problems:
        yield Check("agents", Verdict.WARN, problem, "mend that table of providers, or take the entry out")


def _missing(nodes: Sequence[Mapping[str, Any]], providers: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    for provider in providers:
        users = [node["name"] for node in nodes if node["provider"] == provider["name"]]
        if users and not provider["installed"]:
            yield Check("agents", Verdict.WARN, *_what_is_missing(provider, users))


def _what_is_missing(provider: Mapping[str, Any], users: Sequence[str]) -> tuple[str, str]:
    """What is wrong, and what to do about it."""
    unusable = f"{', '.join(users)} cannot be opened"
    program = provider["program"]
    here = shutil.which(program) if program and os.sep not in program else None
    if here is not None:
        return (
            f"{provider['label']} is at {here}, which is not on the PATH that the runtime was started with, "
            f"and {unusable}",
            "restart it: kavor runtime stop, kavor runtime start",
        )
    needs = f" (it needs {provider['needs']})" if provider["needs"] else ""
    return f"{provider['label']} is not installed, and {unusable}", f"{provider['install']}{needs}"


def _with_version(provider: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (provider["label"], provider["version"])))
