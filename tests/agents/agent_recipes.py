"""How each real agent is set up in a home of its own: its model the suite's, fake keys, and nothing told to
anybody."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Environment = dict[str, str]


@dataclass(frozen=True)
class Recipe:
    configure: Callable[[Path, str], Environment]
    """Writes its configuration into a home, for the model at a URL; the variables that it wants beside."""
    shell: Callable[[str], tuple[str, dict[str, Any]]]
    """A call of the agent's own shell tool that it asks permission for."""
    gives_up: bool = True
    """Whether a turn ends when the model's stream breaks; else it goes on trying until it is stopped."""
    finds_its_conversation: bool = True
    """Whether it always has its conversation on disk when it is killed."""
    other_model: tuple[str, str] | None = None
    """A model that it has beside its own, and how the requests to it name that one; None where it lets nobody
    choose."""
    asks_for_own_tools: bool = False
    """Whether a person is asked before it uses Kavor's tools, since it does not say that they are Kavor's."""


def opencode(home: Path, url: str) -> Environment:
    model = {"name": "Stand-in", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "sk-local"},
        "models": {"stand-in": model, "understudy": {**model, "name": "Understudy"}},
    }
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "model": "local/stand-in",
        "small_model": "local/stand-in",
        "enabled_providers": ["local"],
        "provider": {"local": provider},
        "permission": {"bash": "ask", "edit": "ask"},
    }
    _write(home / ".config/opencode/opencode.json", json.dumps(settings))
    switches = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    return {f"OPENCODE_DISABLE_{switch}": "1" for switch in switches}


def claude(home: Path, url: str) -> Environment:
    _write(home / ".claude.json", json.dumps({"hasCompletedOnboarding": True}))
    return {
        "ANTHROPIC_AUTH_TOKEN": "sk-local",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_MODEL": "claude-sonnet-4-5",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
        "IS_SANDBOX": "1",  # or it refuses to run as root
    }


CODEX = """
model = "gpt-5"
model_provider = "local"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[model_providers.local]
name = "Stand-in"
base_url = "{url}/v1"
env_key = "LOCAL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
"""


def codex(home: Path, url: str) -> Environment:
    _write(home / ".codex/config.toml", CODEX.format(url=url))
    return {
        "INITIAL_AGENT_MODE": "workspace-write",  # its other modes have a model in a person's place
        "LOCAL_KEY": "sk-local",
        "MODEL_PROVIDER": "local",
        "NO_BROWSER": "1",
    }


def gemini(home: Path, url: str) -> Environment:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"disableAutoUpdate": True, "disableUpdateNag": True, "enableAutoUpdate": False},
    }
    _write(home / ".gemini/settings.json", json.dumps(settings))
    return {
        "GEMINI_API_KEY": "sk-local",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_MODEL": "gemini-2.5-flash",
        "GOOGLE_GEMINI_BASE_URL": url,
    }


def qwen(home: Path, url: str) -> Environment:
    settings = {
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        "tools": {"approvalMode": "default", "toolSearch": {"enabled": False}},
    }
    _write(home / ".qwen/settings.json", json.dumps(settings))
    return {"OPENAI_API_KEY": "sk-local", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "stand-in"}


def _described(tool: str) -> Callable[[str], tuple[str, dict[str, Any]]]:
    return lambda command: (tool, {"command": command, "description": "Do it"})


def _out_of_the_sandbox(command: str) -> tuple[str, dict[str, Any]]:
    why = {"sandbox_permissions": "require_escalated", "justification": "May I?"}
    return "exec_command", {"cmd": command, **why}


RECIPES: Mapping[str, Recipe] = {
    "opencode": Recipe(
        opencode, _described("bash"), gives_up=False, other_model=("local/understudy", "understudy")
    ),
    "claude": Recipe(claude, _described("Bash"), gives_up=False, other_model=("haiku", "claude-haiku")),
    "codex": Recipe(codex, _out_of_the_sandbox, other_model=("gpt-6.1-sol", "gpt-6.1-sol")),
    "gemini": Recipe(
        gemini, _described("run_shell_command"), finds_its_conversation=False, asks_for_own_tools=True
    ),
    "qwen": Recipe(qwen, _described("run_shell_command"), asks_for_own_tools=True),
}


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
