"""The link to the runtime. The GUI thread never waits: requests run on worker threads, the event stream on
a thread of its own, and whatever they bring arrives as a call on the GUI thread.

Questions go side by side; changes one after another, in the order they were asked for. When the runtime
is gone the link says so and takes up the next one by itself; only a person starts one then, so that an
open window does not undo ``kavor runtime stop``.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from kavor.api.client import Client, Document
from kavor.api.event_stream import EventStream
from kavor.api.launch import ensure_runtime, is_running
from kavor.canvas.model import Snapshot
from kavor.canvas.qt import QObject, Qt, Signal, SignalInstance, translate
from kavor.canvas.workers import Workers, all_ended
from kavor.domain.errors import KavorError, Unreachable
from kavor.home import Home

log = logging.getLogger(__name__)

LOOK_AGAIN_S = 0.5
"""How often the link looks whether there is a runtime again."""

QUESTIONS_AT_ONCE = 3

_NAMELESS = "something went wrong that has no name yet"

Answer = TypeVar("Answer")


class LinkState(Enum):
    STARTING = "starting"
    CONNECTED = "connected"
    GONE = "gone"


class Link(QObject):
    """Belongs to the GUI thread, as every signal of it is delivered there."""

    state_changed = Signal(LinkState, str)
    """The state, and with ``GONE`` why: a sentence for the person."""
    snapshot = Signal(object)
    """A Snapshot: everything, as after it was first connected, or when events were missed."""
    happened = Signal(dict)

    _answered = Signal(object)

    def __init__(self, home: Home, zone: str | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.client = Client(home, zone)
        self.state = LinkState.STARTING
        self._door = _Door()
        self._questions = Workers(QUESTIONS_AT_ONCE, "canvas-question")
        self._changes = Workers(1, "canvas-change")
        self._answered.connect(self._call, Qt.ConnectionType.QueuedConnection)
        self._listener = _Listener(self.client, self._door)
        self._listener.told.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        self._listener.happened.connect(self._hear_change, Qt.ConnectionType.QueuedConnection)
        self._listener.snapshot.connect(self._hear_all, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        """Start a runtime if none runs, and listen to it."""
        self._listener.start()

    def close(self) -> None:
        """Let go of the runtime, at once. Changes that were asked for are still made, but nobody is told."""
        self._door.close()
        self._listener.stop()
        self._questions.finish(drop_waiting=True)
        self._changes.finish(drop_waiting=False)

    def settle(self, limit_s: float) -> bool:
        """After ``close``, off any window: wait until all is done that was asked; whether it is."""
        return all_ended([*self._changes.threads, *self._questions.threads, *self._listener.threads], limit_s)

    def ask(
        self,
        question: Callable[[Client], Answer],
        done: Callable[[Answer], None],
        failed: Callable[[KavorError], None],
    ) -> None:
        """Run ``question`` off the GUI thread; then one of the other two, on it."""
        self._submit(self._questions, question, done, failed)

    def change(
        self,
        change: Callable[[Client], Answer],
        done: Callable[[Answer], None],
        failed: Callable[[KavorError], None],
    ) -> None:
        """Like ``ask``, after every change that was asked for before."""
        self._submit(self._changes, change, done, failed)

    def start_runtime(self, failed: Callable[[KavorError], None]) -> None:
        """Start a runtime because a person said so."""
        self.ask(lambda client: ensure_runtime(client.home), lambda _: self._listener.look_now(), failed)

    def _submit(
        self,
        workers: Workers,
        question: Callable[[Client], Answer],
        done: Callable[[Answer], None],
        failed: Callable[[KavorError], None],
    ) -> None:
        def work() -> None:
            try:
                answer = question(self.client)
            except KavorError as error:
                self._deliver(lambda error=error: failed(error))  # type: ignore[misc]
            except Exception:
                log.exception("a request of the canvas failed")
                self._deliver(lambda: failed(KavorError(_NAMELESS)))
            else:
                self._deliver(lambda: done(answer))

        if not self._door.is_closed:
            workers.submit(work)

    def _deliver(self, call: Callable[[], None]) -> None:
        self._door.emit(self._answered, call)

    # What is on its way to the GUI thread when the link is closed arrives after that: nobody is told.

    def _hear(self, state: LinkState, why: str) -> None:
        if not self._door.is_closed:
            self.state = state
            self.state_changed.emit(state, why)

    def _hear_change(self, event: Document) -> None:
        if not self._door.is_closed:
            self.happened.emit(event)

    def _hear_all(self, snapshot: Snapshot) -> None:
        if not self._door.is_closed:
            self.snapshot.emit(snapshot)

    def _call(self, call: Callable[[], None]) -> None:
        if not self._door.is_closed:
            call()


class _Door:
    """Through it the threads speak to the window. Once it is closed, none touches what may be gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.is_closed = False

    def close(self) -> None:
        with self._lock:
            self.is_closed = True

    def emit(self, signal: SignalInstance, *said: object) -> None:
        with self._lock:
            if not self.is_closed:
                signal.emit(*said)


