"""How bash is started: as the user's own login shell, in a clean environment, its files untouched."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, Refused
from kavor.home import Home
from kavor.sessions.session import WaitingFor
from kavor.sessions.terminal.client import TerminalSessions


def digest(folder: Path) -> str:
    """Of all files but the shell's own history."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "history" not in path.name:
            total.update(str(path).encode() + path.read_bytes())
    return total.hexdigest()


async def said(shell: Shell, command: str) -> str:
    outcome = await shell.deliver(command)
    return outcome.evidence.output.replace("\r\n", "\n").removesuffix("\n")


@pytest.mark.parametrize("first", [".bash_profile", ".bash_login", ".profile"])
async def test_login_files_are_read_as_a_login_bash_reads_them(
    open_shell: OpenShell, user_home: Path, first: str
) -> None:
    names = [".bash_profile", ".bash_login", ".profile"]
    for name in names[names.index(first) :]:
        (user_home / name).write_text(f'export ORDER="$ORDER {name}"\n')
    (user_home / ".bashrc").write_text('ORDER="$ORDER .bashrc"\n')
    (user_home / ".bash_logout").write_text("echo bye > ~/left\n")
    before = digest(user_home)
    shell = await open_shell()
    assert await said(shell, 'echo "$ORDER"') == f" {first}"
    assert await said(shell, "shopt login_shell | tr -d '\\t '; echo $0; shopt -o posix") == (
        "login_shellon\n-bash\nposix          \toff"
    )
    assert digest(user_home) == before
    await shell.run_out(b"logout")
    assert (user_home / "left").read_text() == "bye\n"


async def test_bashrc_is_read_where_the_profile_reads_it(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".profile").write_text(". ~/.bashrc\n")
    (user_home / ".bashrc").write_text("alias greet='echo hello'\ndeclare -A table=([a]=1)\n")
    shell = await open_shell()
    assert await said(shell, 'greet; echo "${table[a]}"') == "hello\n1"


async def test_the_settings_of_a_plain_login_bash(open_shell: OpenShell) -> None:
    shell = await open_shell()
    compare = (
        "diff <(shopt; set -o) <(bash -lic 'shopt; set -o' 2>/dev/null) |"
        " grep -v -e checkwinsize -e histexpand -e history -e emacs -e monitor | grep '^[<>]'"
    )
    assert await said(shell, compare) == ""
    assert await said(shell, "echo ${HISTFILE##*/} ${POSIXLY_CORRECT-none} ${ENV-none}") == (
        ".bash_history none none"
    )


async def test_the_history_is_the_users(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".bash_history").write_text("echo from-before\n")
    shell = await open_shell()
    await shell.type(b"\x1b[A\r")
    await shell.shows(b"from-before\r\n")
    await shell.ready()
    await shell.deliver("echo delivered")
    assert "echo delivered" in await said(shell, "history | tail -2")


async def test_the_environment(
    open_shell: OpenShell, monkeypatch: pytest.MonkeyPatch, user_home: Path, tmp_path: Path
) -> None:
    for name, value in {
        "TMUX": "x",
        "TERM_PROGRAM_VERSION": "1",
        "VTE_VERSION": "7000",
        "KAVOR_SECRET": "s3cret",
        "KAVOR_HOME": str(tmp_path),
        "KAVOR_SESSION": "another",
        "SSH_AUTH_SOCK": "/run/agent",
        "PS1": "old",
        "ENV": "/their/env",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
    }.items():
        monkeypatch.setenv(name, value)
    shell = await open_shell(environment={"CHECK_SQL": "/x y/it's.sql"})
    names = "TERM COLORTERM TERM_PROGRAM KAVOR_HOME KAVOR_SESSION SSH_AUTH_SOCK CHECK_SQL HOME SHELL ENV LANG"
    shown = await said(shell, f"for n in {names}; do printenv $n; done; [[ $LINES$COLUMNS ]] && echo sized")
    assert shown.split("\n") == [
        "xterm-256color",
        "truecolor",
        "kavor",
        str(tmp_path),
        "node-1",
        "/run/agent",
        "/x y/it's.sql",
        str(user_home),
        shutil.which("bash"),
        "/their/env",
        "C.UTF-8",
        "sized",
    ]
    gone = "env | grep -E '^(TMUX|TERM_PROGRAM_VERSION|VTE_VERSION|PS1|KAVOR_SECRET|KAVOR_SHELL.*)='"
    assert await said(shell, gone) == ""
    assert await said(shell, "trap") == "", "signals are not ignored"
    assert await said(shell, "sh -c 'kill -HUP $$'; echo $?") == "Hangup\n129"


async def test_no_child_sees_the_nonce(shell: Shell, home: Home) -> None:
    nonce = await said(shell, "echo $__kavor_nonce")
    assert len(nonce) == 32
    assert await said(shell, f"env | grep -c {nonce}; export -p | grep -c {nonce}") == "0\n0"
    assert await said(shell, f"grep -ac {nonce} /proc/$$/environ /proc/$$/cmdline | grep -v ':0$'") == ""
    await until(lambda: not (home.sessions / "node-1" / "startup").exists())
    found = await said(shell, f"grep -rl {nonce} {home.data} --exclude=.bash_history --exclude=handover")
    assert found == ""


