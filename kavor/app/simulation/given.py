"""Writing what a scenario says is given: into the database, and into the world of targets."""

from __future__ import annotations

from pathlib import Path

from kavor.app.simulation.scenario import Scenario
from kavor.app.simulation.steps import Given, Schedule, Target
from kavor.app.simulation.targets import CLOSED_ON_PURPOSE, SimulatedTarget
from kavor.domain.agents import AgentSettings
from kavor.domain.errors import BadInput, KavorError
from kavor.domain.graph import TARGET_KINDS, NodeKind
from kavor.domain.instant import Instant
from kavor.domain.payload import check_payload
from kavor.domain.recurrence import parse_recurrence
from kavor.domain.schedule import Catchup, Overlap, Policies, ScheduleState
from kavor.runtime.connections import connect
from kavor.runtime.find import check_name
from kavor.runtime.planning import next_instant
from kavor.runtime.turn import Turn
from kavor.sessions.session import WaitingFor
from kavor.store import coding_agents, schedules, workspaces
from kavor.store.coding_agents import CodingAgentRow
from kavor.store.database import Store
from kavor.store.workspaces import NodeRow, TerminalRow, WorkspaceRow

WORKSPACE = "simulation"


def simulated_targets(given: Given) -> list[SimulatedTarget]:
    """The targets as sessions; Nodes of other kinds have none."""
    return [
        SimulatedTarget(
            id=target.id,
            kind=target.kind,
            open=target.session == "open",
            busy=target.busy,
            shell=None if target.shell == "at prompt" else WaitingFor(target.shell),
            diagnostic="" if target.session == "open" else CLOSED_ON_PURPOSE,
        )
        for target in given.targets
        if target.kind in TARGET_KINDS
    ]


def write_given(store: Store, scenario: Scenario, directory: Path) -> None:
    """Raises BadInput, naming the Schedule, for what Kavor could not have saved."""
    now, given = scenario.start, scenario.given
    with store.transaction() as tx:
        workspaces.add_workspace(tx, WorkspaceRow(WORKSPACE, WORKSPACE, str(directory), 1, now))
        for target in given.targets:
            workspaces.add_node(tx, _node(target.id, target.kind, target.id, now))
            if target.kind is NodeKind.TERMINAL:
                workspaces.add_terminal(tx, _terminal(target, directory))
            elif target.kind is NodeKind.CODING_AGENT:
                coding_agents.add_coding_agent(tx, _agent(target, directory))
        for schedule in given.schedules:
            try:
                name = check_name(schedule.name or schedule.id)
                workspaces.add_node(tx, _node(schedule.id, NodeKind.SCHEDULE, name, now))
                schedules.add_schedule(tx, schedule.id, _definition(schedule, given.host_zone))
                if schedule.target is not None:
                    connect(tx, Turn(), schedule.id, schedule.target, environment_name=None, now=now)
                if schedule.state == "Running":
                    schedules.change_schedule(tx, schedule.id, _running(schedule, given.host_zone, now))
            except KavorError as error:
                raise BadInput(f"given: Schedule {schedule.id!r}: {error.message}", error.hint) from None


def _node(node_id: str, kind: NodeKind, name: str, now: Instant) -> NodeRow:
    return NodeRow(node_id, WORKSPACE, kind, name, x=0.0, y=0.0, revision=1, created_at=now)


def _terminal(target: Target, directory: Path) -> TerminalRow:
    return TerminalRow(target.id, str(directory), shell=None, wanted=target.session)


def _agent(target: Target, directory: Path) -> CodingAgentRow:
    return CodingAgentRow(target.id, AgentSettings("simulated"), str(directory), wanted=target.session)


def _definition(schedule: Schedule, host_zone: str) -> dict[str, str | int | None]:
    limit = schedule.pending_limit_s
    policies = Policies(
        Overlap(schedule.overlap),
        Catchup(schedule.catchup),
        misfire_grace_ms=round(schedule.misfire_grace_s * 1000),
        pending_limit_ms=None if limit is None else round(limit * 1000),
    )
    policies.check()
    return schedules.definition_columns(
        parse_recurrence(schedule.recurrence),
        schedule.zone or host_zone,
        check_payload(schedule.payload) if schedule.payload else "",
        policies,
    )


def _running(schedule: Schedule, host_zone: str, now: Instant) -> dict[str, object]:
    check_payload(schedule.payload)
    at = next_instant(parse_recurrence(schedule.recurrence), schedule.zone or host_zone, now)
    if at is None:
        raise BadInput("it is Running, and has no occurrence left", "give it a time that lies ahead")
    return {"state": ScheduleState.RUNNING, "next_due": at}
