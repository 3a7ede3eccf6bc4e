"""How an agent with a screen of its own is started, from what its provider's table says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.home import Home
from kavor.sessions.agent.own_screen import program_of
from kavor.sessions.agent.providers import Providers
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.session import AgentSpec, Program, ToolsAccess

TOOLS = ToolsAccess("http://127.0.0.1:4711/mcp", "a-very-secret-word")
SPEC = AgentSpec("agent-1", "/tmp", "", model="the-model", turn_limit_ms=5_000, tools=TOOLS)


def started(home: Home, name: str) -> Program:
    provider = Providers(home).find(name)
    inherited = {"PATH": "/bin", "TEMPLATE": "{url}?{tools}&{hooks}"}
    own = {"TOOLS_AT": "{url}", **provider.environment}
    return program_of(SPEC, provider.screen, provider.command, own, inherited, Path("/private"))


@pytest.mark.parametrize("name", ["claude-tui", "codex-tui", "opencode-tui"])
def test_the_token_is_on_no_command_line_and_in_no_text_of_it(home: Home, name: str) -> None:
    program = started(home, name)
    assert not any(TOOLS.token in argument for argument in program.command)
    assert TOOLS.token not in repr(program)
    given = [*program.environment.values(), *program.files.values()]
    assert any(TOOLS.token in text for text in given)
    assert (program.command[-2:] == ("--model", "the-model")) or "the-model" in program.command
    assert program.turn_limit_ms == 5_000
    assert not any("{" in argument for argument in program.command)


def test_only_its_providers_own_variables_are_filled_in(home: Home) -> None:
    environment = started(home, "claude-tui").environment
    assert environment["TEMPLATE"] == "{url}?{tools}&{hooks}"
    assert environment["TOOLS_AT"] == TOOLS.url


def test_hooks_call_for_each_event_that_has_a_meaning(home: Home) -> None:
    program = started(home, "claude-tui")
    assert program.command[:3] == ("claude", "--settings", "/private/hooks.json")
    hooks = json.loads(program.files["hooks.json"])["hooks"]
    assert all(any(event.startswith(sign.split()[0]) for sign in program.signs) for event in hooks)
    assert {sign.split()[0] for sign in program.signs} == set(hooks)
    (hook,) = hooks["Stop"][0]["hooks"]
    assert hook["command"].endswith("tell_sign.py /private/signs")


async def test_it_is_held_elsewhere(agents: CodingAgents, home: Home, tmp_path: Path) -> None:
    (home.data / "providers.toml").write_text('[codex-tui]\ncommand = ["/bin/sh", "-c", "codex"]')
    spec = AgentSpec("agent-1", str(tmp_path), "codex-tui")
    held = await agents.on_screen(spec)
    assert held is not None
    assert held.program is not None
    assert held.program.command == ("/bin/sh", "-c", "codex")
    assert "HOME" in held.program.environment
    assert await agents.on_screen(AgentSpec("agent-1", str(tmp_path), "scripted")) is None
    with pytest.raises(BadInput):
        await agents.open(spec)
    with pytest.raises(NotFound):
        await agents.on_screen(AgentSpec("agent-1", str(tmp_path), "nobody"))
    (home.data / "providers.toml").write_text('[codex-tui]\ncommand = ["no-such-program"]')
    with pytest.raises(Refused, match="not installed"):
        await agents.on_screen(spec)
