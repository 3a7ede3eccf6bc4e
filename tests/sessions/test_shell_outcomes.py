"""What becomes of a command that was delivered into zsh, fish, dash or ash (decision 19).

bash has the same tests in a file of its own; here are those that hold for every shell.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from at_once import over
from dialects import ASH, BASH, DASH, EVERY, FISH, TYPED_TO, WITH_AN_EDITOR, ZSH, Dialect
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput
from kavor.home import Home
from kavor.sessions.session import WaitingFor

COMPLETED = AttemptState.COMPLETED
FAILED = AttemptState.FAILED
INTERRUPTED = AttemptState.INTERRUPTED
FIRED = AttemptState.FIRED


@over(ZSH, FISH, DASH, ASH)
@pytest.mark.contract("K52", "K54", "K55")
async def test_the_exit_code_is_told_as_far_as_it_is_known(shell: Shell, dialect: Dialect) -> None:
    for command, code in [
        ("true", 0),
        ("false", 1),
        ('sh -c "exit 42"', 42),
        ("sh -c 'kill -9 $$'", 137),
        ("no_such_command_here", 127),
        ("echo FAILED; echo error >&2", 0),
        ("sh -c 'exit 147'", 147),
    ]:
        outcome = await shell.deliver(command)
        if dialect.marks_starts or code != 147:
            dialect.assert_ended(outcome, code, command)


@over(ZSH, FISH, DASH, ASH)
@pytest.mark.contract("K11")
async def test_evidence_is_the_commands_own_output(shell: Shell, dialect: Dialect) -> None:
    outcome = await shell.deliver("echo one; sleep 0.5; printf '\\033[31mtwo\\033[0m\\n'")
    assert outcome.evidence.output == "one\r\n\x1b[31mtwo\x1b[0m\r\n"
    if dialect.marks_starts:
        assert outcome.evidence.duration_ms is not None
        assert 450 <= outcome.evidence.duration_ms < 5000
    else:
        assert outcome.evidence.duration_ms is None, "no start was seen"
    outcome = await shell.deliver("printf 'no end of line'")
    assert outcome.evidence.output == "no end of line"


@over(ZSH, FISH, DASH)
@pytest.mark.contract("K8", "K10")
async def test_it_shows_as_if_typed_and_acts_in_the_real_shell(shell: Shell, dialect: Dialect) -> None:
    await shell.deliver("cd /")
    outcome = await shell.deliver(f'echo "$PWD" {dialect.own_pid}')
    assert outcome.evidence.output == f"/ {shell.pid}\r\n"
    if dialect is not FISH:  # which colours it
        assert f'echo "$PWD" {dialect.own_pid}'.encode() in await shell.output()


@over(ZSH, FISH, DASH, ASH)
async def test_several_lines_are_one_command_with_the_last_exit_code(shell: Shell, dialect: Dialect) -> None:
    outcome = await shell.deliver(dialect.loop)
    dialect.assert_ended(outcome, 0)
    assert outcome.evidence.output == "L1\r\nL2\r\n"
    dialect.assert_ended(await shell.deliver("echo a\nfalse\nsh -c 'exit 5'"), 5)
    dialect.assert_ended(await shell.deliver("sh -c 'exit 3'\n\n"), 3)


@over(ZSH, DASH, ASH)
async def test_a_here_document_and_a_tab_arrive_as_written(shell: Shell) -> None:
    outcome = await shell.deliver("cat <<'X'\n$HOME `id`\tend\nX")
    assert outcome.evidence.output == "$HOME `id`\tend\r\n"


@over(ZSH, FISH, DASH, ASH)
async def test_the_text_means_exactly_what_it_says(shell: Shell) -> None:
    await shell.run(b"echo earlier")
    outcome = await shell.deliver("printf '%s|' '你好 😀' \"it's\" 'a\\b' '$x' '!!' \"!e\"; echo \"q!!\"")
    assert outcome.evidence.output == "你好 😀|it's|a\\b|$x|!!|!e|q!!\r\n"
    outcome = await shell.deliver("echo '!!'\necho '!e'")
    assert outcome.evidence.output == "!!\r\n!e\r\n"


@over(ZSH)
async def test_a_persons_own_history_expansion_stays(shell: Shell) -> None:
    await shell.deliver("echo 'a!!b'")
    await shell.run(b"echo earlier")
    await shell.run(b"echo z!!")
    await shell.shows(b"zecho earlier\r\n")
    outcome = await shell.deliver("print -r -- ${#histchars} $options[banghist] $options[correct]")
    assert outcome.evidence.output == "3 on off\r\n"


@over(ZSH)
async def test_a_delivery_is_not_asked_about_its_spelling(open_shell: OpenShell, user_home: Path) -> None:
    (user_home / ".zshrc").write_text("setopt correct correct_all\n")
    shell = await open_shell()
    outcome = await shell.deliver("ech hi")
    assert (outcome.state, outcome.exit_code) == (FAILED, 127)
    await shell.type(b"ech hi\r")
    await shell.shows(b"correct")
    await asyncio.sleep(0.1)  # it drops what was typed before it asks
    await shell.type(b"n")
    await shell.ready()


@over(ZSH, FISH, DASH, ASH)
async def test_a_large_command_arrives_whole(shell: Shell, dialect: Dialect) -> None:
    outcome = await shell.deliver(f"printf %s '{'x' * 60_000}' | wc -c")
    dialect.assert_ended(outcome, 0)
    assert outcome.evidence.output.strip() == "60000"


@over(*TYPED_TO)
async def test_no_length_between_short_and_long_is_cut(shell: Shell) -> None:
    for length in (150, 190, 200, 201, 255, 256, 1100, 4095, 4096, 4200):
        text = f"echo {'x' * (length - 5)}"
        assert len(text) == length
        outcome = await shell.deliver(text)
        assert outcome.evidence.output.count("x") == length - 5, length


@over(ZSH, FISH)
async def test_what_cannot_be_parsed_is_failed_without_a_code(shell: Shell, dialect: Dialect) -> None:
    for text in ("echo )", "echo first\necho )"):
        outcome = await shell.deliver(text)
        assert (outcome.state, outcome.exit_code) == (FAILED, None)
        assert "nothing ran" in outcome.diagnostic
        assert outcome.evidence.duration_ms is None
    dialect.assert_ended(await shell.deliver("echo fine"), 0)


@over(*TYPED_TO)
async def test_a_parse_error_cannot_be_told_from_another_end(shell: Shell, dialect: Dialect) -> None:
    outcome = await shell.deliver("echo )")
    dialect.assert_ended(outcome, 2)
    assert "yntax error" in outcome.evidence.output


@over(ZSH, FISH, DASH, ASH)
async def test_what_stays_incomplete_is_failed_and_its_line_cleared(shell: Shell, dialect: Dialect) -> None:
    for text in ("echo 'oops", "echo a |", dialect.unfinished_loop.decode().strip()):
        outcome = await shell.deliver(text)
        assert (outcome.state, outcome.exit_code) == (FAILED, None), text
        assert "the line was cleared" in outcome.diagnostic
    dialect.assert_ended(await shell.deliver("echo fine"), 0)


@over(ZSH, FISH, DASH, ASH)
async def test_a_persons_ctrl_c_is_failed_130(shell: Shell) -> None:
    key = await shell.accept("sleep 60")
    await asyncio.sleep(0.3)
    await shell.type(b"\x03")
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (FAILED, 130)


@over(ZSH, FISH)
async def test_ctrl_c_ends_several_lines_at_once(shell: Shell) -> None:
    key = await shell.accept("sleep 60\necho never")
    await asyncio.sleep(0.3)
    await shell.type(b"\x03")
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (FAILED, 130)
    assert "never" not in outcome.evidence.output


@over(ZSH, FISH, DASH)
@pytest.mark.contract("K56")
async def test_ctrl_z_is_interrupted_not_completed(shell: Shell) -> None:
    for _ in range(2):  # the second time another job is stopped already
        key = await shell.accept("sleep 60")
        await asyncio.sleep(0.3)
        await shell.type(b"\x1a")
        outcome = await shell.outcome(key)
        assert (outcome.state, outcome.exit_code) == (INTERRUPTED, None)
        assert "stopped" in outcome.diagnostic
    assert "stopped" not in (await shell.deliver("sh -c 'exit 130'")).diagnostic


@over(ZSH, FISH)
async def test_a_job_that_is_taken_up_and_stopped_again_is_interrupted(shell: Shell) -> None:
    await shell.type(b"sleep 60\r")
    await shell.waits_for(WaitingFor.BUSY)
    await asyncio.sleep(0.2)
    await shell.type(b"\x1a")
    await shell.ready()
    key = await shell.accept("fg")
    await asyncio.sleep(0.3)
    await shell.type(b"\x1a")
    assert (await shell.outcome(key)).state is INTERRUPTED


@over(ZSH, FISH, DASH)
async def test_a_background_job_is_over_when_the_prompt_is_back(shell: Shell, dialect: Dialect) -> None:
    dialect.assert_ended(await shell.deliver("sleep 30 &"), 0)
    dialect.assert_ended(await shell.deliver("echo more"), 0)


@over(ZSH, FISH, DASH, ASH)
@pytest.mark.contract("K56")
async def test_a_replaced_shell_is_interrupted(open_shell: OpenShell, dialect: Dialect) -> None:
    again = "exec busybox ash" if dialect is ASH else f"exec {dialect.name}"
    for number, command in enumerate(("exec sleep 60", "exec dash", again, "exec env true")):
        shell = await open_shell(f"node-{number}")
        outcome = await shell.deliver(command)
        assert (outcome.state, outcome.exit_code) == (INTERRUPTED, None), command
        assert "replaced" in outcome.diagnostic, command
        if command != "exec env true":
            answer = await shell.offer("echo more")
            assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.BUSY), command


@over(ZSH, FISH, DASH, ASH)
async def test_a_command_that_ends_the_shell_has_its_exit_code(shell: Shell) -> None:
    outcome = await shell.deliver("exit 7")
    assert (outcome.state, outcome.exit_code) == (FAILED, 7)
    await until(lambda: not shell.state.open)
    assert shell.state.exit_code == 7
    assert (await shell.offer("echo more")).closed


@over(ZSH, FISH, DASH, ASH)
@pytest.mark.contract("K56")
async def test_a_killed_shell_is_interrupted(shell: Shell) -> None:
    key = await shell.accept("sleep 60")
    await asyncio.sleep(0.2)
    os.kill(shell.pid, signal.SIGKILL)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (INTERRUPTED, None)
    assert "signal 9" in outcome.diagnostic


@over(ZSH, FISH, DASH, ASH)
async def test_closing_the_session_interrupts_what_runs(shell: Shell) -> None:
    key = await shell.accept("sh -c 'trap \"\" HUP; sleep 60; sleep 60'")
    await asyncio.sleep(0.2)
    state = await shell.sessions.close(shell.id)
    assert not state.open
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (
        INTERRUPTED,
        "the session was closed while the command ran",
    )


@pytest.mark.parametrize(
    ("dialect", "command"),
    [
        (ZSH, "precmd_functions=(); unset -f __kavor_precmd; false"),
        (FISH, "functions -e __kavor_postexec __kavor_before_prompt; false"),
    ],
    ids=["zsh", "fish"],
    indirect=["dialect"],
)
@pytest.mark.contract("K54", "K11")
async def test_without_hooks_the_end_is_not_observed(shell: Shell, command: str) -> None:
    outcome = await shell.deliver(command)
    assert (outcome.state, outcome.exit_code) == (FIRED, None)
    assert (await shell.deliver("false")).state is FIRED, "and so with what follows"


@over(BASH, DASH)
@pytest.mark.contract("K54")
async def test_without_hooks_and_prompt_it_is_fired_after_a_while(shell: Shell) -> None:
    outcome = await shell.deliver("unset PROMPT_COMMAND; PS1='$ '")
    assert (outcome.state, outcome.exit_code) == (FIRED, None)
    assert shell.waiting_for is WaitingFor.BUSY, "no delivery into a shell whose prompt cannot be told"


@over(ZSH, FISH, DASH)
@pytest.mark.contract("K11")
async def test_marks_that_a_program_prints_change_nothing(shell: Shell, dialect: Dialect) -> None:
    forged = "\\033]133;D;0;99\\007\\033]133;B\\007\\033]133;D;0;99;n=deadbeef\\007"
    outcome = await shell.deliver(f"printf '{forged}'; sleep 0.3; sh -c 'exit 3'")
    dialect.assert_ended(outcome, 3)
    assert outcome.finished_at is not None
    assert outcome.delivered_at is not None
    assert outcome.finished_at - outcome.delivered_at >= 290
    assert "\x1b]133;D;0;99\x07" in outcome.evidence.output


@over(ZSH, FISH, DASH)
async def test_a_command_may_read_what_a_person_types(shell: Shell, dialect: Dialect) -> None:
    key = await shell.accept("sh -c 'read x; echo got-$x'\necho second")
    await asyncio.sleep(0.3)
    await shell.type(b"hello\r")
    outcome = await shell.outcome(key)
    dialect.assert_ended(outcome, 0)
    assert "got-hello\r\nsecond\r\n" in outcome.evidence.output


@over(*EVERY)
async def test_hostile_payloads_are_refused(shell: Shell, dialect: Dialect) -> None:
    for text in (
        "echo a\x1b[201~; touch pwned",
        "echo \x03",
        "x\x00y",
        "a\x9b201~b",
        "echo \u202e",
        "",
        " \n",
        "x" * 300_000,
    ):
        with pytest.raises(BadInput):
            await shell.offer(text)
    dialect.assert_ended(await shell.deliver("echo OK"), 0)


@over(*EVERY)
async def test_two_deliveries_at_once_do_not_mix(shell: Shell) -> None:
    texts = ("sleep 0.3; echo A-$PWD", "echo B-$PWD", "sh -c 'echo C; exit 4'")
    outcomes = await asyncio.gather(*(shell.deliver(text) for text in texts))
    here = (await shell.deliver("pwd")).evidence.output
    assert [outcome.evidence.output for outcome in outcomes] == [f"A-{here}", f"B-{here}", "C\r\n"]


@over(*WITH_AN_EDITOR)
async def test_what_was_delivered_is_in_the_history(shell: Shell) -> None:
    await shell.deliver("echo delivered-once")
    await shell.type(b"\x1b[A\r")
    await shell.shows(b"delivered-once\r\n", times=2)


@over(BASH, ZSH, FISH, DASH, ASH)
async def test_nothing_is_left_in_the_session_folder(shell: Shell, home: Home) -> None:
    await shell.deliver("echo " + "x" * 500)
    folder = home.sessions / shell.id
    await until(lambda: [path.name for path in folder.iterdir()] == ["session.json"])
