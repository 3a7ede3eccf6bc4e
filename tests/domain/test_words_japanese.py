"""Recurrences in plain Japanese."""

from __future__ import annotations

from datetime import datetime

import pytest

from kavor.domain.kinds import Cron, Every, Once
from kavor.domain.words_ja import describe


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("0 9 * * *", "毎日 09:00"),
        ("0 9 * * 1-5", "平日の 09:00"),
        ("0 9,18 * * 3,1,0", "毎週月・水・日曜日の 09:00・18:00"),
        ("* * * * *", "1分ごと"),
        ("*/15 * * * *", "15分ごと"),
        ("5,35 * * * *", "毎時 5・35 分"),
        ("0 9-17 * * *", "毎日 09:00〜17:00 に1時間ごと"),
        ("*/15 9-17 * * 1-5", "平日の 09:00〜17:45 に15分ごと"),
        ("10,20 9-17 * * *", "毎日 9時〜17時台の10・20 分"),
        ("30 9 31 * *", "毎月31日の 09:30(31日のない月は休み)"),
        ("0 9 1-7,15 * *", "毎月1日〜7日・15日の 09:00"),
        ("0 9 1 1 *", "1月1日の 09:00"),
        ("0 9 * 3-5 *", "3月〜5月の毎日の 09:00"),
        ("0 0 1 * 1", "毎月1日または月曜日の 00:00"),
        ("0 9 30 2 *", "実行されない"),
    ],
)
def test_calendars(expression: str, words: str) -> None:
    assert describe(Cron(expression)) == words


def test_once_and_every() -> None:
    start = datetime(2026, 12, 1, 9)
    assert describe(Once(start)) == "2026年12月1日(火) 09:00 に一度"
    assert describe(Every("2w", start)) == "2026年12月1日(火) 09:00 から2週間ごと"
    assert describe(Every("1d", start)) == "2026年12月1日(火) 09:00 から毎日"
    assert describe(Every("1h", start)) == "2026年12月1日(火) 09:00 から1時間ごと(経過時間)"
