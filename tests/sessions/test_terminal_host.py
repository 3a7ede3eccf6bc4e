"""The host process: one per home, outlives its clients, tells what happened meanwhile, leaves in order."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from live_shell import Heard, OpenShell, Shell, until

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import KavorError, NotFound, Refused
from kavor.home import Home
from kavor.sessions.session import SessionsLost, SessionSpec, WaitingFor
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.survivors import survivors


def host_pid(sessions: TerminalSessions) -> int:
    assert sessions.host_pid is not None
    return sessions.host_pid


async def gone(pid: int) -> None:
    def ended() -> bool:
        with contextlib.suppress(psutil.NoSuchProcess):
            return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        return True

    await until(ended, f"the end of {pid}")


def commands(home: Home, session_id: str) -> set[str]:
    return {command for _, command in survivors(home, session_id)}


@pytest.fixture
def leftover(home: Home) -> Iterator[list[int]]:
    """Processes to be killed after the test."""
    pids: list[int] = []
    yield pids
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def test_without_a_host_there_is_nothing_and_none_is_started(
    sessions: TerminalSessions, home: Home
) -> None:
    assert await sessions.start(Heard()) == []
    assert (await sessions.deliver("node", "key", "echo")).closed
    assert await sessions.known(["key"]) == {"key": False}
    assert not (await sessions.close("node")).open
    await sessions.acknowledge(["key"])
    with pytest.raises(NotFound):
        await sessions.type("node", b"x")
    assert not home.host_socket.exists()


async def test_what_it_makes_is_for_the_user_alone(shell: Shell, home: Home) -> None:
    assert stat.S_IMODE(home.host_socket.stat().st_mode) == 0o600
    for path in [home.sessions, *home.sessions.rglob("*"), home.data / "host.lock", home.host_log]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert os.getpriority(os.PRIO_PROCESS, host_pid(shell.sessions)) >= 10


async def test_the_host_imports_the_standard_library_only() -> None:
    look = (
        "import sys, kavor.sessions.terminal.host; "
        "print([name for name, module in sys.modules.items() if 'site-packages' in "
        "(getattr(module, '__file__', None) or '')])"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-S", "-c", look, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    said, _ = await process.communicate()
    assert said.strip() == b"[]"


async def test_a_host_that_cannot_start_is_a_clear_error(sessions: TerminalSessions, home: Home) -> None:
    (home.data / "host.lock").mkdir()
    with pytest.raises(KavorError, match="does not answer") as error:
        await sessions.open(SessionSpec("node-1", "/", shell="bash"))
    assert str(home.host_log) in error.value.hint


async def test_one_host_for_many_sessions_and_clients(open_shell: OpenShell, home: Home) -> None:
    first, second = await asyncio.gather(open_shell("node-1"), open_shell("node-2"))
    other = TerminalSessions(home)
    heard = Heard()
    assert {state.id for state in await other.start(heard)} == {"node-1", "node-2"}
    assert other.host_pid == first.sessions.host_pid
    key = await second.accept("echo two")
    await until(lambda: heard.outcomes_of(key))
    assert (await first.deliver("echo one")).evidence.output == "one\r\n"
    again = await other.open(SessionSpec("node-1", "/"))
    assert again.pid == first.pid, "an open session is left as it is"
    await other.stop(end_sessions=False)


async def test_two_clients_that_start_at_once_share_one_host(home: Home, user_home: Path) -> None:
    clients = [TerminalSessions(home) for _ in range(3)]
    for client in clients:
        await client.start(Heard())
    try:
        await asyncio.gather(
            *(c.open(SessionSpec(f"node-{n}", "/", shell="bash")) for n, c in enumerate(clients))
        )
        assert len({client.host_pid for client in clients}) == 1
    finally:
        await clients[0].stop(end_sessions=True)
        for client in clients[1:]:
            await client.stop(end_sessions=False)


async def test_a_second_host_ends_at_once(shell: Shell, home: Home) -> None:
    command = [sys.executable, "-m", "kavor.sessions.terminal.host", home.data, home.run, home.logs]
    second = await asyncio.create_subprocess_exec(
        *map(str, command), stderr=asyncio.subprocess.PIPE, start_new_session=True
    )
    _, said = await asyncio.wait_for(second.communicate(), 10)
    assert b"runs for this home already" in said
    assert (await shell.deliver("echo S")).exit_code == 0


async def test_a_stale_socket_is_replaced(home: Home, open_shell: OpenShell) -> None:
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(home.host_socket))
    stale.close()
    shell = await open_shell()
    assert (await shell.deliver("echo S")).exit_code == 0


CLIENT = """
import asyncio, sys
from kavor.home import find_home
from kavor.sessions.session import SessionSpec
from kavor.sessions.terminal.client import TerminalSessions

