"""A transcript's entries as they are kept and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence

from typing_extensions import TypedDict

from kavor.domain.instant import Instant, format_instant
from kavor.sessions.session import Entry

MOST_KEPT = 1_000_000
"""Characters of JSON that are kept of one turn's entries."""


NOT_KEPT = "the transcript of this turn is not kept any more: the agent has had many turns since"


class EntryView(TypedDict):
    number: int
    version: int
    kind: str
    text: str
    data: dict[str, object]
    at: str


def entry_view(entry: Entry) -> EntryView:
    return {
        "number": entry.number,
        "version": entry.version,
        "kind": entry.kind,
        "text": entry.text,
        "data": dict(entry.data),
        "at": format_instant(entry.at),
    }


def entries_as_kept(entries: Sequence[Entry]) -> str:
    """A JSON list of them. Of a turn too long to be kept whole, the last ones, and how many are left out."""
    kept: list[str] = []
    room = MOST_KEPT
    for entry in reversed(entries):
        text = json.dumps(entry_view(entry), ensure_ascii=False)
        room -= len(text)
        if room < 0:
            kept.append(json.dumps(_left_out(entry, len(entries) - len(kept)), ensure_ascii=False))
            break
        kept.append(text)
    return f"[{', '.join(reversed(kept))}]"


def _left_out(last: Entry, count: int) -> EntryView:
    return {
        "number": last.number,
        "version": last.version,
        "kind": "notice",
        "text": f"{count} earlier entries are not kept: together they are too long",
        "data": {},
        "at": format_instant(last.at),
    }


def not_kept(at: Instant) -> EntryView:
    """What stands in place of a transcript that was let go."""
    return {
        "number": 1,
        "version": 1,
        "kind": "notice",
        "text": NOT_KEPT,
        "data": {},
        "at": format_instant(at),
    }
