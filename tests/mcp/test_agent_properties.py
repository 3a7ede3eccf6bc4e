"""Whatever graph there is and whatever an agent calls in it: nothing outside is read or changed, no Guardrail
on its own pairs gives way, and nothing is edited beyond its rights."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from agent_world import AgentWorld, agent_world
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kavor.domain.errors import KavorError
from kavor.domain.graph import NodeKind
from kavor.domain.guardrails import fitting_guardrails
from kavor.home import Home
from kavor.runtime.text_files import read_text_file
from kavor.store import conversations

K = NodeKind

KINDS = [K.CODING_AGENT, K.TERMINAL, K.STICKY_NOTE, K.FILE, K.SPECIFICATION, K.SCHEDULE]

MOST_NODES = 8

SEEING = ["whoami", "list_nodes", "layout", "read_messages"]

MEANT_FOR = {
    "read_note": K.STICKY_NOTE,
    "append": K.STICKY_NOTE,
    "replace_note": K.STICKY_NOTE,
    "read_file": K.FILE,
    "replace_file": K.FILE,
    "read_specification": K.SPECIFICATION,
    "replace_specification": K.SPECIFICATION,
    "set_state": K.SPECIFICATION,
    "screen": K.TERMINAL,
    "tail": K.TERMINAL,
    "buffer": K.TERMINAL,
    "run": K.TERMINAL,
    "interrupt": K.TERMINAL,
    "send": K.CODING_AGENT,
    "turns": K.CODING_AGENT,
    "configure_schedule": K.SCHEDULE,
}
"""The kind of Node that a tool is for: one of that kind is named mostly, so that the call comes far."""

TOOLS = sorted(MEANT_FOR.keys() - {"configure_schedule"})


@dataclass
class Story:
    kinds: list[NodeKind]
    joins: list[tuple[int, int, bool]]
    """Of which Nodes, and whether under a Guardrail where one fits."""
    may_edit: bool
    calls: list[tuple[str, Any]]


def story_of(seed: int) -> Story:
    """Drawn evenly, and not from small to large: where little is connected, little is put to the proof."""
    draw = Random(seed)
    kinds = [draw.choice(KINDS) for _ in range(draw.randint(5, MOST_NODES - 1))]
    number_of_nodes = len(kinds) + 1

    def node() -> int:
        """Seldom one that there is not."""
        return draw.randrange(number_of_nodes) if draw.random() < 0.95 else MOST_NODES

    def operation(number: int) -> dict[str, Any]:
        ops = ("create", "create", "connect", "connect", "rename", "move", "configure_schedule")
        return {
            "op": draw.choice(ops),
            "kind": draw.choice(KINDS),
            "one": node(),
            "other": node(),
            "inside": draw.random() < 0.8,
            "made": f"n{draw.randrange(number)}" if number and draw.random() < 0.5 else None,
        }

    def call() -> tuple[str, Any]:
        if draw.random() < 0.4:
            return "edit", [operation(number) for number in range(draw.randint(1, 3))]
        return draw.choice([*SEEING, *TOOLS]), node()

    return Story(
        kinds=kinds,
        joins=[(0, other, draw.random() < 0.5) for other in range(1, number_of_nodes) if draw.random() < 0.5]
        + [
            (draw.randrange(number_of_nodes), draw.randrange(number_of_nodes), draw.random() < 0.5)
            for _ in range(3)
        ],
        may_edit=draw.random() < 0.7,
        calls=[call() for _ in range(10)],
    )


stories = st.builds(story_of, st.integers(0, 2**32))


_NOT_ITS_OWN = frozenset({"x", "y", "session"})
"""A Node may be moved; what its session does is seen in the commands that it was given."""


@dataclass
class Picture:
    """Everything there is at one moment, as far as an agent could have touched it."""

    nodes: dict[str, dict[str, Any]]
    texts: dict[str, str]
    joins: dict[int, dict[str, Any]]
    schedules: dict[str, dict[str, Any]]
    messages: dict[str, int]
    commands: dict[str, int]
    reach: frozenset[str]
    guarded: frozenset[str]

    def of(self, node_id: str) -> tuple[Any, ...]:
        """All about one Node but its place."""
        node = {name: value for name, value in self.nodes[node_id].items() if name not in _NOT_ITS_OWN}
        node["connections"] = {one["node"] for one in self.nodes[node_id]["connections"]}
        return (
            node,
            self.texts.get(node_id),
            self.schedules.get(node_id),
            self.messages[node_id],
            self.commands[node_id],
        )


@dataclass
class Play:
    """One story, in a Workspace of its own."""

    world: AgentWorld
    story: Story
    number: int
    ids: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    """By Node: a word that stands in its name and in its content, and nowhere else."""

    async def set_up(self) -> None:
        self.directory: Path = self.world.directory.parent / f"work{self.number}"
        self.directory.mkdir()
        made = await self.world.services.workspaces.add(str(self.directory), f"work{self.number}")
        self.workspace = made["id"]
        for place, kind in enumerate([K.CODING_AGENT, *self.story.kinds]):
            self.ids.append(await self._node(kind, f"mark{self.number}x{place}"))
        self.agent = self.ids[0]
        for one, other, guarded in self.story.joins:
            await self._join(one, other, guarded=guarded)
        for place, kind in enumerate(self.story.kinds, 1):
            if kind is K.SCHEDULE and place % 2:
                await self.world.services.schedules.resume(self.ids[place], "UTC")

    async def _node(self, kind: NodeKind, mark: str) -> str:
        fields: dict[str, Any] = {"name": mark}
        if kind is K.SCHEDULE:
            made = await self.world.services.schedules.add(
                {"name": mark, "payload": mark, "recurrence": {"cron": "0 9 * * *"}},
                "UTC",
                workspace=self.workspace,
                target=None,
            )
            self.marks[made["id"]] = mark
            return made["id"]
        if kind in (K.FILE, K.SPECIFICATION):
            (self.directory / self._file_name(mark)).write_text(mark)
            fields["path"] = self._file_name(mark)
        if kind is K.STICKY_NOTE:
            fields["text"] = mark
        if kind is K.CODING_AGENT:
            fields |= {"provider": "custom", "command": ["agent"], "allow_editing": self.story.may_edit}
        node = await self.world.services.graph.add_node(
            kind, fields, workspace=self.workspace, open_session=kind in (K.CODING_AGENT, K.TERMINAL)
        )
        self.marks[node["id"]] = mark
        return node["id"]

    def _file_name(self, mark: str) -> str:
        """Without the mark: an agent that names a file is answered with its name."""
        return f"{mark.replace('mark', 'file')}.md"

    async def _join(self, one: int, other: int, *, guarded: bool) -> None:
        if max(one, other) >= len(self.ids):
            return
        kinds = [K.CODING_AGENT, *self.story.kinds]
        fitting = fitting_guardrails(kinds[one], kinds[other])
        rule = fitting[0] if guarded and fitting else None
        try:
            await self.world.services.graph.connect(self.ids[one], self.ids[other], guardrail=rule)
        except KavorError:
            return  # not a pair that may be joined

    async def play(self) -> None:
        await self.set_up()
        before = await self.picture()
        for name, rest in self.story.calls:
            answer = await self.call(name, rest, before)
            after = await self.picture()
            self.check(before, after, answer)
            if name in TOOLS and (ref := self.ref(rest, MEANT_FOR[name])) not in before.reach:
                assert answer == {
                    "refused": f"there is no Node {ref!r} that you can reach",
                    "hint": "list_nodes names those there are",
                }
            before = after
        for node_id in list(before.nodes):
            await self.world.services.graph.remove_node(node_id)
        await self.world.services.workspaces.remove(self.workspace, with_nodes=False)

    # --- What the agent does

    async def call(self, name: str, rest: Any, now: Picture) -> object:
        tools = self.world.services.agents
        if name == "edit":
            steps = [self.step(number, drawn, now) for number, drawn in enumerate(rest)]
            return await self.tried(tools.editing.edit(self.agent, steps))
        ref = self.ref(rest, MEANT_FOR.get(name))
        a, papers, terminals = self.agent, tools.papers, tools.terminals
        done = {
            "whoami": lambda: tools.seeing.whoami(a),
            "list_nodes": lambda: tools.seeing.list_nodes(a, None),
            "layout": lambda: tools.seeing.layout(a),
            "read_messages": lambda: tools.conversing.messages(a, "", before=10**15, limit=100),
            "read_note": lambda: papers.read_note(a, ref),
            "append": lambda: papers.append_to_note(a, ref, "by the agent"),
            "replace_note": lambda: papers.replace_note(a, ref, "by the agent", _revision(now, ref)),
            "read_file": lambda: papers.read_file(a, ref, 0, 100),
            "read_specification": lambda: papers.read_specification(a, ref),
            "replace_file": lambda: self.replace(ref, K.FILE),
            "replace_specification": lambda: self.replace(ref, K.SPECIFICATION),
            "set_state": lambda: papers.set_specification_state(a, ref, "Done"),
            "screen": lambda: terminals.screen(a, ref),
            "tail": lambda: terminals.tail(a, ref, 100),
            "buffer": lambda: terminals.buffer(a, ref, 0, 100),
            "run": lambda: terminals.run(a, ref, "true", 0),
            "interrupt": lambda: terminals.interrupt(a, ref, ""),
            "send": lambda: tools.conversing.send(a, ref, "by the agent"),
            "turns": lambda: tools.conversing.turns(a, ref, before=10**15, limit=10),
        }
        return await self.tried(done[name]())

    async def replace(self, ref: str, kind: NodeKind) -> object:
        """Against the version that there is, as if the agent had read it."""
        path = self.directory / self._file_name(self.marks.get(ref, "none"))
        version = read_text_file(str(path), may_be_absent=True).version
        return await self.world.services.agents.papers.replace_text(
            self.agent, ref, kind, "by the agent", version
        )

    async def tried(self, call: Any) -> object:
        try:
            return await call
        except KavorError as error:
            return {"refused": error.message, "hint": error.hint}

    def ref(self, number: int, kind: NodeKind | None = None) -> str:
        """The Node of that number among those of this kind, or among all where there is none."""
        kinds = [K.CODING_AGENT, *self.story.kinds]
        fitting = [node_id for node_id, its in zip(self.ids, kinds, strict=True) if its is kind]
        if fitting and number < MOST_NODES:
            return fitting[number % len(fitting)]
        return self.ids[number] if number < len(self.ids) else "0" * 8

    def step(self, number: int, drawn: Mapping[str, Any], now: Picture) -> dict[str, Any]:
        meant = self.ref(drawn["one"], MEANT_FOR.get(drawn["op"]))
        one = f"@{drawn['made']}" if drawn["made"] else meant
        revision = _revision(now, one)
        match drawn["op"]:
            case "create":
                step: dict[str, Any] = {
                    "op": "create",
                    "kind": drawn["kind"],
                    "name": "made",
                    "as": f"n{number}",
                }
                if drawn["kind"] in (K.FILE, K.SPECIFICATION):
                    # The very file of another Node, inside the Workspace, or one of the user's own.
                    mark = self.marks.get(self.ref(drawn["one"]), "none")
                    step["path"] = self._file_name(mark) if drawn["inside"] else "/etc/passwd"
                if drawn["kind"] is K.CODING_AGENT:
                    step["provider"] = "scripted"
                return step
            case "connect":
                return {"op": "connect", "a": one, "b": self.ref(drawn["other"])}
            case "rename":
                return {"op": "rename", "node": one, "revision": revision, "name": "renamed"}
            case "move":
                return {"op": "move", "node": one, "x": 1.0}
            case _:
                return {
                    "op": "configure_schedule",
                    "node": one,
                    "revision": revision,
                    "payload": "by the agent",
                }

    # --- What must hold

    async def picture(self) -> Picture:
        services = self.world.services
        for session, key, _ in self.world.sessions.delivered[-1:]:
            if key.rpartition("-")[2].startswith("c") and session in self.ids:
                self.world.sessions.end_latest()
        nodes = {
            node["id"]: dict(node)
            for node in await services.graph.nodes(workspace=self.workspace, kind=None, ref=None)
        }
        listed = await services.schedules.listing("UTC", workspace=self.workspace, ref=None, state=None)
        ids = list(nodes)

        def ask(view: Any) -> dict[str, int]:
            return {
                node_id: len(conversations.list_messages(view, node_id, before=None, limit=100))
                for node_id in ids
            }

        sent = await self.world.scripted.runtime.read(ask)
        joins = {one["id"]: dict(one) for one in await services.graph.connections(self.workspace)}
        run = [session for session, key, _ in self.world.sessions.delivered if "-c" in key]
        return Picture(
            nodes=nodes,
            texts={node_id: text for node_id, node in nodes.items() if (text := _text(node)) is not None},
            joins=joins,
            schedules={one["id"]: _without_attempts(one) for one in listed},
            messages=sent,
            commands={node_id: run.count(node_id) for node_id in ids},
            reach=_reached(self.agent, joins.values()),
            guarded=frozenset(
                ({one["a"], one["b"]} - {self.agent}).pop()
                for one in joins.values()
                if self.agent in (one["a"], one["b"]) and one["guardrail"]
            ),
        )

    def check(self, before: Picture, after: Picture, answer: object) -> None:
        outside = before.nodes.keys() - before.reach
        made = after.nodes.keys() - before.nodes.keys()
        # Nothing outside is told of, changed, or reached afterwards.
        told = json.dumps(answer, default=str)
        assert not [node_id for node_id in outside if _says(told, self.marks.get(node_id))]
        assert [before.of(node_id) for node_id in outside] == [after.of(node_id) for node_id in outside]
        assert after.reach <= before.reach | made
        # What a Guardrail protects from this agent is as it was.
        protected = before.guarded
        assert [before.of(node_id) for node_id in protected] == [after.of(node_id) for node_id in protected]
        assert after.guarded == before.guarded
        # Nothing is deleted, no Guardrail touched, no permission given.
        assert before.nodes.keys() <= after.nodes.keys()
        assert before.joins.items() <= after.joins.items()
        assert all(
            one.get("guardrail") is None for key, one in after.joins.items() if key not in before.joins
        )
        assert not any(after.nodes[node_id].get("allow_editing") for node_id in made)
        # What is made is no way to a file of others, nor to one outside the Workspace.
        files = {str(after.nodes[node_id]["path"]) for node_id in made if "path" in after.nodes[node_id]}
        assert not files & {before.nodes[node_id].get("path") for node_id in outside | protected}
        assert all(Path(file).is_relative_to(self.directory) for file in files)
        # Without the permission, the graph is as it was; with it, what was touched of Schedules is Paused.
        if not self.story.may_edit:
            assert (made, after.joins, after.schedules) == (set(), before.joins, before.schedules)
        for schedule_id, schedule in after.schedules.items():
            former = before.schedules.get(schedule_id)
            if former is None or former["payload"] != schedule["payload"]:
                assert schedule["state"] == "Paused"
                assert "by the agent" in schedule["pause_reason"]


def _reached(start: str, joins: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """By the plainest way: what touches what is reached is reached, until nothing is added."""
    reached = {start}
    while (
        more := {end for one in joins for end in (one["a"], one["b"]) if {one["a"], one["b"]} & reached}
        - reached
    ):
        reached |= more
    return frozenset(reached)


def _text(node: Mapping[str, Any]) -> str | None:
    if "path" in node:
        return read_text_file(node["path"], may_be_absent=True).text
    return node.get("text")


def _revision(now: Picture, ref: str) -> int:
    """As the agent would have read it."""
    return int(now.nodes[ref]["revision"]) if ref in now.nodes else 1


def _says(told: str, mark: str | None) -> bool:
    return mark is not None and (f'{mark}"' in told or f"{mark}." in told or f"{mark}'" in told)


def _without_attempts(schedule: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in schedule.items() if name not in ("last_attempt", "actions", "target")
    }


@pytest.mark.contract("K7", "K22", "K+5", "K75")
@pytest.mark.timeout(300)
def test_no_sequence_of_calls_gets_beyond_what_the_agent_may(home: Home) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        world = runner.run(stack.enter_async_context(agent_world(home)))
        runner.run(world.services.workspaces.remove("work", with_nodes=True))
        played = iter(range(1_000_000))

        @settings(
            max_examples=100,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            database=None,
        )
        @given(stories)
        def play(story: Story) -> None:
            runner.run(Play(world, story, next(played)).play())

        try:
            play()
        finally:
            runner.run(stack.aclose())
