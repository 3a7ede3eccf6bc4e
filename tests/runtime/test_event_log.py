"""Numbered events: whoever missed one can tell, and is given it or told to read anew."""

from __future__ import annotations

import asyncio

from kavor.runtime.events import KEPT, TOO_MANY, Change, Event, EventLog


def changes(count: int, first: int = 0) -> list[Change]:
    return [Change("attempt", str(number)) for number in range(first, first + count)]


def waiting(queue: asyncio.Queue[Event]) -> list[Event]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


def test_events_are_numbered_without_a_gap() -> None:
    log = EventLog()
    with log.subscribed() as queue:
        log.publish(changes(2))
        log.publish(changes(1, first=7))
        assert [(event.number, event.change) for event in waiting(queue)] == [
            (1, Change("attempt", "0")),
            (2, Change("attempt", "1")),
            (3, Change("attempt", "7")),
        ]
    assert log.last == 3


def test_a_thing_that_one_commit_names_twice_is_told_once() -> None:
    log = EventLog()
    log.publish([Change("schedule", "s1"), Change("attempt", "1", "created"), Change("schedule", "s1")])
    assert log.last == 2


def test_a_face_that_was_away_is_given_what_it_missed() -> None:
    log = EventLog()
    log.publish(changes(5))
    missed = log.missed_since(3)
    assert missed is not None
    assert [event.number for event in missed] == [4, 5]
    assert log.missed_since(5) == []
    whole = log.missed_since(0)
    assert whole is not None
    assert len(whole) == 5


def test_one_that_was_away_too_long_is_told_to_read_anew() -> None:
    log = EventLog()
    for batch in range(KEPT // 100 + 1):
        log.publish(changes(100, first=batch * 100))
    assert log.missed_since(log.last - KEPT) is not None
    assert log.missed_since(log.last - KEPT - 1) is None
    assert log.missed_since(0) is None


def test_a_number_that_never_was_is_told_to_read_anew() -> None:
    """As of a face that knew an earlier run of the runtime."""
    log = EventLog()
    assert log.missed_since(0) == []
    assert log.missed_since(12) is None
    log.publish(changes(3))
    assert log.missed_since(4) is None
    assert log.missed_since(-1) is None


def test_two_runs_of_a_runtime_are_told_apart() -> None:
    assert EventLog().runtime_id != EventLog().runtime_id


def test_a_commit_with_very_many_changes_is_one_word_to_read_anew() -> None:
    log = EventLog()
    with log.subscribed() as queue:
        log.publish(changes(TOO_MANY))
        assert all(event.change is not None for event in waiting(queue))
        log.publish(changes(TOO_MANY + 1))
        assert waiting(queue) == [Event(TOO_MANY + 1, None)]


def test_one_who_does_not_read_is_told_to_read_anew_and_holds_up_nobody() -> None:
    log = EventLog()
    with (
        log.subscribed() as slow,
        log.subscribed() as first,
        log.subscribed() as second,
        log.subscribed() as third,
    ):
        readers = (first, second, third)
        heard: list[list[Event]] = [[], [], []]
        for number in range(TOO_MANY + 3):
            log.publish(changes(1, first=number))
            for reader, told in zip(readers, heard, strict=True):
                told += waiting(reader)
        for told in heard:
            assert [event.number for event in told] == list(range(1, TOO_MANY + 4))
            assert all(event.change is not None for event in told)
        left = waiting(slow)
    assert left[0] == Event(TOO_MANY + 1, None)
    assert [event.number for event in left[1:]] == [TOO_MANY + 2, TOO_MANY + 3]


def test_one_who_left_is_told_nothing() -> None:
    log = EventLog()
    with log.subscribed() as queue:
        pass
    log.publish(changes(1))
    assert queue.empty()
