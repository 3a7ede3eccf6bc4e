"""Pause, Resume and Run now, and looking at what came of them, through the whole runtime."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.attempts import AttemptState
from kavor.domain.errors import BadInput, Refused
from kavor.domain.instant import parse_instant
from kavor.runtime.definitions import ScheduleFields
from kavor.runtime.schedule_service import ScheduleService
from kavor.runtime.views import ScheduleView
from kavor.sessions.session import WaitingFor

BERLIN = "Europe/Berlin"


@pytest.fixture
def service(scripted: ScriptedRuntime) -> ScheduleService:
    return scripted.services.schedules


async def add(scripted: ScriptedRuntime, fields: ScheduleFields, target: str | None = None) -> ScheduleView:
    return await scripted.services.schedules.add(fields, BERLIN, workspace=None, target=target)


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


async def test_a_once_that_is_given_a_new_time_no_longer_says_that_it_is_used_up(
    scripted: ScriptedRuntime,
) -> None:
    await scripted.world()
    service = scripted.services.schedules
    made = await service.add(
        {"name": "once", "payload": "x", "recurrence": {"preset": "once", "local": "2026-11-02T11:30"}},
        "UTC",
        workspace=None,
        target=None,
    )
    await service.resume(made["id"], "UTC")
    await scripted.at("2026-11-02T11:30:00Z")
    used = await service.get(made["id"], "UTC")
    assert (used["state"], used["pause_reason"]) == ("Paused", "its one time is used up")
    edited = await service.edit(
        made["id"],
        {"recurrence": {"preset": "once", "local": "2026-11-03T11:30"}},
        "UTC",
        revision=used["revision"],
    )
    assert (edited["state"], edited["pause_reason"]) == ("Paused", None)
