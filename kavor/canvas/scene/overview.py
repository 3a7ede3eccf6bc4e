"""The whole graph from far out, painted from the model in a few batches instead of item by item."""

from __future__ import annotations

from collections import defaultdict

from kavor.canvas.qt import QLineF, QPainter, QPen, QRectF, Qt
from kavor.canvas.scene.curve import chord
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.states import look_of
from kavor.canvas.theme import mixed

FAR = 0.3
"""Below this level of detail the overview is painted."""


class Overview:
    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self._stale = True
        self._bodies: dict[str, list[QRectF]] = {}
        self._states: dict[str, list[QRectF]] = {}
        self._lines: list[QLineF] = []
        scene.shape_changed.connect(self._forget)

    def release(self) -> None:
        self._scene.shape_changed.disconnect(self._forget)

    def paint(self, painter: QPainter) -> None:
        """With the painter in the scene's coordinates."""
        if self._stale:
            self._gather()
        theme = self._scene.look.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.connection, 0))
        painter.drawLines(self._lines)
        for tone, rects in self._bodies.items():
            painter.setPen(QPen(theme.tone(tone), 0))
            painter.setBrush(mixed(theme.tone(tone), theme.card, 0.3))
            painter.drawRects(rects)
        painter.setPen(Qt.PenStyle.NoPen)
        for tone, rects in self._states.items():
            painter.setBrush(theme.tone(tone))
            painter.drawRects(rects)
        painter.setPen(QPen(theme.accent, 0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects([self._scene.card_rect(item.node_id) for item in self._scene.selected_nodes()])

    def _forget(self) -> None:
        self._stale = True

    def _gather(self) -> None:
        scene, model = self._scene, self._scene.model
        bodies: defaultdict[str, list[QRectF]] = defaultdict(list)
        states: defaultdict[str, list[QRectF]] = defaultdict(list)
        rects = {}
        for node_id, item in scene.node_items.items():
            rect = rects[node_id] = scene.card_rect(node_id)
            bodies[item.card.tone].append(rect)
            for tone in self._tones(node_id):
                strip = QRectF(rect.left(), rect.top(), rect.width(), rect.height() * 0.25)
                states[tone].append(strip)
        self._lines = [
            chord(rects[connection.a], rects[connection.b])
            for connection in model.connections_in(scene.workspace_id)
            if connection.a in rects and connection.b in rects
        ]
        self._bodies, self._states = bodies, states
        self._stale = False

    def _tones(self, node_id: str) -> list[str]:
        schedule = self._scene.model.schedules.get(node_id)
        if schedule is None or schedule.last_attempt is None:
            return []
        return [look_of(schedule.last_attempt.state).tone]
