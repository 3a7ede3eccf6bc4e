"""What an agent may change of the graph, where it was allowed to: one batch, all of it or nothing (K+5).

It deletes nothing, touches no Guardrail, and joins nothing to a Node that it does not reach. What it makes or
changes of Schedules is Paused until a person resumes it (decision 16).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy.engine import Connection

from kavor.domain.errors import BadInput, Conflict, KavorError, NotFound, Refused
from kavor.domain.graph import NodeKind, parse_kind
from kavor.domain.instant import Instant
from kavor.host_zone import host_zone_name
from kavor.runtime.agent_access.batch_paths import NewPaths, follow
from kavor.runtime.agent_access.same_file import Identities, check_file_change, is_same_file
from kavor.runtime.agent_access.sight import Sight, look
from kavor.runtime.connections import connect
from kavor.runtime.definitions import ScheduleFields, define, make_schedule
from kavor.runtime.find import find_schedule
from kavor.runtime.graph_service import OpenSession
from kavor.runtime.node_kinds import NodeFields
from kavor.runtime.nodes import change_node, make_node
from kavor.runtime.providers import ProviderService
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.sessions.session import SessionsLost
from kavor.store import coding_agents, documents, schedules, workspaces
from kavor.store.workspaces import NodeRow

Operation = Mapping[str, Any]
"""``op`` and its fields, only those that were given."""

MADE_HERE = "@"
"""Before a word that stands for a Node made in the same batch."""

_OWN_FIELDS: dict[str, frozenset[str]] = {
    "connect": frozenset({"a", "b", "env"}),
    "rename": frozenset({"node", "name", "revision"}),
    "move": frozenset({"node", "x", "y"}),
}
_PLACED = frozenset({"op", "kind", "as", "name", "x", "y"})
_OF_A_KIND: dict[NodeKind, frozenset[str]] = {
    NodeKind.SCHEDULE: frozenset({"payload", "recurrence", "overlap", "catchup", "misfire_grace_s"}),
    NodeKind.CODING_AGENT: frozenset({"provider"}),
    NodeKind.TERMINAL: frozenset(),
    NodeKind.FILE: frozenset({"path"}),
    NodeKind.STICKY_NOTE: frozenset({"text", "colour"}),
    NodeKind.SPECIFICATION: frozenset({"path"}),
}
"""What an agent may say of a Node that it makes, beside its name and place."""

_DEFINITION = _OF_A_KIND[NodeKind.SCHEDULE] | {"name"}
_OWN_FIELDS["configure_schedule"] = _DEFINITION | {"node", "revision"}


class Editing:
    def __init__(self, runtime: Runtime, providers: ProviderService, open_session: OpenSession) -> None:
        self._runtime = runtime
        self._providers = providers
        self._open_session = open_session

    async def edit(self, agent_id: str, operations: Sequence[Operation]) -> dict[str, Any]:
        """Carry out all, in their order, or none. Raises Refused, BadInput or Conflict, and says which
        operation was at fault."""
        workspace, held = await self._runtime.read(lambda view: _allowed(view, agent_id))
        for operation in operations:
            _check_fields(operation)
            if "provider" in operation:
                await self._providers.check(operation["provider"], None)
        zone = host_zone_name()
        made = [_new_node(operation) for operation in operations if operation["op"] == "create"]
        paths, known = await follow(self._runtime.files, workspace, made, held)

        def carry_out(turn: Turn, tx: Connection) -> _Batch:
            _allowed(tx, agent_id)
            batch = _Batch(tx, turn, look(tx, agent_id), iter(paths), known, zone, self._runtime.clock.now())
            for number, operation in enumerate(operations):
                try:
                    batch.carry_out(operation)
                except KavorError as error:
                    error.message = f"operation {number} ({operation['op']}): {error.message}"
                    raise
            return batch

        batch = await self._runtime.change(carry_out)
        return {
            "created": {word: row.id for word, row in batch.made.items()},
            "operations": len(operations),
            "problems": await self._open_terminals(batch),
        }

    async def _open_terminals(self, batch: _Batch) -> list[str]:
        """Start the shells of new Terminals. One that does not start is there all the same, closed."""
        problems = []
        for row in batch.made.values():
            if row.kind is NodeKind.TERMINAL:
                try:
                    await self._open_session(row.id)
                except KavorError as error:
                    problems.append(f"the session of {row.name!r} did not open: {error.message}")
                except SessionsLost:
                    problems.append(f"the session of {row.name!r} did not open: who holds it has died")
        return problems


def _allowed(view: Connection, agent_id: str) -> tuple[str, list[str]]:
    """The directory that the agent may work in, and the path of every Node. Raises Refused, naming the
    rule."""
    sight = look(view, agent_id)
    row = coding_agents.coding_agent(view, agent_id)
    if row is None or not row.settings.may_edit:
        raise Refused(
            '"Allow workspace editing" is off for you, so nothing was changed', "only a person can turn it on"
        )
    place = workspaces.workspace(view, sight.agent.workspace_id)
    assert place is not None, "a Node is in a Workspace"
    return place.directory, list(documents.paths(view).values())


def _new_node(operation: Operation) -> tuple[NodeKind, NodeFields]:
    """Of an operation that makes one."""
    given = {name: value for name, value in operation.items() if name not in ("op", "kind", "as")}
    return parse_kind(operation.get("kind", "")), cast(NodeFields, given)


def _check_fields(operation: Operation) -> None:
    """Raises BadInput for a field that this operation does not have."""
    op = operation["op"]
    if op == "create":
        own = _PLACED | _OF_A_KIND[parse_kind(operation.get("kind", ""))]
    else:
        own = _OWN_FIELDS[op] | {"op"}
    foreign = sorted(set(operation) - own)
    if foreign:
        raise BadInput(f"{op} has no {', '.join(foreign)}", "leave that out")


@dataclass
class _Batch:
    """One batch within its transaction."""

    tx: Connection
    turn: Turn
    sight: Sight
    """As it was when the batch began: an operation finds only what is here or was made by the batch, so what
    was not reached then is joined to nothing."""
    paths: Iterator[NewPaths]
    """Of the Nodes that it makes, in their order."""
    identities: Identities
    zone: str
    now: Instant
    made: dict[str, NodeRow] = field(default_factory=dict)

    def carry_out(self, operation: Operation) -> None:
        match operation["op"]:
            case "create":
                self._create(operation)
            case "connect":
                self._connect(operation)
            case "rename":
                row = self._find_to_change(operation)
                change_node(
                    self.tx, self.turn, row, {"name": _given(operation, "name")}, revision=row.revision
                )
            case "move":
                self._move(operation)
            case "configure_schedule":
                self._configure(operation)

    # --- The operations

    def _create(self, operation: Operation) -> None:
        kind, fields = _new_node(operation)
        paths = next(self.paths)
        word = operation.get("as", f"{len(self.made) + 1}")
        if word in self.made:
            raise BadInput(f"two Nodes of this batch are called {word!r}", "choose another word for `as`")
        place = workspaces.workspace(self.tx, self.sight.agent.workspace_id)
        assert place is not None, "a Node is in a Workspace"
        if paths.file is not None:
            self._check_path(paths.file, paths.is_inside)
        if paths.refusal is not None:
            raise paths.refusal
        if kind is NodeKind.SCHEDULE:
            definition = cast(ScheduleFields, fields)
            row = make_schedule(self.tx, self.turn, place, definition, zone=self.zone, now=self.now)
            self._pause(row.id, "made")
        else:
            # A new agent costs money and acts: a person opens it. A shell does nothing by itself.
            is_open = kind is NodeKind.TERMINAL
            row = make_node(
                self.tx,
                self.turn,
                place,
                kind,
                fields,
                paths.found,
                now=self.now,
                is_open=is_open,
                beside=self.sight.agent.id,
            )
        self.made[word] = row

    def _check_path(self, path: str, is_inside: bool) -> None:
        """A new Node is no way to a file that the agent could not get at through its tools before."""
        own = {*self.sight.nodes, *(row.id for row in self.made.values())}
        beyond = [held for node_id, held in documents.paths(self.tx).items() if node_id not in own]
        if not is_inside or any(is_same_file(path, held, self.identities) for held in beyond):
            raise Refused(
                f"{path} is outside the Workspace, or of a Node that you cannot reach",
                "name another file inside the Workspace's directory",
            )
        protected = documents.paths(self.tx, self.sight.guardrails)
        check_file_change(self.sight, path, protected, self.identities)

    def _connect(self, operation: Operation) -> None:
        a, b = (self._find(_given(operation, end)) for end in ("a", "b"))
        for row in (a, b):
            self.sight.check_change(row)  # what may only be read is not given to others to be changed
        variable = operation.get("env")
        joined = workspaces.connection_between(self.tx, a.id, b.id)
        present = joined.environment_name if joined is not None else None
        if present is not None and variable not in (None, present):
            raise Refused(
                f"{a.name!r} and {b.name!r} are connected already, as ${present}",
                "commands may count on that variable; only a person can change it",
            )
        connect(self.tx, self.turn, a.id, b.id, environment_name=variable, now=self.now)

    def _move(self, operation: Operation) -> None:
        row = self._find(_given(operation, "node"))
        place = {axis: operation[axis] for axis in ("x", "y") if axis in operation}
        if not place:
            raise BadInput("a move needs x or y", "give where it is to stand, in canvas units")
        change_node(self.tx, self.turn, row, cast(NodeFields, place), revision=None)

    def _configure(self, operation: Operation) -> None:
        row = self._find_to_change(operation)
        if row.kind is not NodeKind.SCHEDULE:
            raise BadInput(f"{row.name!r} is a {row.kind.label}, not a Schedule", "list_nodes says")
        target = workspaces.target_of(self.tx, row.id)
        if target is not None and target in self.sight.nodes:
            self.sight.check_change(self.sight.nodes[target])
        fields = cast(
            ScheduleFields, {name: value for name, value in operation.items() if name in _DEFINITION}
        )
        # Paused first: no time of the new definition can be due before a person has looked at it.
        self._pause(row.id, "changed")
        define(
            self.tx,
            self.turn,
            find_schedule(self.tx, row.id),
            fields,
            zone=self.zone,
            revision=row.revision,
            now=self.now,
        )

    def _pause(self, schedule_id: str, what: str) -> None:
        reason = f"{what} by the agent {self.sight.agent.name!r}; a person resumes it"
        schedules.pause(self.tx, schedule_id, reason)

    # --- Which Node is meant

    def _find(self, ref: str) -> NodeRow:
        """As it is by now. Raises NotFound."""
        if ref.startswith(MADE_HERE):
            made = self.made.get(ref.removeprefix(MADE_HERE))
            if made is None:
                raise NotFound(f"no operation before this one made {ref}", "create it first, with `as`")
            return self._present(made)
        return self._present(self.sight.find(ref))

    def _find_to_change(self, operation: Operation) -> NodeRow:
        """Of a Node that was there before, the revision that the agent has read must be the one it had."""
        row = self._find(_given(operation, "node"))
        self.sight.check_change(row)
        before = self.sight.nodes.get(row.id)
        if before is not None:
            if "revision" not in operation:
                raise BadInput(f"{operation['op']} needs the revision of {row.name!r}", "list_nodes says it")
            if operation["revision"] != before.revision:
                raise Conflict(
                    f"{row.name!r} was edited meanwhile: it is at revision {before.revision}",
                    "look at it again, then send the whole batch again",
                )
        return row

    def _present(self, row: NodeRow) -> NodeRow:
        present = workspaces.node(self.tx, row.id)
        assert present is not None, "no operation removes a Node"
        return present


def _given(operation: Operation, name: str) -> str:
    if name not in operation:
        raise BadInput(f"{operation['op']} needs {name}", f"give {name}")
    return str(operation[name])
