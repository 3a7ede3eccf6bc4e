"""One pseudo-terminal with a program on it: the only place that touches the PTY's file descriptor."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import struct
import sys
import termios
from collections.abc import Callable, Mapping, Sequence

from kavor.domain.errors import BadInput, KavorError, Refused
from kavor.sessions.terminal import processes

READ_SIZE = 64 * 1024
"""The most that is read in one turn of the loop, so that a flood in one shell delays no other."""

_MOST_CELLS = 1000
_IUTF8 = 0o40000  # Linux: Backspace in canonical mode erases a whole UTF-8 character


class Pseudoterminal:
    """Starts a program as the leader of a session of its own, with the PTY as its terminal.

    ``arrived`` is called on the running loop with each piece of output, until ``close``.
    Raises Refused when the program cannot be started; then nothing was started.
    """

    def __init__(
        self,
        program: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        directory: str,
        size: tuple[int, int],
        arrived: Callable[[bytes], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._arrived = arrived
        self._unwritten = bytearray()
        self._reading = False
        self._master, slave = os.openpty()
        try:
            self._name = os.ttyname(slave)
            _set_size(self._master, size)
            _prepare_line_discipline(slave)
            self.pid = _start(program, arguments, environment, directory, slave)
        except BaseException:
            os.close(self._master)
            raise
        finally:
            os.close(slave)
        os.set_blocking(self._master, False)
        self._loop.add_reader(self._master, self._readable)
        self._reading = True

    def _readable(self) -> None:
        parts: list[bytes] = []
        length = 0
        while length < READ_SIZE and (part := self._read()):  # the system gives some kilobytes at a time
            parts.append(part)
            length += len(part)
        if parts:
            self._arrived(b"".join(parts))
        elif part == b"":
            self._stop_reading()

    def _read(self) -> bytes | None:
        """b"" when nothing holds the other side any more, None when there is nothing to read now."""
        try:
            return os.read(self._master, READ_SIZE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def drain(self, most: int = 4 * 1024 * 1024) -> None:
        """Hand on what a program that has ended left behind, at most so many bytes."""
        while most > 0 and self._reading and (data := self._read()):
            most -= len(data)
            self._arrived(data)

    def pause(self) -> None:
        """Read no more output until `resume`; the program waits once the terminal is full of it."""
        if self._reading:
            self._loop.remove_reader(self._master)

    def resume(self) -> None:
        if self._reading:
            self._loop.add_reader(self._master, self._readable)

    def _stop_reading(self) -> None:
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._master)

    def write(self, data: bytes) -> None:
        """Send input in order; what the terminal does not take now is sent as soon as it does."""
        idle = not self._unwritten
        self._unwritten += data
        if idle:
            self._flush()

    @property
    def unwritten(self) -> int:
        """Bytes of input that the terminal has not taken yet."""
        return len(self._unwritten)

    def _flush(self) -> None:
        try:
            written = os.write(self._master, self._unwritten)
        except BlockingIOError:
            written = 0
        except OSError:  # the terminal has hung up: nobody will read this
            written = len(self._unwritten)
        del self._unwritten[:written]
        if self._unwritten:
            self._loop.add_writer(self._master, self._flush)
        else:
            self._loop.remove_writer(self._master)

    def resize(self, columns: int, rows: int) -> None:
        """Raises BadInput for a size no terminal has."""
        _set_size(self._master, (columns, rows))

    @property
    def unread(self) -> int:
        """Bytes of input that no program has read yet; of a terminal that edits lines, whole lines only."""
        try:
            slave = os.open(self._name, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            return 0
        try:
            (count,) = struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))
            return int(count)
        finally:
            os.close(slave)

    @property
    def foreground(self) -> int:
        """The process group that has the terminal; 0 or less when none has."""
        try:
            return os.tcgetpgrp(self._master)
        except OSError:
            return -1

    @property
    def character_at_a_time(self) -> bool:
        """Whether a program has switched the line discipline's own line editing off."""
        return not self._has_mode(termios.ICANON, otherwise=True)

    @property
    def keys_send_signals(self) -> bool:
        """Whether the line discipline makes signals of Ctrl-C, Ctrl-Z and Ctrl-\\."""
        return self._has_mode(termios.ISIG, otherwise=False)

    def _has_mode(self, mode: int, *, otherwise: bool) -> bool:
        try:
            return bool(termios.tcgetattr(self._master)[3] & mode)
        except termios.error:
            return otherwise

    @property
    def shell_edits_a_line(self) -> bool:
        """Whether the shell has the terminal and reads it as a line editor does, whatever marks say."""
        return self.foreground == self.pid and self.character_at_a_time

    @property
    def shell_waits_for_a_key(self) -> bool:
        """Whether it does so right now, with nothing left to read: not stopped, not at work."""
        if not self.shell_edits_a_line or self._unwritten:
            return False
        process = processes.look_at(self.pid)
        return process is None or (process.state == "S" and not self._shell_waits_elsewhere)

    @property
    def shell_has_lent_it(self) -> bool:
        """Whether a program has the terminal, also one that a key of the line editor has started."""
        return self.foreground != self.pid or self._shell_waits_elsewhere

    @property
    def _shell_waits_elsewhere(self) -> bool:
        return processes.waits_for_terminal(self.pid, self._name) is False

    def hang_up(self) -> None:
        """What closing a terminal's window does: SIGHUP to the shell and to what runs in front."""
        self._signal(signal.SIGHUP)
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        group = self.foreground
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # The terminal may remember a group that is gone, whose number has another owner by now.
            if group > 1 and os.getsid(group) == self.pid:
                os.killpg(group, number)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, number)

    def interrupt(self) -> bool:
        """Send SIGINT to what runs in front of the shell, to be read by no prompt that comes meanwhile. False
        where Ctrl-C must be typed: the shell itself has the terminal, or a program that reads it as a key."""
        group = self.foreground
        if group <= 1 or group == self.pid or not self.keys_send_signals:
            return False
        with contextlib.suppress(ProcessLookupError):  # its leader may have ended before the others
            if os.getsid(group) != self.pid:
                return True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGINT)
        return True

    def close(self) -> None:
        """Let go of the terminal; whoever still has it open is hung up. May be called twice."""
        if self._master >= 0:
            self._stop_reading()
            self._loop.remove_writer(self._master)
            os.close(self._master)
            self._master = -1


