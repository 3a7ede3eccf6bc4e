"""What the host remembers of deliveries, and for how long."""

from __future__ import annotations

import pytest

from kavor.domain.attempts import AttemptState
from kavor.sessions.session import HandOver, Outcome
from kavor.sessions.terminal import deliveries
from kavor.sessions.terminal.deliveries import Deliveries


async def accept(remembered: Deliveries, key: str) -> None:
    async def deliver() -> HandOver:
        return HandOver(accepted=True)

    await remembered.once(key, deliver)


async def test_a_key_is_forgotten_long_after_its_outcome_is_on_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliveries, "KEPT_KEYS", 3)
    remembered = Deliveries()
    keys = [f"key-{number}" for number in range(6)]
    for key in ["still runs", *keys]:
        await accept(remembered, key)
    for key in keys:
        remembered.ended(Outcome(key, AttemptState.COMPLETED))
        remembered.acknowledge([key])
        remembered.acknowledge([key])  # told twice, it counts once
    known = await remembered.known(["still runs", *keys])
    assert [key for key, accepted in known.items() if accepted] == ["still runs", "key-3", "key-4", "key-5"]
