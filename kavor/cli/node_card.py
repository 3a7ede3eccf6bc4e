"""How Nodes look to a person."""

from __future__ import annotations

from typing import Any

from kavor.cli.output import print_facts, print_table
from kavor.cli.session import session_state
from kavor.domain.graph import NodeKind


def print_node(node: dict[str, Any]) -> None:
    """One Node as a card."""
    session = node.get("session")
    print_facts(
        f"{label(node)} {node['name']}",
        {
            "id": node["id"],
            "Workspace": node.get("workspace_name") or node["workspace"],
            **_own_facts(node),
            "session": session_state(session),
            "restart needed": session and session["restart_reason"],
            "connected to": "\n".join(_neighbour(one) for one in node["connections"]),
            "revision": node["revision"],
            "text": node.get("text"),
        },
    )


def print_nodes(document: dict[str, Any]) -> None:
    print_table(
        ("id", "kind", "name", "workspace", "connected to", "state"),
        [
            (
                one["id"],
                label(one),
                one["name"],
                one.get("workspace_name") or one["workspace"],
                ", ".join(neighbour["name"] for neighbour in one["connections"]),
                session_state(one.get("session")) or one.get("state"),
            )
            for one in document["nodes"]
        ],
        empty="There are no Nodes; kavor node add KIND --name N makes one.",
    )


def label(node: dict[str, Any]) -> str:
    """The kind of a Node, as it is called on screen."""
    return NodeKind(node["kind"]).label


def _own_facts(node: dict[str, Any]) -> dict[str, object]:
    """What its kind alone has."""
    facts: dict[str, object] = {"shell": node.get("shell"), "provider": _provider(node)}
    facts["directory"] = node.get("directory")
    facts["path"] = node.get("path")
    if "file" in node and not node["file"]["exists"]:
        silent = node["file"]["exists"] is None
        facts["path"] = f"{node['path']} ({'cannot be read just now' if silent else 'not there'})"
    if "turn_limit_s" in node:
        facts["turn limit"] = _duration(node["turn_limit_s"])
        facts["keep open"] = "yes" if node["keep_open"] else "no"
        facts["may edit"] = "yes" if node["allow_editing"] else "no"
    facts["state"] = node.get("state")
    facts["colour"] = node.get("colour")
    return facts


def _provider(node: dict[str, Any]) -> str | None:
    if "provider" not in node:
        return None
    words = [node["provider"]]
    if node["command"]:
        words.append(f"({' '.join(node['command'])})")
    if node["model"]:
        words.append(f"with {node['model']}")
    return " ".join(words)


def _duration(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    parts = ((hours, "h"), (minutes, "m"), (rest, "s"))
    return "".join(f"{count}{unit}" for count, unit in parts if count)


def _neighbour(connection: dict[str, Any]) -> str:
    kind = NodeKind(connection["kind"]).label
    env = f" as ${connection['env']}" if connection["env"] else ""
    rule = f", {connection['guardrail']}" if connection["guardrail"] else ""
    return f"{kind} {connection['name']} ({connection['node']}){env}{rule}"
