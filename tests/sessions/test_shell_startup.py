"""How zsh, fish, dash and ash are started: as the user's own login shell, whatever their files set up."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from at_once import over
from dialects import ASH, BASH, DASH, EVERY, FISH, TYPED_TO, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.home import Home
from kavor.sessions.session import WaitingFor

SHELLS_OWN = ("history", "fish_variables", "zcompdump", ".cache", ".local")
PLUGINS = Path("/usr/share")


def digest(folder: Path) -> str:
    """Of all files but those that a shell itself keeps."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(name in str(path) for name in SHELLS_OWN):
            total.update(str(path).encode() + path.read_bytes())
    return total.hexdigest()


async def said(shell: Shell, command: str) -> str:
    outcome = await shell.deliver(command)
    return outcome.evidence.output.replace("\r\n", "\n").removesuffix("\n")


# --- zsh -------------------------------------------------------------------------------------------


@over(ZSH)
async def test_zsh_reads_its_files_in_its_own_order(open_shell: OpenShell, user_home: Path) -> None:
    for name in (".zshenv", ".zprofile", ".zshrc", ".zlogin"):
        (user_home / name).write_text(f'ORDER="$ORDER {name}"\n')
    (user_home / ".zlogout").write_text("echo bye > ~/left\n")
    before = digest(user_home)
    shell = await open_shell()
    assert await said(shell, 'echo "$ORDER"') == " .zshenv .zprofile .zshrc .zlogin"
    assert await said(shell, "[[ -o login && -o interactive ]]; echo $? ${ZDOTDIR-none} $0") == "0 none -zsh"
    assert digest(user_home) == before
    await shell.run_out(b"exit")
    assert (user_home / "left").read_text() == "bye\n"


