"""A command that closing its session cut short did not complete, whatever code the shell has for it."""

from __future__ import annotations

import psutil
import pytest
from live_shell import Shell, until

from kavor.domain.attempts import AttemptState


@pytest.mark.contract("K11", "K56")
async def test_a_shell_that_outlives_the_hang_up_for_a_moment_reports_no_completion(shell: Shell) -> None:
    key = await shell.accept("trap : HUP; sleep 60; echo done")
    await until(lambda: [child.name() for child in psutil.Process(shell.pid).children()] == ["sleep"])
    await shell.sessions.close(shell.id)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.exit_code) == (AttemptState.INTERRUPTED, None)
