"""The scene of one Workspace. It follows the model and holds no truth of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from kavor.canvas.cards.brush import Look
from kavor.canvas.cards.card import NEAR, Card
from kavor.canvas.cards.face import Face, Moment
from kavor.canvas.coming import now
from kavor.canvas.model import Model
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QGraphicsItem, QGraphicsScene, QObject, QPen, QPointF, QRectF, Qt
from kavor.canvas.scene.connection_item import ConnectionItem
from kavor.canvas.scene.connection_sign import ConnectionSign
from kavor.canvas.scene.node_item import NodeItem
from kavor.canvas.things import Connection, Node

_ROOM = 2_000.0
"""The index covers so much more than what stands there, so that it is seldom made anew."""


class CanvasScene(QGraphicsScene):
    def __init__(
        self, model: Model, workspace_id: str, look: Look, zone: ZoneInfo, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.model = model
        self.workspace_id = workspace_id
        self.look = look
        self.zone = zone
        self.detail = 1.0
        """Of the view that shows it: device-independent pixels per canvas unit."""
        self.node_items: dict[str, NodeItem] = {}
        self.connection_items: dict[int, ConnectionItem] = {}
        self._with_sign: set[ConnectionItem] = set()
        self.reloading = Notice[[]]()
        """Every item goes, and others come: whoever holds one lets go of it."""
        self.shape_changed = Notice[[]]()
        """Something came, went or moved: what is painted from the whole graph is out of date."""
        self.connection_pen = QPen(look.theme.connection, 2)
        self._unfollow = self._follow()
        self.reload()

    @property
    def shows_buttons(self) -> bool:
        return self.detail >= NEAR

    def release(self) -> None:
        """Listen to the model no longer."""
        self._unfollow()

    # --- Questions

    def face_of(self, node_id: str) -> Face:
        item = self.node_items[node_id]
        return item.card.face(self.model.nodes[node_id], self.model, self._moment())

    def card_rect(self, node_id: str) -> QRectF:
        """Where a Node's card is, in the scene's coordinates."""
        item = self.node_items[node_id]
        return item.card.rect.translated(item.pos())

    def cards_in(self, area: QRectF) -> list[QRectF]:
        found = self.items(area, Qt.ItemSelectionMode.IntersectsItemBoundingRect)
        return [self.card_rect(item.node_id) for item in found if isinstance(item, NodeItem)]

    def is_selected(self, connection: Connection) -> bool:
        return self.connection_items[connection.id].isSelected()

    def node_at(self, at: QPointF) -> NodeItem | None:
        """The uppermost card (or a handle of it) at a point of the scene."""
        found = self.items(at)
        return next((item for item in found if isinstance(item, NodeItem)), None)

    def connection_at(self, at: QPointF) -> ConnectionItem | None:
        """The uppermost curve near a point of the scene, or whose sign is there."""
        for item in self.items(at):
            if isinstance(item, ConnectionItem):
                return item
            if isinstance(item, ConnectionSign):
                return self.connection_items[item.connection.id]
        return None

    def select_only(self, chosen: Collection[QGraphicsItem]) -> None:
        """Exactly these items; told once."""
        self.blockSignals(True)
        for item in self.selectedItems():
            if item not in chosen:
                item.setSelected(False)
        for item in chosen:
            item.setSelected(True)
        self.blockSignals(False)
        self.selectionChanged.emit()

    def selected_nodes(self) -> list[NodeItem]:
        return [item for item in self.selectedItems() if isinstance(item, NodeItem)]

    def selected_connections(self) -> list[ConnectionItem]:
        return [item for item in self.selectedItems() if isinstance(item, ConnectionItem)]

    def contents_rect(self) -> QRectF:
        """Around all cards; empty where there are none."""
        found = QRectF()
        for node_id in self.node_items:
            found = found.united(self.card_rect(node_id))
        return found

    # --- Following the model

    def reload(self) -> None:
        """Everything anew; what was selected and is still there stays selected."""
        self.reloading.emit()
        selected = {item.node_id for item in self.selected_nodes()}
        self.clear()
        self.node_items.clear()
        self.connection_items.clear()
        self._with_sign.clear()
        for node in self.model.nodes_of(self.workspace_id):
            self._add_node(node)
        for connection in self.model.connections_in(self.workspace_id):
            self._add_connection(connection)
        for node_id in selected & self.node_items.keys():
            self.node_items[node_id].setSelected(True)
        self._fit_index()
        self.shape_changed.emit()

    def refresh_faces(self) -> None:
        """The viewer's present moved on: another day, other coming times."""
        for item in self.node_items.values():
            item.refresh()

    def set_look(self, look: Look) -> None:
        self.look = look
        self.connection_pen = QPen(look.theme.connection, 2)
        self.refresh_faces()
        self.shape_changed.emit()
        self.update()

    def _follow(self) -> Callable[[], None]:
        model = self.model
        model.reloaded.connect(self.reload)
        model.node_added.connect(self._on_node_added)
        model.node_changed.connect(self._on_node_changed)
        model.look_changed.connect(self._on_look_changed)
        model.node_moved.connect(self._on_node_moved)
        model.node_removed.connect(self._on_node_removed)
        model.connection_added.connect(self._on_connection_added)
        model.connection_changed.connect(self._on_connection_changed)
        model.connection_removed.connect(self._on_connection_removed)

        def unfollow() -> None:
            model.reloaded.disconnect(self.reload)
            model.node_added.disconnect(self._on_node_added)
            model.node_changed.disconnect(self._on_node_changed)
            model.look_changed.disconnect(self._on_look_changed)
            model.node_moved.disconnect(self._on_node_moved)
            model.node_removed.disconnect(self._on_node_removed)
            model.connection_added.disconnect(self._on_connection_added)
            model.connection_changed.disconnect(self._on_connection_changed)
            model.connection_removed.disconnect(self._on_connection_removed)

        return unfollow

    def _on_node_added(self, node_id: str) -> None:
        node = self.model.nodes[node_id]
        if node.workspace == self.workspace_id:
            self._add_node(node)
            self._fit_index()
            self._settle_signs(self.card_rect(node_id))
            self.shape_changed.emit()

    def _on_node_changed(self, node_id: str) -> None:
        if node_id in self.node_items:
            self.node_items[node_id].refresh()
            self.shape_changed.emit()

    def _on_look_changed(self, node_id: str) -> None:
        if node_id in self.node_items:
            self.node_items[node_id].refresh()

    def _on_node_moved(self, node_id: str) -> None:
        item = self.node_items.get(node_id)
        if item is None:
            return
        node = self.model.nodes[node_id]
        self.place({item: QPointF(node.x, node.y)})
        self._fit_index()

    def _on_node_removed(self, node: Node) -> None:
        item = self.node_items.pop(node.id, None)
        if item is not None:
            self.removeItem(item)
            self._settle_signs(item.card.rect.translated(item.pos()))
            self.shape_changed.emit()

    def _on_connection_added(self, connection: Connection) -> None:
        if connection.a in self.node_items:
            self._add_connection(connection)
            self.shape_changed.emit()

    def _on_connection_changed(self, connection: Connection) -> None:
        item = self.connection_items.get(connection.id)
        if item is not None:
            item.show_connection(connection)
            self._note_sign(item)

    def _on_connection_removed(self, connection: Connection) -> None:
        item = self.connection_items.pop(connection.id, None)
        if item is not None:
            self.removeItem(item)
            self.removeItem(item.sign)
            self._with_sign.discard(item)
            self.shape_changed.emit()

    def place(self, places: Mapping[NodeItem, QPointF]) -> None:
        """Put cards somewhere with their Connections, as a gesture does before the model knows."""
        touched = QRectF()
        for item, at in places.items():
            touched = touched.united(self.card_rect(item.node_id))
            item.setPos(at)
            touched = touched.united(self.card_rect(item.node_id))
        for item in places:
            for connection in self.model.connections_of(item.node_id):
                self.connection_items[connection.id].adjust()
        self._settle_signs(touched)
        self.shape_changed.emit()

    def set_card(self, node_id: str, card: Card) -> None:
        """Its card has another size."""
        item = self.node_items[node_id]
        if item.card.size != card.size:
            before = self.card_rect(node_id)
            item.set_card(card)
            self.place({item: item.pos()})
            self._settle_signs(before)
            self._fit_index()

    def _add_node(self, node: Node) -> None:
        item = NodeItem(self, node)
        self.node_items[node.id] = item
        self.addItem(item)

    def _add_connection(self, connection: Connection) -> None:
        item = ConnectionItem(self, connection)
        self.connection_items[connection.id] = item
        self.addItem(item)
        self.addItem(item.sign)
        self._note_sign(item)

    def _note_sign(self, item: ConnectionItem) -> None:
        if item.sign.is_needed:
            self._with_sign.add(item)
        else:
            self._with_sign.discard(item)

    def _settle_signs(self, touched: QRectF) -> None:
        """Cards came, went or moved there: what they covered is seen now, or the other way round."""
        for item in self._with_sign:
            if item.way.intersects(touched):
                item.settle_sign()

    def _fit_index(self) -> None:
        """The index divides the scene's rectangle: it must hold everything, and little more."""
        contents = self.contents_rect()
        if not self.sceneRect().contains(contents) or self.sceneRect().isNull():
            self.setSceneRect(contents.adjusted(-_ROOM, -_ROOM, _ROOM, _ROOM))

    def _moment(self) -> Moment:
        return Moment(now(), datetime.now(self.zone).date(), self.zone)
