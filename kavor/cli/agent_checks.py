"""What ``kavor doctor`` says of coding agents.

The runtime is asked, since it finds programs where a session does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kavor.api.client import Client
from kavor.cli.checks import Check, Verdict
from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind
from kavor.home import Home


def check_agents(home: Home) -> Iterator[Check]:
    """Nothing where no runtime answers; what is wrong with it then has been said."""
    client = Client(home)
    try:
        found = client.get("/api/providers")
        nodes = client.get("/api/nodes", kind=NodeKind.CODING_AGENT.value)["nodes"]
    except KavorError:
        return
    # Those that bring their own command are there or not by what each agent names.
    programs = [one for one in found["providers"] if not one["takes_command"]]
    here = [one for one in programs if one["installed"]]
    yield Check("agents", Verdict.OK, ", ".join(map(_with_version, here)) or "none is installed")
    for problem in found["problems"]:
        yield Check("agents", Verdict.WARN, problem, "mend that table of providers, or take the entry out")
    yield from _missing(nodes, [one for one in programs if not one["installed"]])


def _missing(nodes: list[dict[str, Any]], absent: list[dict[str, Any]]) -> Iterator[Check]:
    for provider in absent:
        users = [node["name"] for node in nodes if node["provider"] == provider["name"]]
        if users:
            needs = f" (it needs {provider['needs']})" if provider["needs"] else ""
            yield Check(
                "agents",
                Verdict.WARN,
                f"{provider['label']} is not installed, and {', '.join(users)} cannot be opened",
                f"{provider['install']}{needs}",
            )


def _with_version(provider: dict[str, Any]) -> str:
    return " ".join(filter(None, (provider["label"], provider["version"])))
