"""What may be asked of Schedules, through the whole runtime with scripted sessions."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, Conflict, KavorError, NotFound, Refused
from kavor.domain.instant import parse_instant
from kavor.runtime.schedule_service import ScheduleFields, ScheduleService
from kavor.runtime.views import ScheduleView
from kavor.sessions.session import WaitingFor
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


# --- Pause and Resume


@pytest.mark.contract("K37", "K38", "K39")
async def test_pause_and_resume(scripted: ScriptedRuntime, service: ScheduleService) -> None:
    made = await scripted.world()
    paused = await service.pause(made["id"], BERLIN, None)
    assert paused["state"] == "Paused"
    assert paused["next_due_before"] == "2026-11-02T10:00:00Z"
    assert paused["next_due_after"] is None
    await scripted.at("2026-11-02T14:05:00Z")
    resumed = await service.resume(made["id"], BERLIN)
    assert resumed["next_due"] == "2026-11-02T15:00:00Z"
    await scripted.ring()
    assert await scripted.attempts() == []


@pytest.mark.contract("K37")
async def test_pause_claims_what_has_passed(scripted: ScriptedRuntime, service: ScheduleService) -> None:
    made = await scripted.world()
    scripted.clock.go_to("2026-11-02T10:00:00Z")
    await service.pause(made["id"], BERLIN, None)
    assert [attempt["nominal_at"] for attempt in await scripted.attempts()] == ["2026-11-02T10:00:00Z"]
    await scripted.at("2026-11-02T11:00:00Z")
    assert len(await scripted.attempts()) == 1


async def test_pausing_leaves_what_waits_and_it_can_be_withdrawn(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    """Decision 9."""
    made = await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.at("2026-11-02T11:00:00Z")
    await service.pause(made["id"], BERLIN, None)
    assert await scripted.states() == ["Delivering", "Pending"]
    waiting = (await scripted.attempts())[1]
    assert waiting["actions"] == ["Withdraw"]
    withdrawn = await scripted.services.attempts.withdraw(waiting["id"])
    assert (withdrawn["state"], withdrawn["diagnostic"]) == ("Blocked", "withdrawn")
    with pytest.raises(Refused):
        await scripted.services.attempts.withdraw(waiting["id"])


async def test_a_second_pause_keeps_the_reason_of_the_first(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    await service.pause(made["id"], BERLIN, "holiday")
    assert (await service.pause(made["id"], BERLIN, None))["pause_reason"] == "holiday"
    assert (await service.resume(made["id"], BERLIN))["pause_reason"] is None


async def test_resuming_a_running_one_changes_nothing(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    scripted.clock.go_to("2026-11-02T09:59:50Z")
    again = await service.resume(made["id"], BERLIN)
    assert again["next_due_before"] == again["next_due_after"] == "2026-11-02T10:00:00Z"


@pytest.mark.contract("K40")
async def test_resume_needs_a_payload(scripted: ScriptedRuntime, service: ScheduleService) -> None:
    await scripted.workspace()
    made = await add(scripted, {"name": "check"})
    assert made["actions"] == []
    with pytest.raises(Refused, match="payload is empty") as refusal:
        await service.resume(made["id"], BERLIN)
    assert refusal.value.exit_code == 3
    assert (await service.get(made["id"], BERLIN))["state"] == "Paused"


@pytest.mark.contract("K41")
@pytest.mark.parametrize(("local", "passed"), [("2026-11-02T10:58", True), ("2026-11-02T11:00", False)])
async def test_resume_of_a_once_needs_its_time_ahead(
    scripted: ScriptedRuntime, service: ScheduleService, local: str, passed: bool
) -> None:
    await scripted.workspace()
    made = await add(
        scripted, {"name": "check", "payload": "x", "recurrence": {"kind": "once", "local": local}}
    )
    if not passed:
        assert (await service.resume(made["id"], BERLIN))["next_due"] == "2026-11-02T10:00:00Z"
        return
    with pytest.raises(Refused, match="2026-11-02 10:58, which has passed"):
        await service.resume(made["id"], BERLIN)
    assert "Resume" not in (await service.get(made["id"], BERLIN))["actions"]


@pytest.mark.contract("K41", "K47", "K48")
async def test_a_once_that_was_used_up_can_be_run_but_not_resumed(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    made = await add(
        scripted,
        {"name": "check", "payload": "x", "recurrence": {"kind": "once", "local": "2026-11-02T11:00"}},
        target="shell",
    )
    await service.resume(made["id"], BERLIN)
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    scripted.sessions.end_latest()
    await scripted.eventually(scripted.states, ["Completed"])
    shown = await service.get("check", BERLIN)
    assert (shown["state"], shown["actions"]) == ("Paused", ["Run now"])
    assert shown["last_attempt"] is not None
    assert shown["last_attempt"]["state"] == "Completed"
    with pytest.raises(Refused):
        await service.resume("check", BERLIN)
    await service.run_now("check")
    await scripted.eventually(scripted.deliveries, 2)


# --- Run now


@pytest.mark.contract("K21")
async def test_run_now_without_a_target_is_refused_and_makes_no_row(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.workspace()
    made = await scripted.schedule(target=None)
    assert "Run now" not in made["actions"]
    with pytest.raises(Refused, match="no target") as refusal:
        await service.run_now(made["id"])
    assert refusal.value.exit_code == 3
    assert await scripted.attempts() == []


@pytest.mark.contract("K40")
async def test_run_now_without_a_payload_is_refused_and_makes_no_row(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    await add(scripted, {"name": "check"}, target="shell")
    with pytest.raises(Refused, match="payload"):
        await service.run_now("check")
    assert await scripted.attempts() == []


@pytest.mark.contract("K42", "K43", "K44", "K46")
@pytest.mark.parametrize("resume", [True, False])
async def test_run_now_delivers_and_leaves_the_schedule_as_it_was(
    scripted: ScriptedRuntime, service: ScheduleService, resume: bool
) -> None:
    await scripted.workspace()
    await scripted.terminal()
    await scripted.schedule(resume=resume)
    before = await service.get("check", BERLIN)
    made = await service.run_now("check")
    assert (made["trigger"], made["nominal_at"]) == ("manual", None)
    await scripted.eventually(scripted.deliveries, 1)
    after = await service.get("check", BERLIN)
    for field in ("state", "next_due", "revision", "pause_reason"):
        assert after[field] == before[field]


async def test_run_now_with_the_slot_taken_names_who_holds_it(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.world()
    session = next(iter(scripted.sessions.living))
    scripted.sessions.becomes(session, WaitingFor.BUSY)
    await scripted.eventually(waiting_for(scripted), "busy")
    first = await service.run_now("check")
    with pytest.raises(Refused, match=f"attempt {first['id']} already waits"):
        await service.run_now("check")
    assert len(await scripted.attempts()) == 1


def waiting_for(scripted: ScriptedRuntime) -> Callable[[], Awaitable[str | None]]:
    async def ask() -> str | None:
        (session,) = await scripted.services.sessions.listing(None)
        return session["waiting_for"]

    return ask


@pytest.mark.contract("K57")
async def test_run_now_where_the_workspace_is_gone_is_blocked(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.world()
    shutil.rmtree(scripted.home.data / "work")
    made = await service.run_now("check")
    assert made["state"] == "Blocked"
    assert "directory" in made["diagnostic"]
    assert scripted.sessions.delivered == []


# --- Limits in time


async def test_an_occurrence_takes_the_slot_of_one_whose_limit_ends_at_that_moment(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    await service.edit(made["id"], {"pending_limit_s": 3600}, BERLIN, revision=made["revision"])
    scripted.sessions.becomes(next(iter(scripted.sessions.living)), WaitingFor.ALTERNATE_SCREEN)
    await scripted.eventually(waiting_for(scripted), "alternate screen")
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.at("2026-11-02T11:00:00Z")
    assert await scripted.states() == ["Blocked", "Pending"]
    assert (await scripted.attempts())[0]["diagnostic"] == "waited longer than 3,600 s"


# --- Missed


@pytest.mark.contract("K66", "K+9")
async def test_a_missed_one_offers_run_now_and_can_be_put_aside(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.world()
    await scripted.at("2026-11-02T10:30:00Z")
    (missed,) = await scripted.attempts()
    assert (missed["state"], missed["actions"]) == ("Missed", ["Run now", "Dismiss"])
    await service.run_now(missed["schedule"])
    await scripted.eventually(scripted.deliveries, 1)
    put_aside = await scripted.services.attempts.dismiss(missed["id"])
    assert put_aside["dismissed"] is True
    assert put_aside["actions"] == []
    assert put_aside["state"] == "Missed"
    manual = (await scripted.attempts())[1]
    with pytest.raises(Refused):
        await scripted.services.attempts.dismiss(manual["id"])


# --- Looking


@pytest.mark.contract("K61")
async def test_history_is_newest_first_and_can_be_asked_for_by_state(scripted: ScriptedRuntime) -> None:
    await scripted.world()
    for hour in (10, 11, 12):
        await scripted.at(f"2026-11-02T{hour}:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    listing = scripted.services.attempts.listing
    assert [attempt["id"] for attempt in await listing(schedule="check")] == [3, 2, 1]
    assert [attempt["id"] for attempt in await listing(target="shell", limit=2)] == [3, 2]
    (coalesced,) = await listing(states=[AttemptState.COALESCED])
    assert coalesced["holder"] == 2
    since = await listing(since=parse_instant("2026-11-02T11:00:00Z"))
    assert [attempt["id"] for attempt in since] == [3, 2]


@pytest.mark.parametrize("count", [0, 1001])
async def test_a_preview_of_a_senseless_length_is_refused(
    scripted: ScriptedRuntime, service: ScheduleService, count: int
) -> None:
    await scripted.world()
    with pytest.raises(BadInput):
        await service.coming("check", BERLIN, count=count, after=None)


@pytest.mark.contract("K30")
async def test_coming_times_are_told_in_the_viewers_zone_and_in_both_where_they_differ(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    await scripted.world()
    (own,) = await service.coming("check", BERLIN, count=1, after=None)
    assert own["local"] == "2026-11-02T11:00:00+01:00"
    assert "schedule_local" not in own
    (seen,) = await service.coming("check", "Asia/Tokyo", count=1, after=None)
    assert (seen["at"], seen["local"]) == (own["at"], "2026-11-02T19:00:00+09:00")
    assert (seen["schedule_local"], seen["schedule_zone"]) == (own["local"], BERLIN)


# --- Removing


async def test_removing_one_keeps_its_attempts_and_ends_what_waits(
    scripted: ScriptedRuntime, service: ScheduleService
) -> None:
    made = await scripted.world()
    await scripted.at("2026-11-02T10:00:00Z")
    await scripted.eventually(scripted.deliveries, 1)
    await scripted.at("2026-11-02T11:00:00Z")
    await service.remove("check")
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
