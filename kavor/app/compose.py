"""The runtime process: lock, log, database, sessions, API, and an orderly end."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import logging.handlers
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from io import TextIOWrapper

import kavor
from kavor.api.problems import problem_of
from kavor.api.server import Server, bind_socket, create_app
from kavor.app.agent_door import LoopbackDoor
from kavor.app.home_watch import HomeWatch
from kavor.app.lock import home_lock
from kavor.app.scaled_time import ScaledAlarm, ScaledClock
from kavor.domain.errors import KavorError
from kavor.home import Home
from kavor.runtime import failpoints
from kavor.runtime.agent_access.tokens import Tokens
from kavor.runtime.alarm import SystemAlarm
from kavor.runtime.clock import Clock, SystemClock
from kavor.runtime.file_watch import FileWatch
from kavor.runtime.retention import Retention
from kavor.runtime.runtime import Runtime
from kavor.runtime.services import Services
from kavor.sessions.agent.sessions import CodingAgents
from kavor.sessions.every import EverySession
from kavor.sessions.terminal.client import TerminalSessions
from kavor.sessions.terminal.screens import Screens
from kavor.store.database import open_store

log = logging.getLogger(__name__)

LOG_BYTES = 2 * 1024 * 1024
LOG_FILES = 3

TEST_CLOCK = "KAVOR_TEST_CLOCK"
FAIL_POINT = "KAVOR_FAIL_POINT"
"""Seams for tests, both read here alone: see docs/testing.md."""


COLLECT_AFTER = (20_000, 20, 20)
"""Thresholds of the garbage collector's generations, such that it does not look through a claim halfway."""


def run_runtime(home: Home, *, ready_fd: int | None) -> int:
    """Be the runtime of ``home`` until told to stop; answers the exit code.

    With ``ready_fd``, one JSON line is written there: ``{"ready": true}`` once faces can connect, or the
    problem that kept it from starting. Without it such a problem is raised.
    """
    reporter = _Reporter(ready_fd)
    try:
        home.prepare()
        with home_lock(home):
            _log_to_file(home, foreground=ready_fd is None)
            _arm_fail_point()
            spare_the_collector()
            _serve_and_log(home, reporter)
    except KavorError as error:
        if ready_fd is None:
            raise
        reporter.problem(error)
        return error.exit_code
    return 0


def spare_the_collector() -> None:
    """Let the garbage collector pass over what the start has loaded, which lives to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def _serve_and_log(home: Home, reporter: _Reporter) -> None:
    try:
        asyncio.run(_serve(home, reporter))
    except KavorError as error:
        log.error("%s (%s)", error.message, error.hint)
        raise
    except Exception:
        log.exception("the runtime failed")
        raise


class _Reporter:
    """Says once, on the descriptor that whoever started us reads, how the start went."""

    def __init__(self, fd: int | None) -> None:
        self._fd = fd

    def ready(self) -> None:
        self._say({"ready": True})

    def problem(self, error: KavorError) -> None:
        self._say(problem_of(error))

    def _say(self, word: dict[str, object]) -> None:
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        try:
            os.write(fd, json.dumps(word).encode() + b"\n")
        except OSError:
            log.info("nobody waited for the runtime to start")
        os.close(fd)


async def _serve(home: Home, reporter: _Reporter) -> None:
    loop = asyncio.get_running_loop()
    # One thread for the store: SQLite has one writer, and so have we.
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="store") as thread:
        store = await loop.run_in_executor(thread, open_store, home.database, home.backups)
        clock, alarm = _time()
        terminals = TerminalSessions(home)
        screens = Screens(home, terminals)
        sessions = EverySession(terminals, CodingAgents(home, clock.now))
        runtime = Runtime(store, thread, clock, sessions, alarm)
        tokens = Tokens()
        door = LoopbackDoor(home, tokens, runtime.supervisor.commands)
        runtime.supervisor.openings.door = door
        watch = HomeWatch(home)
        end_sessions = False
        await runtime.start()
        known = await runtime.read(lambda _: runtime.targets.sessions())
        door.take_up([session.id for session in known if session.open and session.own_screen])
        try:
            bound = bind_socket(home)

            def stop(*, end_sessions: bool = False) -> None:
                choice.append(end_sessions)
                runtime.supervisor.openings.stop_opening()  # sooner than the server gives up on who waits
                server.stop()

            choice: list[bool] = []
            server = Server(create_app(Services(runtime, home, screens, tokens), stop), reporter.ready)
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, stop)
            log.info("runtime %s serves %s (pid %d)", kavor.__version__, home.socket, os.getpid())
            keeping = [
                asyncio.create_task(
                    watch.keep(stop=stop, listen_anew=lambda: server.listen_anew(bind_socket(home)))
                ),
                asyncio.create_task(FileWatch(runtime).keep()),
                asyncio.create_task(Retention(runtime).keep()),
            ]
            await server.serve(sockets=[bound])
            for task in keeping:
                task.cancel()
            end_sessions = any(choice)
        finally:
            await door.close()
            await screens.close()
            await runtime.stop(end_sessions=end_sessions)
            if watch.is_ours:
                home.socket.unlink(missing_ok=True)
            log.info("runtime stopped")


def _time() -> tuple[Clock, type[SystemAlarm]]:
    """This machine's clocks, unless a test has others. Raises BadInput."""
    text = os.environ.get(TEST_CLOCK)
    if not text:
        return SystemClock(), SystemAlarm
    log.warning("%s is set: time is not this machine's", TEST_CLOCK)
    return ScaledClock.parse(text), ScaledAlarm


def _arm_fail_point() -> None:
    """Raises BadInput."""
    text = os.environ.get(FAIL_POINT)
    if text:
        log.warning("%s is set: this process will end at %s", FAIL_POINT, text)
        failpoints.arm(failpoints.killer(text))


class _PrivateRotatingFile(logging.handlers.RotatingFileHandler):
    """A rotating log that only the user can read."""

    def _open(self) -> TextIOWrapper:
        fd = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return TextIOWrapper(os.fdopen(fd, "ab"), encoding="utf-8", line_buffering=True)


def _log_to_file(home: Home, *, foreground: bool) -> None:
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for chatty in ("apscheduler", "alembic.runtime.plugins", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.raiseExceptions = False  # a log that cannot be written must not stop what it tells of
    handlers: list[logging.Handler] = []
    try:
        handlers.append(
            _PrivateRotatingFile(
                home.runtime_log, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8"
            )
        )
    except OSError as error:
        print(f"warning: no log at {home.runtime_log}: {error}", file=sys.stderr)
    if foreground:
        handlers.append(logging.StreamHandler())
    layout = logging.Formatter(
        "%(asctime)s.%(msecs)03d %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S%z"
    )
    for handler in handlers:
        handler.setFormatter(layout)
        root.addHandler(handler)