class _Listener(QObject):
    """The thread that reads the event stream, for as long as the window is open."""

    told = Signal(LinkState, str)
    snapshot = Signal(object)
    happened = Signal(dict)

    def __init__(self, client: Client, door: _Door) -> None:
        super().__init__()
        self._client = client
        self._door = door
        self._look = threading.Event()
        self._stream: EventStream | None = None
        self._runtime: str | None = None
        self._last_event: int | None = None
        self._thread = threading.Thread(target=self._run, name="canvas-events", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._look.set()
        if self._stream is not None:
            self._stream.close()

    @property
    def threads(self) -> list[threading.Thread]:
        return [self._thread]

    def look_now(self) -> None:
        self._look.set()

    def _run(self) -> None:
        self._door.emit(self.told, LinkState.STARTING, "")
        why = self._start_runtime()
        while not self._door.is_closed:
            if not why:
                why = self._follow()
            self._door.emit(self.told, LinkState.GONE, why)
            self._wait_for_runtime()
            why = ""

    def _start_runtime(self) -> str:
        try:
            ensure_runtime(self._client.home)
        except KavorError as error:
            return error.message
        except Exception:
            log.exception("the canvas could not start a runtime")
            return _NAMELESS
        return ""

    def _wait_for_runtime(self) -> None:
        while not self._door.is_closed and not is_running(self._client.home):
            self._look.wait(LOOK_AGAIN_S)
            self._look.clear()

    def _follow(self) -> str:
        """Pass on events until there is no runtime any more; why not."""
        self._stream = self._client.events(self._last_event, self._runtime)
        if self._door.is_closed:
            return ""  # ``stop`` may have come before there was a stream to close
        try:
            for message in self._stream:
                self._pass_on(message)
        except Unreachable:
            return translate("Link", "the runtime is gone")
        except KavorError as error:
            self._look.wait(LOOK_AGAIN_S)  # it refuses at once: do not ask in a circle
            return error.message
        except Exception:
            log.exception("the canvas cannot follow the runtime")
            self._last_event = None  # what this one should have changed is read anew
            self._look.wait(LOOK_AGAIN_S)
            return _NAMELESS
        finally:
            self._stream.close()
        return translate("Link", "the runtime was stopped")

    def _pass_on(self, message: Document) -> None:
        if self._door.is_closed:
            return
        match message["type"]:
            case "hello":
                if self._last_event is None:
                    self._read_anew(message["event"])
                self._runtime = message["runtime"]
                self._door.emit(self.told, LinkState.CONNECTED, "")
            case "reset":
                self._read_anew(message["event"])
            case _:
                self._last_event = message["event"]
                self._door.emit(self.happened, message)

    def _read_anew(self, event: int) -> None:
        """The stream is open already, so that what changes while this is read comes after it."""
        self._last_event = None  # after a reading that fails, the next stream begins with another
        snapshot = read_snapshot(self._client)
        self._last_event = event
        self._door.emit(self.snapshot, snapshot)


def read_snapshot(client: Client) -> Snapshot:
    """Everything on every canvas. Raises KavorError."""
    return Snapshot(
        workspaces=client.get("/api/workspaces")["workspaces"],
        nodes=client.get("/api/nodes")["nodes"],
        connections=client.get("/api/connections")["connections"],
        schedules=client.get("/api/schedules")["schedules"],
    )
