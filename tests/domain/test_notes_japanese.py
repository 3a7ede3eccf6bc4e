"""Whatever bends an occurrence is said in Japanese as well."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kavor.domain.instant import parse_instant
from kavor.domain.kinds import Cron, Every, Once, Recurrence
from kavor.domain.recurrence import next_occurrence
from kavor.domain.words_ja import note
from kavor.domain.zones import load_zone

BERLIN = load_zone("Europe/Berlin")
BEFORE_SPRING, BEFORE_AUTUMN = "2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z"


@pytest.mark.parametrize(
    ("recurrence", "after", "words"),
    [
        (Once(datetime(2026, 3, 29, 2, 30)), BEFORE_SPRING, "02:30 から移動(時計が進むため)"),
        (Cron("0,30 2 29 3 *"), BEFORE_SPRING, "02:00・02:30 から移動(時計が進むため)"),
        (Cron("*/10 2 29 3 *"), BEFORE_SPRING, "02:00〜02:50(6回) から移動(時計が進むため)"),
        (Cron("0 2,3 29 3 *"), BEFORE_SPRING, "02:00 の分も兼ねる(時計が進むため)"),
        (
            Cron("30 2 * * *"),
            BEFORE_AUTUMN,
            "時計が戻るため、2回目の 02:30(01:30Z)には実行しない",
        ),
        (
            Every("6h", datetime(2026, 3, 28, 20)),
            "2026-03-28T20:00:00Z",
            "時計が進んだが、時間と分は経過時間で数える",
        ),
        (
            Every("6h", datetime(2026, 10, 24, 20)),
            "2026-10-25T00:00:00Z",
            "時計が戻ったが、時間と分は経過時間で数える",
        ),
        (Cron("0 9 31 * *"), "2026-02-01T00:00:00Z", "2月に31日はない"),
        (Cron("0 9 30,31 * *"), "2026-02-01T00:00:00Z", "2月に30日・31日はない"),
        (Cron("0 9 29 2 *"), "2026-01-01T00:00:00Z", "2025年・2026年・2027年の2月に29日はない"),
        (Cron("0 9 1 * *"), "2026-01-10T00:00:00Z", ""),
    ],
)
def test_notes(recurrence: Recurrence, after: str, words: str) -> None:
    found = next_occurrence(recurrence, BERLIN, parse_instant(after))
    assert found is not None
    assert note(found.reasons) == words


@given(
    minute=st.integers(0, 59),
    hour=st.integers(0, 4),
    day=st.sampled_from(["*", "29", "30", "31", "29-31"]),
    zone=st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Tokyo"]),
    month=st.integers(1, 12),
)
def test_there_is_a_japanese_note_where_there_is_an_english_one(
    minute: int, hour: int, day: str, zone: str, month: int
) -> None:
    after = parse_instant(f"2026-{month:02}-24T00:00:00Z")
    found = next_occurrence(Cron(f"{minute} {hour} {day} * *"), ZoneInfo(zone), after)
    assert found is not None
    assert bool(note(found.reasons)) is bool(found.note)
