"""A small brute-force oracle for cron occurrences in an IANA zone.

Standard library only.  It shares no code with croniter, cronsim, APScheduler
or dateutil; it is written to be obviously right rather than fast.

Rules
-----
* five fields (minute hour day-of-month month day-of-week), minute granularity,
  local wall time in one IANA zone;
* a local wall time that occurs twice (overlap) fires once, at the first of the
  two instants;
* a local wall time that does not exist (gap) fires at the first valid instant
  after the gap, i.e. at the transition itself; all that collapse onto the same
  instant (including one that is ordinarily due there) fire once;
* a date that does not exist (31 Feb) is skipped;
* day-of-month and day-of-week both restricted: OR.  See `star_rule` below.

Two independent evaluators
--------------------------
* ``wall``  enumerates local dates x hours x minutes and resolves each local wall
            time to an instant (uses zoneinfo's local->UTC direction and fold);
* ``walk``  steps through UTC minute by minute and uses only the UTC->local
            direction: it remembers which local minutes it has seen, and notices
            which local minutes a jump stepped over.
They are compared with each other in ``test_oracle.py``.

Choices the rules leave open (each is one line below, change it there)
----------------------------------------------------------------------
* ``star_rule='vixie'``: a day field that *begins* with ``*`` (so ``*/2`` too)
  counts as unrestricted, so the two day fields are ANDed, as in Vixie/Debian
  cron.  ``star_rule='plain'``: only the bare ``*`` is unrestricted.
* ranges that wrap (``22-2``, ``fri-mon``, ``sat-sun``) are refused, as in Vixie cron;
  ``5-7`` in day-of-week is Fri,Sat,Sun; both 0 and 7 are Sunday.
* ``5/15`` means ``5-59/15`` (as in cronie, croniter and Quartz; original Vixie cron
  refuses it).  In day-of-week the implied upper end is 6, so ``1/3`` is Mon,Thu as in
  croniter (cronie and cronsim count to 7 and add Sunday).
* names are 3 letters, any case, also in ranges and lists.
* refused: step 0, empty list items, signs, non-ASCII digits or blanks, 6 or 7
  fields, and ``L W # ? H @reboot``.  Accepted: @hourly @daily @midnight @weekly
  @monthly @yearly @annually.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

zoneinfo.reset_tzpath([])  # the tzdata package alone: system data differs between machines

UTC = UTC
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
# No gap or overlap since 1900 is longer than a day; two days is ample.
MARGIN = timedelta(days=2)

MONTH_NAMES = {
    n: i
    for i, n in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
DAY_NAMES = {n: i for i, n in enumerate(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])}
ALIASES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
FIELDS = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day-of-month", 1, 31, {}),
    ("month", 1, 12, MONTH_NAMES),
    ("day-of-week", 0, 7, DAY_NAMES),
)
NUMBER = re.compile(r"[0-9]{1,4}\Z")


class CronError(ValueError):
    """The expression is not one this oracle accepts."""


class Cron(NamedTuple):
    minutes: frozenset[int]
    hours: frozenset[int]
    doms: frozenset[int]
    months: frozenset[int]
    dows: frozenset[int]  # 0 = Sunday .. 6 = Saturday
    dom_star: bool
    dow_star: bool

    def day_matches(self, d: date) -> bool:
        if d.month not in self.months:
            return False
        dom = d.day in self.doms
        dow = d.isoweekday() % 7 in self.dows
        if self.dom_star or self.dow_star:
            return dom and dow
        return dom or dow

    def matches(self, local: datetime) -> bool:
        return local.minute in self.minutes and local.hour in self.hours and self.day_matches(local.date())


def _value(text: str, name: str, lo: int, hi: int, names: dict[str, int]) -> int:
    low = text.lower()
    if low in names:
        return names[low]
    if not NUMBER.match(text):
        raise CronError(f"{name}: {text!r} is not a value")
    v = int(text)
    if not lo <= v <= hi:
        raise CronError(f"{name}: {v} is outside {lo}-{hi}")
    return v


def _field(text: str, name: str, lo: int, hi: int, names: dict[str, int]) -> frozenset[int]:
    out: set[int] = set()
    for item in text.split(","):
        body, slash, step_text = item.partition("/")
        step = 1
        if slash:
            if not NUMBER.match(step_text) or int(step_text) == 0:
                raise CronError(f"{name}: bad step in {item!r}")
            step = int(step_text)
        if body == "*":
            first, last = lo, (6 if name == "day-of-week" else hi)
        elif "-" in body:
            a, _, b = body.partition("-")
            first, last = _value(a, name, lo, hi, names), _value(b, name, lo, hi, names)
            if first > last:
                raise CronError(f"{name}: range {body!r} runs backwards")
        else:
            first = _value(body, name, lo, hi, names)
            last = first
            if slash:
                if name == "day-of-week":
                    first, last = first % 7, 6  # 7/2 is 0/2; see the docstring
                else:
                    last = hi
        out.update(range(first, last + 1, step))
    if name == "day-of-week":
        out = {v % 7 for v in out}
    return frozenset(out)


def parse(expr: str, star_rule: str = "vixie") -> Cron:
    if not isinstance(expr, str) or not expr.isascii():
        raise CronError("expression must be ASCII text")
    text = expr.strip(" \t")
    if text.startswith("@"):
        try:
            text = ALIASES[text.lower()]
        except KeyError:
            raise CronError(f"{text!r} is not a calendar expression") from None
    parts = re.split(r"[ \t]+", text)
    if len(parts) != 5:
        raise CronError(f"expected 5 fields, got {len(parts)}")
    sets = [_field(p, *f) for p, f in zip(parts, FIELDS, strict=True)]
    if star_rule == "vixie":
        dom_star, dow_star = parts[2].startswith("*"), parts[4].startswith("*")
    elif star_rule == "plain":
        dom_star, dow_star = parts[2] == "*", parts[4] == "*"
    else:
        raise ValueError("star_rule is 'vixie' or 'plain'")
    return Cron(*sets, dom_star, dow_star)


# --------------------------------------------------------------- local -> instant


def to_local(u: datetime, zone: ZoneInfo) -> datetime:
    """Naive local wall time of a UTC instant."""
    return u.astimezone(zone).replace(tzinfo=None, fold=0)


def resolve(local: datetime, zone: ZoneInfo) -> tuple[datetime, str]:
    """Instant of a naive local time, and what kind of local time it is:
    'normal', 'overlap' (first of two) or 'gap' (the transition)."""
    instants = [local.replace(tzinfo=zone, fold=f).astimezone(UTC) for f in (0, 1)]
    valid = sorted({u for u in instants if to_local(u, zone) == local})
    if len(valid) == 1:
        return valid[0], "normal"
    if len(valid) == 2:
        return valid[0], "overlap"
    # In a gap: the first instant whose wall time is past `local`, by brute force.
    u = min(instants) - MINUTE
    stop = max(instants) + MINUTE
    assert to_local(u, zone) < local
    while to_local(u + MINUTE, zone) < local:
        u += MINUTE
        assert u < stop
    while to_local(u + SECOND, zone) < local:
        u += SECOND
    return u + SECOND, "gap"


# --------------------------------------------------------------------- evaluators


def wall_until(cron: Cron, zone: ZoneInfo, after: datetime, until: datetime) -> list[datetime]:
    """All fire instants in (after, until], by enumerating local wall times."""
    out: set[datetime] = set()
    d = to_local(after, zone).date() - MARGIN
    last = to_local(until, zone).date() + MARGIN
    while d <= last:
        if cron.day_matches(d):
            for h in sorted(cron.hours):
                for m in sorted(cron.minutes):
                    u, _ = resolve(datetime.combine(d, time(h, m)), zone)
                    if after < u <= until:
                        out.add(u)
        d += DAY
    return sorted(out)


def walk_until(cron: Cron, zone: ZoneInfo, after: datetime, until: datetime) -> list[datetime]:
    """The same, by stepping through UTC minutes; only UTC->local is used.
    Needs offsets that are whole minutes (so: not before about 1972)."""
    out: list[datetime] = []
    seen: set[datetime] = set()
    u = after.replace(second=0, microsecond=0) - MARGIN
    before = to_local(u, zone)
    assert before.second == 0
    seen.add(before)
    while u < until:
        u += MINUTE
        here = to_local(u, zone)
        due = here not in seen and cron.matches(here)
        skipped = before + MINUTE
        while skipped < here:  # stepped over by a forward jump
            if skipped not in seen and cron.matches(skipped):
                due = True
            seen.add(skipped)
            skipped += MINUTE
        seen.add(here)
        before = here
        if due and after < u <= until:
            out.append(u)
    return out


def iter_after(cron: Cron, zone: ZoneInfo, after: datetime, years: int = 50) -> Iterator[datetime]:
    """Fire instants strictly after `after`, in order; stops after `years` without one."""
    d = to_local(after, zone).date() - MARGIN
    last_hit = d
    prev = after
    pending: set[datetime] = set()
    while True:
        # Everything up to the start of day d (less the margin) is final.
        if pending:
            safe = datetime.combine(d, time(), tzinfo=UTC) - MARGIN
            for u in sorted(pending):
                if u < safe:
                    pending.discard(u)
                    prev = u
                    yield u
        if d.year - last_hit.year > years:
            for u in sorted(pending):
                yield u
            return
        if cron.day_matches(d):
            last_hit = d
            for h in sorted(cron.hours):
                for m in sorted(cron.minutes):
                    u, _ = resolve(datetime.combine(d, time(h, m)), zone)
                    if u > prev:
                        pending.add(u)
        d += DAY


def next_occurrences(
    expr: str, zone: str, after: datetime | str, count: int = 5, star_rule: str = "vixie", years: int = 50
) -> list[datetime]:
    """First `count` UTC instants strictly after `after` (aware, or ISO text)."""
    if isinstance(after, str):
        after = datetime.fromisoformat(after.replace("Z", "+00:00"))
    if after.tzinfo is None:
        raise ValueError("`after` must be aware")
    out = []
    if count <= 0:
        return out
    for u in iter_after(parse(expr, star_rule), ZoneInfo(zone), after.astimezone(UTC), years):
        out.append(u)
        if len(out) == count:
            break
    return out


def occurrences_between(
    expr: str, zone: str, after: datetime, until: datetime, star_rule: str = "vixie", method: str = "wall"
) -> list[datetime]:
    """All UTC instants in (after, until]."""
    f = {"wall": wall_until, "walk": walk_until}[method]
    return f(parse(expr, star_rule), ZoneInfo(zone), after.astimezone(UTC), until.astimezone(UTC))


def transitions(
    zone: ZoneInfo, start: datetime, end: datetime
) -> list[tuple[datetime, timedelta, timedelta]]:
    """(instant, offset before, offset after) of each UTC-offset change in [start, end),
    found by probing every 3 hours and bisecting to the second."""
    out = []
    step = timedelta(hours=3)
    u, off = start, start.astimezone(zone).utcoffset()
    while u < end:
        v = min(u + step, end)
        off_v = v.astimezone(zone).utcoffset()
        if off_v != off:
            lo, hi = u, v
            while hi - lo > SECOND:
                mid = lo + timedelta(seconds=int((hi - lo).total_seconds()) // 2)
                if mid.astimezone(zone).utcoffset() == off:
                    lo = mid
                else:
                    hi = mid
            out.append((hi, off, hi.astimezone(zone).utcoffset()))
            off = out[-1][2]
            u = hi
            continue
        u = v
    return out


def _main(argv: list[str]) -> int:
    if len(argv) not in (3, 4):
        print("usage: oracle.py 'EXPR' ZONE AFTER_UTC_ISO [COUNT]")
        return 2
    count = int(argv[3]) if len(argv) == 4 else 5
    zone = ZoneInfo(argv[1])
    for u in next_occurrences(argv[0], argv[1], argv[2], count):
        print(u.strftime("%Y-%m-%dT%H:%M:%SZ"), u.astimezone(zone).isoformat())
    return 0


if __name__ == "__main__":
    import sys

    sys.exit(_main(sys.argv[1:]))
