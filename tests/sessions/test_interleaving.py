"""A person who types just as deliveries come; `python tests/sessions/interleave.py` runs many more turns."""

from __future__ import annotations

from pathlib import Path

import pytest
from at_once import over
from dialects import EVERY, Dialect
from interleave import interleave
from live_shell import Shell


@over(*EVERY)
@pytest.mark.contract("K+6", "K+7")
async def test_nothing_a_person_types_is_lost_or_joined(
    shell: Shell, dialect: Dialect, tmp_path: Path
) -> None:
    await interleave(shell, dialect, tmp_path / "log", turns=20, seed=20261130)
