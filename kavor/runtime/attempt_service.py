"""What may be asked of attempts: look, withdraw, dismiss."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import Refused
from kavor.domain.instant import Instant
from kavor.runtime.events import Change
from kavor.runtime.find import find_attempt, find_node, find_schedule
from kavor.runtime.runtime import Runtime
from kavor.runtime.turn import Turn
from kavor.runtime.views import AttemptView, Views
from kavor.store import ledger


class AttemptService:
    def __init__(self, runtime: Runtime, views: Views) -> None:
        self._runtime = runtime
        self._views = views

    async def listing(
        self,
        *,
        schedule: str | None = None,
        target: str | None = None,
        states: Sequence[AttemptState] | None = None,
        since: Instant | None = None,
        limit: int | None = None,
    ) -> list[AttemptView]:
        """Newest first, without evidence."""

        def ask(view: Connection) -> list[AttemptView]:
            rows = ledger.list_attempts(
                view,
                schedule_id=None if schedule is None else find_schedule(view, schedule).id,
                target_id=None if target is None else find_node(view, target).id,
                states=states or None,
                since=since,
                limit=limit,
            )
            return [self._views.attempt(row) for row in rows]

        return await self._runtime.read(ask)

    async def get(self, attempt_id: int) -> AttemptView:
        return await self._runtime.read(
            lambda view: self._views.attempt_whole(view, find_attempt(view, attempt_id))
        )

    async def withdraw(self, attempt_id: int) -> AttemptView:
        """Raises Refused unless it is Pending."""

        def take_back(turn: Turn, tx: Connection) -> AttemptView:
            self._runtime.arbiter.withdraw(tx, find_attempt(tx, attempt_id), turn)
            return self._views.attempt(find_attempt(tx, attempt_id))

        return await self._runtime.change(take_back)

    async def dismiss(self, attempt_id: int) -> AttemptView:
        """Put a Missed attempt aside; it stays on record. Raises Refused for any other."""

        def put_aside(turn: Turn, tx: Connection) -> AttemptView:
            row = find_attempt(tx, attempt_id)
            if row.state is not AttemptState.MISSED:
                raise Refused(f"attempt {row.id} is {row.state}", "only a Missed attempt is dismissed")
            ledger.note(tx, row.id, dismissed_at=row.dismissed_at or self._runtime.clock.now())
            turn.changes.append(Change("attempt", str(row.id)))
            return self._views.attempt(find_attempt(tx, attempt_id))

        return await self._runtime.change(put_aside)
