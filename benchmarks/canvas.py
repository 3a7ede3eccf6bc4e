"""Frame times of the canvas beside NodeGraphQt and qtpynodeeditor, and how soon a large Workspace is open.

    python benchmarks/canvas.py [--sizes 100,1000,5000] [--peers-python PYTHON] [--json]

A frame is one step of a pan or a zoom and the repaint of the whole window that it causes, 1600×1000, drawn by
Qt's software rasterizer without a screen; the figure is the CPU time of the process. Every subject draws the
same graph, each at the size of its own cards with like gaps: Nodes on a square grid, each connected to its
right and its lower neighbour, so twice as many Connections as Nodes, less the edge. The peers may live in
another Python (they bring packages of their own); one that is not there is named and passed over.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 1600, 1000
PITCH_X, PITCH_Y = 640, 500
FRAMES = 60
SUBJECTS = ("kavor", "NodeGraphQt", "qtpynodeeditor")
PAN_AIM_MS, ZOOM_AIM_MS = 8.3, 16.7
OPEN_AIM_S = 1.0

Edge = tuple[int, int]


def grid(nodes: int) -> tuple[list[tuple[int, int]], list[Edge]]:
    """Where the Nodes stand, and which are connected."""
    side = math.ceil(math.sqrt(nodes))
    places = [(number % side, number // side) for number in range(nodes)]
    edges: list[Edge] = []
    for number, (column, _) in enumerate(places):
        if column + 1 < side and number + 1 < nodes:
            edges.append((number, number + 1))
        if number + side < nodes:
            edges.append((number, number + side))
    return places, edges


# --- The subjects: each makes a QGraphicsView with the graph in it


def kavor_view(nodes: int) -> Any:
    from zoneinfo import ZoneInfo

    from kavor.canvas.cards.brush import Look
    from kavor.canvas.model import Model
    from kavor.canvas.scene.scene import CanvasScene
    from kavor.canvas.theme import load_theme
    from kavor.canvas.view import CanvasView

    model = Model()
    model.load(snapshot(nodes))
    scene = CanvasScene(model, "w", Look(load_theme("dark")), ZoneInfo("Europe/Berlin"))
    view = CanvasView(scene)
    scene.setParent(view)
    return view


def snapshot(nodes: int) -> Any:
    """Every other Node a Schedule with a last attempt, the others Terminals."""
    from kavor.canvas.model import Snapshot

    places, edges = grid(nodes)
    documents, schedules = [], []
    states = ("Completed", "Failed", "Missed", "Coalesced", "Pending")
    for number, (column, row) in enumerate(places):
        kind = "schedule" if (column + row) % 2 == 0 else "terminal"
        node = {
            "id": str(number),
            "workspace": "w",
            "kind": kind,
            "name": f"Node number {number}",
            "x": column * PITCH_X,
            "y": row * PITCH_Y,
            "revision": 1,
        }
        if kind == "terminal":
            node["session"] = {
                "node": str(number),
                "state": "open",
                "waiting_for": None,
                "started_at": None,
                "exit_code": None,
                "diagnostic": "",
            }
            node["directory"] = "/home/somebody/lab"
        else:
            schedules.append(schedule(number, states[number % len(states)]))
        documents.append(node)
    connections = [
        {"id": number, "a": str(a), "b": str(b), "env": None, "guardrail": None}
        for number, (a, b) in enumerate(edges)
    ]
    workspace = {"id": "w", "name": "Large", "directory": "/home/somebody/lab"}
    return Snapshot([workspace], documents, connections, schedules)


def schedule(number: int, state: str) -> dict[str, Any]:
    return {
        "id": str(number),
        "name": f"Node number {number}",
        "workspace": "w",
        "workspace_name": "Large",
        "state": "Running",
        "pause_reason": None,
        "recurrence": {"kind": "cron", "expression": "30 2 * * 1-5"},
        "description": "Weekdays at 02:30",
        "zone": "Europe/Berlin",
        "host_zone": "Europe/Berlin",
        "zone_mismatch": False,
        "next_due": None,
        "next_local": None,
        "payload": "make check",
        "target": None,
        "overlap": "coalesce",
        "catchup": "none",
        "misfire_grace_s": 60.0,
        "pending_limit_s": None,
        "revision": 1,
        "actions": ["Pause", "Run now"],
        "last_attempt": {
            "id": number,
            "schedule": str(number),
            "schedule_name": f"Node number {number}",
            "target": None,
            "target_name": None,
            "trigger": "scheduled",
            "state": state,
            "nominal_at": "2026-11-30T01:30:00Z",
            "created_at": "2026-11-30T01:30:00Z",
            "delivered_at": "2026-11-30T01:30:00Z",
            "finished_at": "2026-11-30T01:31:00Z",
            "lateness_ms": 4,
            "duration_ms": 60_000,
            "exit_code": 0,
            "missed_count": None,
            "waiting_for": None,
            "diagnostic": "",
            "holder": None,
            "dismissed": False,
            "payload": "make check",
            "evidence": None,
            "actions": [],
        },
    }


def node_graph_qt_view(nodes: int) -> Any:
    from NodeGraphQt import BaseNode, NodeGraph

    class Plain(BaseNode):
        __identifier__ = "bench"
        NODE_NAME = "Plain"

        def __init__(self) -> None:
            super().__init__()
            self.add_input("in", multi_input=True)
            self.add_output("out")

    graph = NodeGraph()
    graph.register_node(Plain)
    places, edges = grid(nodes)
    made = [
        graph.create_node("bench.Plain", name=f"Node {n}", pos=(x * 220, y * 160), push_undo=False)
        for n, (x, y) in enumerate(places)
    ]
    for a, b in edges:
        made[a].output(0).connect_to(made[b].input(0), push_undo=False)
    view = graph.viewer()
    view._keep = graph
    return view


def qtpynodeeditor_view(nodes: int) -> Any:
    import qtpynodeeditor as editor
    from PySide6.QtCore import QPointF

    kind = editor.NodeDataType(id="d", name="D")

    class Plain(editor.NodeDataModel):
        name = caption = "Plain"
        num_ports = {editor.PortType.input: 2, editor.PortType.output: 2}  # noqa: RUF012 - its way
        data_type = {end: {0: kind, 1: kind} for end in (editor.PortType.input, editor.PortType.output)}  # noqa: RUF012

    registry = editor.DataModelRegistry()
    registry.register_model(Plain, category="bench")
    scene = editor.FlowScene(registry=registry)
    view = editor.FlowView(scene)
    places, edges = grid(nodes)
    made = []
    for x, y in places:
        node = scene.create_node(Plain)
        node.graphics_object.setPos(QPointF(x * 220, y * 160))
        made.append(node)
    for a, b in edges:
        end = 0 if b == a + 1 else 1  # an input takes one Connection
        scene.create_connection(made[b]["input"][end], made[a]["output"][end], check_cycles=False)
    view._keep = scene
    return view


MAKERS: dict[str, Callable[[int], Any]] = {
    "kavor": kavor_view,
    "NodeGraphQt": node_graph_qt_view,
    "qtpynodeeditor": qtpynodeeditor_view,
}


# --- Measuring


def measure(subject: str, nodes: int) -> dict[str, Any]:
    """In this process: p95 of each movement in CPU milliseconds."""
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    began = time.perf_counter()
    view = MAKERS[subject](nodes)
    view.resize(WIDTH, HEIGHT)
    view.show()
    application.processEvents()
    view.viewport().grab()
    opened = time.perf_counter() - began
    result: dict[str, Any] = {"subject": subject, "nodes": nodes, "built_s": round(opened, 2)}
    for place, at in (("1x", 1.0), ("fitted", None), ("0.35x", 0.35)):
        for movement in ("pan", "zoom"):
            look_from(view, at)
            settle(application)
            times = list(frames(application, view, movement))
            result[f"{movement} {place}"] = {
                "mean": round(statistics.mean(times), 1),
                "p95": round(sorted(times)[math.ceil(0.95 * len(times)) - 1], 1),
            }
    return result


def look_from(view: Any, zoom: float | None) -> None:
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtWidgets import QGraphicsView

    bounds = QGraphicsView.scene(view).itemsBoundingRect()  # a peer has an attribute of that name
    if hasattr(view, "set_scene_rect"):  # NodeGraphQt keeps the rectangle that it shows
        if zoom is not None:
            width, height = WIDTH / zoom, HEIGHT / zoom
            middle = bounds.center()
            bounds = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
        view.set_scene_rect((bounds.x(), bounds.y(), bounds.width(), bounds.height()))
    elif zoom is None:
        view.fitInView(bounds, Qt.AspectRatioMode.KeepAspectRatio)
    else:
        view.resetTransform()
        view.scale(zoom, zoom)
    view.centerOn(bounds.center())


def pan(view: Any, pixels: int) -> None:
    """As each of them does when it is dragged."""
    from PySide6.QtCore import QPoint

    if hasattr(view, "pan_by"):
        view.pan_by(QPoint(-pixels, 0))
    elif hasattr(view, "set_scene_rect"):
        x, y, width, height = view.scene_rect()
        view.set_scene_rect((x + pixels / view.transform().m11(), y, width, height))
    else:
        view.setSceneRect(view.sceneRect().translated(pixels / view.transform().m11(), 0))


def zoom(view: Any, factor: float) -> None:
    if hasattr(view, "zoom_by"):
        view.zoom_by(factor)
    else:
        view.scale(factor, factor)


def settle(application: Any) -> None:
    deadline = time.monotonic() + 0.3
    while time.monotonic() < deadline:
        application.processEvents()


def frames(application: Any, view: Any, movement: str) -> Iterator[float]:
    for number in range(FRAMES):
        began = time.process_time()
        if movement == "pan":
            pan(view, 12 if number % 40 < 20 else -12)
        else:
            zoom(view, 1.05 if number % 20 < 10 else 1 / 1.05)
        application.processEvents()
        yield (time.process_time() - began) * 1000


def open_large_workspace(nodes: int) -> dict[str, Any]:
    """A real runtime with so many Nodes: from the first request to the first paint."""
    import shutil
    import tempfile

    from kavor.api.client import Client
    from kavor.api.launch import ensure_runtime
    from kavor.canvas.link import read_snapshot
    from kavor.home import find_home

    root = Path(tempfile.mkdtemp(prefix="kv"))
    home = find_home({"KAVOR_HOME": str(root / "home")})
    home.prepare()
    ensure_runtime(home)
    client = Client(home, "Europe/Berlin")
    try:
        (root / "large").mkdir()
        workspace = client.post("/api/workspaces", {"directory": str(root / "large"), "name": "Large"})
        fill(client, workspace["id"], nodes)
        began = time.perf_counter()
        told = read_snapshot(client)
        read = time.perf_counter() - began
        paint = paint_first(told, workspace["id"])
        return {
            "nodes": nodes,
            "read_s": round(read, 2),
            "paint_s": round(paint, 2),
            "s": round(read + paint, 2),
        }
    finally:
        client.post("/api/runtime/stop", {"end_sessions": True})
        time.sleep(1)
        shutil.rmtree(root, ignore_errors=True)


def fill(client: Any, workspace: str, nodes: int) -> None:
    places, edges = grid(nodes)
    ids = []
    for number, (x, y) in enumerate(places):
        place = {"workspace": workspace, "name": f"n{number}", "x": x * PITCH_X, "y": y * PITCH_Y}
        if (x + y) % 2 == 0:
            body = {**place, "kind": "schedule", "payload": "true", "recurrence": {"preset": "daily"}}
        else:
            body = {**place, "kind": "terminal", "open": False}
        ids.append((body["kind"], client.post("/api/nodes", body)["id"]))
    aimed = set()
    for a, b in edges:  # a Schedule has one target
        source = a if ids[a][0] == "schedule" else b
        if source not in aimed:
            aimed.add(source)
            client.post("/api/connections", {"a": ids[a][1], "b": ids[b][1]})


def paint_first(told: Any, workspace: str) -> float:
    from zoneinfo import ZoneInfo

    from PySide6.QtWidgets import QApplication

    from kavor.canvas.cards.brush import Look
    from kavor.canvas.model import Model
    from kavor.canvas.scene.scene import CanvasScene
    from kavor.canvas.theme import load_theme
    from kavor.canvas.view import CanvasView

    application = QApplication.instance() or QApplication([])
    began = time.perf_counter()
    model = Model()
    model.load(told)
    view = CanvasView(CanvasScene(model, workspace, Look(load_theme("dark")), ZoneInfo("Europe/Berlin")))
    view.resize(WIDTH, HEIGHT)
    view.show()
    application.processEvents()
    view.viewport().grab()
    return time.perf_counter() - began


# --- The run


def in_own_process(python: str, arguments: list[str]) -> dict[str, Any]:
    done = subprocess.run(
        [python, __file__, *arguments],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "*=false"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no word"]
        return {"failed": last[0]}
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="100,1000,5000")
    parser.add_argument("--subjects", default=",".join(SUBJECTS))
    parser.add_argument("--peers-python", default=os.environ.get("KAVOR_PEERS_PYTHON", sys.executable))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--open", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        subject, nodes = options.measure.split(":")
        print(json.dumps(measure(subject, int(nodes))))
        return 0
    if options.open:
        print(json.dumps(open_large_workspace(options.open)))
        return 0
    return compare(options)


def compare(options: argparse.Namespace) -> int:
    results: list[dict[str, Any]] = []
    for nodes in map(int, options.sizes.split(",")):
        for subject in options.subjects.split(","):
            python = sys.executable if subject == "kavor" else options.peers_python
            result = in_own_process(python, ["--measure", f"{subject}:{nodes}"])
            results.append({"subject": subject, "nodes": nodes, **result})
            if not options.json:
                print(line_of(results[-1]), flush=True)
    opened = in_own_process(sys.executable, ["--open", "1000"])
    if options.json:
        print(json.dumps({"frames": results, "open": opened}, indent=2))
    else:
        print(f"a Workspace of 1,000 Nodes opens: {opened} (aim {OPEN_AIM_S:g} s)")
    return 0 if meets_aims(results, opened) else 1


def line_of(result: dict[str, Any]) -> str:
    name = f"{result['subject']:<15} {result['nodes']:>5}"
    if "failed" in result:
        return f"{name}  not measured: {result['failed']}"
    cells = [
        f"{key} {value['mean']:.1f}/{value['p95']:.1f}"
        for key, value in result.items()
        if isinstance(value, dict)
    ]
    return f"{name}  ms mean/p95: " + "   ".join(cells)


def meets_aims(results: list[dict[str, Any]], opened: dict[str, Any]) -> bool:
    ours = [result for result in results if result["subject"] == "kavor" and result["nodes"] == 1000]
    return opened.get("s", OPEN_AIM_S + 1) <= OPEN_AIM_S and all(
        value["p95"] <= (PAN_AIM_MS if key.startswith("pan") else ZOOM_AIM_MS)
        for result in ours
        for key, value in result.items()
        if isinstance(value, dict)
    )


if __name__ == "__main__":
    sys.exit(main())
