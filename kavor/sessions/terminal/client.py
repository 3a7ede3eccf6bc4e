"""The runtime's side of the PTY host: all shells of one home, behind the `Sessions` protocol."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import signal
from asyncio import Future, StreamReader, StreamWriter
from collections.abc import Mapping, Sequence
from typing import Any

from kavor.domain.errors import BadInput, KavorError, NotFound
from kavor.home import Home
from kavor.sessions.session import (
    AgentSpec,
    HandOver,
    Listener,
    Question,
    SessionsLost,
    SessionSpec,
    SessionState,
)
from kavor.sessions.terminal import protocol
from kavor.sessions.terminal.launch import launch_host
from kavor.sessions.terminal.one_look import screen_text
from kavor.sessions.terminal.protocol import Json, Message
from kavor.sessions.terminal.recording import Resize
from kavor.sessions.terminal.survivors import survivors

log = logging.getLogger(__name__)

HELLO_SECONDS = 10.0
STOP_SECONDS = 10.0
"""How long the host may take to end its sessions; then it is killed, which hangs up on every shell."""
HANG_UP_SECONDS = 0.3
"""How long a process may take to end that a hang-up ends."""

_NO_HOST = (FileNotFoundError, ConnectionRefusedError)


class TerminalSessions:
    """Connects to the host that lives, and starts one when the first session is opened.

    When the connection breaks and the host still lives, it is taken up again and what was asked is asked
    again; only typed bytes and Ctrl-C are not sent twice. When the host is gone, the listener hears it once
    and every call raises SessionsLost, until the next ``open`` starts a fresh host.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._listener: Listener | None = None
        self._writer: StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()
        self._numbers = itertools.count(1)
        self._asked: dict[int, tuple[Json, bytes, Future[Message]]] = {}
        self._lost = False
        self._host_pid: int | None = None
        self._held: set[str] = set()
        """The sessions that the host told of."""
        self._questions: dict[str, Question] = {}
        """By session: what its program asks on account of a delivery."""

    @property
    def host_pid(self) -> int | None:
        """The process that holds the sessions; None when there is none."""
        return self._host_pid

    async def start(self, listener: Listener) -> Sequence[SessionState]:
        self._listener = listener
        async with self._connecting:
            try:
                return await self._connect()
            except _NO_HOST:
                return []

    async def stop(self, *, end_sessions: bool) -> None:
        if end_sessions and self._writer is not None:
            await self._end_sessions()
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            await asyncio.wait([listening])
        await self._hang_up()
        self._give_up_on_answers()

    async def _end_sessions(self) -> None:
        try:
            async with asyncio.timeout(STOP_SECONDS):
                with contextlib.suppress(SessionsLost):
                    await self._ask("stop")
        except TimeoutError:
            log.error(
                "the PTY host did not end within %g s: process %s is killed", STOP_SECONDS, self._host_pid
            )
            if self._host_pid is not None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(self._host_pid, signal.SIGKILL)

    async def open(self, spec: SessionSpec | AgentSpec) -> SessionState:
        """Raises BadInput or Refused where the shell or the directory will not do; nothing is started."""
        if isinstance(spec, AgentSpec):
            raise BadInput(f"{spec.id} is no Terminal", "an agent's session is held elsewhere")
        async with self._connecting:
            if self._writer is None:
                await self._connect_to_any_host()
        answer = await self._ask("open", spec=protocol.spec_to_json(spec))
        self._held.add(spec.id)
        return protocol.state_from_json(answer.content["answer"])

    async def close(self, session_id: str) -> SessionState:
        if self._no_host_yet:
            return SessionState(session_id, open=False, waiting_for=None)
        answer = await self._ask("close", session=session_id)
        return protocol.state_from_json(answer.content["answer"])

    async def deliver(self, session_id: str, key: str, text: str) -> HandOver:
        """Raises BadInput for a text that is no payload; then it was not delivered."""
        if self._no_host_yet:
            return HandOver(False, closed=True)
        answer = await self._ask("deliver", session=session_id, key=key, text=text)
        return protocol.hand_over_from_json(answer.content["answer"])

    async def known(self, keys: Sequence[str]) -> Mapping[str, bool]:
        if self._no_host_yet:
            return dict.fromkeys(keys, False)
        answer = await self._ask("known", keys=list(keys))
        return dict(answer.content["answer"])

    async def acknowledge(self, keys: Sequence[str]) -> None:
        if not self._no_host_yet:
            await self._ask("acknowledge", keys=list(keys))

    async def survivors(self, session_id: str) -> Sequence[tuple[int, str]]:
        """Looks twice: what a hang-up is just ending does not live on."""
        found = await asyncio.to_thread(survivors, self._home, session_id)
        if found:
            await asyncio.sleep(HANG_UP_SECONDS)
            living = await asyncio.to_thread(survivors, self._home, session_id)
            found = [survivor for survivor in found if survivor in living]
        return found

    async def type(self, session_id: str, data: bytes) -> None:
        """Raises NotFound or Refused when there is no such session, or nobody reads what is typed."""
        self._require_host(session_id)
        await self._ask("type", data, session=session_id)

    async def cancel(self, session_id: str) -> None:
        """Raises NotFound where there is no such session, Refused where it is a shell's."""
        self._require_host(session_id)
        await self._ask("cancel", session=session_id)

    async def interrupt(self, session_id: str, running: str) -> bool:
        """Raises NotFound where there is no such session, Refused where it is no shell's."""
        self._require_host(session_id)
        answer = await self._ask("interrupt", session=session_id, running=running)
        return bool(answer.content["answer"])

    async def resize(self, session_id: str, columns: int, rows: int) -> None:
        self._require_host(session_id)
        await self._ask("resize", session=session_id, columns=columns, rows=rows)

    async def tail(self, session_id: str, max_bytes: int) -> bytes:
        self._require_host(session_id)
        return (await self._ask("tail", session=session_id, most=max_bytes)).attached

    async def screen(self, session_id: str, *, whole: bool = False) -> str:
        self._require_host(session_id)
        answer = await self._ask("recording", session=session_id)
        sizes = [Resize(**size) for size in answer.content["answer"]]
        return await screen_text(answer.attached, sizes, whole=whole)

    # --- the connection ----------------------------------------------------------------------------

    @property
    def _no_host_yet(self) -> bool:
        """No host was found and none was started: there is no session, and none was lost."""
        return self._listening is None and not self._lost

    def _require_host(self, session_id: str) -> None:
        if self._no_host_yet:
            raise NotFound(f"there is no session {session_id}", "open it first")

    async def _connect_to_any_host(self) -> None:
        try:
            await self._connect()
        except _NO_HOST:
            await launch_host(self._home)
            await self._connect_soon()

    async def _connect_soon(self) -> None:
        """A host that came second leaves it to the first to listen, which may take a moment."""
        for pause in (0.05, 0.1, 0.2, 0.4, 0.8, 1.6):
            try:
                await self._connect()
                return
            except _NO_HOST:
                await asyncio.sleep(pause)
        raise KavorError("the PTY host does not answer", f"see {self._home.host_log}")

    async def _connect(self) -> Sequence[SessionState]:
        """Raises one of _NO_HOST when none lives, KavorError when it speaks another protocol."""
        reader, writer = await asyncio.open_unix_connection(
            self._home.host_socket, limit=protocol.LONGEST_MESSAGE
        )
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                writer.write(protocol.encode({"id": 0, "ask": "hello", "version": protocol.VERSION}))
                hello = await protocol.read_message(reader)
        except (OSError, TimeoutError) as error:
            writer.close()
            raise KavorError("the PTY host does not answer", f"see {self._home.host_log}") from error
        if hello is None:
            writer.close()
            raise ConnectionRefusedError("the PTY host is ending")
        if "error" in hello.content:
            writer.close()
            raise protocol.error_from_json(hello.content["error"])
        self._writer = writer
        self._lost = False
        known = hello.content["answer"]
        self._host_pid = known["pid"]
        self._listening = asyncio.create_task(self._listen(reader))
        for outcome in known["outcomes"]:
            self._told({"tell": "outcome", "outcome": outcome})
        living = [protocol.state_from_json(state) for state in known["sessions"]]
        self._held |= {state.id for state in living}
        for state in living:
            self._tell_question(state)
        return living

    async def _listen(self, reader: StreamReader) -> None:
        with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
            while message := await protocol.read_message(reader):
                if "tell" in message.content:
                    self._told(message.content)
                else:
                    self._answered(message)
        await self._hang_up()
        await self._take_up_again()

    async def _hang_up(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _take_up_again(self) -> None:
        async with self._connecting:
            if self._writer is not None:
                return
            try:
                states = await self._connect()
            except (*_NO_HOST, KavorError):
                self._lost = True
                self._host_pid = None
                self._give_up_on_answers()
                gone, self._held = self._held, set()
                if self._listener is not None:
                    self._listener.sessions_lost(gone)
                return
        for state in states:
            self._told_state(state)
        self._ask_again()

    def _ask_again(self) -> None:
        for number, (question, attached, answer) in list(self._asked.items()):
            if question["ask"] in ("type", "interrupt"):
                del self._asked[number]
                if not answer.done():
                    answer.set_exception(SessionsLost("whether this was typed is not known"))
            elif self._writer is not None:
                self._writer.write(protocol.encode(question, attached))

    def _give_up_on_answers(self) -> None:
        for _, _, answer in self._asked.values():
            if not answer.done():
                answer.set_exception(SessionsLost("the process that held the sessions is gone"))
        self._asked.clear()

    def _told(self, content: Json) -> None:
        if content["tell"] == "state":
            self._told_state(protocol.state_from_json(content["state"]))
        elif content["tell"] == "outcome" and self._listener is not None:
            self._listener.outcome_observed(protocol.outcome_from_json(content["outcome"]))

    def _told_state(self, state: SessionState) -> None:
        self._held.add(state.id)
        self._tell_question(state)
        if self._listener is not None:
            self._listener.session_changed(state)

    def _tell_question(self, state: SessionState) -> None:
        """Of what a program asks, and that it asks no more, while it works on a delivery."""
        before, now = self._questions.pop(state.id, None), state.question
        if now is not None and now.key is not None:
            self._questions[state.id] = now
            if now != before and self._listener is not None:
                self._listener.attention_needed(now.key, now)
        elif before is not None and before.key is not None and self._listener is not None:
            self._listener.attention_settled(before.key)

    def _answered(self, message: Message) -> None:
        asked = self._asked.pop(message.content.get("id", 0), None)
        if asked is None or asked[2].done():
            return
        if "error" in message.content:
            asked[2].set_exception(protocol.error_from_json(message.content["error"]))
        else:
            asked[2].set_result(message)

    async def _ask(self, ask: str, attached: bytes = b"", **arguments: Any) -> Message:
        if self._writer is None and (self._lost or self._listening is None):
            raise SessionsLost("the process that held the sessions is gone")
        number = next(self._numbers)
        question: Json = {"id": number, "ask": ask, **arguments}
        answer: Future[Message] = asyncio.get_running_loop().create_future()
        self._asked[number] = (question, attached, answer)
        if self._writer is not None:  # else it is asked once the connection stands again
            self._writer.write(protocol.encode(question, attached))
        try:
            return await answer
        finally:
            self._asked.pop(number, None)
