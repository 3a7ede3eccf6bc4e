"""A Terminal that is looked at: how fast output comes through, how far the viewer is behind, and what it
costs the fires of others.

Throughput is taken on the whole way: a shell that runs ``cat``, the PTY host, the engine process, the
runtime, and a viewer that draws every frame it is sent; beside it, in turns with it, the bare engine fed
with the same bytes in this process, and a bare pseudo-terminal that is only read, which nothing can outrun.
The shares are medians over the turns. A viewer is behind by the time from when the shell says that the flood
is over until the viewer's screen says so.

Then aborts: the process that draws is aborted at random moments of a flood, and it is taken how long it is
until the viewer's screen is right again: as new as the abort, and whole, with what was painted long before.

Then fires: Schedules with a shell each, all due in the same minute; once on a quiet home, once while one
Terminal that is looked at runs ``yes`` and three shells are busy.

Needs an idle machine; the processor time of the stages says what it would be on another. Aims: at least
60 % of the bare engine, or of the bare terminal where that does not give so much; at most 50 ms behind; right
again within a second; p99 of the fires' lateness moves by less than 100 ms.
Usage: python benchmarks/terminal.py [throughput|aborts|fires]
"""

from __future__ import annotations

import contextlib
import os
import pty
import random
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from operator import truediv
from pathlib import Path
from typing import Any

import psutil

from kavor.api.client import Client
from kavor.api.launch import ensure_runtime, wait_until_stopped
from kavor.api.terminal_stream import Screen, TerminalStream
from kavor.home import Home, find_home
from kavor.sessions.terminal.emulation.engine import make_engine
from kavor.terminal_frames import Frame

COLUMNS, LINES = 120, 40
MEGABYTES = 24
TURNS = 5
SHARE, BEHIND_MS, MOVED_MS = 0.60, 50.0, 100.0
FIRES = 30
TERMINALS, ABORTS_EACH, AGAIN_SECONDS = 10, 6, 1.0
_FORK_SERVER = "kavor.sessions.terminal.emulation.fork_server"
_LIMIT_SECONDS = 120.0


class Viewer:
    """Looks at one terminal, as a window does."""

    def __init__(self, home: Home, node: str) -> None:
        self.screen = Screen()
        self.frames = 0
        self._stream = TerminalStream(home, node)
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        for message in self._stream:
            if isinstance(message, Frame):
                self.screen.apply(message)
                self.frames += 1
                self._stream.grant()

    def type(self, text: str) -> None:
        self._stream.type(text.encode())

    def resize(self, columns: int, lines: int) -> None:
        self._stream.resize(columns, lines)

    def until(self, true: Callable[[str], bool]) -> float:
        """When the screen first said so, on the wall clock."""
        deadline = time.monotonic() + _LIMIT_SECONDS
        while not true(self.screen.text):
            if time.monotonic() > deadline:
                raise SystemExit(f"the viewer does not see it; it sees:\n{self.screen.text}")
            time.sleep(0.001)
        return time.time()

    def close(self) -> None:
        self._stream.close()


def plain(random_: random.Random) -> bytes:
    words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "while", "nobody", "looks"]
    return b"".join(" ".join(random_.choices(words, k=14)).encode() + b"\n" for _ in range(2_000))


def coloured(random_: random.Random) -> bytes:
    def word() -> str:
        return (
            f"\x1b[{random_.choice((1, 4, 22))};3{random_.randrange(8)}m{random_.randrange(10**6):x}\x1b[0m"
        )

    return b"".join(" ".join(word() for _ in range(10)).encode() + b"\n" for _ in range(2_000))


def full_screen(random_: random.Random) -> bytes:
    def place() -> str:
        at = f"{random_.randrange(LINES) + 1};{random_.randrange(COLUMNS - 20) + 1}"
        return f"\x1b[{at}H\x1b[38;5;{random_.randrange(256)}m{random_.randrange(10**12)}\x1b[K"

    return "".join(place() for _ in range(8_000)).encode()


def unicode(random_: random.Random) -> bytes:
    signs = "漢字かなカナ한글 äöüßéñ Ωλπ ЖЩЯ 😀🚀🎉 ─│┌┐"
    return b"".join("".join(random_.choices(signs, k=70)).encode() + b"\n" for _ in range(2_000))


KINDS: Mapping[str, Callable[[random.Random], bytes]] = {
    "plain": plain,
    "coloured": coloured,
    "full screen": full_screen,
    "Unicode": unicode,
}


def engines(runtime: int) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(runtime).children():
        with contextlib.suppress(psutil.Error):  # it is gone by now
            found += child.children() if _FORK_SERVER in child.cmdline() else []
    return found


def used(process: psutil.Process) -> float:
    """Seconds of the processor."""
    return float(sum(process.cpu_times()[:2]))