@over(ZSH)
async def test_zsh_files_may_be_elsewhere(
    open_shell: OpenShell, user_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inherited, chosen = tmp_path / "inherited", tmp_path / "it's chosen"
    inherited.mkdir()
    chosen.mkdir()
    (inherited / ".zshenv").write_text(f'ZDOTDIR="{chosen}"\n')
    (chosen / ".zshrc").write_text("FROM=chosen HISTFILE=$ZDOTDIR/.zsh_history SAVEHIST=10\n")
    monkeypatch.setenv("ZDOTDIR", str(inherited))
    shell = await open_shell()
    assert await said(shell, "echo $FROM $ZDOTDIR") == f"chosen {chosen}"
    assert await said(shell, "printenv ZDOTDIR") == str(chosen)


@over(ZSH)
@pytest.mark.parametrize(
    "zshrc",
    [
        'setopt prompt_subst; precmd() { st=$?; PS1="{$st} %# " }; preexec() { pe=1 }\n',
        'precmd_functions=(mine); mine() { PS1="{$?} " }\n',
        "setopt prompt_subst; PS1='{$?} '; unsetopt rcs global_rcs\n",
        "zle-line-init() { :; }; zle -N zle-line-init; zle-line-finish() { :; }; zle -N zle-line-finish\n"
        "PS1='{%?} '\n",
        "setopt ksh_arrays sh_word_split no_unset noclobber null_glob all_export no_prompt_sp; PS1='{%?} '\n",
        "alias printf='echo no' local='echo no' -g emulate='echo no'; print() { builtin print no; }\n"
        "PS1='{%?} '\n",
        "setopt share_history inc_append_history hist_ignore_space transient_rprompt\n"
        "RPROMPT='%T' PS1='{%?} '\n",
        "preexec() { false }; TRAPZERR() { zerr=1 }; PS1='{%?} '\n",
        "autoload -Uz promptinit vcs_info; promptinit; precmd() { vcs_info }; PS1='{%?} '\n",
    ],
)
async def test_the_users_own_zsh_works_on(open_shell: OpenShell, user_home: Path, zshrc: str) -> None:
    (user_home / ".zshrc").write_text(zshrc)
    shell = await open_shell()
    outcome = await shell.deliver('sh -c "exit 9"')
    assert (outcome.state, outcome.exit_code) == (AttemptState.FAILED, 9)
    await shell.shows(b"{9} ")
    outcome = await shell.deliver("builtin echo again")
    assert (outcome.state, outcome.evidence.output) == (AttemptState.COMPLETED, "again\r\n")
    await shell.type(b"ech")
    await shell.waits_for(WaitingFor.UNFINISHED_INPUT)
    assert not (await shell.offer("echo S")).accepted


@over(ZSH)
async def test_hooks_added_to_zsh_later_stay_inside_ours(shell: Shell) -> None:
    await shell.run(b'precmd_functions=(mine $precmd_functions); mine() { PS1="{$?} "; false }')
    await shell.run(b"zle-line-init() { : }; zle -N zle-line-init")
    await shell.run(b"")
    outcome = await shell.deliver("sh -c 'exit 9'")
    assert outcome.exit_code == 9
    await shell.shows(b"{9} ")


@over(ZSH)
async def test_a_zsh_without_its_editor_says_so(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".zshrc").write_text("unsetopt zle\n")
    shell = await open_shell(wait=False)
    await until(lambda: "line editing is switched off" in shell.state.diagnostic)
    assert not (await shell.offer("echo S")).accepted
    await shell.type(b"echo usable$((1+1))\r")
    await shell.shows(b"usable2\r\n")


@over(ZSH)
async def test_zsh_does_not_ask_a_new_user(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".zshrc").unlink()
    shell = await open_shell()
    assert await said(shell, "echo S") == "S"


# --- fish ------------------------------------------------------------------------------------------


@over(FISH)
async def test_fish_is_a_login_shell_with_its_own_files(open_shell: OpenShell, user_home: Path) -> None:
    config = user_home / ".config/fish"
    (config / "conf.d").mkdir()
    (config / "conf.d/first.fish").write_text("set -g ORDER $ORDER conf.d\n")
    (config / "config.fish").write_text("set -g ORDER $ORDER config.fish\n")
    before = digest(user_home)
    shell = await open_shell()
    assert await said(shell, "echo $ORDER; status is-login; and echo login") == "conf.d config.fish\nlogin"
    assert digest(user_home) == before


@over(FISH)
@pytest.mark.parametrize(
    "config",
    [
        'function fish_prompt; echo -n "{$status} "; end\n',
        'function fish_prompt; set -l last $status; set_color red; echo -n "{$last} "; end\n'
        "function fish_right_prompt; date; end\n",
        'function fish_prompt; echo -n "{$status} "; end\nfunction printf; echo no; end\n'
        "function fish_postexec_mine --on-event fish_postexec; false; end\nset -g fish_greeting\n",
        'function fish_prompt; set -l was $status; echo; echo "one"; echo -n "{$was} "; end\n'
        "function fish_mode_prompt; end\nset -g fish_private_mode 1\n",
    ],
)
async def test_the_users_own_fish_works_on(open_shell: OpenShell, user_home: Path, config: str) -> None:
    (user_home / ".config/fish/config.fish").write_text(config)
    shell = await open_shell()
    outcome = await shell.deliver('sh -c "exit 9"')
    assert (outcome.state, outcome.exit_code) == (AttemptState.FAILED, 9)
    await shell.shows(b"{9} ")
    assert (await shell.deliver("builtin echo again")).exit_code == 0


@over(FISH)
async def test_a_prompt_set_in_fish_later_gets_our_mark_too(shell: Shell) -> None:
    await shell.deliver('function fish_prompt; echo -n "{$status} "; end')
    outcome = await shell.deliver("sh -c 'exit 9'")
    assert outcome.exit_code == 9
    await shell.shows(b"{9} ")


# --- dash and ash ----------------------------------------------------------------------------------


@over(*TYPED_TO)
async def test_a_shell_without_an_editor_says_what_it_cannot_do(shell: Shell) -> None:
    assert shell.state.open
    assert "no line editor" in shell.state.diagnostic
    assert "Fired" in shell.state.diagnostic


@over(*TYPED_TO)
async def test_sh_reads_the_profile_and_the_users_env_file(
    open_shell: OpenShell, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENV", "$HOME/.shrc")
    (user_home / ".profile").write_text("ORDER=profile; set -a\n")
    (user_home / ".shrc").write_text("ORDER=\"$ORDER shrc\"; PS1='{$?} '; alias greet='echo hello'\n")
    before = digest(user_home)
    shell = await open_shell()
    assert await said(shell, 'echo "$ORDER $0 $ENV"; greet') == (
        f"profile shrc -{shell_name(await said(shell, 'echo $0'))} $HOME/.shrc\nhello"
    )
    await shell.deliver("sh -c 'exit 9'")
    await shell.shows(b"{9} ")
    assert await said(shell, 'env | grep -c -e kavor_nonce -e "$__kavor_nonce"') == "0"
    assert digest(user_home) == before


def shell_name(argument: str) -> str:
    return argument.removeprefix("-")


async def test_sh_is_the_shell_it_stands_for(open_shell: OpenShell) -> None:
    shell = await open_shell(shell="sh")
    outcome = await shell.deliver("echo S")
    assert (outcome.state, outcome.evidence.output) == (AttemptState.FIRED, "S\r\n")


# --- all -------------------------------------------------------------------------------------------


@over(ZSH, FISH, DASH, ASH)
async def test_the_environment(
    open_shell: OpenShell, monkeypatch: pytest.MonkeyPatch, user_home: Path, dialect: Dialect
) -> None:
    for name, value in {"TMUX": "x", "KAVOR_SECRET": "s3cret", "TERM": "dumb", "SSH_AUTH_SOCK": "/a"}.items():
        monkeypatch.setenv(name, value)
    shell = await open_shell(environment={"CHECK_SQL": "/x y/it's.sql"})
    shown = (await said(shell, "env")).split("\n")
    assert {
        "TERM=xterm-256color",
        "COLORTERM=truecolor",
        f"HOME={user_home}",
        "CHECK_SQL=/x y/it's.sql",
        "SSH_AUTH_SOCK=/a",
        f"KAVOR_SESSION={shell.id}",
    } <= set(shown)
    gone = ("TMUX=", "KAVOR_SECRET=", "KAVOR_SHELL", "KAVOR_USER", "ZDOTDIR=", "ENV=")
    assert not [line for line in shown if line.startswith(gone)]
    assert "s3cret" not in await said(shell, "env")


@over(ZSH, FISH, DASH, ASH)
async def test_no_child_sees_the_nonce(shell: Shell, home: Home, dialect: Dialect) -> None:
    nonce = await said(shell, "echo $__kavor_nonce")
    assert len(nonce) == 32
    assert await said(shell, f"env | grep -c {nonce}") == "0"
    read = f"grep -ac {nonce} /proc/{shell.pid}/environ /proc/{shell.pid}/cmdline"
    assert await said(shell, f"{read} | grep -v ':0$'") == ""
    folder = home.sessions / shell.id
    assert not (folder / "startup").exists()
    assert not (folder / ".zshenv").exists()


@over(*EVERY)
async def test_a_child_shell_is_an_ordinary_one(shell: Shell, dialect: Dialect) -> None:
    name = "busybox ash" if dialect is ASH else dialect.name
    dialect.assert_ended(await shell.deliver(f"{name} -c 'echo plain'"), 0)
    assert "plain\r\n" in (await shell.deliver(f"{name} -i -c 'echo plain' 2>&1")).evidence.output


STARSHIP = {
    "bash": 'eval "$(starship init bash)"\n',
    "zsh": 'eval "$(starship init zsh)"\n',
    "fish": "starship init fish | source\n",
}
FRAMEWORKS = {
    "direnv": {
        "bash": 'eval "$(direnv hook bash)"\n',
        "zsh": 'eval "$(direnv hook zsh)"\n',
        "fish": "direnv hook fish | source\n",
    },
    "fzf": {
        "bash": ". /usr/share/doc/fzf/examples/key-bindings.bash\n",
        "zsh": ". /usr/share/doc/fzf/examples/key-bindings.zsh\n",
        "fish": "source /usr/share/doc/fzf/examples/key-bindings.fish; fzf_key_bindings\n",
    },
    "liquidprompt_activate": {
        "bash": ". /usr/share/liquidprompt/liquidprompt\n",
        "zsh": ". /usr/share/liquidprompt/liquidprompt\n",
    },
    "starship": STARSHIP,
}


@over(*WITH_AN_EDITOR)
@pytest.mark.parametrize("framework", FRAMEWORKS)
async def test_prompt_frameworks_and_key_bindings(
    open_shell: OpenShell, user_home: Path, dialect: Dialect, framework: str
) -> None:
    if shutil.which(framework) is None:
        pytest.skip(f"{framework} is not installed")
    startup = FRAMEWORKS[framework].get(dialect.name)
    if startup is None:
        return
    own = user_home / dialect.startup_file
    own.write_text(startup)
    shell = await open_shell()
    for code in (9, 0):
        dialect.assert_ended(await shell.deliver(f'sh -c "exit {code}"'), code)
    await shell.type(b"ech")
    await shell.waits_for(WaitingFor.UNFINISHED_INPUT)
    assert not (await shell.offer("echo INTRUDER")).accepted
    await shell.type(b"\x15")
    await shell.ready()
    dialect.assert_ended(await shell.deliver("echo S"), 0)
    assert own.read_text() == startup


@over(ZSH)
async def test_zsh_suggestions_and_highlighting(open_shell: OpenShell, user_home: Path) -> None:
    plugins = [
        PLUGINS / "zsh-autosuggestions/zsh-autosuggestions.zsh",
        PLUGINS / "zsh-syntax-highlighting/zsh-syntax-highlighting.zsh",
    ]
    for plugin in plugins:
        if not plugin.exists():
            pytest.skip(f"{plugin.stem} is not installed")
    lines = ["autoload -Uz compinit; compinit -u -D", *(f"source {plugin}" for plugin in plugins)]
    (user_home / ".zshrc").write_text("\n".join(lines) + "\n")
    shell = await open_shell()
    for number in range(3):
        outcome = await shell.deliver(f"echo suggest{number}")
        assert (outcome.exit_code, outcome.evidence.output) == (0, f"suggest{number}\r\n")
    await shell.type(b"echo sug")
    await shell.waits_for(WaitingFor.UNFINISHED_INPUT)
    assert not (await shell.offer("echo INTRUDER")).accepted
    await shell.type(b"\x15")
    await shell.ready()
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


@over(BASH, DASH)
async def test_each_start_has_a_nonce_of_its_own(open_shell: OpenShell) -> None:
    first, second = await open_shell("node-1"), await open_shell("node-2")
    assert await said(first, "echo $__kavor_nonce") != await said(second, "echo $__kavor_nonce")
