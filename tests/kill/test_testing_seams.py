"""The seams that a campaign uses: a clock that goes faster, and places at which the process ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from kavor.app.compose import FAIL_POINT, TEST_CLOCK
from kavor.app.scaled_time import ScaledClock
from kavor.domain.errors import BadInput
from kavor.domain.instant import Instant, parse_instant
from kavor.home import Home
from kavor.runtime import failpoints

START = "2026-11-02T09:00:00Z"


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    yield
    failpoints.arm(None)


def test_a_scaled_clock_goes_as_fast_as_it_is_told() -> None:
    real_start = Instant(time.time_ns() // 1_000_000 - 2_000)
    clock = ScaledClock(parse_instant(START), real_start, 60)
    passed = clock.now() - clock.start
    assert 2 * 60_000 <= passed < 30 * 60_000
    one = clock.monotonic()
    time.sleep(0.01)
    assert clock.monotonic() - one >= 0.6


def test_a_timer_for_a_scaled_clock_never_comes_early() -> None:
    clock = ScaledClock(Instant(1_000_000), Instant(5_000), 60)
    for later in range(200):
        at = Instant(1_000_000 + later)
        real = clock.real(at)
        assert 1_000_000 + (real - 5_000) * 60 >= at
        assert 1_000_000 + (real - 1 - 5_000) * 60 < at


def test_a_scaled_clock_is_read_from_text() -> None:
    clock = ScaledClock.parse(f"{START},2026-12-01T00:00:00Z,60")
    assert clock == ScaledClock(parse_instant(START), parse_instant("2026-12-01T00:00:00Z"), 60)


@pytest.mark.parametrize(
    "text", ["60", f"{START},60", f"{START},{START},0", f"{START},{START},fast", "now,now,1"]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        ScaledClock.parse(text)


def test_a_place_does_nothing_until_it_is_armed() -> None:
    reached: list[str] = []
    failpoints.reach("claim:begun")
    failpoints.arm(reached.append)
    failpoints.reach("claim:committed")
    failpoints.arm(None)
    failpoints.reach("claim:begun")
    assert reached == ["claim:committed"]


def test_the_process_ends_there_the_nth_time() -> None:
    script = (
        "from kavor.runtime import failpoints as f\n"
        "f.arm(f.killer('claim:begun:2'))\n"
        "for name in ('claim:begun', 'claim:committed', 'claim:begun', 'claim:begun'):\n"
        "    print(name, flush=True); f.reach(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.split() == ["claim:begun", "claim:committed", "claim:begun"]


@pytest.mark.parametrize("text", ["claim:begun", "claim:begun:0", "claim:begun:x", "nowhere:1", ":1"])
def test_what_is_no_fail_point_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        failpoints.killer(text)


@pytest.mark.parametrize("seam", [FAIL_POINT, TEST_CLOCK])
def test_a_runtime_refuses_a_seam_that_it_does_not_understand(home: Home, seam: str) -> None:
    environment = {**os.environ, "KAVOR_HOME": str(home.data), seam: "nonsense"}
    command = [sys.executable, "-m", "kavor", "runtime", "run"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == BadInput.exit_code
    assert "nonsense" in done.stderr
