"""The provider table: what comes with Kavor, what others add, and what is wrong with an entry."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import psutil
import pytest
from live_agent import OpenAgent

from kavor.domain.errors import BadInput, NotFound, Refused
from kavor.home import Home
from kavor.sessions.agent import login_environment, providers
from kavor.sessions.agent.login_environment import LoginEnvironment, read_login_environment
from kavor.sessions.agent.providers import Providers, Transport, look_for, program_path
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.session import AgentSpec

KNOWN = [
    *("claude", "codex", "opencode", "gemini", "qwen", "kimi"),
    *("claude-tui", "codex-tui", "opencode-tui", "scripted", "custom", "socket"),
]


def write(home: Home, text: str) -> Path:
    path = home.data / "providers.toml"
    path.write_text(text)
    return path


def test_what_comes_with_kavor_is_well_described(home: Home) -> None:
    table = Providers(home)
    assert table.problems == []
    assert [known.name for known in table.all()] == KNOWN
    for known in table.all():
        assert known.label
        assert known.install
        assert known.completion
        assert known.attention
        assert known.configuration
    assert table.find("claude").command == ("claude-agent-acp",)
    assert table.find("codex").wait_for_tools_s > 0
    assert table.find("scripted").command_of(())[0] == sys.executable


def test_a_settings_file_adds_and_changes(home: Home) -> None:
    write(
        home,
        """
        [fast]
        label = "fast-agent"
        transport = "acp"
        command = ["fast-agent", "acp"]
        [opencode]
        environment = {OPENCODE_DISABLE_AUTOUPDATE = "1"}
        """,
    )
    table = Providers(home)
    assert table.problems == []
    assert table.find("fast").transport is Transport.ACP
    opencode = table.find("opencode")
    assert (opencode.command, opencode.environment) == (
        ("opencode", "acp"),
        {"OPENCODE_DISABLE_AUTOUPDATE": "1"},
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[fast]\nlabel = 'x'", "fast.transport is missing"),
        ("[fast]\ntransport = 'acp'", "fast.label is missing"),
        ("[fast]\nlabel = 'x'\ntransport = 'telnet'", "fast.transport is one of acp, socket, tui"),
        ("[fast]\nlabel = 'x'\ntransport = 'acp'\ncommand = 'fast'", "fast.command cannot be 'fast'"),
        ("[fast]\nlabel = 'x'\ntransport = 'acp'\ncommand = [1]", "fast.command is a list of words"),
        ("[fast]\nlabel = 'x'\ntransport = 'acp'\ncomand = []", "fast.comand is not known"),
        ("[fast]\nlabel = 3", "fast.label cannot be 3"),
        ("[opencode]\nenvironment = {A = 1}", "the values of opencode.environment are strings"),
        ("[codex-tui.screen]\nsign = 1", "codex-tui.screen.sign is not known"),
        ("[codex-tui.screen]\nquiet_s = -1", "codex-tui.screen.quiet_s cannot be -1"),
        ("[codex-tui.screen]\nready_mark = '('", "'(' is no pattern"),
        ("[codex-tui.screen.signs]\na = 'b'", "'b' is no meaning"),
        ("fast = 3", "fast is no table"),
        ("[fast", "cannot be read"),
    ],
)
def test_what_is_wrong_is_named_with_its_file_and_key_and_takes_no_other_down(
    home: Home, text: str, fault: str
) -> None:
    path = write(home, text)
    table = Providers(home)
    (problem,) = table.problems
    assert problem.startswith(str(path))
    assert fault in problem
    assert [known.name for known in table.all()] == KNOWN
    with pytest.raises(NotFound) as error:
        table.find("fast")
    assert fault in error.value.hint


def test_a_package_adds_a_provider_and_a_broken_one_is_named(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = EntryPoint("good", "math:tau", providers.ENTRY_POINTS)
    bad = EntryPoint("bad", "no_such_module:table", providers.ENTRY_POINTS)
    monkeypatch.setattr(providers, "entry_points", lambda group: [good, bad])
    table = {"fast": {"label": "fast-agent", "transport": "acp", "command": ["fast"]}}
    monkeypatch.setattr("math.tau", lambda: table)
    found = Providers(home)
    assert found.find("fast").command == ("fast",)
    (problem,) = found.problems
    assert "entry point bad (no_such_module:table)" in problem


def test_a_provider_without_a_command_of_its_own_takes_the_agents(home: Home) -> None:
    custom = Providers(home).find("custom")
    assert custom.command_of(["my-agent", "--acp"]) == ("my-agent", "--acp")
    with pytest.raises(BadInput, match="needs a command"):
        custom.command_of(())


def test_what_is_missing_says_what_to_install(home: Home, tmp_path: Path) -> None:
    claude = Providers(home).find("claude")
    with pytest.raises(Refused, match="Claude Code is not installed") as error:
        program_path(claude, "claude-agent-acp", str(tmp_path), str(tmp_path))
    assert error.value.hint == (
        "to install it: npm i -g @agentclientprotocol/claude-agent-acp (it needs Node.js 22); if it is "
        "there, restart the runtime, which has the PATH that it was started with: "
        "kavor runtime stop, kavor runtime start"
    )


def test_a_path_that_is_not_absolute_begins_in_the_agents_directory(home: Home, tmp_path: Path) -> None:
    custom = Providers(home).find("custom")
    program = tmp_path / "bin" / "my-agent"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert program_path(custom, "./bin/my-agent", "/nowhere", str(tmp_path)) == str(program)
    with pytest.raises(Refused, match=r"there is no \./my-agent"):
        program_path(custom, "./my-agent", str(program.parent), str(tmp_path))


@pytest.mark.parametrize("named", ["./my-agent", "my-agent"])
def test_a_file_that_may_not_be_run_is_not_called_missing(home: Home, tmp_path: Path, named: str) -> None:
    (tmp_path / "my-agent").touch(0o644)
    with pytest.raises(Refused) as error:
        program_path(Providers(home).find("custom"), named, str(tmp_path), str(tmp_path))
    assert error.value.message == f"{tmp_path}/my-agent is not executable"
    assert error.value.hint == f"make it so: chmod +x {tmp_path}/my-agent"


def test_the_version_is_told_without_starting_anything(home: Home, tmp_path: Path) -> None:
    package = tmp_path / "lib" / "opencode-ai"
    (package / "bin").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "opencode-ai", "version": "1.18.33"}')
    program = package / "bin" / "opencode.js"
    program.write_text("#!/bin/false\n")
    program.chmod(0o755)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "opencode").symlink_to(program)
    opencode = Providers(home).find("opencode")
    found = look_for(opencode, str(tmp_path / "bin"))
    assert (found.installed, found.version) == (True, "1.18.33")
    missing = look_for(opencode, str(tmp_path))
    assert (missing.installed, missing.path) == (False, None)


# --- The login shell's environment


def test_the_environment_is_what_the_login_shell_has(user_home: Path) -> None:
    startup = "echo noise\nexport AGENT_KEY='two\nlines'\nPATH=$HOME/tools:$PATH\n"
    (user_home / ".bash_profile").write_text(startup)
    (user_home / ".profile").write_text(startup)
    environment = read_login_environment()
    assert environment["AGENT_KEY"] == "two\nlines"
    assert environment["PATH"].startswith(f"{user_home}/tools:")


def test_a_shell_that_hangs_at_its_start_is_given_up(
    user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_environment, "SECONDS", 0.3)
    for name in (".bash_profile", ".profile"):
        (user_home / name).write_text("sleep 60\n")
    assert read_login_environment()["HOME"] == str(user_home)


def test_what_a_start_up_file_leaves_running_holds_nothing_up(
    user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (".bash_profile", ".profile"):
        (user_home / name).write_text("sleep 3 &\nexport AGENT_KEY=here\n")
    assert read_login_environment()["AGENT_KEY"] == "here"


async def test_it_is_read_once_for_many(user_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def reading() -> dict[str, str]:
        read.append(1)
        return {"PATH": "/bin"}

    monkeypatch.setattr(login_environment, "read_login_environment", reading)
    login = LoginEnvironment()
    assert (await login.get(), await login.get()) == ({"PATH": "/bin"}, {"PATH": "/bin"})
    assert len(read) == 1
    monkeypatch.setattr(login_environment, "KEPT_SECONDS", -1.0)
    await login.get()
    assert len(read) == 2


# --- Opening


async def test_every_provider_is_told_with_whether_it_is_there(agents: CodingAgents) -> None:
    found = {known.provider.name: known for known in await agents.available()}
    assert list(found) == KNOWN
    assert found["scripted"].installed


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ({"provider": "nobody"}, NotFound, "no provider nobody"),
        ({"provider": "custom"}, BadInput, "needs a command"),
        ({"provider": "custom", "command": ("no-such-agent",)}, Refused, "there is no no-such-agent"),
        ({"provider": "scripted", "directory": "/no/such/place"}, Refused, "/no/such/place is not there"),
        ({"provider": "scripted", "environment": {"KAVOR_X": "1"}}, BadInput, "reserved"),
    ],
)
async def test_what_cannot_be_opened_is_refused_and_nothing_was_started(
    agents: CodingAgents, home: Home, spec: dict[str, object], error: type[Exception], message: str
) -> None:
    given: dict[str, object] = {"id": "agent-1", "directory": str(home.data), **spec}
    with pytest.raises(error, match=message):
        await agents.open(AgentSpec(**given))  # type: ignore[arg-type]
    assert not agents.holds("agent-1")


async def test_an_agent_opens_whose_program_was_installed_meanwhile(
    agents: CodingAgents, user_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = AgentSpec(id="agent-1", directory=str(tmp_path), provider="custom", command=("my-agent",))
    with pytest.raises(Refused, match="there is no my-agent"):
        await agents.open(spec)
    program = user_home / "tools" / "my-agent"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m kavor.sessions.agent.scripted\n')
    program.chmod(0o755)
    for startup in (".bash_profile", ".profile"):
        (user_home / startup).write_text("PATH=$HOME/tools:$PATH\n")
    monkeypatch.setattr(login_environment, "KEPT_WHERE_MISSED_SECONDS", -1.0)  # some seconds later
    assert (await agents.open(spec)).open


async def test_an_agent_has_the_login_shells_environment_and_not_the_runtimes_secrets(
    user_home: Path, open_agent: OpenAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAVOR_TEST_CLOCK", "no agent's affair")
    for name in (".bash_profile", ".profile"):
        (user_home / name).write_text("export AGENT_KEY=here\n")
    agent = await open_agent(environment={"SPEC": "the Node's"})
    environment = psutil.Process(agent.pid).environ()
    assert (environment["AGENT_KEY"], environment["SPEC"]) == ("here", "the Node's")
    assert "KAVOR_TEST_CLOCK" not in environment
    assert environment["KAVOR_SESSION"] == agent.id
    assert os.environ["HOME"] == environment["HOME"]


def test_the_protocols_library_is_not_loaded_before_the_first_agent() -> None:
    script = (
        "import sys, kavor.sessions.agent.sessions, kavor.sessions.every; "
        "print([name for name in ('acp', 'mcp', 'kavor.sessions.agent.acp') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
