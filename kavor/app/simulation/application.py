"""The application of a simulation: the real runtime on a home of its own, to start, stop and kill."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from kavor.app.lock import home_lock
from kavor.app.simulation.simulated_time import SameThread, SimulatedAlarm, SimulatedLoop
from kavor.app.simulation.targets import SimulatedTargets
from kavor.domain.errors import AlreadyRunning, Unreachable
from kavor.home import find_home
from kavor.runtime.alarm import MakeAlarm
from kavor.runtime.clock import Clock
from kavor.runtime.file_access import FileAccess
from kavor.runtime.runtime import Runtime
from kavor.runtime.services import Services
from kavor.store.database import Store, open_store


class SimulatedApplication:
    """``root`` is a folder of its own. Belongs to the simulated loop."""

    def __init__(self, root: Path, loop: SimulatedLoop, targets: SimulatedTargets) -> None:
        self.home = find_home({"KAVOR_HOME": str(root)})
        self._loop = loop
        self._targets = targets
        self._alarm: SimulatedAlarm | None = None
        self._services: Services | None = None
        self._held = ExitStack()

    @property
    def runs(self) -> bool:
        return self._services is not None

    @property
    def services(self) -> Services:
        """Raises Unreachable while no runtime is there."""
        if self._services is None:
            raise Unreachable("the runtime does not answer", "start the application first")
        return self._services

    def open_store(self) -> Store:
        """The database as it lies on the disk. It has to outlive no loss of power."""
        return open_store(self.home.database, self.home.backups, durable=False)

    async def start(self) -> None:
        """Raises AlreadyRunning where one runs already, which goes on undisturbed."""
        with ExitStack() as held:
            try:
                held.enter_context(home_lock(self.home))
            except AlreadyRunning as error:
                raise AlreadyRunning("a runtime already serves this profile", error.hint) from None
            store = self.open_store()
            held.callback(store.close)
            runtime = self._runtime(store, self._make_alarm)
            await runtime.start()
            self._held = held.pop_all()
        self._services = Services(runtime, self.home)

    async def stop(self) -> None:
        """In good order. Raises Unreachable where none runs."""
        await self.services.runtime.stop()
        self._gone()

    async def kill(self) -> None:
        """Nothing more is done, told or written. Raises Unreachable where none runs."""
        self._gone()
        self._targets.runtime_is_gone()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Services]:
        """What is on record, whether a runtime is there or not."""
        if self._services is not None:
            yield self._services
            return
        store = self.open_store()
        try:
            runtime = self._runtime(store, SimulatedAlarm)
            yield Services(runtime, self.home)
        finally:
            store.close()

    def look_at_clock(self) -> None:
        """What the clock watch of a running application does at least every ten seconds."""
        if self._services is not None and self._alarm is not None:
            self._alarm.look()

    def _runtime(self, store: Store, make_alarm: MakeAlarm) -> Runtime:
        files = FileAccess(start=lambda work: work())
        return Runtime(store, SameThread(), self._loop.clock, self._targets, make_alarm, files)

    def _gone(self) -> None:
        """Raises Unreachable where none runs."""
        if self._services is None:
            raise Unreachable("the runtime does not answer", "start the application first")
        if self._alarm is not None:
            self._alarm.stop()
        self._services = None
        self._held.close()

    def _make_alarm(
        self,
        clock: Clock,
        ring: Callable[[], None],
        jumped: Callable[[float], None],
        near: Callable[[], None],
    ) -> SimulatedAlarm:
        self._alarm = SimulatedAlarm(clock, ring, jumped, near)
        return self._alarm
