"""Makes engine processes: `python -m kavor.sessions.terminal.emulation.fork_server`.

It has loaded what takes long, so that each engine is a fork away: there in no time, and sharing with the
others what none of them changes. Its standard input is a socket over which the runtime sends the socket of
each engine that it wants. It ends when the runtime closes that, after its engines.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys

from kavor.sessions.terminal.emulation import process
from kavor.sessions.terminal.emulation.engine import IN_ORDER, EngineMissing, make_engine

NICENESS = 10


def _load() -> None:
    for name in IN_ORDER:
        with contextlib.suppress(EngineMissing):
            make_engine(name, 1, 1)
    gc.collect()
    gc.freeze()  # a collection would write to, and so copy, all that the engines share


def _fork_engine(runtime: int, requests: socket.socket) -> None:
    if os.fork():
        return
    code = 1
    try:
        requests.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        code = process.run(socket.socket(fileno=runtime))
    finally:
        os._exit(code)


def main() -> int:
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # typed at the runtime, which ends this in its own time
    _load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that the system forgets an engine that has ended
    with socket.socket(fileno=sys.stdin.fileno()) as requests:
        while True:
            _, sockets, _, _ = socket.recv_fds(requests, 1, 1)
            if not sockets:
                break
            _fork_engine(sockets[0], requests)
            os.close(sockets[0])
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, 0)  # returns when all have ended, as they are not to be heard of
    return 0


if __name__ == "__main__":
    sys.exit(main())