@pytest.mark.parametrize(
    "profile",
    [
        "PROMPT_COMMAND='history -a; ; last=$?; PS1=\"[$last] \"'\n",
        "PROMPT_COMMAND='last=$?; PS1=\"[$last] \";'\nPS0='(go)'\n",
        "PROMPT_COMMAND=('last=$?' 'PS1=\"[$last] \"')\n",
        "trap 'dbg=1' DEBUG\nPROMPT_COMMAND='PS1=\"[$?] \"'\n",
        "set -u; set -o noclobber; set -a; PROMPT_COMMAND='PS1=\"[$?] \"'\n",
        "alias printf='echo no' local='echo no' builtin='echo no'; printf() { echo no; }\n"
        "PROMPT_COMMAND='PS1=\"[$?] \"'\n",
        "PS1='[$?] '\n",
    ],
)
async def test_the_users_own_prompt_works_on(open_shell: OpenShell, user_home: Path, profile: str) -> None:
    (user_home / ".bash_profile").write_text(profile)
    shell = await open_shell()
    outcome = await shell.deliver("(exit 9)")
    assert (outcome.state, outcome.exit_code) == (AttemptState.FAILED, 9)
    if " ; " not in profile:  # that one is an error in any bash, and bash says so
        await shell.shows(b"[9] ")
    outcome = await shell.deliver("\\builtin echo again")
    assert (outcome.state, outcome.exit_code) == (AttemptState.COMPLETED, 0)


async def test_a_hook_added_later_stays_inside_ours(shell: Shell) -> None:
    await shell.type(b"PROMPT_COMMAND+=('PS1=\"{$?} \"')\r")
    await shell.run(b"")  # the hook has taken our mark out of one prompt; at the next it is inside again
    outcome = await shell.deliver("(exit 9)")
    assert outcome.exit_code == 9
    await shell.shows(b"{9} ")


@pytest.mark.parametrize(
    ("profile", "reason"),
    [("shopt -u promptvars\n", "promptvars"), ("set +o emacs\n", "line editing")],
)
async def test_a_shell_that_cannot_take_deliveries_says_so(
    open_shell: OpenShell, user_home: Path, profile: str, reason: str
) -> None:
    (user_home / ".bash_profile").write_text(profile)
    shell = await open_shell(wait=False)
    await until(lambda: reason in shell.state.diagnostic)
    assert shell.waiting_for is WaitingFor.STARTING
    assert not (await shell.offer("echo S")).accepted
    await shell.type(b"echo usable$((1+1))\r")
    await shell.shows(b"usable2\r\n")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"directory": "/no/such/place"}, BadInput, "no directory /no/such/place"),
        ({"directory": "/etc/passwd"}, BadInput, "no directory"),
        ({"shell": "/no/such/shell"}, BadInput, "no shell /no/such/shell"),
        ({"shell": "cat"}, Refused, "cat"),
        ({"environment": {"TERM": "x"}}, BadInput, "TERM"),
        ({"environment": {"A=B": "x"}}, BadInput, "A=B"),
        ({"environment": {"KAVOR_HOME": "x"}}, BadInput, "KAVOR_HOME"),
    ],
)
async def test_what_cannot_be_opened_is_refused_and_starts_nothing(
    open_shell: OpenShell, home: Home, options: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as refusal:
        await open_shell(wait=False, **options)
    assert getattr(refusal.value, "hint", "")
    assert not list(home.sessions.iterdir())


@pytest.mark.parametrize("name", ["../evil", "", ".", "a/b", "x\0y"])
async def test_an_id_that_is_no_plain_name_is_refused(
    open_shell: OpenShell, sessions: TerminalSessions, name: str
) -> None:
    with pytest.raises(BadInput):
        await open_shell(name, wait=False)


async def test_a_folder_with_an_odd_name_is_only_a_name(
    open_shell: OpenShell, tmp_path: Path, sessions: TerminalSessions
) -> None:
    folder = tmp_path / "it's $(touch pwned) `x` \\ é"
    folder.mkdir()
    shell = await open_shell(directory=str(folder))
    assert await said(shell, 'printf %s "$PWD"') == str(folder)
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("start_up", "why"),
    [
        *[(f"readonly {name}=", f"{name} is readonly") for name in ("PROMPT_COMMAND", "PS0", "PS1", "PS2")],
        ("PROMPT_COMMAND=(true); readonly -a PROMPT_COMMAND", "PROMPT_COMMAND is readonly"),
        ("set -r", "restricted"),
    ],
)
async def test_a_bash_that_takes_no_marks_says_so(
    open_shell: OpenShell, user_home: Path, start_up: str, why: str
) -> None:
    (user_home / ".profile").write_text(f"{start_up}\n")
    shell = await open_shell(wait=False)
    await until(lambda: why in shell.state.diagnostic, lambda: f"{why!r} in {shell.state}")
    assert not (await shell.offer("true")).accepted


async def test_an_inherited_allexport_does_not_export_the_nonce(
    open_shell: OpenShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELLOPTS", "allexport:braceexpand:emacs:hashall:histexpand:history")
    shell = await open_shell()
    assert await said(shell, "shopt -po allexport; env | grep -c '^__kavor_nonce='") == "set -o allexport\n0"
