"""A person takes away what a delivery needs of the shell: nothing hangs, and it is said why none goes in."""

from __future__ import annotations

import asyncio

import pytest
from at_once import over
from dialects import ASH, BASH, DASH, FISH, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import Outcome, WaitingFor
from kavor.sessions.terminal import delivery_watch, line_editor
from kavor.sessions.terminal.session import TerminalSession

SWITCHED_OFF = "line editor is switched off"
SILENT = "line editor no longer answers"
REPLACED = "replaced by"
NO_PROMPT = "has reported no prompt"

TAKEN_AWAY: dict[str, list[tuple[str, str, str]]] = {
    "bash": [
        ("set +o emacs; set +o vi", SWITCHED_OFF, "set -o emacs"),
        ("unset PROMPT_COMMAND PS0; PS1='$ '", NO_PROMPT, ""),
        ("exec bash --norc", REPLACED, ""),
        ("exec sleep 60", REPLACED, ""),
    ],
    "zsh": [
        ("unsetopt zle", SWITCHED_OFF, "setopt zle"),
        ("precmd_functions=() preexec_functions=(); zle -D zle-line-init", NO_PROMPT, ""),
        ("exec zsh -f", REPLACED, ""),
    ],
    "fish": [
        ("functions -e (functions -a | string match '__kavor_*'); functions -e fish_prompt", NO_PROMPT, ""),
        ("exec fish --no-config", REPLACED, ""),
    ],
    "dash": [("PS1='$ '", NO_PROMPT, ""), ("exec dash", REPLACED, "")],
    "ash": [("PS1='$ '", NO_PROMPT, "")],
}


@over(BASH, ZSH, FISH, DASH, ASH)
async def test_what_is_missing_is_said_and_nothing_is_typed(open_shell: OpenShell, dialect: Dialect) -> None:
    """Each way in a shell of its own, all at once."""
    ways = [(await open_shell(f"node-{n}"), *way) for n, way in enumerate(TAKEN_AWAY[dialect.name])]
    await asyncio.gather(*(says_what_is_missing(*way) for way in ways))


async def says_what_is_missing(shell: Shell, command: str, said: str, undone: str) -> None:
    before = shell.state.diagnostic
    await shell.type(f"{command}\r".encode())
    await until(lambda: said in shell.state.diagnostic, lambda: f"{said!r} for {command}, {shell.state}")
    assert "restart this Terminal" in shell.state.diagnostic
    answer = await shell.offer("echo INTRUDER")
    assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.BUSY)
    assert b"INTRUDER" not in await shell.output()
    if undone:
        await shell.type(f"{undone}\r".encode())
        await shell.ready()
        assert shell.state.diagnostic == before
        assert (await shell.deliver("true")).exit_code == 0


@over(*WITH_AN_EDITOR)
async def test_a_command_that_asks_is_said_to_until_it_is_answered(shell: Shell) -> None:
    await shell.type(b"read line\r")
    await until(lambda: NO_PROMPT in shell.state.diagnostic)
    await shell.type(b"x\r")
    await shell.ready()
    assert shell.state.diagnostic == ""


@over(BASH, ZSH)
async def test_a_delivery_that_takes_the_editor_away_has_its_exit_code(
    shell: Shell, dialect: Dialect
) -> None:
    command, *_ = TAKEN_AWAY[dialect.name][0]
    outcome = await shell.deliver(command)
    assert (outcome.state, outcome.exit_code) == (AttemptState.COMPLETED, 0)
    await until(lambda: SWITCHED_OFF in shell.state.diagnostic)


@pytest.mark.parametrize(
    ("dialect", "command"),
    [
        (BASH, "bind -r '\\e[7707~'; bind -r '\\e[7707;1~'; bind -r '\\e[7708~'"),
        (ZSH, "bindkey -d"),
        (ZSH, "bindkey -N own .safe; bindkey -A own main"),
        (FISH, "bind --erase --all"),
        (FISH, "fish_vi_key_bindings; fish_default_key_bindings"),
    ],
    indirect=["dialect"],
)
async def test_bindings_that_were_taken_away_are_back_at_the_next_prompt(shell: Shell, command: str) -> None:
    await shell.run(command.encode())
    assert (await shell.deliver("echo S")).evidence.output == "S\r\n"


WITHIN_THE_LINE = {
    "bash": 'bind -x \'"\\C-g": bind -r "\\e[7707~"; bind -r "\\e[7707;1~"; bind -r "\\e[7708~"\'',
    "zsh": "taken() { bindkey -d }; zle -N taken; bindkey '^G' taken",
    "fish": "bind \\cg 'bind --erase --all --user'",
}


@over(*WITH_AN_EDITOR)
async def test_an_editor_that_falls_silent_is_not_sent_keys_again_and_again(
    own_session: TerminalSession, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_editor, "LOST_SECONDS", 1.0)
    monkeypatch.setattr(line_editor, "ANSWER_SECONDS", 0.3)
    own_session.type(WITHIN_THE_LINE[dialect.name].encode() + b"\r")
    await asyncio.sleep(0.5)
    await until(lambda: own_session.waiting_for is None, "the prompt")
    own_session.type(b"\x07")
    await until(lambda: SILENT in own_session.state.diagnostic, "the word")
    assert own_session.waiting_for is WaitingFor.BUSY
    own_session.type(b"\x15\r")
    await until(lambda: own_session.waiting_for is None, "the next prompt, where the bindings are back")
    assert (await own_session.deliver("last", "true")).accepted


@over(BASH, ZSH)
@pytest.mark.contract("K54")
async def test_a_delivery_that_takes_away_all_that_tells_of_its_end_is_fired(
    own_session: TerminalSession,
    outcomes: list[Outcome],
    dialect: Dialect,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That the shell reads whole lines again may be its prompt, or a `read` in the command."""
    monkeypatch.setattr(delivery_watch, "UNTOLD_SECONDS", 1.5)
    command = {
        "bash": "unset PROMPT_COMMAND PS0; PS1='$ '; set +o emacs; set +o vi",
        "zsh": "precmd_functions=() preexec_functions=(); unsetopt zle",
    }
    assert (await own_session.deliver("key", command[dialect.name])).accepted
    await until(lambda: outcomes, "the outcome")
    assert outcomes[0].state is AttemptState.FIRED
    await until(lambda: NO_PROMPT in own_session.state.diagnostic, "the word")


@over(DASH, ASH)
async def test_a_loop_that_works_long_is_not_taken_for_a_prompt(
    own_session: TerminalSession, outcomes: list[Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a shell that only reads lines, the system tells what it waits for; at work it tells nothing."""
    monkeypatch.setattr(delivery_watch, "UNSEEN_END_SECONDS", 0.3)
    assert (await own_session.deliver("key", "while true; do true; done")).accepted
    await asyncio.sleep(1.5)
    assert not outcomes
    own_session.type(b"\x03")
    await until(lambda: outcomes, "the outcome")
    assert (outcomes[0].state, outcomes[0].exit_code) == (AttemptState.FAILED, 130)
