"""What persons and targets do in a scenario: through the services, or in the world of the targets."""

from __future__ import annotations

from typing import cast

from kavor.app.simulation.application import SimulatedApplication
from kavor.app.simulation.notices import Notices
from kavor.app.simulation.steps import (
    Change,
    Delete,
    Given,
    HumanTypes,
    Join,
    OfSchedule,
    OfTarget,
    Pause,
    ReadRevision,
    SaveForm,
    Step,
    TargetFails,
    Write,
)
from kavor.app.simulation.targets import SimulatedTarget, SimulatedTargets
from kavor.domain.attempts import AT_WORK, AttemptState
from kavor.domain.errors import Refused
from kavor.domain.graph import NodeKind
from kavor.runtime.definitions import ScheduleFields
from kavor.runtime.graph_service import GraphService
from kavor.runtime.schedule_service import ScheduleService


class Actions:
    """Every method raises what the product answers when it refuses."""

    def __init__(
        self,
        given: Given,
        application: SimulatedApplication,
        targets: SimulatedTargets,
        notices: Notices,
    ) -> None:
        self.host_zone = given.host_zone
        self._given = given
        self._application = application
        self._targets = targets
        self._notices = notices
        self._read: dict[str, tuple[str, int]] = {}
        """Writer → the Schedule and the revision it has before it."""

    async def do(self, step: Step) -> None:
        match step:
            case Pause():
                await self._schedules.pause(self.schedule_id(step), self.host_zone, step.reason)
            case SaveForm():
                schedule = self.schedule_id(step)
                present = await self._schedules.get(schedule, self.host_zone)
                await self._save(schedule, step.change, present["revision"])
            case ReadRevision():
                schedule = self.schedule_id(step)
                present = await self._schedules.get(schedule, self.host_zone)
                self._read.update(dict.fromkeys(step.writers, (schedule, present["revision"])))
            case Write():
                schedule, revision = self._read[step.writer]
                revision = await self._save(schedule, step.change, revision)
                self._read[step.writer] = schedule, revision
            case Delete(target=None):
                await self._graph.remove_node(self.schedule_id(step), NodeKind.SCHEDULE)
            case Delete(target=target) if target is not None:
                await self._graph.remove_node(target)
            case Join():
                await self._join(step)
            case OfSchedule():
                await self._schedule_action(step.do, self.schedule_id(step))
            case OfTarget():
                await self._target_action(step)

    def schedule_id(self, step: OfSchedule) -> str:
        return step.schedule or self._given.schedules[0].id

    @property
    def _schedules(self) -> ScheduleService:
        return self._application.services.schedules

    @property
    def _graph(self) -> GraphService:
        return self._application.services.graph

    # --- Schedules

    async def _schedule_action(self, verb: str, schedule: str) -> None:
        match verb:
            case "resume":
                await self._schedules.resume(schedule, self.host_zone)
            case "run_now":
                await self._schedules.run_now(schedule)
            case "finish_running_attempt_record":
                at_work = await self._application.services.attempts.listing(
                    schedule=schedule, states=tuple(AT_WORK)
                )
                for attempt in at_work:
                    self._targets.complete(self._targets.by_id[str(attempt["target"])])

    async def _save(self, schedule: str, change: Change, revision: int) -> int:
        """Save over a revision, then pause or resume, which need none; answer the revision it has then."""
        fields = cast(ScheduleFields, change.fields())
        if fields or change.state is None:
            saved = await self._schedules.edit(schedule, fields, self.host_zone, revision=revision)
            self._notices.of_save(saved)
            revision = saved["revision"]
        if change.state == "Paused":
            await self._schedules.pause(schedule, self.host_zone, None)
        elif change.state == "Running":
            await self._schedules.resume(schedule, self.host_zone)
        return revision

    async def _join(self, step: Join) -> None:
        schedule, target = self.schedule_id(step), step.target or self._given.targets[0].id
        if step.do == "connect":
            await self._graph.connect(schedule, target, None)
        else:
            await self._graph.disconnect(schedule, target)

    # --- Targets

    async def _target_action(self, step: OfTarget) -> None:
        target = self._target(step)
        match step:
            case TargetFails():
                exit_code = step.exit_code
                if exit_code is None and target.kind is NodeKind.TERMINAL:
                    exit_code = 1
                self._targets.end(
                    target, AttemptState.FAILED, exit_code=exit_code, diagnostic=step.diagnostic
                )
                return
            case HumanTypes():
                self._targets.type_line(target, step.text, enter=step.enter)
                return
        match step.do:
            case "target_becomes_busy":
                self._targets.become_busy(target)
            case "target_becomes_idle":
                self._targets.become_idle(target)
            case "target_reports_completed" | "human_answers_and_target_completes":
                self._targets.complete(target)
            case "target_asks_for_permission":
                self._targets.ask(target)
            case "target_dies":
                self._targets.die(target)
            case "human_clears_line":
                self._targets.clear_line(target)
            case "open_session":
                await self._open(target)
            case "close_session":
                await self._close(target)

    async def _open(self, target: SimulatedTarget) -> None:
        await self._application.services.sessions.open(target.id)

    async def _close(self, target: SimulatedTarget) -> None:
        await self._application.services.sessions.close(target.id)

    def _target(self, step: OfTarget) -> SimulatedTarget:
        """Raises Refused for a Node that has no session."""
        named = step.target or self._given.targets[0].id
        target = self._targets.by_id.get(named)
        if target is None:
            raise Refused(f"{named!r} has no session", "name a CodingAgent or a Terminal")
        return target
