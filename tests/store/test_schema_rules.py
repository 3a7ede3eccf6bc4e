"""What the schema itself forbids, so that no path through the code can break it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from kavor.domain.attempts import AttemptState, ImpossibleTransition, Trigger
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.store import ledger, workspaces
from kavor.store.database import Store
from kavor.store.ledger import NewAttempt
from kavor.store.tables import connections, schedules
from kavor.store.workspaces import NodeRow, WorkspaceRow

Opened = Callable[[], Store]
S = AttemptState


def attempt(number: int, state: AttemptState, **values: Any) -> NewAttempt:
    fields: dict[str, Any] = {
        "id": number,
        "schedule_id": "s1",
        "schedule_name": "check",
        "target_id": "t1",
        "target_name": "shell",
        "trigger": Trigger.SCHEDULED,
        "nominal_at": Instant(number * 60_000),
        "created_at": Instant(number * 60_000),
        "delivered_at": None,
        "finished_at": None,
        "state": state,
        "diagnostic": "",
        "missed_count": None,
        "holder_id": None,
        "expires_at": None,
        "payload": "make check",
    }
    return NewAttempt(**{**fields, **values})


def record(store: Store, *rows: NewAttempt) -> None:
    with store.transaction() as tx:
        ledger.insert(tx, rows)


def add_nodes(store: Store, *kinds: tuple[str, NodeKind]) -> None:
    with store.transaction() as tx:
        workspaces.add_workspace(tx, WorkspaceRow("w1", "work", "/", 1, Instant(0)))
        for node_id, kind in kinds:
            workspaces.add_node(tx, NodeRow(node_id, "w1", kind, node_id, 0, 0, 1, Instant(0)))


@pytest.mark.contract("K77")
def test_one_scheduled_attempt_per_nominal_instant(opened: Opened) -> None:
    store = opened()
    record(store, attempt(1, S.COMPLETED))
    with pytest.raises(sa.exc.IntegrityError):
        record(store, attempt(2, S.BLOCKED, nominal_at=Instant(60_000)))
    record(store, attempt(2, S.BLOCKED, nominal_at=Instant(60_000), schedule_id="s2"))


@pytest.mark.contract("K42")
def test_manual_attempts_have_no_nominal_instant_to_share(opened: Opened) -> None:
    record(
        opened(),
        attempt(1, S.COMPLETED, trigger=Trigger.MANUAL, nominal_at=None),
        attempt(2, S.COMPLETED, trigger=Trigger.MANUAL, nominal_at=None),
    )


@pytest.mark.contract("K69")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (S.PENDING, S.PENDING),
        (S.DELIVERING, S.DELIVERING),
        (S.DELIVERING, S.NEEDS_ATTENTION),
        (S.NEEDS_ATTENTION, S.NEEDS_ATTENTION),
    ],
)
def test_one_in_the_slot_and_one_at_work_per_target(
    opened: Opened, first: AttemptState, second: AttemptState
) -> None:
    store = opened()
    record(store, attempt(1, first))
    with pytest.raises(sa.exc.IntegrityError):
        record(store, attempt(2, second, schedule_id="s2"))
    record(store, attempt(2, second, target_id="t2"))


def test_one_at_work_and_one_waiting_stand_side_by_side(opened: Opened) -> None:
    store = opened()
    record(store, attempt(1, S.DELIVERING), attempt(2, S.PENDING))
    with store.reading() as view:
        line = ledger.lines(view)["t1"]
    assert line.at_work == 1
    assert line.waiting is not None
    assert line.waiting.attempt_id == 2


def test_rows_are_recorded_all_or_none(opened: Opened) -> None:
    store = opened()
    with pytest.raises(sa.exc.IntegrityError):
        record(store, attempt(1, S.COMPLETED), attempt(2, S.PENDING), attempt(3, S.PENDING))
    with store.reading() as view:
        assert ledger.list_attempts(view) == []


def test_an_id_is_never_given_twice(opened: Opened) -> None:
    store = opened()
    record(store, attempt(1, S.COMPLETED), attempt(2, S.MISSED))
    with store.transaction() as tx:
        tx.exec_driver_sql("DELETE FROM attempts WHERE id = 2")
        assert ledger.next_id(tx) == 3


def test_a_move_that_the_contract_does_not_know_changes_nothing(opened: Opened) -> None:
    store = opened()
    record(store, attempt(1, S.COALESCED))
    with pytest.raises(ImpossibleTransition), store.transaction() as tx:
        ledger.move(tx, 1, S.DELIVERING)
    with store.reading() as view:
        row = ledger.attempt(view, 1)
    assert row is not None
    assert row.state is S.COALESCED


@pytest.mark.contract("K12", "K+4")
def test_a_pair_is_joined_once_whichever_end_is_named_first(opened: Opened) -> None:
    store = opened()
    add_nodes(store, ("n1", NodeKind.TERMINAL), ("n2", NodeKind.FILE))

    def join(one: str, other: str) -> None:
        with store.transaction() as tx:
            workspaces.add_connection(
                tx, one, other, schedule_id=None, environment_name=None, created_at=Instant(0)
            )

    join("n2", "n1")
    with pytest.raises(sa.exc.IntegrityError):
        join("n1", "n2")
    with pytest.raises(sa.exc.IntegrityError), store.transaction() as tx:
        tx.execute(connections.insert().values(a="n2", b="n1", created_at=0))
    with store.reading() as view:
        assert workspaces.connection_between(view, "n1", "n2") == workspaces.connection_between(
            view, "n2", "n1"
        )


def aim(store: Store, target: str) -> None:
    with store.transaction() as tx:
        workspaces.add_connection(
            tx, "s1", target, schedule_id="s1", environment_name=None, created_at=Instant(0)
        )


@pytest.mark.contract("K13", "K73")
def test_a_schedule_has_one_target(opened: Opened) -> None:
    store = opened()
    add_nodes(store, ("s1", NodeKind.SCHEDULE), ("t1", NodeKind.TERMINAL), ("t2", NodeKind.TERMINAL))
    aim(store, "t1")
    with pytest.raises(sa.exc.IntegrityError):
        aim(store, "t2")
    with store.reading() as view:
        assert workspaces.targets(view) == {"s1": "t1"}


@pytest.mark.contract("K38")
def test_a_paused_schedule_is_never_due(opened: Opened) -> None:
    store = opened()
    add_nodes(store, ("s1", NodeKind.SCHEDULE))
    row = {
        "node_id": "s1",
        "state": "Paused",
        "recurrence": "{}",
        "zone": "UTC",
        "payload": "",
        "overlap": "coalesce",
        "catchup": "none",
        "misfire_grace_ms": 0,
    }
    with pytest.raises(sa.exc.IntegrityError), store.transaction() as tx:
        tx.execute(schedules.insert().values(**row, next_due=60_000))
    with pytest.raises(sa.exc.IntegrityError), store.transaction() as tx:
        tx.execute(schedules.insert().values(**{**row, "state": "Sleeping"}))


def test_what_happened_stays_on_record_when_its_schedule_goes(opened: Opened) -> None:
    store = opened()
    add_nodes(store, ("s1", NodeKind.SCHEDULE))
    record(store, attempt(1, S.COMPLETED))
    with store.transaction() as tx:
        ledger.keep_evidence(tx, 1, "all well", truncated=False)
        workspaces.remove_workspace(tx, "w1")
    with store.reading() as view:
        assert workspaces.list_nodes(view) == []
        kept = ledger.attempt(view, 1)
        evidence = ledger.evidence_of(view, 1)
    assert kept is not None
    assert kept.schedule_name == "check"
    assert evidence is not None
    assert evidence.output == "all well"
