"""What becomes of a command that was delivered into bash (decision 19)."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from live_shell import OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import WaitingFor

COMPLETED = AttemptState.COMPLETED
FAILED = AttemptState.FAILED
INTERRUPTED = AttemptState.INTERRUPTED
FIRED = AttemptState.FIRED


@pytest.mark.contract("K52", "K55", "K11")
async def test_the_exit_code_decides(shell: Shell) -> None:
    for command, state, code in [
        ("true", COMPLETED, 0),
        ("false", FAILED, 1),
        ('sh -c "exit 42"', FAILED, 42),
        ("sh -c 'kill -9 $$'", FAILED, 137),
        ("no_such_command_here", FAILED, 127),
        ("echo FAILED; echo error >&2", COMPLETED, 0),
        ("echo success; (exit 148)", FAILED, 148),
    ]:
        outcome = await shell.deliver(command)
        assert (outcome.state, outcome.exit_code) == (state, code), command


@pytest.mark.contract("K11")
async def test_evidence_is_the_commands_own_output_and_duration(shell: Shell) -> None:
    outcome = await shell.deliver("echo one; sleep 0.5; printf '\\033[31mtwo\\033[0m\\n'")
    assert outcome.evidence.output == "one\r\n\x1b[31mtwo\x1b[0m\r\n"
    assert not outcome.evidence.truncated
    assert outcome.evidence.duration_ms is not None
    assert 450 <= outcome.evidence.duration_ms < 5000
    assert outcome.delivered_at is not None
    assert outcome.finished_at is not None
    assert 450 <= outcome.finished_at - outcome.delivered_at < 6000


async def test_evidence_keeps_the_end_of_a_long_output(shell: Shell) -> None:
    outcome = await shell.deliver("seq 1 60000")
    assert outcome.evidence.truncated
    assert len(outcome.evidence.output) == 64 * 1024
    assert outcome.evidence.output.endswith("59999\r\n60000\r\n")


@pytest.mark.contract("K8", "K10")
async def test_it_shows_as_if_typed_and_acts_in_the_real_shell(shell: Shell) -> None:
    assert (await shell.deliver("here=there; cd /")).state is COMPLETED
    outcome = await shell.deliver('echo "$here" "$PWD" "$$"')
    assert outcome.evidence.output == f"there / {shell.pid}\r\n"
    assert b'echo "$here" "$PWD" "$$"' in await shell.output()


async def test_several_lines_are_one_command_with_the_last_exit_code(shell: Shell) -> None:
    outcome = await shell.deliver("for i in 1 2; do\n  echo L$i\ndone")
    assert (outcome.state, outcome.evidence.output) == (COMPLETED, "L1\r\nL2\r\n")
    assert (await shell.deliver("echo a\nfalse\n(exit 5)")).exit_code == 5
    outcome = await shell.deliver("cat <<'X'\n$HOME `id`\tend\nX")
    assert (outcome.state, outcome.evidence.output) == (COMPLETED, "$HOME `id`\tend\r\n")
    outcome = await shell.deliver("(exit 3)\n\n# a remark")
    assert (outcome.state, outcome.exit_code) == (FAILED, 3)


async def test_the_text_means_exactly_what_it_says(shell: Shell) -> None:
    await shell.run(b"echo earlier")
    text = "printf '%s|' '你好 😀' \"it's\" 'a\\b' '$x' '!!' \"!e\"; echo \"q!!\""
    outcome = await shell.deliver(text)
    assert outcome.evidence.output == "你好 😀|it's|a\\b|$x|!!|!e|q!!\r\n"
    await shell.run(b"echo z!!")
    await shell.shows(b"zprintf ")  # and a person's own ! is expanded as ever


async def test_a_large_command_arrives_whole(shell: Shell) -> None:
    outcome = await shell.deliver(f"printf %s '{'x' * 60_000}' | wc -c")
    assert outcome.evidence.output.strip() == "60000"


async def test_what_cannot_be_parsed_is_failed_without_a_code(shell: Shell) -> None:
    outcome = await shell.deliver("echo )")
    assert (outcome.state, outcome.exit_code) == (FAILED, None)
    assert "nothing ran" in outcome.diagnostic
    assert outcome.evidence.duration_ms is None
    outcome = await shell.deliver("echo first\necho )")
    assert (outcome.state, outcome.exit_code) == (FAILED, 2), "bash gives this an exit code like any other"
    assert (await shell.deliver("echo fine")).evidence.output == "fine\r\n"


async def test_what_stays_incomplete_is_failed_and_its_line_cleared(shell: Shell) -> None:
    for text in ("echo 'oops", "cat <<END\nx", "if true; then"):
        outcome = await shell.deliver(text)
        assert (outcome.state, outcome.exit_code) == (FAILED, None)
        assert "the line was cleared" in outcome.diagnostic
    assert (await shell.deliver("echo fine")).evidence.output == "fine\r\n"


async def test_an_incomplete_line_that_will_not_go_is_said_to_stay(shell: Shell) -> None:
    await shell.run(b"trap '' INT")
    outcome = await shell.deliver("echo 'oops")
    assert (outcome.state, outcome.exit_code) == (FAILED, None)
    assert "could not be cleared" in outcome.diagnostic
    assert shell.waiting_for is WaitingFor.UNFINISHED_INPUT


@pytest.mark.parametrize("rest", ["", "; echo never", "\necho next"])
async def test_a_persons_ctrl_c_is_failed_130(shell: Shell, rest: str) -> None:
    key = await shell.accept(f"sleep 60{rest}")
    await asyncio.sleep(0.3)
    await shell.type(b"\x03")
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (FAILED, 130)
    assert "never" not in outcome.evidence.output
    assert ("went on" in outcome.diagnostic) is ("next" in rest), "as bash does with several lines"


@pytest.mark.contract("K56")
async def test_ctrl_z_is_interrupted_not_completed(shell: Shell) -> None:
    for _ in range(2):  # the second time another job is stopped already
        key = await shell.accept("sleep 60\ntrue")
        await asyncio.sleep(0.3)
        await shell.type(b"\x1a")
        outcome = await shell.outcome(key)
        assert (outcome.state, outcome.exit_code) == (INTERRUPTED, None)
        assert "stopped" in outcome.diagnostic
    outcome = await shell.deliver("sh -c 'exit 130'")
    assert (outcome.state, outcome.exit_code) == (FAILED, 130), "an old stopped job says nothing of this one"


async def test_a_background_job_is_over_when_the_prompt_is_back(shell: Shell) -> None:
    outcome = await shell.deliver("sleep 30 &")
    assert (outcome.state, outcome.exit_code) == (COMPLETED, 0)
    assert (await shell.deliver("kill %1")).state is COMPLETED


@pytest.mark.contract("K56")
async def test_a_replaced_shell_is_interrupted(open_shell: OpenShell) -> None:
    for number, command in enumerate(("exec sleep 60", "exec dash", "exec bash --norc", "exec true")):
        shell = await open_shell(f"node-{number}")
        outcome = await shell.deliver(command)
        assert (outcome.state, outcome.exit_code) == (INTERRUPTED, None), command
        assert "replaced" in outcome.diagnostic, command
        if command != "exec true":
            answer = await shell.offer("echo more")
            assert (answer.accepted, answer.waiting_for) == (False, WaitingFor.BUSY), command


@pytest.mark.parametrize(("code", "state"), [(7, FAILED), (0, COMPLETED)])
async def test_a_command_that_ends_the_shell_has_its_exit_code(
    shell: Shell, code: int, state: AttemptState
) -> None:
    outcome = await shell.deliver(f"exit {code}")
    assert (outcome.state, outcome.exit_code) == (state, code)
    assert outcome.diagnostic == "the command ended the shell"
    await until(lambda: not shell.state.open)
    assert shell.state.exit_code == code
    assert (await shell.offer("echo more")).closed


@pytest.mark.contract("K56")
async def test_a_killed_shell_is_interrupted(open_shell: OpenShell) -> None:
    shell = await open_shell()
    key = await shell.accept("sleep 60")
    await asyncio.sleep(0.2)
    os.kill(shell.pid, signal.SIGKILL)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (INTERRUPTED, None)
    assert "signal 9" in outcome.diagnostic
    await until(lambda: not shell.state.open)
    assert shell.state.exit_code == -9
    again = await open_shell("node-2")
    assert (await again.deliver("kill -9 $$")).state is INTERRUPTED


async def test_closing_the_session_interrupts_what_runs(shell: Shell) -> None:
    key = await shell.accept("trap '' HUP; sleep 60; sleep 60")
    await asyncio.sleep(0.2)
    state = await shell.sessions.close(shell.id)
    assert (state.open, state.diagnostic) == (False, "the session was closed")
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (
        INTERRUPTED,
        "the session was closed while the command ran",
    )


@pytest.mark.contract("K54", "K11")
async def test_without_hooks_the_end_is_not_observed(shell: Shell) -> None:
    outcome = await shell.deliver("unset PROMPT_COMMAND; false")
    assert (outcome.state, outcome.exit_code) == (FIRED, None)
    assert (await shell.deliver("false")).state is FIRED, "and so with what follows"


@pytest.mark.contract("K11")
async def test_marks_that_a_program_prints_change_nothing(shell: Shell) -> None:
    forged = (
        "\\033]133;D;0;99\\007\\033]133;B\\007\\033]133;D;0;99;n=deadbeef\\007\\033]7707;line;0;0;n=x\\007"
    )
    key = await shell.accept(f"printf '{forged}'; sleep 0.3; sh -c 'exit 3'")
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (FAILED, 3)
    assert outcome.evidence.duration_ms is not None
    assert outcome.evidence.duration_ms >= 290
    assert "\x1b]133;D;0;99\x07" in outcome.evidence.output


async def test_a_command_may_read_what_a_person_types(shell: Shell) -> None:
    key = await shell.accept("sh -c 'read x; echo got-$x'\necho second")
    await asyncio.sleep(0.3)
    await shell.type(b"hello\r")
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (COMPLETED, 0)
    assert "got-hello\r\nsecond\r\n" in outcome.evidence.output


async def test_standard_output_may_be_sent_elsewhere(shell: Shell, tmp_path: Path) -> None:
    outcome = await shell.deliver(f"exec >{tmp_path}/out; (exit 6)")
    assert (outcome.state, outcome.exit_code) == (FAILED, 6)
    outcome = await shell.deliver("echo kept")
    assert (outcome.state, outcome.exit_code) == (COMPLETED, 0)
    assert (tmp_path / "out").read_text() == "kept\n"


async def test_options_that_make_scripts_strict_do_no_harm(shell: Shell) -> None:
    assert (await shell.deliver("set -uC -o pipefail; set -a; trap 'echo ERR' ERR")).state is COMPLETED
    outcome = await shell.deliver("(exit 4)")
    assert (outcome.state, outcome.exit_code) == (FAILED, 4)
    assert outcome.evidence.output.count("ERR") == 1
    outcome = await shell.deliver("set -e; echo strict")
    assert (outcome.state, outcome.exit_code) == (COMPLETED, 0)
    outcome = await shell.deliver("env | grep -cF $__kavor_nonce || true")
    assert outcome.evidence.output.startswith("0"), "nor does it give the nonce away"