class Deaf:
    def session_changed(self, state): self.ready = state.waiting_for is None
    def outcome_observed(self, outcome): pass
    def sessions_lost(self, session_ids): pass

async def main():
    sessions = TerminalSessions(find_home())
    listener = Deaf()
    listener.ready = False
    await sessions.start(listener)
    await sessions.open(SessionSpec("node-1", "/", shell="bash"))
    while not listener.ready:
        await asyncio.sleep(0.01)
    answer = await sessions.deliver("node-1", "the-key", sys.argv[1])
    print(answer.accepted, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.contract("K77", "K56")
async def test_the_shell_outlives_a_killed_client_and_the_outcome_is_told(
    home: Home, user_home: Path, sessions: TerminalSessions, heard: Heard
) -> None:
    command = "echo began; sleep 0.6; sh -c 'exit 3'"
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CLIENT, command,
        env={**os.environ, "KAVOR_HOME": str(home.data)}, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert client.stdout is not None
    assert await client.stdout.readline() == b"True\n"
    client.send_signal(signal.SIGKILL)
    await client.wait()
    states = await sessions.start(heard)
    assert [(state.id, state.open, state.waiting_for) for state in states] == [
        ("node-1", True, WaitingFor.BUSY)
    ]
    assert await sessions.known(["the-key"]) == {"the-key": True}
    assert (await sessions.deliver("node-1", "the-key", command)).accepted
    await until(lambda: heard.outcomes_of("the-key"))
    outcome = heard.outcomes_of("the-key")[0]
    assert (outcome.state, outcome.exit_code) == (AttemptState.FAILED, 3)
    assert outcome.evidence.output == "began\r\n"
    assert (await sessions.tail("node-1", 10_000)).count(b"began\r\n") == 1


async def test_an_outcome_is_told_again_until_it_is_acknowledged(shell: Shell, home: Home) -> None:
    key = await shell.accept("echo S")
    await shell.outcome(key)
    await shell.sessions.stop(end_sessions=False)
    heard = Heard()
    await shell.sessions.start(heard)
    assert [outcome.key for outcome in heard.outcomes] == [key], "before start returns"
    await shell.sessions.acknowledge([key])
    await shell.sessions.stop(end_sessions=False)
    heard = Heard()
    await shell.sessions.start(heard)
    assert heard.outcomes == []
    assert await shell.sessions.known([key]) == {key: True}
    assert (await shell.offer("echo S", key)).accepted


async def test_a_broken_connection_is_taken_up_again(shell: Shell) -> None:
    key = await shell.accept("sleep 0.3; echo S")
    writer = shell.sessions._writer
    assert writer is not None
    writer.transport.abort()
    assert (await shell.outcome(key)).state is AttemptState.COMPLETED
    await shell.ready()
    key = shell.next_key()
    offering = asyncio.create_task(shell.offer("echo again-$((1+1))", key))
    await asyncio.sleep(0)
    writer = shell.sessions._writer
    assert writer is not None
    writer.transport.abort()
    assert (await asyncio.wait_for(offering, 10)).accepted, "asked again"
    assert (await shell.outcome(key)).exit_code == 0
    assert (await shell.output()).count(b"again-2") == 1
    assert shell.heard.lost == 0


@pytest.mark.contract("K56")
async def test_a_killed_host_is_heard_of_and_survivors_are_named(
    shell: Shell, home: Home, open_shell: OpenShell, leftover: list[int]
) -> None:
    assert (await shell.deliver("nohup sleep 3001 >/dev/null 2>&1 &")).exit_code == 0
    assert (await shell.deliver("setsid sleep 3002 &")).exit_code == 0
    assert (await shell.deliver("(trap '' HUP; sleep 3003) &")).exit_code == 0
    await shell.accept("sleep 3004")
    other = await open_shell("node-2")
    assert (await other.deliver("nohup sleep 3005 >/dev/null 2>&1 &")).exit_code == 0
    await until(lambda: {"sleep 3001", "sleep 3002", "sleep 3003"} <= commands(home, "node-1"))
    await until(lambda: "sleep 3005" in commands(home, "node-2"))
    waiting = asyncio.create_task(shell.offer("echo S", "late-key"))
    os.kill(host_pid(shell.sessions), signal.SIGKILL)
    await until(lambda: shell.heard.lost == 1)
    assert shell.heard.gone == {shell.id, other.id}
    with contextlib.suppress(SessionsLost):
        assert not (await waiting).accepted
    with pytest.raises(SessionsLost):
        await shell.offer("echo S")
    with pytest.raises(SessionsLost):
        await shell.type(b"x")
    await gone(shell.pid)
    await gone(other.pid)
    await until(lambda: "sleep 3004" not in commands(home, "node-1"))
    found = await shell.sessions.survivors("node-1")
    leftover += [pid for pid, _ in [*found, *survivors(home, "node-2")]]
    assert sorted(command for _, command in found if "sleep" in command) == [
        "sleep 3001",
        "sleep 3002",
        "sleep 3003",
    ]
    assert [command for _, command in survivors(home, "node-2")] == ["sleep 3005"]
    assert survivors(home, "node-9") == []

    again = await open_shell()
    assert again.pid != shell.pid
    assert (await again.deliver("echo S")).exit_code == 0
    assert shell.heard.lost == 1


async def test_a_shell_that_survives_is_named_too_but_never_by_a_reused_pid(
    shell: Shell, home: Home, leftover: list[int]
) -> None:
    leftover.append(shell.pid)
    record = home.sessions / shell.id / "session.json"
    os.kill(shell.pid, signal.SIGSTOP)
    assert shell.pid in dict(survivors(home, shell.id))
    known = json.loads(record.read_text())
    known["pid"], known["started"] = os.getpid(), known["started"] - 1
    record.write_text(json.dumps(known))
    assert os.getpid() not in dict(survivors(home, shell.id))
    os.kill(shell.pid, signal.SIGCONT)


async def test_stopping_ends_every_shell_and_the_host(shell: Shell, open_shell: OpenShell) -> None:
    deaf = await open_shell("node-2")
    key = await deaf.accept("trap '' HUP TERM; while :; do sleep 0.1; done")
    pid = host_pid(shell.sessions)
    await asyncio.sleep(0.1)
    await shell.sessions.stop(end_sessions=True)
    assert shell.heard.outcomes_of(key)[0].state is AttemptState.INTERRUPTED
    for process in (shell.pid, deaf.pid, pid):
        await gone(process)


async def test_a_host_that_does_not_answer_is_ended_with_its_shells(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kavor.sessions.terminal.client.STOP_SECONDS", 0.3)
    host = host_pid(shell.sessions)
    os.kill(host, signal.SIGSTOP)
    await asyncio.wait_for(shell.sessions.stop(end_sessions=True), 10)
    await gone(host)
    await gone(shell.pid)


async def test_sigterm_ends_it_in_order_and_other_signals_do_not(shell: Shell, home: Home) -> None:
    pid = host_pid(shell.sessions)
    os.kill(pid, signal.SIGHUP)
    os.kill(pid, signal.SIGINT)
    key = await shell.accept("sleep 60")
    os.kill(pid, signal.SIGTERM)
    outcome = await shell.outcome(key)
    assert (outcome.state, outcome.diagnostic) == (
        AttemptState.INTERRUPTED,
        "the session was closed while the command ran",
    )
    await until(lambda: shell.heard.lost == 1)
    await gone(pid)
    await gone(shell.pid)
    assert not home.host_socket.exists()


@pytest.mark.parametrize("held_by", ["nothing", "an outcome"])
async def test_it_leaves_when_nothing_holds_it(
    home: Home, user_home: Path, heard: Heard, held_by: str
) -> None:
    command = [sys.executable, "-m", "kavor.sessions.terminal.host", "--linger", "1"]
    host = await asyncio.create_subprocess_exec(*command, *map(str, (home.data, home.run, home.logs)))
    assert await host.wait() == 0, "it detaches itself"
    sessions = TerminalSessions(home)
    while sessions.host_pid is None:
        await asyncio.sleep(0.01)
        await sessions.start(heard)
    pid = host_pid(sessions)
    state = await sessions.open(SessionSpec("node-1", "/", shell="bash"))
    shell = Shell(sessions, heard, state)
    await shell.ready()
    key = await shell.accept("exit 0")
    await shell.outcome(key)
    if held_by == "nothing":
        await sessions.acknowledge([key])
    await asyncio.sleep(1.3)
    assert psutil.pid_exists(pid), "a client holds it"
    await sessions.stop(end_sessions=False)
    if held_by == "nothing":
        await gone(pid)
    else:
        await asyncio.sleep(1.5)
        assert len(await sessions.start(heard)) == 1
        await sessions.stop(end_sessions=True)


async def test_another_protocol_is_a_clear_error(shell: Shell, home: Home) -> None:
    reader, writer = await asyncio.open_unix_connection(home.host_socket)
    writer.write(b'{"id":0,"ask":"hello","version":99}\n')
    answer = json.loads(await reader.readline())
    assert answer["error"]["class"] == Refused.__name__
    assert "version" in answer["error"]["message"]
    assert answer["error"]["hint"]
    assert await reader.read() == b""
    writer.close()


@pytest.mark.parametrize(
    "nonsense", [b"hello\n", b"[]\n", b'{"id":0}\n', b"\xff\n", b"{" * 100, b'{"bytes":-1}\n']
)
async def test_nonsense_on_the_socket_harms_nobody(shell: Shell, home: Home, nonsense: bytes) -> None:
    reader, writer = await asyncio.open_unix_connection(home.host_socket)
    writer.write(nonsense)
    writer.write_eof()
    await reader.read()
    writer.close()
    assert (await shell.deliver("echo S")).exit_code == 0


async def test_a_closed_session_can_be_opened_anew(shell: Shell, open_shell: OpenShell) -> None:
    await shell.deliver("left=over")
    closed = await shell.sessions.close(shell.id)
    assert (closed.open, closed.waiting_for) == (False, None)
    assert await shell.sessions.close(shell.id) == closed
    assert (await shell.offer("echo S")).closed
    with pytest.raises(Refused):
        await shell.type(b"x")
    assert b"left=over" in await shell.output(), "its output can still be read"
    again = await open_shell()
    assert (await again.deliver('echo "<$left>"')).evidence.output == "<>\r\n"


@pytest.mark.contract("K10")
async def test_a_flood_in_one_shell_delays_no_other(shell: Shell, open_shell: OpenShell) -> None:
    other = await open_shell("node-2")
    await shell.accept("yes a-line-of-the-flood")
    await asyncio.sleep(1)
    memory = psutil.Process(host_pid(shell.sessions)).memory_info().rss
    loop = asyncio.get_running_loop()
    for _ in range(5):
        began = loop.time()
        assert (await other.deliver("echo calm")).evidence.output == "calm\r\n"
        assert loop.time() - began < 2
    await asyncio.sleep(0.5)
    grown = psutil.Process(host_pid(shell.sessions)).memory_info().rss - memory
    assert grown < 8 * 1024 * 1024
    assert len(await shell.output()) == 1_000_000
    await shell.type(b"\x03")
    await shell.ready()
    assert shell.heard.outcomes[-1].exit_code == 130


async def test_input_that_nobody_reads_is_bounded(shell: Shell) -> None:
    await shell.type(b"stty raw -echo; sleep 60\r")
    await shell.waits_for(WaitingFor.BUSY)
    with pytest.raises(Refused, match="does not read"):
        await asyncio.gather(*(shell.type(b"x" * 50_000) for _ in range(40)))
    await shell.sessions.close(shell.id)


async def test_a_large_paste_goes_through_whole(shell: Shell, tmp_path: Path) -> None:
    await shell.type(b"stty raw -echo; head -c 300000 > copy\r")
    await shell.waits_for(WaitingFor.BUSY)
    await asyncio.sleep(0.3)
    text = b"0123456789" * 30_000
    await shell.type(text)
    copy = tmp_path / "copy"
    await until(lambda: copy.exists() and copy.stat().st_size == len(text))
    assert copy.read_bytes() == text


async def test_a_host_whose_home_is_gone_ends_with_its_shells(
    home: Home, user_home: Path, heard: Heard, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "kavor.sessions.terminal.host", "--linger", "1"]
    host = await asyncio.create_subprocess_exec(*command, *map(str, (home.data, home.run, home.logs)))
    assert await host.wait() == 0, "it detaches itself"
    sessions = TerminalSessions(home)
    while sessions.host_pid is None:
        await asyncio.sleep(0.01)
        await sessions.start(heard)
    pid = host_pid(sessions)
    state = await sessions.open(SessionSpec("node-1", str(tmp_path), shell="bash"))
    assert state.pid is not None
    await sessions.stop(end_sessions=False)
    shutil.rmtree(home.data)
    await gone(state.pid)
    await gone(pid)