class Stages:
    """Processor time of the processes on the way, the shells' own aside."""

    def __init__(self, runtime: int, host: int) -> None:
        drawing = max(engines(runtime), key=used)
        self._parts = {"host": psutil.Process(host), "engine": drawing}
        self._before = self._used()

    def _used(self) -> dict[str, float]:
        return {name: used(process) for name, process in self._parts.items()}

    def per_megabyte(self, megabytes: float) -> dict[str, float]:
        """In ms, since the start."""
        now = self._used()
        return {name: 1000 * (now[name] - self._before[name]) / megabytes for name in now}


def bare_engine(data: bytes) -> tuple[float, float]:
    """Megabytes a second, and ms of the processor for each."""
    output = data.replace(b"\n", b"\r\n")  # as the terminal's line discipline gives it
    engine = make_engine("ghostty", COLUMNS, LINES)
    started, used = time.perf_counter(), time.process_time()
    for start in range(0, len(output), 65_536):
        engine.feed(output[start : start + 65_536])
    megabytes = len(data) / 1e6
    return megabytes / (time.perf_counter() - started), 1000 * (time.process_time() - used) / megabytes


def bare_terminal(file: Path) -> float:
    """Megabytes a second that come out of a pseudo-terminal when nobody does anything with them."""
    pid, master = pty.fork()
    if pid == 0:
        os.execvp("cat", ["cat", str(file)])
    started = time.perf_counter()
    with contextlib.suppress(OSError):  # its end
        while os.read(master, 65_536):
            pass
    took = time.perf_counter() - started
    os.waitpid(pid, 0)
    os.close(master)
    return file.stat().st_size / 1e6 / took


