"""What can be done to one Workspace's canvas, each as a step that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from kavor.canvas.cards import card_of
from kavor.canvas.commands.change import Change, Together
from kavor.canvas.commands.change_node import ChangeNode, SavedFields
from kavor.canvas.commands.connections import ChangeConnection, Connect, Disconnect
from kavor.canvas.commands.edit_schedule import EditSchedule, Saved
from kavor.canvas.commands.edit_text import EditText, SavedText
from kavor.canvas.commands.history import History
from kavor.canvas.commands.identities import Identities
from kavor.canvas.commands.nodes import AddNode, MoveNodes, RemoveNodes, RenameNode, Tell
from kavor.canvas.edits import Edits
from kavor.canvas.naming import free_name
from kavor.canvas.places import free_place, neighbour, reading_order
from kavor.canvas.qt import QObject, QPoint, QPointF, QRectF, translate
from kavor.canvas.states import kind_word
from kavor.canvas.things import Connection
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind


class Desk(QObject):
    """``tell`` takes a Node's id and a sentence about it for the person; ``typed_about`` says what
    was typed about a Node that would go with it."""

    def __init__(
        self,
        view: CanvasView,
        edits: Edits,
        identities: Identities,
        tell: Tell,
        typed_about: Callable[[str], list[str]],
    ) -> None:
        super().__init__(view)
        self.view = view
        self.history = History(self)
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._edits = edits
        self._identities = identities
        self._tell = tell
        self._typed_about = typed_about
        self._wanted: str | None = None
        view.moved.connect(self.move)
        view.wired.connect(self.connect_nodes)
        view.step = self.step
        self._model.node_added.connect(self._on_node_added)
        self._model.node_changed.connect(self._on_node_changed)
        self._canvas.selectionChanged.connect(self._describe)

    def release(self) -> None:
        """Listen to the model and the scene no longer."""
        self._model.node_added.disconnect(self._on_node_added)
        self._model.node_changed.disconnect(self._on_node_changed)
        self._canvas.selectionChanged.disconnect(self._describe)

    # --- Steps

    def add(
        self,
        kind: NodeKind,
        at: QPointF,
        joined_to: str | None = None,
        *,
        name: str = "",
        fields: Mapping[str, object] | None = None,
    ) -> None:
        """With its top left corner there, or near it where that is taken; it is selected when it is there.
        ``fields`` are what its kind must have."""
        place = self.room_for(kind, at).topLeft()
        name = self._free_name(name or kind_word(kind))
        given = {"name": name, "x": place.x(), "y": place.y(), **(fields or {})}
        workspace_id = self._canvas.workspace_id
        new = AddNode(
            self._edits,
            self._model,
            self._identities,
            workspace_id,
            kind,
            given,
            self._select_when_there,
            self._tell,
        )
        change: Change = new
        if joined_to is not None:
            change = Together([new, Connect(self._edits, self._identities, joined_to, new.node_id)])
        self.history.do(translate("Step", "Add {name}").format(name=name), change)

    def room_for(self, kind: NodeKind, at: QPointF) -> QRectF:
        """Where a new card with its top left corner there would stand."""
        size = card_of(kind).size
        return QRectF(free_place(self._cards().values(), size, at.toPoint().toPointF()), size)

    def middle_for(self, kind: NodeKind) -> QPointF:
        """The top left corner of a new card where the eye is."""
        middle = self.view.mapToScene(self.view.viewport().rect().center())
        return middle - QPointF(card_of(kind).size.width() / 2, card_of(kind).size.height() / 2)

    def connect_nodes(self, one: str, other: str) -> None:
        if not {one, other} <= self._model.nodes.keys():
            return  # one was deleted meanwhile, by another face
        words = translate("Step", "Connect {one} and {other}").format(
            one=self._model.nodes[one].name, other=self._model.nodes[other].name
        )
        self.history.do(words, Connect(self._edits, self._identities, one, other))

    def rename(self, node_id: str, name: str) -> None:
        node = self._model.nodes.get(node_id)
        if node is not None and name not in ("", node.name):  # None: deleted meanwhile, by another face
            change = RenameNode(self._edits, self._identities, node_id, node.name, name)
            self.history.do(translate("Step", "Rename {name}").format(name=node.name), change)

    def remember_save(self, saved: Saved) -> None:
        """A Schedule's form has saved this."""
        change = EditSchedule(self._edits, self._identities, saved, self._tell)
        name = self._model.nodes[saved.schedule_id].name
        self.history.do(translate("Step", "Edit {name}").format(name=name), change)

    def remember_text(self, saved: SavedText) -> None:
        """A text was saved where it stands."""
        node = self._model.nodes.get(saved.node_id)
        if node is not None:
            words = translate("Step", "Edit {name}").format(name=node.name)
            self.history.do(words, EditText(self._edits, self._identities, saved))

    def set_fields(self, node_id: str, before: Mapping[str, object], after: Mapping[str, object]) -> None:
        """Set something of a Node, such as its colour."""
        if before != after:
            self._change_node(SavedFields(node_id, before, after), is_set=False)

    def remember_fields(self, saved: SavedFields) -> None:
        """A form has set something of a Node."""
        self._change_node(saved, is_set=True)

    def _change_node(self, saved: SavedFields, *, is_set: bool) -> None:
        node = self._model.nodes.get(saved.node_id)
        if node is None:
            return  # it was deleted meanwhile, by another face
        words = translate("Step", "Change {name}").format(name=node.name)
        self.history.do(words, ChangeNode(self._edits, self._identities, saved, is_set=is_set))

    def change_connection(self, connection: Connection, after: Connection) -> None:
        """Set what a Connection carries or forbids; nothing where it is gone, which is said."""
        if self.has_connection(connection) and connection != after:
            words = translate("Step", "Change the Connection of {one} and {other}").format(
                one=self._model.nodes[connection.a].name, other=self._model.nodes[connection.b].name
            )
            self.history.do(words, ChangeConnection(self._edits, self._identities, connection, after))

    def has_connection(self, connection: Connection) -> bool:
        """Whether it is there still; if not, the person is told."""
        found = connection.id in self._model.connections
        if not found:
            self._tell("", translate("Connection", "That Connection was removed meanwhile."))
        return found

    def move(self, places: Mapping[str, QPointF], *, by_keys: bool = False) -> None:
        before = {
            node_id: QPointF(self._model.nodes[node_id].x, self._model.nodes[node_id].y)
            for node_id in places
            if node_id in self._model.nodes
        }
        after = {node_id: place for node_id, place in places.items() if before.get(node_id, place) != place}
        if after:
            change = MoveNodes(
                self._edits,
                self._identities,
                {node_id: before[node_id] for node_id in after},
                after,
                by_keys=by_keys,
            )
            self.history.do(self._words_for(translate("Step", "Move"), sorted(after)), change)

    def nudge(self, by: QPoint) -> bool:
        """Move what is selected by canvas units; whether anything is."""
        selected = self._canvas.selected_nodes()
        places = {item.node_id: item.pos() + by.toPointF() for item in selected}
        self._canvas.place({item: places[item.node_id] for item in selected})
        self.move(places, by_keys=True)
        return bool(places)

    def delete(self, node_ids: Sequence[str], connections: Sequence[Connection]) -> None:
        nodes = [node_id for node_id in node_ids if node_id in self._model.nodes]
        changes: list[Change] = [
            Disconnect(self._edits, self._model, self._identities, each, self._tell)
            for each in connections
            if each.a not in nodes and each.b not in nodes
        ]
        words = translate("Step", "Disconnect")
        if nodes:
            changes.append(RemoveNodes(self._edits, self._model, self._identities, nodes, self._tell))
            words = self._words_for(translate("Step", "Delete"), nodes)
        if changes:
            self.history.do(words, changes[0] if len(changes) == 1 else Together(changes))

    def lost_with(self, node_ids: Iterable[str]) -> list[str]:
        """What no step could bring back of these Nodes, as far as they are there, in sentences."""
        lost = []
        for node_id in filter(self._model.nodes.__contains__, node_ids):
            name = self._model.nodes[node_id].name
            session, schedule = self._model.sessions.get(node_id), self._model.schedules.get(node_id)
            if session is not None and session.state == "open":
                words = translate("Delete", "The shell of “{name}” ends, with whatever runs in it.")
                if self._model.nodes[node_id].kind is NodeKind.CODING_AGENT:
                    words = translate("Delete", "The agent of “{name}” ends, with whatever it works on.")
                lost.append(words.format(name=name))
            elif schedule is not None and schedule.last_attempt is not None:
                lost.append(translate("Delete", "“{name}” loses its history.").format(name=name))
            lost += [words.format(name=name) for words in self._typed_about(node_id)]
        return lost

    # --- Selection

    def selected_connections(self) -> list[Connection]:
        return [item.connection for item in self._canvas.selected_connections()]

    def selected(self) -> list[str]:
        return [item.node_id for item in self._canvas.selected_nodes()]

    def select(self, node_id: str) -> None:
        """That one alone, in view."""
        self._canvas.select_only([self._canvas.node_items[node_id]])
        self.view.reveal(node_id)

    def select_all(self) -> None:
        self._canvas.select_only(set(self._canvas.node_items.values()))

    def select_next_asking(self) -> None:
        """The next agent that waits for an answer, after the selected one."""
        asking = set(self._model.asking(self._canvas.workspace_id))
        order = [node_id for node_id in reading_order(self._cards()) if node_id in asking]
        if order:
            selected = self.selected()
            place = order.index(selected[-1]) + 1 if selected and selected[-1] in asking else 0
            self.select(order[place % len(order)])

    def walk(self, way: QPoint) -> None:
        """To the next card in a direction; to the first where none is selected."""
        cards, selected = self._cards(), self.selected()
        found = neighbour(cards, selected[-1], way) if selected else next(iter(reading_order(cards)), None)
        if found is not None:
            self.select(found)

    def step(self, forward: bool) -> bool:
        """To the next card in the order of reading; whether there is one."""
        order, selected = reading_order(self._cards()), self.selected()
        number = 0 if forward else len(order) - 1
        if selected:
            number = order.index(selected[-1]) + (1 if forward else -1)
        if not 0 <= number < len(order):
            return False
        self.select(order[number])
        return True

    # --- Helpers

    def _describe(self) -> None:
        """Say to a screen reader what is selected."""
        selected = self.selected()
        said = translate("Selection", "{count} Nodes are selected").format(count=len(selected))
        if len(selected) == 1:
            said = self._canvas.face_of(selected[0]).spoken
        self.view.setAccessibleDescription(said if selected else "")

    def _on_node_changed(self, node_id: str) -> None:
        if self.selected() == [node_id]:
            self._describe()

    def _cards(self) -> dict[str, QRectF]:
        return {node_id: self._canvas.card_rect(node_id) for node_id in self._canvas.node_items}

    def _free_name(self, label: str) -> str:
        return free_name(label, (node.name for node in self._model.nodes_of(self._canvas.workspace_id)))

    def _words_for(self, verb: str, node_ids: Sequence[str]) -> str:
        if len(node_ids) == 1:
            name = self._model.nodes[node_ids[0]].name
            return translate("Step", "{verb} {name}").format(verb=verb, name=name)
        return translate("Step", "{verb} {count} Nodes").format(verb=verb, count=len(node_ids))

    def _select_when_there(self, node_id: str) -> None:
        """The runtime's answer may come before the event that puts it on the canvas."""
        self._wanted = node_id
        if node_id in self._canvas.node_items:
            self._on_node_added(node_id)

    def _on_node_added(self, node_id: str) -> None:
        if node_id == self._wanted:
            self._wanted = None
            self.select(node_id)
