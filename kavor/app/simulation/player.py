"""Plays a scenario, each step at its time, on the real runtime, and keeps what the steps read."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kavor.app.simulation.actions import Actions
from kavor.app.simulation.application import SimulatedApplication
from kavor.app.simulation.given import simulated_targets, write_given
from kavor.app.simulation.notices import NOTEWORTHY, Notices
from kavor.app.simulation.scenario import Scenario
from kavor.app.simulation.simulated_time import SimulatedClock, SimulatedLoop
from kavor.app.simulation.steps import (
    Preview,
    ReadState,
    RunClock,
    SetClock,
    SetHostZone,
    Step,
    Timed,
)
from kavor.app.simulation.targets import SimulatedTargets
from kavor.domain.errors import BadInput, Conflict, Refused, Unreachable
from kavor.domain.instant import Instant, format_instant
from kavor.domain.recurrence import parse_recurrence

DAY_MS = 86_400_000

Progress = Callable[[Instant], None]
"""Told how far simulated time has come, once for each of its days."""

WORKS_WHILE_ASLEEP = frozenset(
    {
        "tick",
        "wake_machine",
        "set_clock",
        "set_host_zone",
        "kill_app",
        "kill_and_restart_app",
        "start_app",
        "preview",
        "preview_only",
        "read_state",
    }
)
"""What needs no running machine, or starts it."""


def play(scenario: Scenario, progress: Progress | None = None) -> dict[str, Any]:
    """Play it from its start to its last step; answer what was saved, and ``refusals``.

    Everything happens in a temporary folder, on this thread. Raises BadInput for what cannot be given.
    """
    clock = SimulatedClock(scenario.start)
    with (
        tempfile.TemporaryDirectory(prefix="kavor-simulation-") as root,
        asyncio.Runner(loop_factory=lambda: SimulatedLoop(clock)) as runner,
    ):
        return runner.run(_play(scenario, Path(root), progress))


async def _play(scenario: Scenario, root: Path, progress: Progress | None) -> dict[str, Any]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    targets = SimulatedTargets(loop.clock, simulated_targets(scenario.given))
    application = SimulatedApplication(root, loop, targets)
    store = application.open_store()
    try:
        write_given(store, scenario, root)
    finally:
        store.close()
    await application.start()
    try:
        player = Player(scenario, loop, application, targets, progress)
        return await player.play()
    finally:
        if application.runs:
            await application.stop()


class Player:
    def __init__(
        self,
        scenario: Scenario,
        loop: SimulatedLoop,
        application: SimulatedApplication,
        targets: SimulatedTargets,
        progress: Progress | None,
    ) -> None:
        self._steps = scenario.steps
        self._loop = loop
        self._clock = loop.clock
        self._application = application
        self._targets = targets
        self._progress = progress
        self._asleep = False
        self._second_copy_refused = False
        self._notices = Notices()
        self._actions = Actions(scenario.given, application, targets, self._notices)
        self._saved: dict[str, Any] = {}

    async def play(self) -> dict[str, Any]:
        refusals: list[dict[str, Any]] = []
        await self._look_around(first=True)
        for number, step in enumerate(self._steps, 1):
            if isinstance(step, Timed) and not isinstance(step, Preview):
                await self._move_to(step.at)
            try:
                await self._do(step)
            except (BadInput, Refused, Conflict, Unreachable) as error:
                refusals.append(
                    {
                        "step": number,
                        "do": step.do,
                        "reason": error.message,
                        "hint": error.hint,
                        "exit_code": error.exit_code,
                    }
                )
            await self._loop.quiet()
            await self._look_around()
        return {**self._saved, "refusals": refusals}

    # --- Time

    async def _move_to(self, at: Instant) -> None:
        if self._asleep:
            self._clock.set_wall(at)
            return
        while (day_ahead := Instant(self._clock.now() + DAY_MS)) < at:
            await self._loop.pass_until(day_ahead)
            if self._progress is not None:
                self._progress(day_ahead)
        await self._loop.pass_until(at)

    async def _run_clock(self, step: RunClock) -> None:
        await self._move_to(step.from_)
        self._targets.complete_deliveries_after(round(step.target_completes_in_seconds * 1000))
        await self._move_to(step.to)
        self._targets.complete_deliveries_after(None)

    def _wake(self) -> None:
        self._asleep = False
        self._application.look_at_clock()

    # --- Steps

    async def _do(self, step: Step) -> None:
        if self._asleep and step.do not in WORKS_WHILE_ASLEEP:
            raise Unreachable("the machine is asleep", "wake it first")
        match step:
            case RunClock():
                await self._run_clock(step)
            case SetClock():
                self._clock.set_wall(step.to)
                if not self._asleep:
                    self._application.look_at_clock()
            case SetHostZone():
                self._actions.host_zone = step.zone
            case Preview():
                self._saved[step.save_as or step.do] = await self._preview(step)
            case ReadState():
                await self._look_around()
                self._saved[step.save_as] = await self._state()
            case _:
                if not await self._moved_machine_or_application(step.do):
                    await self._actions.do(step)

    async def _moved_machine_or_application(self, verb: str) -> bool:
        """Do what a step does to the machine or to the application; answer whether it is such a step."""
        match verb:
            case "tick":
                pass  # time has moved
            case "suspend_machine":
                self._asleep = True
            case "wake_machine":
                self._wake()
            case "start_app":
                self._wake()
                await self._application.start()
            case "stop_app":
                await self._application.stop()
            case "kill_app":
                await self._application.kill()
            case "kill_and_restart_app":
                self._wake()
                if self._application.runs:
                    await self._application.kill()
                await self._application.start()
            case "start_second_copy_same_profile":
                await self._start_second_copy()
            case "tick_both_copies_at_once":
                if not self._second_copy_refused:
                    await self._start_second_copy()
            case _:
                return False
        return True

    async def _start_second_copy(self) -> None:
        self._second_copy_refused = self._application.runs
        await self._application.start()

    async def _preview(self, step: Preview) -> dict[str, Any]:
        """What ``kavor schedule next`` shows of a Schedule, and ``kavor next`` of a recurrence."""
        async with self._application.reading() as services:
            if step.recurrence is None:
                schedule, zone = self._actions.schedule_id(step), self._actions.host_zone
                coming = await services.schedules.coming(schedule, zone, count=step.count, after=step.at)
            else:
                recurrence = parse_recurrence(step.recurrence, may_be_empty=True)
                zone = step.zone or self._actions.host_zone
                coming = services.schedules.preview(recurrence, zone, zone, count=step.count, after=step.at)
        return {"occurrences": coming}

    # --- What there is to read

    async def _state(self) -> dict[str, Any]:
        zone = self._actions.host_zone
        async with self._application.reading() as services:
            schedules = await services.schedules.listing(zone, workspace=None, ref=None, state=None)
            attempts = await services.attempts.listing()
        return {
            "at": format_instant(self._clock.now()),
            "host_zone": zone,
            "schedules": schedules,
            "attempts": attempts[::-1],
            "targets": {target.id: target.shown() for target in self._targets.by_id.values()},
            "notices": list(self._notices.told),
        }

    async def _look_around(self, *, first: bool = False) -> None:
        """Tell the person what has changed; nobody does while no application is there."""
        if not self._application.runs or self._asleep:
            return
        zone = self._actions.host_zone
        async with self._application.reading() as services:
            schedules = await services.schedules.listing(zone, workspace=None, ref=None, state=None)
            attempts = await services.attempts.listing(states=NOTEWORTHY)
        if first:
            self._notices.know_already(schedules)
        self._notices.of_schedules(schedules)
        self._notices.of_attempts(attempts[::-1])