def _set_size(descriptor: int, size: tuple[int, int]) -> None:
    columns, rows = size
    if not (0 < columns <= _MOST_CELLS and 0 < rows <= _MOST_CELLS):
        raise BadInput(f"a terminal cannot have {columns} columns and {rows} rows", f"use 1 to {_MOST_CELLS}")
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _prepare_line_discipline(slave: int) -> None:
    if sys.platform == "linux":
        attributes = termios.tcgetattr(slave)
        attributes[0] |= _IUTF8
        termios.tcsetattr(slave, termios.TCSANOW, attributes)


def _start(
    program: str, arguments: Sequence[str], environment: Mapping[str, str], directory: str, slave: int
) -> int:
    failure, report = os.pipe()  # close-on-exec: an empty answer means that exec worked
    pid = os.fork()
    if pid == 0:
        _become(program, arguments, environment, directory, slave, report)
    os.close(report)
    with os.fdopen(failure, "rb") as answer:
        message = answer.read().decode(errors="replace")
    if message:
        os.waitpid(pid, 0)
        raise _not_started(program, message)
    return pid


def _become(
    program: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    directory: str,
    slave: int,
    report: int,
) -> None:
    """In the child: never returns."""
    try:
        for number in signal.valid_signals():  # what the host ignores would stay ignored across exec
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
        os.login_tty(slave)
        os.chdir(directory)
        os.execve(program, list(arguments), dict(environment))  # noqa: S606 - no shell is what is wanted
    except BaseException as error:
        os.write(report, str(getattr(error, "strerror", None) or error).encode())
    finally:
        os._exit(127)


def _not_started(program: str, reason: str) -> KavorError:
    return Refused(f"{program} could not be started: {reason}", "check the shell and the directory")
