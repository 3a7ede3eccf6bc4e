"""What may be asked of Schedules, through the whole runtime with scripted sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, Conflict, KavorError, NotFound, Refused
from kavor.domain.graph import NodeKind
from kavor.runtime.definitions import ScheduleFields
from kavor.runtime.schedule_service import ScheduleService
from kavor.runtime.views import ScheduleView
from kavor.store import schedules, workspaces

BERLIN = "Europe/Berlin"


@pytest.fixture
def service(scripted: ScriptedRuntime) -> ScheduleService:
    return scripted.services.schedules


async def add(scripted: ScriptedRuntime, fields: ScheduleFields, target: str | None = None) -> ScheduleView:
    return await scripted.services.schedules.add(fields, BERLIN, workspace=None, target=target)


async def everything(scripted: ScriptedRuntime) -> list[tuple[Any, ...]]:
    """Every row of every table that a service may write."""
    tables = ("workspaces", "nodes", "terminals", "schedules", "connections", "attempts")

    return await scripted.runtime.read(
        lambda view: [
            tuple(row) for name in tables for row in view.exec_driver_sql(f"SELECT '{name}', * FROM {name}")
        ]
    )


# --- Making one


@pytest.mark.contract("K15", "K18", "K19")
async def test_a_new_one_is_paused_and_is_a_once_in_the_future(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    made = await add(scripted, {"name": "check"})
    assert made["state"] == "Paused"
    assert made["next_due"] is None
    assert made["target"] is None
    assert made["recurrence"]["kind"] == "once"
    assert str(made["recurrence"]["local"]) > "2026-11-02T10:59"
    assert made["zone"] == BERLIN
    assert made["payload"] == ""
    assert (made["overlap"], made["catchup"]) == ("coalesce", "none")
    assert (made["misfire_grace_s"], made["pending_limit_s"]) == (60, None)
    await scripted.at("2026-12-01T00:00:00Z")
    assert await scripted.attempts() == []


@pytest.mark.contract("K14", "K17", "K29", "K32", "K33")
async def test_while_paused_everything_can_be_set_and_looked_at_with_no_activity(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    made = await add(scripted, {"name": "check"})
    await service.edit(
        made["id"],
        {"payload": "make docs", "recurrence": {"preset": "daily", "time": "09:00"}},
        "America/New_York",
        revision=made["revision"],
    )
    await scripted.services.graph.connect("check", "shell", None)
    coming = await service.coming("check", "America/New_York", count=3, after=None)
    assert [occurrence["at"] for occurrence in coming] == [f"2026-11-0{day}T14:00:00Z" for day in (2, 3, 4)]
    shown = await service.get("check", "America/New_York")
    assert (shown["zone"], shown["state"]) == ("America/New_York", "Paused")
    assert shown["target"] is not None
    assert shown["actions"] == ["Resume", "Run now"]
    await scripted.at("2026-11-04T00:00:00Z")
    assert await scripted.attempts() == []
    assert scripted.sessions.delivered == []


@pytest.mark.contract("K4", "K5", "K+3")
async def test_one_call_may_name_the_target_and_the_connection_is_all_that_keeps_it(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.workspace()
    terminal = await scripted.terminal()
    made = await add(scripted, {"name": "check", "payload": "make"}, target="shell")
    assert made["target"] == {"id": terminal, "kind": "terminal", "name": "shell"}
    await scripted.services.graph.disconnect("check", "shell")
    shown = await service.get("check", BERLIN)
    assert shown["target"] is None
    columns = await scripted.runtime.read(lambda view: schedules.schedules.c.keys())
    assert not [name for name in columns if "target" in name]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "x" * 201},
        {"name": "a\x1bb"},
        {"name": "a", "payload": ""},
        {"name": "a", "payload": "echo \x1b[2J"},
        {"name": "a", "payload": "x" * 262_145},
        {"name": "a", "recurrence": {"cron": "* * * *"}},
        {"name": "a", "recurrence": {"cron": "0 0 31 2 *"}},
        {"name": "a", "recurrence": {"preset": "sometimes"}},
        {"name": "a", "recurrence": {"kind": "once", "local": "soon"}},
        {"name": "a", "recurrence": {}},
        {"name": "a", "overlap": "queue"},
        {"name": "a", "catchup": "all"},
        {"name": "a", "misfire_grace_s": -1},
        {"name": "a", "misfire_grace_s": 86_401},
        {"name": "a", "pending_limit_s": 0.5},
    ],
    ids=str,
)
async def test_bad_input_is_refused_with_nothing_kept(scripted: ScriptedRuntime, fields: Any) -> None:
    await scripted.workspace()
    before = await everything(scripted)
    with pytest.raises(BadInput) as refusal:
        await add(scripted, fields)
    assert refusal.value.exit_code == 2
    assert refusal.value.hint
    assert await everything(scripted) == before


@pytest.mark.parametrize(
    "bad", [{"name": "check", "payload": ""}, {"name": "b", "recurrence": {"cron": "61 * * * *"}}], ids=str
)
async def test_a_bad_edit_changes_nothing(
    scripted: ScriptedRuntime, service: ScheduleService, bad: Any
) -> None:
    made = await scripted.world()
    before = await everything(scripted)
    with pytest.raises(BadInput):
        await service.edit(made["id"], bad, BERLIN, revision=made["revision"])
    assert await everything(scripted) == before


async def test_an_unknown_zone_is_refused_and_never_becomes_utc(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    before = await everything(scripted)
    with pytest.raises(BadInput, match="Mars"):
        await service.add({"name": "a"}, "Mars/Olympus", workspace=None, target=None)
    with pytest.raises(BadInput, match="Mars"):
        await service.edit(made["id"], {"name": "b"}, "Mars/Olympus", revision=made["revision"])
    assert await everything(scripted) == before


@pytest.mark.contract("K73", "K+4")
async def test_a_target_no_schedule_may_have_is_refused_with_nothing_kept(scripted: ScriptedRuntime) -> None:
    await scripted.workspace()
    await add(scripted, {"name": "first"})
    before = await everything(scripted)
    with pytest.raises(Refused):
        await add(scripted, {"name": "second", "payload": "x"}, target="first")
    with pytest.raises(NotFound):
        await add(scripted, {"name": "second", "payload": "x"}, target="nobody")
    assert await everything(scripted) == before


# --- Editing


async def test_a_save_over_a_stale_revision_is_a_conflict_and_changes_nothing(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    saved = await service.edit(made["id"], {"payload": "B"}, BERLIN, revision=made["revision"])
    before = await everything(scripted)
    with pytest.raises(Conflict) as conflict:
        await service.edit(made["id"], {"payload": "C"}, BERLIN, revision=made["revision"])
    assert conflict.value.exit_code == 5
    assert await everything(scripted) == before
    assert saved["revision"] == made["revision"] + 1


async def test_a_pause_is_never_lost_to_an_edit_nor_an_edit_to_a_pause(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    """P07: both wrote over the same revision; the attempt's end undoes neither."""
    made = await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await service.edit(made["id"], {"payload": "B"}, BERLIN, revision=made["revision"])
    await service.pause(made["id"], BERLIN, "holiday")
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed"])
    shown = await service.get(made["id"], BERLIN)
    assert (shown["payload"], shown["state"], shown["pause_reason"]) == ("B", "Paused", "holiday")
    await service.edit(made["id"], {"name": "renamed"}, BERLIN, revision=shown["revision"])
    assert (await service.get("renamed", BERLIN))["state"] == "Paused"


