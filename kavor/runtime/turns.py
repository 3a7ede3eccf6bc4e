"""What the supervisor and its helpers need of the runtime they serve: the store, one turn after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy.engine import Connection

from kavor.runtime.arbiter import Arbiter
from kavor.runtime.clock import Clock
from kavor.runtime.events import EventLog
from kavor.runtime.file_access import FileAccess
from kavor.runtime.targets import TargetBoard
from kavor.runtime.turn import Turn

T = TypeVar("T")


class Turns(Protocol):
    clock: Clock
    targets: TargetBoard
    arbiter: Arbiter
    events: EventLog
    files: FileAccess

    async def read(self, question: Callable[[Connection], T]) -> T: ...

    async def change(self, operation: Callable[[Turn, Connection], T], *, claim: bool = True) -> T: ...

    async def perform(self, operation: Callable[[Turn], T], *, claim: bool = True) -> T: ...
