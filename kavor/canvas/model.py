"""Everything on the canvases by its id, as the runtime last told it. Knows no widget.

Two things feed it: a snapshot, which replaces all, and the events after it. What a person drags is moved
here at once; until the runtime has taken that move, older places it still tells are passed over.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kavor.canvas.conversation import Conversation, Message
from kavor.canvas.observe import Notice
from kavor.canvas.things import Attempt, Connection, Document, Node, Question, Schedule, Session, Workspace
from kavor.domain.graph import NodeKind

_Thing = TypeVar("_Thing", Workspace, Node, Schedule)


@dataclass(frozen=True)
class Snapshot:
    """The lists of the API, read one after the other."""

    workspaces: Sequence[Document]
    nodes: Sequence[Document]
    connections: Sequence[Document]
    schedules: Sequence[Document]


@dataclass(frozen=True)
class Glimpse:
    """The beginning of the text of a File or a Specification, as it was read for its card."""

    text: str
    problem: str = ""
    """Why there is none."""


@dataclass
class Model:
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    connections: dict[int, Connection] = field(default_factory=dict)
    schedules: dict[str, Schedule] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    glimpses: dict[str, Glimpse] = field(default_factory=dict)
    """Of Nodes that were looked at; as are the conversations."""
    conversations: dict[str, Conversation] = field(default_factory=dict)
    providers: dict[str, str] = field(default_factory=dict)
    """What providers of agents are called, by their names, once that was read."""
    unsaved_texts: dict[str, bool] = field(default_factory=dict)
    """Nodes over whose text a person has typed what is not saved; whether it was edited elsewhere since."""

    def __post_init__(self) -> None:
        self.reloaded = Notice[[]]()
        """Everything may be different."""
        self.workspaces_changed = Notice[[]]()
        self.node_added = Notice[[str]]()
        self.node_changed = Notice[[str]]()
        """What its card says is different: its name, its Schedule, an attempt, a session."""
        self.look_changed = Notice[[str]]()
        """What was looked at for its card is different: a glimpse of a text, a conversation."""
        self.transcript_moved_on = Notice[[str]]()
        """There is something new in an agent's transcript, which was not read yet."""
        self.message_told = Notice[[Message]]()
        """One to an agent was sent, or went on."""
        self.turn_ended = Notice[[str, Document]]()
        """An agent has finished something: its Node's id, and the turn without its entries."""
        self.attempt_changed = Notice[[Attempt]]()
        """One was recorded, or went on; the latest of its Schedule or an older one."""
        self.node_moved = Notice[[str]]()
        self.node_removed = Notice[[Node]]()
        self.connection_added = Notice[[Connection]]()
        self.connection_changed = Notice[[Connection]]()
        """What it carries, or its Guardrail."""
        self.connection_removed = Notice[[Connection]]()
        self._of_node: defaultdict[str, set[int]] = defaultdict(set)
        self._unconfirmed_moves: Counter[str] = Counter()

    # --- Questions

    def nodes_of(self, workspace_id: str) -> Iterator[Node]:
        return (node for node in self.nodes.values() if node.workspace == workspace_id)

    def connections_of(self, node_id: str) -> list[Connection]:
        return [self.connections[known] for known in sorted(self._of_node.get(node_id, ()))]

    def connections_in(self, workspace_id: str) -> Iterator[Connection]:
        for connection in self.connections.values():
            if self.nodes[connection.a].workspace == workspace_id:
                yield connection

    def schedules_of(self, workspace_id: str) -> Iterator[Schedule]:
        return (each for each in self.schedules.values() if each.workspace == workspace_id)

    def has_screen(self, node_id: str) -> bool:
        """Whether it is looked at and typed to as a Terminal is."""
        session = self.sessions.get(node_id)
        node = self.nodes.get(node_id)
        if node is None:
            return False
        return node.kind is NodeKind.TERMINAL or (session is not None and session.own_screen)

    def waiting_for(self, attempt: Attempt) -> str | None:
        """What a Pending attempt waits for, as its target's session is now."""
        if attempt.state != "Pending":
            return None
        session = self.sessions.get(attempt.target or "")
        return (session.waiting_for if session else None) or attempt.waiting_for or "busy"

    def counts(self, workspace_id: str) -> Counter[str]:
        """How many Schedules are in each state, and how many have a latest attempt in each. An agent that
        asks counts as one that needs attention, and what it works on does not count beside it."""
        asking = self.asking(workspace_id)
        counts: Counter[str] = Counter({"Needs attention": len(asking)})
        for schedule in self.schedules_of(workspace_id):
            counts[schedule.state] += 1
            last = schedule.last_attempt
            if last is not None and not (last.state == "Needs attention" and last.target in asking):
                counts[last.state] += 1
        return counts

    def asking(self, workspace_id: str) -> list[str]:
        """The agents that wait for a person's answer."""
        return [node.id for node in self.nodes_of(workspace_id) if self.question_of(node.id) is not None]

    def question_of(self, node_id: str) -> Question | None:
        session = self.sessions.get(node_id)
        return None if session is None else session.question

    def next_to_fire(self, workspace_id: str) -> Schedule | None:
        """The Running Schedule that is due first."""
        due = [each for each in self.schedules_of(workspace_id) if each.next_due is not None]
        return min(due, key=lambda each: each.next_due or 0, default=None)

    # --- What the runtime tells

    def load(self, snapshot: Snapshot) -> None:
        self.workspaces = _by_id(map(Workspace.read, snapshot.workspaces))
        unconfirmed = {node_id: self.nodes[node_id] for node_id in self._moved_here()}
        self.nodes = _by_id(map(Node.read, snapshot.nodes))
        for node_id in unconfirmed.keys() & self.nodes.keys():
            mine = unconfirmed[node_id]
            self.nodes[node_id] = self.nodes[node_id].at(mine.x, mine.y)
        self.schedules = _by_id(map(Schedule.read, snapshot.schedules))
        self.sessions = {
            document["id"]: Session.read(document["session"])
            for document in snapshot.nodes
            if "session" in document
        }
        for looked_at in (self.glimpses, self.conversations, self.unsaved_texts):
            for node_id in looked_at.keys() - self.nodes.keys():
                looked_at.pop(node_id)
        self.connections = {}
        self._of_node.clear()
        for connection in map(Connection.read, snapshot.connections):
            if connection.a in self.nodes and connection.b in self.nodes:
                self._keep_connection(connection)
        self.reloaded.emit()

    def apply(self, event: Document) -> None:
        """One change of the event stream. What is not known is for a newer face."""
        kind, gone, value = event["type"], event["change"] == "removed", event["value"]
        if not gone and value is None:
            return  # it was gone again before it could be told; its removal comes next
        match kind:
            case "workspace":
                self._apply_workspace(event["id"], value)
            case "node":
                self._apply_node(event["id"], value)
            case "connection":
                self._apply_connection(int(event["id"]), value)
            case "schedule" if not gone:
                self._apply_schedule(Schedule.read(value))
            case "attempt" if not gone:
                self._apply_attempt(Attempt.read(value))
            case "session" if not gone:
                self._apply_session(Session.read(value))
            case "transcript":
                self.transcript_moved_on.emit(event["id"])
            case "turn" if not gone:
                self.turn_ended.emit(value["agent"], value)
            case "message" if not gone:
                self._apply_message(Message.read(value))

    def _apply_workspace(self, workspace_id: str, value: Document | None) -> None:
        if value is None:
            self.workspaces.pop(workspace_id, None)
        else:
            self.workspaces[workspace_id] = Workspace.read(value)
        self.workspaces_changed.emit()

    def _apply_node(self, node_id: str, value: Document | None) -> None:
        if value is None:
            self._drop_node(node_id)
            return
        node, known = Node.read(value), self.nodes.get(node_id)
        if known is not None and self._unconfirmed_moves[node_id]:
            node = node.at(known.x, known.y)
        self.nodes[node_id] = node
        if "session" in value:
            self.sessions[node_id] = Session.read(value["session"])
        if known is None:
            self.node_added.emit(node_id)
            return
        if (known.x, known.y) != (node.x, node.y):
            self.node_moved.emit(node_id)
        self.node_changed.emit(node_id)

    def _drop_node(self, node_id: str) -> None:
        for connection in self.connections_of(node_id):
            self._drop_connection(connection.id)
        self.schedules.pop(node_id, None)
        self.sessions.pop(node_id, None)
        self.glimpses.pop(node_id, None)
        self.conversations.pop(node_id, None)
        self.unsaved_texts.pop(node_id, None)
        node = self.nodes.pop(node_id, None)
        if node is not None:
            self.node_removed.emit(node)

    def _apply_connection(self, connection_id: int, value: Document | None) -> None:
        if value is None:
            self._drop_connection(connection_id)
            return
        connection = Connection.read(value)
        if connection_id in self.connections:
            if self.connections[connection_id] != connection:
                self.connections[connection_id] = connection
                self.connection_changed.emit(connection)
            return
        if not {connection.a, connection.b} <= self.nodes.keys():
            return
        self._keep_connection(connection)
        self.connection_added.emit(connection)

    def _keep_connection(self, connection: Connection) -> None:
        self.connections[connection.id] = connection
        self._of_node[connection.a].add(connection.id)
        self._of_node[connection.b].add(connection.id)

    def _drop_connection(self, connection_id: int) -> None:
        connection = self.connections.pop(connection_id, None)
        if connection is None:
            return
        self._of_node[connection.a].discard(connection_id)
        self._of_node[connection.b].discard(connection_id)
        self.connection_removed.emit(connection)

    def _apply_schedule(self, schedule: Schedule) -> None:
        self.schedules[schedule.id] = schedule
        if schedule.id in self.nodes:
            self.node_changed.emit(schedule.id)

    def _apply_attempt(self, attempt: Attempt) -> None:
        schedule = self.schedules.get(attempt.schedule)
        if schedule is not None:
            self._apply_schedule(schedule.after(attempt))
        self.attempt_changed.emit(attempt)

    def _apply_session(self, session: Session) -> None:
        self.sessions[session.node] = session
        if session.node not in self.nodes:
            return
        self.node_changed.emit(session.node)
        for connection in self.connections_of(session.node):
            other = self.nodes[connection.other(session.node)]
            if other.kind is NodeKind.SCHEDULE:
                self.node_changed.emit(other.id)  # it may say what it waits for

    def _apply_message(self, message: Message) -> None:
        if message.agent in self.nodes:
            self.conversation_of(message.agent).hear(message)
            self.look_changed.emit(message.agent)
            self.message_told.emit(message)

    # --- What was looked at

    def tell_glimpse(self, node_id: str, glimpse: Glimpse) -> None:
        if node_id in self.nodes and self.glimpses.get(node_id) != glimpse:
            self.glimpses[node_id] = glimpse
            self.look_changed.emit(node_id)

    def tell_unsaved(self, node_id: str, conflicts: bool | None) -> None:
        """None: nothing of it is unsaved any more."""
        if conflicts is None:
            self.unsaved_texts.pop(node_id, None)
        elif node_id in self.nodes:
            self.unsaved_texts[node_id] = conflicts
        self.look_changed.emit(node_id)

    def conversation_of(self, node_id: str) -> Conversation:
        """For reading and for taking up what is new, which ``tell_conversation`` makes known."""
        return self.conversations.setdefault(node_id, Conversation())

    def tell_conversation(self, node_id: str) -> None:
        if node_id in self.nodes:
            self.look_changed.emit(node_id)

    # --- What a person does here first

    def move(self, node_id: str, x: float, y: float) -> None:
        """Put a Node elsewhere on this canvas, before the runtime knows."""
        node = self.nodes.get(node_id)
        if node is not None and (node.x, node.y) != (x, y):
            self.nodes[node_id] = node.at(x, y)
            self.node_moved.emit(node_id)

    def expect_move(self, node_id: str) -> None:
        """From now on the place here counts, until ``confirm_move`` was called as often."""
        self._unconfirmed_moves[node_id] += 1

    def _moved_here(self) -> set[str]:
        return self._unconfirmed_moves.keys() & self.nodes.keys()

    def confirm_move(self, node_id: str) -> None:
        self._unconfirmed_moves[node_id] -= 1
        if self._unconfirmed_moves[node_id] <= 0:
            del self._unconfirmed_moves[node_id]


def _by_id(things: Iterable[_Thing]) -> dict[str, _Thing]:
    return {thing.id: thing for thing in things}
