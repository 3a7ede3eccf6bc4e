"""What a program tells its terminal, found in its output, and what its hooks pass on."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_shell import until

from kavor.resources import resource_path
from kavor.sessions.terminal.notices import FIFO, HookNotices, Notice, TerminalNotices

OUTPUT = (
    b"\x1b[2Jtext\x1b]0;a title\x07\x1b]9;Turn complete\x07more\x1b]9;4;1;50\x1b\\\x1b]777;notify;Two\x1b\\"
    + b"\x1b]8;;http://there\x1b\\link\x1b]8;;\x1b\\"
    + "\x1b]9;Fertig – é\x1b\\".encode()
    + b"\x1b"
)
FOUND = ["Turn complete", "Two", "Fertig – é"]


@given(st.lists(st.integers(0, len(OUTPUT))))
def test_they_are_found_wherever_the_output_is_cut(cuts: list[int]) -> None:
    told: list[str] = []
    notices = TerminalNotices(lambda notice: told.append(notice.about))
    places = [0, *sorted(cuts), len(OUTPUT)]
    for start, end in itertools.pairwise(places):
        notices.feed(OUTPUT[start:end])
    assert told == FOUND


def test_one_that_never_ends_is_not_kept() -> None:
    told: list[Notice] = []
    notices = TerminalNotices(told.append)
    notices.feed(b"\x1b]9;" + b"x" * 100_000)
    notices.feed(b"\x07\x1b]9;end\x07")
    assert [notice.text for notice in told] == ["end"]


def hook(fifo: Path, event: object) -> None:
    command = [sys.executable, "-I", "-S", str(resource_path("agents", "tell_sign.py")), str(fifo)]
    told = subprocess.run(command, input=json.dumps(event), text=True, capture_output=True, check=True)
    assert (told.stdout, told.stderr) == ("", "")


@pytest.mark.parametrize(
    ("event", "notice"),
    [
        ({"hook_event_name": "Stop", "last_assistant_message": "All – green."}, ("Stop", "", "All – green.")),
        ({"hook_event_name": "Stop", "last_assistant_message": "x" * 9_000}, ("Stop", "", "")),
        (
            {"hook_event_name": "Notification", "notification_type": "idle_prompt", "message": "It waits"},
            ("Notification idle_prompt", "It waits", ""),
        ),
        (
            {"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "ls"}},
            ("PermissionRequest", 'Bash: {"command": "ls"}', ""),
        ),
    ],
)
async def test_a_hook_passes_its_event_on(
    tmp_path: Path, event: object, notice: tuple[str, str, str]
) -> None:
    told: list[Notice] = []
    hooks = HookNotices(tmp_path, told.append)
    try:
        hook(tmp_path / FIFO, event)
        await until(lambda: told)
    finally:
        hooks.close()
    assert told == [notice]


async def test_what_is_no_notice_is_passed_over_and_many_hooks_at_once_are_told_apart(tmp_path: Path) -> None:
    told: list[Notice] = []
    hooks = HookNotices(tmp_path, told.append)
    try:
        descriptor = os.open(tmp_path / FIFO, os.O_WRONLY | os.O_NONBLOCK)
        os.write(descriptor, b'not JSON\n[1]\n"text"\n\n{"about": "half')
        os.write(descriptor, b'"}\n' + b'{"about": "Stop"}\n' * 5)
        os.close(descriptor)
        await until(lambda: len(told) == 6)
    finally:
        hooks.close()
    assert [notice.about for notice in told] == ["half", *["Stop"] * 5]


def test_a_hook_whose_session_is_gone_holds_its_agent_up_with_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alone")
    for fifo in (tmp_path / "alone", tmp_path / "not-there"):
        hook(fifo, {"hook_event_name": "Stop"})
    hook(tmp_path / "alone", ["no", "event"])
