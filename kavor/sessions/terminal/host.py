"""The PTY host: `python -m kavor.sessions.terminal.host DATA RUN LOGS`.

One process per home. It owns the shells, listens on the home's host socket, and outlives the runtime. It
ends when it is told to, or when nothing holds it: no open session, no outcome that is not on record, no
client. It imports the standard library only, and is asleep when nothing happens.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import logging
import os
import signal
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kavor.domain.errors import BadInput, KavorError, NotFound, Refused
from kavor.home import Home
from kavor.sessions.session import HandOver, Outcome, SessionSpec, SessionState
from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.deliveries import Deliveries
from kavor.sessions.terminal.program_session import ProgramSession
from kavor.sessions.terminal.protocol import Json, Message
from kavor.sessions.terminal.session import TerminalSession

NICENESS = 10
LINGER_SECONDS = 30.0
"""How long it stays when nothing holds it."""
_MOST_UNREAD_BY_CLIENT = 16 * 1024 * 1024

HeldSession = TerminalSession | ProgramSession

log = logging.getLogger("kavor.host")


class Host:
    """The sessions of one home, and whoever asks about them."""

    def __init__(self, home: Home, environment: Mapping[str, str], linger: float = LINGER_SECONDS) -> None:
        self._home = home
        self._environment = environment
        self._linger = linger
        self._sessions: dict[str, HeldSession] = {}
        self._deliveries = Deliveries()
        self._clients: set[StreamWriter] = set()
        self._idle: asyncio.TimerHandle | None = None
        self._finished = asyncio.Event()
        self._questions: dict[str, Callable[[Message], Awaitable[tuple[Any, bytes]]]] = {
            "open": self._open,
            "close": self._close,
            "deliver": self._deliver,
            "known": self._known,
            "acknowledge": self._acknowledge,
            "type": self._type,
            "cancel": self._cancel,
            "interrupt": self._interrupt,
            "resize": self._resize,
            "tail": self._tail,
            "recording": self._recording,
            "stop": self._stop,
        }

    async def serve(self, ready: Callable[[], None]) -> None:
        """Until there is nothing to stay for. ``ready`` is called once clients may connect."""
        path = self._home.host_socket
        with contextlib.suppress(FileNotFoundError):
            path.unlink()  # the lock is ours, so whoever bound it is gone
        mask = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self._attend, path, limit=protocol.LONGEST_MESSAGE)
        finally:
            os.umask(mask)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._terminated)
        self._consider_leaving()
        ours = path.stat().st_ino
        ready()
        log.info("listening on %s", path)
        await self._finished.wait()
        server.close()
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_ino == ours:  # not that of a host which a new home has by now
                path.unlink()
        for client in list(self._clients):
            with contextlib.suppress(OSError):
                await asyncio.wait_for(client.drain(), 1)
            client.close()
        log.info("ended")

    async def _end_sessions(self) -> None:
        await asyncio.gather(*(session.held.close() for session in self._sessions.values()))

    def _terminated(self) -> None:
        ending = asyncio.ensure_future(self._end_sessions())
        ending.add_done_callback(lambda _: self._finished.set())

    def _consider_leaving(self) -> None:
        held = (
            self._clients
            or self._deliveries.unacknowledged
            or any(session.held.open for session in self._sessions.values())
        )
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        loop = asyncio.get_running_loop()
        if not held:
            self._idle = loop.call_later(self._linger, self._finished.set)
        elif not self._clients:
            self._idle = loop.call_later(self._linger, self._look_after_home)

    def _look_after_home(self) -> None:
        """With its home gone nobody can ever reach it: its shells would live on unseen, so they are ended."""
        if self._home.host_socket.exists():
            self._consider_leaving()
        else:
            log.warning("the home %s is gone: its sessions are ended", self._home.data)
            self._terminated()

    # --- clients -----------------------------------------------------------------------------------

    async def _attend(self, reader: StreamReader, writer: StreamWriter) -> None:
        answers: set[asyncio.Task[None]] = set()
        try:
            if not await self._greet(reader, writer):
                return  # or an engine, which has gone again
            while message := await protocol.read_message(reader):
                answer = asyncio.ensure_future(self._answer(message, writer))
                answers.add(answer)
                answer.add_done_callback(answers.discard)
        except (ValueError, KeyError, OSError, asyncio.IncompleteReadError) as error:
            log.warning("a client was let go: %s", error)
        finally:
            self._clients.discard(writer)
            writer.close()
            self._consider_leaving()

    async def _greet(self, reader: StreamReader, writer: StreamWriter) -> bool:
        hello = await protocol.read_message(reader)
        if hello is None:
            return False
        number = hello.content["id"]
        if hello.content.get("version") != protocol.VERSION:
            refusal = Refused(
                f"the PTY host that runs speaks version {protocol.VERSION} of its protocol, not "
                f"{hello.content.get('version')}",
                "it belongs to another version of Kavor: end its sessions with that one, or end process "
                f"{os.getpid()}",
            )
            writer.write(protocol.encode({"id": number, "error": protocol.error_to_json(refusal)}))
            await writer.drain()
            return False
        if hello.content["ask"] == "watch":
            await self._feed(hello, reader, writer)
            return False
        self._clients.add(writer)
        self._consider_leaving()
        known = {
            "pid": os.getpid(),
            "sessions": [protocol.state_to_json(session.state) for session in self._sessions.values()],
            "outcomes": [protocol.outcome_to_json(outcome) for outcome in self._deliveries.unacknowledged],
        }
        writer.write(protocol.encode({"id": number, "answer": known}))
        return True

    async def _feed(self, hello: Message, reader: StreamReader, writer: StreamWriter) -> None:
        """Tell an engine of one session until it goes."""
        session = self._sessions.get(hello.content["session"])
        if session is not None:
            ended = None if session.held.open else session.state.diagnostic
            feed = session.held.feed(writer, int(hello.content["pid"]))
            await feed.serve(reader, hello.content["id"], ended)

    async def _answer(self, message: Message, writer: StreamWriter) -> None:
        number = message.content.get("id")
        attached = b""
        try:
            ask = self._questions.get(message.content.get("ask", ""))
            if ask is None:
                raise BadInput(f"the PTY host knows no {message.content.get('ask')!r}")
            answer, attached = await ask(message)
            reply: Json = {"id": number, "answer": answer}
        except KavorError as error:
            reply = {"id": number, "error": protocol.error_to_json(error)}
        except Exception as error:
            log.exception("the question %s failed", message.content.get("ask"))
            failure = KavorError(f"the PTY host failed: {error}", f"see {self._home.host_log}")
            reply = {"id": number, "error": protocol.error_to_json(failure)}
        self._send(writer, protocol.encode(reply, attached))

    def _send(self, writer: StreamWriter, data: bytes) -> None:
        if writer.is_closing():
            return
        writer.write(data)
        if writer.transport.get_write_buffer_size() > _MOST_UNREAD_BY_CLIENT:
            log.warning("a client that does not read was let go")
            writer.transport.abort()

    def _tell(self, content: Json) -> None:
        for client in self._clients:
            self._send(client, protocol.encode(content))

    def _changed(self, state: SessionState) -> None:
        self._tell({"tell": "state", "state": protocol.state_to_json(state)})
        if not state.open:
            log.info("session %s: %s", state.id, state.diagnostic)
            self._consider_leaving()

    def _observed(self, outcome: Outcome) -> None:
        self._deliveries.ended(outcome)
        self._tell({"tell": "outcome", "outcome": protocol.outcome_to_json(outcome)})

    # --- questions ---------------------------------------------------------------------------------

    def _session(self, message: Message) -> HeldSession:
        session = self._sessions.get(message.content["session"])
        if session is None:
            raise NotFound(f"there is no session {message.content['session']}", "open it first")
        return session

    async def _open(self, message: Message) -> tuple[Any, bytes]:
        spec = protocol.spec_from_json(message.content["spec"])
        session = self._sessions.get(spec.id)
        if session is None or not session.held.open:
            session = self._start(spec)
            self._sessions[spec.id] = session
            log.info("session %s: process %s started", spec.id, session.state.pid)
            self._consider_leaving()
        return protocol.state_to_json(session.state), b""

    def _start(self, spec: SessionSpec) -> HeldSession:
        if spec.program is not None:
            return ProgramSession(spec, spec.program, self._home.sessions, self._changed, self._observed)
        return TerminalSession(spec, self._home.sessions, self._environment, self._changed, self._observed)

    async def _close(self, message: Message) -> tuple[Any, bytes]:
        name = message.content["session"]
        session = self._sessions.get(name)
        if session is None:
            return protocol.state_to_json(SessionState(name, open=False, waiting_for=None)), b""
        await session.held.close()
        return protocol.state_to_json(session.state), b""

    async def _deliver(self, message: Message) -> tuple[Any, bytes]:
        key, text = message.content["key"], message.content["text"]
        session = self._sessions.get(message.content["session"])

        async def deliver() -> HandOver:
            return await session.deliver(key, text) if session else HandOver(False, closed=True)

        return protocol.hand_over_to_json(await self._deliveries.once(key, deliver)), b""

    async def _known(self, message: Message) -> tuple[Any, bytes]:
        return await self._deliveries.known(message.content["keys"]), b""

    async def _acknowledge(self, message: Message) -> tuple[Any, bytes]:
        self._deliveries.acknowledge(message.content["keys"])
        self._consider_leaving()
        return None, b""

    async def _type(self, message: Message) -> tuple[Any, bytes]:
        session = self._session(message)
        if not session.held.open:
            raise Refused(f"the session {session.id} has ended", "open it again")
        session.type(message.attached)
        return None, b""

    async def _cancel(self, message: Message) -> tuple[Any, bytes]:
        session = self._session(message)
        if not isinstance(session, ProgramSession):
            raise Refused(f"the session {session.id} is a shell's", "press Ctrl-C in it")
        session.cancel()
        return None, b""

    async def _interrupt(self, message: Message) -> tuple[Any, bytes]:
        session = self._session(message)
        if not isinstance(session, TerminalSession):
            raise Refused(f"the session {session.id} is no shell's", "stop its turn")
        return await session.interrupt(message.content["running"]), b""

    async def _resize(self, message: Message) -> tuple[Any, bytes]:
        session = self._session(message)
        if session.held.open:
            session.held.resize(message.content["columns"], message.content["rows"])
        return None, b""

    async def _tail(self, message: Message) -> tuple[Any, bytes]:
        return None, self._session(message).held.recording.tail(message.content["most"])

    async def _recording(self, message: Message) -> tuple[Any, bytes]:
        output, sizes = self._session(message).held.recording.replay()
        return [asdict(size) for size in sizes], output

    async def _stop(self, message: Message) -> tuple[Any, bytes]:
        await self._end_sessions()
        asyncio.get_running_loop().call_soon(self._finished.set)  # after this answer is on its way
        return None, b""


def _take_lock(path: Path) -> int:
    """The lock of this home's host, held until this process ends. Raises BlockingIOError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _detach() -> None:
    """Leave the process that started this one; it need not wait for the host's end."""
    if os.fork():
        os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m kavor.sessions.terminal.host", description=__doc__)
    for folder in ("data", "run", "logs"):
        parser.add_argument(folder, type=Path)
    parser.add_argument("--ready-fd", type=int, help="written to once clients may connect")
    parser.add_argument("--linger", type=float, default=LINGER_SECONDS, help="seconds to stay unused")
    arguments = parser.parse_args()
    home = Home(arguments.data, arguments.run, arguments.logs)
    _detach()
    try:
        _take_lock(home.data / "host.lock")
    except BlockingIOError:
        print("a PTY host runs for this home already", file=sys.stderr)
        return 1
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)

    def ready() -> None:
        if arguments.ready_fd is not None:
            os.write(arguments.ready_fd, b"ready")
            os.close(arguments.ready_fd)

    asyncio.run(Host(home, os.environ.copy(), arguments.linger).serve(ready))
    return 0


if __name__ == "__main__":
    sys.exit(main())