def throughput(home: Home, client: Client, place: Path) -> bool:
    node = client.post("/api/nodes", {"kind": "terminal", "name": "flood", "shell": "bash"})["id"]
    viewer = Viewer(home, node)
    viewer.until(lambda text: text.rstrip().endswith(("$", "#")))
    viewer.resize(COLUMNS, LINES)
    shell = client.get("/api/sessions")["sessions"][0]["pid"]
    host = psutil.Process(shell).ppid()
    met = True
    for name, make in KINDS.items():
        part = make(random.Random(name))
        data = part * (MEGABYTES * 1_000_000 // len(part))
        file = place / "flood"
        file.write_bytes(data)
        frames = viewer.frames
        stages = Stages(client.get("/api/runtime")["pid"], host)
        engine: list[float] = []
        engine_ms: list[float] = []
        terminal: list[float] = []
        through: list[float] = []
        behind: list[float] = []
        for turn in range(TURNS):
            bare = bare_engine(data)
            engine.append(bare[0])
            engine_ms.append(bare[1])
            terminal.append(bare_terminal(file))
            over = f"over-{turn}-"
            # The shell's own clock says when it began and when the flood was over.
            viewer.type(
                "\x15clear; b=${EPOCHREALTIME/[.,]/}; cat flood; e=${EPOCHREALTIME/[.,]/}; "
                f"printf '\\033[r\\033[0m\\033[2J\\033[H%s' ov''er-{turn}-$b-$e-\r"
            )
            seen = viewer.until(
                lambda text, over=over: over in text and text.split(over, 1)[1].count("-") >= 2
            )
            began, ended = (int(word) / 1e6 for word in viewer.screen.text.split(over, 1)[1].split("-")[:2])
            through.append(len(data) / 1e6 / (ended - began))
            behind.append((seen - ended) * 1000)
        spent = stages.per_megabyte(TURNS * len(data) / 1e6)
        slowest = statistics.median(engine_ms) / max(spent.values())
        of_engine = statistics.median(map(truediv, through, engine))
        of_terminal = statistics.median(map(truediv, through, terminal))
        gives_enough = statistics.median(terminal) >= SHARE * statistics.median(engine)
        share = of_engine if gives_enough else of_terminal
        met = met and share >= SHARE and max(behind) <= BEHIND_MS
        print(
            f"{name:12} {statistics.median(through):6.1f} MB/s:"
            f" {of_engine:4.0%} of the bare engine's {statistics.median(engine):6.1f},"
            f" {of_terminal:4.0%} of the bare terminal's {statistics.median(terminal):6.1f};"
            f" behind at the end {statistics.median(behind):5.1f} ms, at most {max(behind):5.1f};"
            f" {viewer.frames - frames} frames; processor, ms a MB: "
            + ", ".join(f"{name} {used:.1f}" for name, used in spent.items())
            + f", bare engine {statistics.median(engine_ms):.1f}: {slowest:.0%} with a core for each;"
            f" load {os.getloadavg()[0]:.1f}"
        )
    viewer.close()
    client.delete(f"/api/nodes/{node}")
    return met


PAINT = rf"""clear; for ((y=2; y<={LINES}; y++)); do printf '\e[%d;1Hpainted once %d' $y $y; done
while :; do printf '\e[1;1H%s \e[3%dmflood\e[0m' $EPOCHREALTIME $((RANDOM % 8)); done
"""


def is_right(text: str, after: float) -> bool:
    first, *others = text.split("\n")
    stamp = first.split(" ")[0]
    painted = [f"painted once {y}" for y in range(2, LINES + 1)]
    return stamp.count(".") == 1 and len(stamp) >= 17 and float(stamp) >= after and others == painted


def abort_one(runtime: int) -> float:
    """Abort the engine that draws; when that was."""
    (drawing,) = engines(runtime)
    drawing.send_signal(signal.SIGABRT)
    return time.time()


def aborts(home: Home, client: Client, place: Path) -> bool:
    runtime = client.get("/api/runtime")["pid"]
    random_ = random.Random("aborts")
    (place / "paint").write_text(PAINT)
    took: list[float] = []
    for number in range(TERMINALS):  # of which each is given up after some more deaths in a minute
        name = f"aborted {number}"
        node = client.post("/api/nodes", {"kind": "terminal", "name": name, "shell": "bash"})["id"]
        viewer = Viewer(home, node)
        viewer.until(lambda text: text.rstrip().endswith(("$", "#")))
        viewer.resize(COLUMNS, LINES)
        viewer.type(". ./paint\r")
        viewer.until(lambda text: is_right(text, 0))
        for _ in range(ABORTS_EACH):
            time.sleep(random_.uniform(0.1, 1.5))
            aborted = abort_one(runtime)
            took.append(viewer.until(lambda text, aborted=aborted: is_right(text, aborted)) - aborted)
        viewer.close()
        client.delete(f"/api/nodes/{node}")
        while engines(runtime):
            time.sleep(0.1)
    took.sort()
    print(
        f"{len(took)} aborts in a flood: the right screen again after {1000 * statistics.median(took):.0f} ms"
        f" (median), {1000 * took[len(took) * 9 // 10]:.0f} (p90), {1000 * took[-1]:.0f} (at most);"
        f" load {os.getloadavg()[0]:.1f}"
    )
    return took[-1] <= AGAIN_SECONDS


def lateness(client: Client) -> list[float]:
    """Of one fire in each shell, in ms, all due at the same minute."""
    due = datetime.now(UTC) + timedelta(seconds=75)
    local = f"{due:%Y-%m-%dT%H:%M}"
    made = []
    for number in range(FIRES):
        fields = {"name": f"fire {number}", "payload": "true", "target": f"shell {number}"}
        recurrence = {"kind": "once", "local": local}
        made.append(client.post("/api/schedules", {**fields, "recurrence": recurrence})["id"])
        client.post(f"/api/schedules/{made[-1]}/resume")
    found: list[dict[str, Any]] = []
    while len(found) < FIRES:
        time.sleep(2)
        attempts = client.get("/api/attempts", limit=2 * FIRES)["attempts"]
        found = [one for one in attempts if one["schedule"] in made and one["finished_at"]]
    for schedule in made:
        client.delete(f"/api/schedules/{schedule}")
    return sorted(one["lateness_ms"] for one in found)


def fires(home: Home, client: Client, place: Path) -> bool:
    for number in range(FIRES):
        client.post("/api/nodes", {"kind": "terminal", "name": f"shell {number}", "shell": "bash"})
    quiet = lateness(client)
    busy = [
        client.post("/api/nodes", {"kind": "terminal", "name": f"busy {number}", "shell": "bash"})["id"]
        for number in range(4)
    ]
    viewer = Viewer(home, busy[0])
    for node in busy[1:]:
        client.post(f"/api/sessions/{node}/input", {"text": "while :; do :; done", "enter": True})
    client.post(f"/api/sessions/{busy[0]}/input", {"text": "yes", "enter": True})
    loaded = lateness(client)
    viewer.close()
    moved = loaded[-1] - quiet[-1]
    print(
        f"{FIRES} fires: p50 {statistics.median(quiet):.0f} ms and p99 {quiet[-1]:.0f} ms on a quiet home;"
        f" {statistics.median(loaded):.0f} and {loaded[-1]:.0f} beside yes and three busy shells:"
        f" p99 moved by {moved:.0f} ms"
    )
    return moved < MOVED_MS


PARTS = {"throughput": throughput, "aborts": aborts, "fires": fires}


def main() -> int:
    os.nice(10)  # as the host and the engine are
    parts = sys.argv[1:] or ["throughput", "aborts", "fires"]
    with tempfile.TemporaryDirectory(prefix="kt") as folder:
        place = Path(folder, "place")
        place.mkdir()
        os.environ["KAVOR_HOME"] = str(Path(folder, "h"))
        os.environ["TZ"] = "UTC"
        home = find_home(os.environ)
        ensure_runtime(home)
        client = Client(home, "UTC")
        client.post("/api/workspaces", {"directory": str(place)})
        try:
            met = [PARTS[part](home, client, place) for part in parts]
        finally:
            client.post("/api/runtime/stop", {"end_sessions": True})
            wait_until_stopped(home, 20)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
