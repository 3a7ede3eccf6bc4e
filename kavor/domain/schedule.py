"""What a Schedule is: when to fire, what to hand over, and the policies in between."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kavor.domain.errors import BadInput

DEFAULT_MISFIRE_GRACE_MS = 60_000
"""How late an occurrence may be claimed and still be delivered (decision 6)."""

MAX_MISFIRE_GRACE_MS = 24 * 3_600_000
MAX_PENDING_LIMIT_MS = 366 * 24 * 3_600_000


class ScheduleState(StrEnum):
    PAUSED = "Paused"
    RUNNING = "Running"


class Overlap(StrEnum):
    """What becomes of an occurrence that finds an attempt of its own Schedule waiting in the slot."""

    COALESCE = "coalesce"
    """The waiting attempt stays; the newer one is Coalesced."""
    REPLACE = "replace"
    """The newer one takes the slot; the waiting one is Coalesced."""


class Catchup(StrEnum):
    """What becomes of occurrences that passed while nothing could claim them (decision 12)."""

    NONE = "none"
    LATEST = "latest"


@dataclass(frozen=True)
class Policies:
    """Durations are in milliseconds."""

    overlap: Overlap = Overlap.COALESCE
    catchup: Catchup = Catchup.NONE
    misfire_grace_ms: int = DEFAULT_MISFIRE_GRACE_MS
    pending_limit_ms: int | None = None
    """How long an attempt may wait in the slot; None: as long as it takes."""

    def check(self) -> None:
        """Raises BadInput for a duration that cannot be meant."""
        if not 0 <= self.misfire_grace_ms <= MAX_MISFIRE_GRACE_MS:
            raise BadInput(
                f"a misfire grace of {self.misfire_grace_ms / 1000:g} s is out of range",
                "give 0 s to 24 h; 60 s is the default",
            )
        limit = self.pending_limit_ms
        if limit is not None and not 1000 <= limit <= MAX_PENDING_LIMIT_MS:
            raise BadInput(
                f"a pending limit of {limit / 1000:g} s is out of range",
                "give 1 s to 366 days, or none",
            )
