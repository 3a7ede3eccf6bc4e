"""The whole graph from far out, painted from the model in a few batches instead of item by item."""

from __future__ import annotations

from collections import defaultdict

from kavor.canvas.cards.coding_agent import state_of_agent
from kavor.canvas.qt import QLineF, QPainter, QPen, QRectF, Qt
from kavor.canvas.scene.curve import chord
from kavor.canvas.scene.far_signs import sign_lines
from kavor.canvas.scene.scene import CanvasScene
from kavor.canvas.states import look_of
from kavor.canvas.theme import mixed

FAR = 0.3
"""Below this level of detail the overview is painted."""

_SIGN = 130.0
"""How large a state's sign is on a card, in canvas units."""
_STROKE = 14.0


class Overview:
    def __init__(self, scene: CanvasScene) -> None:
        self._scene = scene
        self._stale = True
        self._bodies: dict[str, list[QRectF]] = {}
        self._signs: dict[str, list[QLineF]] = {}
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
        for tone, strokes in self._signs.items():
            painter.setPen(QPen(theme.tone(tone), _STROKE))
            painter.drawLines(strokes)
        painter.setPen(QPen(theme.accent, 0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects([self._scene.card_rect(item.node_id) for item in self._scene.selected_nodes()])

    def _forget(self) -> None:
        self._stale = True

    def _gather(self) -> None:
        scene = self._scene
        bodies: defaultdict[str, list[QRectF]] = defaultdict(list)
        signs: defaultdict[str, list[QLineF]] = defaultdict(list)
        rects = {}
        for node_id, item in scene.node_items.items():
            rect = rects[node_id] = scene.card_rect(node_id)
            bodies[item.card.tone].append(rect)
            state = self._state_of(node_id)
            if state:
                look = look_of(state)
                signs[look.tone] += sign_lines(look.sign, rect.center(), _SIGN)
        self._lines = [
            chord(rects[connection.a], rects[connection.b])
            for connection in scene.model.connections_in(scene.workspace_id)
            if connection.a in rects and connection.b in rects
        ]
        self._bodies, self._signs = bodies, signs
        self._stale = False

    def _state_of(self, node_id: str) -> str:
        """The one thing to know from afar: what happened last, or how it is set."""
        model = self._scene.model
        schedule = model.schedules.get(node_id)
        if schedule is not None:
            return schedule.state if schedule.last_attempt is None else schedule.last_attempt.state
        session = model.sessions.get(node_id)
        if session is not None and model.nodes[node_id].agent is not None:
            state = state_of_agent(session)
            return "" if state == "idle" else state
        return "" if session is None or session.state == "open" else session.state
