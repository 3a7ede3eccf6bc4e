"""In plain Japanese what :mod:`kavor.domain.words` and :mod:`kavor.domain.notes` say in English: recurrences,
from what they mean, and why an occurrence is where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from kavor.domain.cron import MINUTE_MS, Grid, month_length
from kavor.domain.kinds import Every, Once, Recurrence
from kavor.domain.notes import NAMED_AT_MOST, ElapsedTime, Month, Moved, NoSuchDay, NotRepeated, Reason
from kavor.domain.words import TIMES_LISTED, WORKDAYS, even_step, runs
from kavor.domain.zones import utc_clock

_UNITS = {"w": "週間", "d": "日", "h": "時間", "m": "分", "s": "秒"}
_EACH = {"w": "毎週", "d": "毎日", "h": "1時間", "m": "1分", "s": "1秒"}
_WEEKDAYS = "日月火水木金土"
_COMMON_YEAR = 2001


def describe(recurrence: Recurrence) -> str:
    """A recurrence in plain words, such as ``平日の 09:00``."""
    if isinstance(recurrence, Once):
        return f"{_date(recurrence.local)} {recurrence.local:%H:%M} に一度"
    if isinstance(recurrence, Every):
        return _interval(recurrence)
    return _calendar(recurrence.grid)


def note(reasons: Sequence[Reason]) -> str:
    """What bent an occurrence; empty where nothing did."""
    return "。".join(map(_because, reasons))


def _because(reason: Reason) -> str:
    match reason:
        case Moved():
            verb = "の分も兼ねる" if reason.stands_here_too else "から移動"
            return f"{_listed(reason.times)} {verb}(時計が進むため)"
        case NotRepeated(local, again):
            return f"時計が戻るため、2回目の {local:%H:%M}({utc_clock(again)})には実行しない"
        case ElapsedTime(forward):
            return f"時計が{'進んだ' if forward else '戻った'}が、時間と分は経過時間で数える"
        case NoSuchDay(days, months):
            return f"{_lacking(months)}に{'・'.join(f'{day}日' for day in days)}はない"


def _listed(times: Sequence[str]) -> str:
    if len(times) > NAMED_AT_MOST:
        return f"{times[0]}〜{times[-1]}({len(times)}回)"
    return "・".join(times)


def _lacking(months: Sequence[Month]) -> str:
    names = list(dict.fromkeys(f"{month}月" for _, month in months))
    if len(names) < len(months):
        return f"{'・'.join(f'{year}年' for year, _ in months)}の{names[0]}"
    return "・".join(names)


def _interval(every: Every) -> str:
    count, unit = int(every.every[:-1]), every.every[-1]
    length = f"{count}{_UNITS[unit]}ごと"
    if count == 1:
        length = _EACH[unit] if every.keeps_wall_clock else f"{_EACH[unit]}ごと"
    text = f"{_date(every.anchor)} {every.anchor:%H:%M} から{length}"
    return text if every.keeps_wall_clock else f"{text}(経過時間)"


def _date(local: datetime) -> str:
    return f"{local.year}年{local.month}月{local.day}日({_WEEKDAYS[local.isoweekday() % 7]})"


def _calendar(grid: Grid) -> str:
    if grid.never:
        return "実行されない"
    months = "" if len(grid.months) == 12 else _spans(grid.months, lambda month: f"{month}月")
    days, times = _days(grid, each_month=not months), _times(grid)
    if not months and not days:
        return f"毎日 {times}" if len(grid.hours) < 24 else times
    link = "" if len(grid.months) == 1 and days[:1].isdigit() else "の"
    when = link.join(filter(None, (months, days or "毎日")))
    return f"{when}の {times}{_skipped(grid)}"


def _times(grid: Grid) -> str:
    """The times of a matching day."""
    minutes = even_step(grid.minutes, 60)
    if len(grid.hours) == 24 and minutes:
        return "1分ごと" if minutes == 1 else f"{minutes}分ごと"
    past = "・".join(map(str, grid.minutes))
    if len(grid.hours) == 24:
        return f"毎時 {past} 分"
    if len(grid.times) <= TIMES_LISTED:
        return "・".join(_clock(time) for time in grid.times)
    first, last = _clock(grid.times[0]), _clock(grid.times[-1])
    hours = even_step(grid.hours)
    if minutes and hours == 1:
        return f"{first}〜{last} に{minutes}分ごと"
    if len(grid.minutes) == 1 and hours:
        return f"{first}〜{last} に{hours}時間ごと"
    past = "毎分" if minutes == 1 else f"{past} 分"
    return f"{_spans(grid.hours, lambda hour: f'{hour}時')}台の{past}"


def _days(grid: Grid, *, each_month: bool) -> str:
    """The days, or nothing where every day will do."""
    any_day, any_weekday = len(grid.days) == 31, len(grid.weekdays) == 7
    if (any_day and any_weekday) or (grid.either and (any_day or any_weekday)):
        return ""
    of_month = ("毎月" if each_month else "") + _spans(grid.days, lambda day: f"{day}日")
    if any_weekday:
        return of_month
    weekdays = _weekdays(grid.weekdays)
    if any_day:
        return weekdays if tuple(grid.weekdays) == WORKDAYS else f"毎週{weekdays}"
    return f"{of_month}または{weekdays}" if grid.either else f"{of_month}が{weekdays}の日"


def _weekdays(weekdays: Sequence[int]) -> str:
    if tuple(weekdays) == WORKDAYS:
        return "平日"
    from_monday = sorted(weekdays, key=lambda day: (day - 1) % 7)
    return "・".join(_WEEKDAYS[day] for day in from_monday) + "曜日"


def _skipped(grid: Grid) -> str:
    """A word on months that lack the day, where one day of the month is all there is."""
    if grid.either or len(grid.days) > 1 or len(grid.months) == 1:
        return ""
    if all(month_length(_COMMON_YEAR, month) >= grid.days[0] for month in grid.months):
        return ""
    return f"({grid.days[0]}日のない月は休み)"


def _clock(time: int) -> str:
    hour, minute = divmod(time // MINUTE_MS, 60)
    return f"{hour:02d}:{minute:02d}"


def _spans(numbers: Sequence[int], word: Callable[[int], str]) -> str:
    """Numbers in words, three or more in a row as ``1日〜5日``."""
    said: list[str] = []
    for span in runs(numbers):
        said += [f"{word(span[0])}〜{word(span[-1])}"] if len(span) > 2 else map(word, span)
    return "・".join(said)