async def test_an_edit_keeps_the_state_and_the_grid(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.workspace()
    every = {"kind": "every", "every": "36h", "anchor": "2026-11-01T09:00"}
    made = await add(scripted, {"name": "check", "payload": "x", "recurrence": every})
    resumed = await service.resume(made["id"], BERLIN)
    saved = await service.edit(
        made["id"], {"payload": "B", "misfire_grace_s": 5}, BERLIN, revision=resumed["revision"]
    )
    assert saved["state"] == "Running"
    assert saved["next_due"] == saved["next_due_before"] == saved["next_due_after"] == resumed["next_due"]
    assert saved["misfire_grace_s"] == 5


@pytest.mark.contract("K32")
async def test_a_save_stamps_the_zone_and_says_which_time_it_moved(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    daily = await service.edit(
        made["id"], {"recurrence": {"preset": "daily", "time": "12:00"}}, BERLIN, revision=made["revision"]
    )
    assert daily["next_due"] == "2026-11-02T11:00:00Z"
    moved = await service.edit(made["id"], {"name": "noon"}, "Asia/Tokyo", revision=daily["revision"])
    assert moved["zone"] == "Asia/Tokyo"
    assert moved["next_due_before"] == "2026-11-02T11:00:00Z"
    assert moved["next_due_after"] == "2026-11-03T03:00:00Z"
    seen = await service.get("noon", BERLIN)
    assert seen["zone_mismatch"] is True
    assert seen["next_local"] == "2026-11-03T04:00:00+01:00"


async def test_an_edit_claims_what_has_passed(scripted: ScriptedRuntime, service: ScheduleService) -> None:
    made = await scripted.world()
    scripted.clock.go_to("2026-11-02T10:00:10Z")
    await service.edit(
        made["id"],
        {"recurrence": {"cron": "30 * * * *"}, "payload": "another"},
        BERLIN,
        revision=made["revision"],
    )
    (attempt,) = await scripted.attempts()
    assert (attempt["nominal_at"], attempt["payload"]) == ("2026-11-02T10:00:00Z", "make check")


async def test_a_running_one_cannot_be_moved_into_the_past(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    before = await everything(scripted)
    with pytest.raises(Refused, match="passed"):
        await service.edit(
            made["id"],
            {"recurrence": {"kind": "once", "local": "2026-11-01T09:00"}},
            BERLIN,
            revision=made["revision"],
        )
    assert await everything(scripted) == before


# --- Removing


async def test_removing_one_keeps_its_attempts_and_ends_what_waits(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.at("2026-11-02T11:00:00Z")
    await scripted.services.graph.remove_node("check", NodeKind.SCHEDULE)
    assert await scripted.states() == ["Delivering", "Blocked"]
    assert (await scripted.attempts())[1]["diagnostic"] == "its Schedule was removed"
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed", "Blocked"])
    with pytest.raises(NotFound):
        await service.get(made["id"], BERLIN)
    await scripted.at("2026-11-02T12:00:00Z")
    assert len(await scripted.attempts()) == 2
    assert await scripted.runtime.read(workspaces.targets) == {}


async def test_what_was_claimed_is_delivered_even_where_the_operation_is_refused(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.world()
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    with pytest.raises(KavorError):
        await service.pause("nobody", BERLIN, None)
    await scripted.eventually(scripted.deliveries, 1)
    assert await scripted.states() == ["Delivering"]


# --- What a Schedule is not


@pytest.mark.contract("K3", "K80")
async def test_a_schedule_has_these_fields_and_no_others(scripted: ScriptedRuntime) -> None:
    """When to fire, what to hand over, and the policies between: no steps, retries or approvals."""
    await scripted.workspace()
    made = await add(scripted, {"name": "check"})
    when = {"recurrence", "description", "zone", "host_zone", "zone_mismatch", "next_due", "next_local"}
    policies = {"overlap", "catchup", "misfire_grace_s", "pending_limit_s"}
    itself = {"id", "name", "workspace", "workspace_name", "revision", "state", "pause_reason", "actions"}
    assert set(made) == when | policies | itself | {"payload", "target", "last_attempt"}


@pytest.mark.contract("K6", "K75")
async def test_a_delivery_leaves_everything_about_its_target_as_it_was(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    before = [row for row in await everything(scripted) if row[0] not in ("schedules", "attempts")]
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed"])
    after = [row for row in await everything(scripted) if row[0] not in ("schedules", "attempts")]
    assert after == before
    assert len(scripted.sessions.opened) == 1, "no session was opened for it"


@pytest.mark.contract("K60")
async def test_what_is_shown_is_the_latest_outcome_not_the_plan(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    assert made["last_attempt"] is None
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.end_latest(AttemptState.FAILED, 3)
    await scripted.eventually(scripted.states, ["Failed"])
    await scripted.at("2026-11-02T14:30:00Z")
    shown = await service.get("check", BERLIN)
    assert shown["next_due"] == "2026-11-02T15:00:00Z"
    assert shown["last_attempt"] is not None
    assert (shown["last_attempt"]["state"], shown["last_attempt"]["missed_count"]) == ("Missed", 4)


async def test_without_a_workspace_a_new_one_goes_beside_its_target(
    scripted: ScriptedRuntime, service: ScheduleService, tmp_path: Path
) -> None:
    await scripted.world()
    other = await scripted.services.workspaces.add(str(tmp_path), "other")
    terminal = await scripted.services.graph.add_node(
        NodeKind.TERMINAL, {"name": "there"}, workspace=other["id"], open_session=False
    )
    made = await service.add({"name": "s"}, "UTC", workspace=None, target=terminal["id"])
    assert made["workspace"] == other["id"]
