"""Times as a person reads them on the canvas, in the viewer's zone and language."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from kavor.canvas.qt import QDate, QLocale, translate


def moment_words(local: datetime, today: date) -> str:
    """``Today 09:00``, ``Tomorrow 09:00``, ``Tue 1 Dec 09:00``; seconds where they are not zero."""
    clock = local.strftime("%H:%M:%S" if local.second else "%H:%M")
    return translate("Time", "{day} {clock}").format(day=day_words(local.date(), today), clock=clock)


def day_words(day: date, today: date) -> str:
    if day == today:
        return translate("Time", "Today")
    if day == today + timedelta(days=1):
        return translate("Time", "Tomorrow")
    if day == today - timedelta(days=1):
        return translate("Time", "Yesterday")
    form = translate("Time", "ddd d MMM") if day.year == today.year else translate("Time", "ddd d MMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, day.day), form)


def countdown_words(milliseconds: int) -> str:
    """``0:42``, ``12:04``, ``3 h 12 min``, ``2 d 4 h``: what is left until a fire."""
    seconds = max(0, -(-milliseconds // 1000))
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return translate("Time", "{days} d {hours} h").format(days=days, hours=hours)
    if hours:
        return translate("Time", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    return f"{minutes}:{seconds:02}"


def elapsed_words(milliseconds: int) -> str:
    """How long something took: ``40 ms``, ``1.2 s``, ``4 min 5 s``, ``2 h 10 min``."""
    if milliseconds < 1000:
        return translate("Time", "{ms} ms").format(ms=milliseconds)
    if milliseconds < 60_000:
        return translate("Time", "{seconds} s").format(seconds=f"{milliseconds / 1000:.1f}")
    minutes, seconds = divmod(milliseconds // 1000, 60)
    if minutes < 60:
        return translate("Time", "{minutes} min {seconds} s").format(minutes=minutes, seconds=seconds)
    hours, minutes = divmod(minutes, 60)
    return translate("Time", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)


def span_words(seconds: float) -> str:
    """A length of time that was set, in its largest whole unit: ``90 s``, ``2 h``, ``7 d``."""
    if seconds >= 86_400 and seconds % 86_400 == 0:
        return translate("Time", "{days} d").format(days=f"{seconds / 86_400:g}")
    if seconds >= 3_600 and seconds % 3_600 == 0:
        return translate("Time", "{hours} h").format(hours=f"{seconds / 3_600:g}")
    if seconds > 60 and seconds % 60 == 0:
        return translate("Time", "{minutes} min").format(minutes=f"{seconds / 60:g}")
    return translate("Time", "{seconds} s").format(seconds=f"{seconds:g}")
