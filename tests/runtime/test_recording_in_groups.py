"""Outcomes that come all at once are recorded in groups, and none keeps what is due waiting for long."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.runtime.observations import Observation
from kavor.runtime.recorder import MOST_IN_A_GROUP
from kavor.runtime.turn import Turn
from kavor.sessions.session import Outcome


async def test_outcomes_are_recorded_in_groups_of_a_limited_size(
    scripted: ScriptedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    ((_, key, _),) = scripted.sessions.delivered
    sizes: list[int] = []
    observe = scripted.runtime.arbiter.observe

    def measured(observations: Iterable[Observation]) -> Turn:
        group = list(observations)
        sizes.append(len(group))
        return observe(group)

    monkeypatch.setattr(scripted.runtime.arbiter, "observe", measured)
    outcome = Outcome(key, AttemptState.COMPLETED, 0)
    for _ in range(2 * MOST_IN_A_GROUP + 1):
        scripted.sessions.listener.outcome_observed(outcome)

    async def all_acknowledged() -> int:
        return len(scripted.sessions.acknowledged)

    await scripted.eventually(all_acknowledged, 2 * MOST_IN_A_GROUP + 1)
    assert max(sizes) <= MOST_IN_A_GROUP
    assert len(sizes) < 10
    assert await scripted.states() == ["Completed"]
