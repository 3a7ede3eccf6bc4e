"""What may be asked of Workspaces, Nodes, Connections and sessions, with scripted sessions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import Ambiguous, BadInput, Conflict, NotFound, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.runtime.graph_service import GraphService
from kavor.sessions.session import Outcome, WaitingFor
from kavor.store import workspaces
from kavor.store.workspaces import NodeRow

BERLIN = "Europe/Berlin"


@pytest.fixture
def graph(scripted: ScriptedRuntime) -> GraphService:
    return scripted.services.graph


async def add_plain_node(scripted: ScriptedRuntime, kind: NodeKind, name: str) -> str:
    """A Node of a kind that cannot be made by a service yet, so that pairs with it can be tried."""

    def make(_turn: object, tx: workspaces.Connection) -> str:
        (place, *_) = workspaces.list_workspaces(tx)
        workspaces.add_node(tx, NodeRow(f"id-{name}", place.id, kind, name, 0, 0, 1, Instant(0)))
        return f"id-{name}"

    return await scripted.runtime.change(make)


# --- Workspaces


async def test_a_workspace_is_named_after_its_directory(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    directory = scripted.home.data / "project"
    directory.mkdir()
    made = await scripted.services.workspaces.add(str(directory), None)
    assert (made["name"], made["directory"]) == ("project", str(directory.resolve()))
    with pytest.raises(BadInput, match="already"):
        await scripted.services.workspaces.add(str(directory), "project")
    other = await scripted.services.workspaces.add(str(directory), "the same again")
    assert {row["id"] for row in await scripted.services.workspaces.listing()} == {made["id"], other["id"]}


@pytest.mark.parametrize("directory", ["relative", "/there/is/no/such", ""])
async def test_a_directory_that_is_not_there_is_refused(
    scripted: ScriptedRuntime, graph: GraphService, directory: str
) -> None:
    with pytest.raises(BadInput) as refusal:
        await scripted.services.workspaces.add(directory, "a")
    assert refusal.value.hint
    assert await scripted.services.workspaces.listing() == []


async def test_a_workspace_with_nodes_is_removed_only_when_told_so(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.world()
    with pytest.raises(Refused, match="still has 2 Nodes"):
        await scripted.services.workspaces.remove("work", with_nodes=False)
    assert len(await graph.nodes(workspace=None, kind=None, ref=None)) == 2
    await scripted.services.workspaces.remove("work", with_nodes=True)
    assert await graph.nodes(workspace=None, kind=None, ref=None) == []
    assert (scripted.home.data / "work").is_dir()
    assert not any(session.open for session in scripted.sessions.living.values())


async def test_a_node_that_is_added_while_a_workspace_is_removed_is_not_lost(
    scripted: ScriptedRuntime, graph: GraphService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.workspace()
    add, remove = graph.add_node, graph.remove_node

    async def add_another(ref: str, kind: NodeKind | None = None) -> str:
        await add(NodeKind.TERMINAL, {"name": "late"}, workspace=None, open_session=False)
        return await remove(ref, kind)

    await scripted.terminal()
    monkeypatch.setattr(graph, "remove_node", add_another)
    with pytest.raises(Refused, match="meanwhile"):
        await scripted.services.workspaces.remove("work", with_nodes=True)
    assert [node["name"] for node in await graph.nodes(workspace=None, kind=None, ref=None)] == ["late"]


# --- Names


async def test_an_id_is_preferred_and_a_name_must_be_unique(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    first = await scripted.terminal("twin")
    second = await scripted.terminal("twin")
    third = await scripted.terminal(first)  # called as another's id
    with pytest.raises(Ambiguous) as refusal:
        await graph.node("twin")
    assert refusal.value.exit_code == 2
    assert {candidate.split()[0] for candidate in refusal.value.candidates} == {first, second}
    assert (await graph.node(first))["id"] == first
    assert (await graph.node(third))["name"] == first
    with pytest.raises(NotFound) as missing:
        await graph.node("nobody")
    assert missing.value.exit_code == 2
    assert missing.value.hint


async def test_a_schedule_and_a_terminal_of_one_name_are_told_apart_where_the_kind_is_known(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    await scripted.terminal("nightly")
    made = await scripted.schedule("nightly", target=None, resume=False)
    assert (await scripted.services.schedules.get("nightly", BERLIN))["id"] == made["id"]
    with pytest.raises(Ambiguous):
        await graph.node("nightly")


async def test_the_workspace_may_be_left_out_only_where_there_is_one(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    with pytest.raises(NotFound, match="no Workspace yet"):
        await scripted.terminal()
    await scripted.workspace("one")
    await scripted.terminal()
    await scripted.workspace("two")
    with pytest.raises(Ambiguous) as refusal:
        await scripted.terminal("second")
    assert len(refusal.value.candidates) == 2


# --- Terminals


async def test_a_terminal_works_in_its_workspace_unless_told_otherwise(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    (scripted.home.data / "work" / "docs").mkdir()
    await scripted.terminal()
    await graph.add_node(
        NodeKind.TERMINAL, {"name": "docs", "shell": "/bin/bash", "directory": "docs"}, workspace="work"
    )
    root = str((scripted.home.data / "work").resolve())
    assert [(spec.directory, spec.shell) for spec in scripted.sessions.opened] == [
        (root, None),
        (f"{root}/docs", "/bin/bash"),
    ]


async def test_a_terminal_whose_shell_does_not_start_is_not_kept(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    scripted.sessions.refuses_to_open = BadInput("there is no shell /bin/nosh", "name another")
    with pytest.raises(BadInput, match="nosh"):
        await scripted.terminal()
    assert await graph.nodes(workspace=None, kind=None, ref=None) == []


async def test_a_node_is_edited_over_its_revision_and_moved_without(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    terminal = await scripted.terminal()
    await graph.edit_node(terminal, {"x": 10.0, "y": 20.0}, revision=None)
    renamed = await graph.edit_node(terminal, {"name": "renamed"}, revision=1)
    assert (renamed["name"], renamed["x"], renamed["revision"]) == ("renamed", 10.0, 2)
    for stale in (1, None):
        with pytest.raises(Conflict):
            await graph.edit_node(terminal, {"name": "lost"}, revision=stale)
    with pytest.raises(BadInput):
        await graph.edit_node(terminal, {"directory": "nowhere"}, revision=2)
    assert (await graph.node(terminal))["name"] == "renamed"
    assert (await graph.node(terminal))["revision"] == 2


# --- Connections


@pytest.mark.contract("K12", "K+4")
async def test_a_connection_has_no_direction_and_is_made_once(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    await scripted.schedule(target=None, resume=False)
    made = await graph.connect("check", "shell", None)
    assert await graph.connect("shell", "check", None) == made
    assert await graph.connections(None) == [made]
    assert await graph.disconnect("shell", "check") == made
    assert await graph.connections(None) == []
    with pytest.raises(NotFound, match="not connected"):
        await graph.disconnect("check", "shell")


@pytest.mark.contract("K13", "K73")
async def test_a_second_target_is_refused_and_the_first_stays(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.world()
    await scripted.terminal("other")
    for one, other in (("check", "other"), ("other", "check")):
        with pytest.raises(Refused, match="target already: 'shell'") as refusal:
            await graph.connect(one, other, None)
        assert refusal.value.exit_code == 3
    target = (await scripted.services.schedules.get("check", BERLIN))["target"]
    assert target is not None
    assert target["name"] == "shell"


@pytest.mark.contract("K73", "K+4")
@pytest.mark.parametrize(
    "kind", [NodeKind.FILE, NodeKind.STICKY_NOTE, NodeKind.SPECIFICATION, NodeKind.SCHEDULE]
)
async def test_a_pair_that_may_not_be_joined_is_refused_from_either_end(
    scripted: ScriptedRuntime, graph: GraphService, kind: NodeKind
) -> None:
    await scripted.workspace()
    await scripted.schedule(target=None, resume=False)
    await add_plain_node(scripted, kind, "other")
    for one, other in (("check", "other"), ("other", "check"), ("check", "check")):
        with pytest.raises(Refused):
            await graph.connect(one, other, None)
    assert await graph.connections(None) == []


@pytest.mark.contract("K73")
async def test_a_coding_agent_may_be_a_target(scripted: ScriptedRuntime, graph: GraphService) -> None:
    await scripted.workspace()
    await scripted.schedule(target=None)
    await add_plain_node(scripted, NodeKind.CODING_AGENT, "agent")
    await graph.connect("agent", "check", None)
    target = (await scripted.services.schedules.get("check", BERLIN))["target"]
    assert target is not None
    assert target["kind"] == "coding-agent"
    await scripted.at("2026-11-02T10:00:00Z")
    assert await scripted.states() == ["Blocked"], "no session of it is open"


async def test_nodes_of_different_workspaces_are_not_joined(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace("one")
    await scripted.terminal()
    await scripted.workspace("two")
    await scripted.services.schedules.add({"name": "check"}, BERLIN, workspace="two", target=None)
    with pytest.raises(Refused, match="different Workspaces"):
        await graph.connect("check", "shell", None)


async def test_a_schedules_connection_has_no_environment_variable(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    await scripted.schedule(target=None, resume=False)
    with pytest.raises(BadInput, match="environment variable"):
        await graph.connect("check", "shell", "CHECK_SQL")
    assert await graph.connections(None) == []


@pytest.mark.contract("K+2")
async def test_taking_the_target_away_pauses_with_the_reason(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.world()
    await graph.disconnect("check", "shell")
    shown = await scripted.services.schedules.get("check", BERLIN)
    assert (shown["state"], shown["target"], shown["next_due"]) == ("Paused", None, None)
    assert shown["pause_reason"] == "its target 'shell' was disconnected"
    await scripted.at("2026-11-02T10:00:00Z")
    assert await scripted.attempts() == []


@pytest.mark.contract("K20")
async def test_one_resumed_without_a_target_is_blocked_at_its_time(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.world()
    await graph.disconnect("check", "shell")
    await scripted.services.schedules.resume("check", BERLIN)
    await scripted.at("2026-11-02T10:00:00Z")
    (attempt,) = await scripted.attempts()
    assert (attempt["state"], attempt["diagnostic"]) == ("Blocked", "no target is connected")


async def test_taking_the_target_from_a_paused_one_gives_it_no_reason(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.world()
    await scripted.services.schedules.pause("check", BERLIN, "holiday")
    await graph.disconnect("check", "shell")
    assert (await scripted.services.schedules.get("check", BERLIN))["pause_reason"] == "holiday"


@pytest.mark.contract("K+2")
async def test_removing_the_target_pauses_blocks_what_waits_and_ends_its_session(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.at("2026-11-02T11:00:00Z")
    session, key, _ = scripted.sessions.delivered[0]
    await graph.remove_node("shell")
    scripted.sessions.listener.outcome_observed(Outcome(key, AttemptState.INTERRUPTED, diagnostic="closed"))
    await scripted.eventually(scripted.states, ["Interrupted", "Blocked"])
    assert not scripted.sessions.living[session].open
    shown = await scripted.services.schedules.get("check", BERLIN)
    assert shown["state"] == "Paused"
    assert "shell" in (shown["pause_reason"] or "")
    first = (await scripted.attempts())[0]
    assert first["target_name"] == "shell", "what happened stays on record"


async def test_what_is_connected_is_listed_at_both_ends(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    made = await scripted.world()
    shell = await graph.node("shell")
    assert shell["connections"] == [
        {"node": made["id"], "kind": "schedule", "name": "check", "env": None, "guardrail": None}
    ]
    check = await graph.node("check")
    assert [neighbour["node"] for neighbour in check["connections"]] == [shell["id"]]


# --- What the faces are told: a Schedule is a Node too, and each is listed by itself


def told(scripted: ScriptedRuntime, after: int) -> list[tuple[str, str, str]]:
    events = scripted.runtime.events.missed_since(after)
    assert events is not None
    return [tuple(event.change) for event in events if event.change is not None]


async def test_a_schedule_is_told_of_as_a_node_and_as_a_schedule(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    last = scripted.runtime.events.last
    made = (await scripted.schedule(target=None, resume=False))["id"]
    assert told(scripted, last) == [("node", made, "created"), ("schedule", made, "created")]
    last = scripted.runtime.events.last
    await scripted.services.schedules.edit(made, {"name": "edited"}, BERLIN, revision=1)
    assert told(scripted, last) == [("node", made, "changed"), ("schedule", made, "changed")]
    last = scripted.runtime.events.last
    await graph.edit_node(made, {"name": "renamed"}, revision=2)
    assert told(scripted, last) == [("node", made, "changed"), ("schedule", made, "changed")]
    connection = (await graph.connect(made, "shell", None))["id"]
    last = scripted.runtime.events.last
    await graph.remove_node(made, NodeKind.SCHEDULE)
    assert told(scripted, last) == [
        ("connection", str(connection), "removed"),
        ("schedule", made, "removed"),
        ("node", made, "removed"),
    ]


# --- Sessions


def state_of(scripted: ScriptedRuntime) -> Callable[[], Awaitable[str]]:
    async def ask() -> str:
        (session,) = await scripted.services.sessions.listing(None)
        return session["state"]

    return ask


@pytest.mark.contract("K74")
async def test_a_session_closed_on_purpose_blocks_and_is_opened_by_a_person_alone(
    scripted: ScriptedRuntime,
) -> None:
    await scripted.world()
    closed = await scripted.services.sessions.close("shell")
    assert (closed["open"], closed["state"], closed["closed_on_purpose"]) == (False, "closed", True)
    await scripted.at("2026-11-02T10:00:00Z")
    assert await scripted.states() == ["Blocked"]
    await scripted.stop()
    await scripted.start()
    assert len(scripted.sessions.opened) == 1
    reopened = await scripted.services.sessions.open("shell")
    assert (reopened["state"], reopened["closed_on_purpose"]) == ("open", False)
    await scripted.at("2026-11-02T11:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)


async def test_a_shell_that_ended_by_itself_was_not_closed_on_purpose(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    scripted.sessions.dies(next(iter(scripted.sessions.living)))
    await scripted.eventually(state_of(scripted), "ended")
    (session,) = await scripted.services.sessions.listing(None)
    assert (session["exit_code"], session["diagnostic"]) == (1, "its shell ended")


async def test_a_session_that_is_not_open_is_neither_seen_nor_typed_into(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    await scripted.terminal(open_session=False)
    await scripted.schedule(target=None, resume=False)
    service = scripted.services.sessions
    for ask in (service.screen("shell"), service.tail("shell", 100), service.type("shell", "x", enter=True)):
        with pytest.raises(Refused, match="not open"):
            await ask
    with pytest.raises(Refused, match="has no session"):
        await service.open("check")


async def test_typing_makes_a_delivery_wait(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    await scripted.services.sessions.type("shell", "rm -r", enter=False)

    async def ask() -> str | None:
        (session,) = await scripted.services.sessions.listing(None)
        return session["waiting_for"]

    await scripted.eventually(ask, WaitingFor.UNFINISHED_INPUT)
    await scripted.at("2026-11-02T10:00:00Z")
    assert await scripted.states() == ["Pending"]
    with pytest.raises(BadInput):
        await scripted.services.sessions.type("shell", "x" * 65_537, enter=False)


@pytest.mark.contract("K+2", "K+3")
async def test_what_waits_is_not_delivered_to_a_target_that_was_disconnected(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    schedule = await scripted.world()
    assert schedule["target"] is not None
    terminal = schedule["target"]["id"]
    scripted.sessions.becomes(terminal, WaitingFor.BUSY)
    await scripted.services.schedules.run_now(schedule["id"])
    await scripted.eventually(scripted.states, ["Pending"])
    await graph.disconnect(schedule["id"], terminal)
    scripted.sessions.becomes(terminal)
    (attempt,) = await scripted.attempts()
    assert (attempt["state"], attempt["diagnostic"]) == ("Blocked", "its target was disconnected")
    assert scripted.sessions.delivered == []
