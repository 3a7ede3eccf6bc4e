"""``kavor schedule``: from adding one to its history, without a live session."""

from __future__ import annotations

import pytest
from kavor_command import Kavor

DAILY = ["--preset", "daily", "--time", "02:30"]


def add(kavor: Kavor, name: str, *flags: str) -> dict[str, object]:
    return kavor.json("schedule", "add", "--name", name, *flags)


@pytest.mark.contract("K15", "K18", "K19")
def test_a_new_one_is_paused_once_and_in_the_future(shared: Kavor) -> None:
    made = add(shared, "new")
    assert made["state"] == "Paused"
    assert made["recurrence"]["kind"] == "once"  # type: ignore[index]
    assert made["target"] is None
    assert made["next_due"] is None
    (coming,) = shared.json("schedule", "next", "new")["occurrences"]
    assert coming["local"][11:16] == "09:00"


@pytest.mark.parametrize(
    ("flags", "recurrence"),
    [
        (["--once", "2099-12-24 18:00"], {"kind": "once", "local": "2099-12-24T18:00"}),
        (["--cron", "20 * * * *"], {"kind": "cron", "expression": "20 * * * *", "preset": "hourly"}),
        (DAILY, {"kind": "cron", "expression": "30 2 * * *", "preset": "daily"}),
        (
            ["--preset", "WEEKLY", "--weekday", "mon,thu", "--time", "18:00"],
            {"kind": "cron", "expression": "0 18 * * mon,thu", "preset": "weekly"},
        ),
        (
            ["--preset", "monthly", "--day", "31"],
            {"kind": "cron", "expression": "0 9 31 * *", "preset": "monthly"},
        ),
        (
            ["--every", "2w", "--at", "2026-10-05T09:00"],
            {"kind": "every", "every": "2w", "anchor": "2026-10-05T09:00"},
        ),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_every_way_to_say_when(shared: Kavor, flags: list[str], recurrence: dict[str, str]) -> None:
    made = add(shared, "when", *flags)
    assert made["recurrence"] == recurrence
    shared.json("schedule", "rm", str(made["id"]))


def test_every_flag_reaches_the_schedule(shared: Kavor) -> None:
    flags = ["--overlap", "replace", "--catchup", "latest", "--misfire-grace", "5m", "--pending-limit", "2h"]
    made = add(shared, "strict", *DAILY, "--payload", "make check", "--target", "build", *flags)
    assert made["payload"] == "make check"
    assert made["target"]["name"] == "build"  # type: ignore[index]
    assert (made["overlap"], made["catchup"]) == ("replace", "latest")
    assert (made["misfire_grace_s"], made["pending_limit_s"]) == (300, 7200)
    assert made["zone"] == "Europe/Berlin"
    edited = shared.json("schedule", "edit", "strict", "--pending-limit", "none")
    assert edited["pending_limit_s"] is None
    assert (edited["overlap"], edited["misfire_grace_s"]) == ("replace", 300)


def test_the_payload_may_come_from_a_file_or_stdin(shared: Kavor) -> None:
    made = shared(
        "schedule", "add", "--name", "piped", "--payload-file", "-", "--json", stdin="one\ntwo 'three'\n"
    ).json
    assert made["payload"] == "one\ntwo 'three'"
    file = shared.home.data / "payload.txt"
    file.write_text("from a file\n")
    assert add(shared, "filed", "--payload-file", str(file))["payload"] == "from a file"


@pytest.mark.contract("K14", "K17", "K33")
def test_the_card_is_readable_while_paused(shared: Kavor) -> None:
    add(shared, "card", *DAILY, "--payload", "make check", "--target", "build")
    card = shared("schedule", "show", "card").out
    for part in (
        "card  ‖ Paused",
        "Every day at 02:30",
        "Europe/Berlin",
        "02:30\n",
        "Terminal build",
        "make check",
        "never delivered",
        "Resume, Run now",
    ):
        assert part in card


def test_both_zones_are_shown_where_they_differ(shared: Kavor) -> None:
    add(shared, "far", "--cron", "0 9 * * *", "--payload", "true")
    card = shared("schedule", "show", "far", TZ="America/New_York").out
    assert "this machine is in America/New_York, which the next save will store" in card
    assert "03:00 (in Europe/Berlin" in card
    table = shared("schedule", "next", "far", TZ="America/New_York").out
    assert table.startswith("in America/New_York")
    assert "in Europe/Berlin" in table


@pytest.mark.contract("K32")
def test_a_save_stamps_the_zone_and_shows_the_move(shared: Kavor) -> None:
    add(shared, "moved", "--cron", "0 9 * * *", "--payload", "true")
    shared.json("schedule", "resume", "moved")
    edit = ["schedule", "edit", "moved", "--payload", "false"]
    saved = shared.json(*edit, TZ="America/New_York")
    assert saved["zone"] == "America/New_York"
    assert saved["next_due_before"] != saved["next_due_after"] == saved["next_due"]
    told = shared(*edit)
    assert "moved is changed.\nnext: " in told.out
    assert "(was " in told.out


def test_an_edit_based_on_an_old_revision_changes_nothing(shared: Kavor) -> None:
    made = add(shared, "twice", *DAILY, "--payload", "one")
    shared.json("schedule", "edit", "twice", "--payload", "two")
    stale = ["schedule", "edit", "twice", "--payload", "three", "--revision", str(made["revision"])]
    assert "was edited meanwhile" in shared.refused(5, *stale)
    assert shared.json("schedule", "show", "twice")["payload"] == "two"
    assert "nothing to change" in shared.refused(2, "schedule", "edit", "twice")


@pytest.mark.contract("K37")
def test_pause_and_resume(shared: Kavor) -> None:
    add(shared, "toggled", *DAILY, "--payload", "true")
    resumed = shared.json("schedule", "resume", "toggled")
    assert (resumed["state"], resumed["next_due_before"]) == ("Running", None)
    assert resumed["next_due"] == resumed["next_due_after"] is not None
    assert [one["name"] for one in shared.json("schedule", "list", "--state", "running")["schedules"]].count(
        "toggled"
    )
    paused = shared("schedule", "pause", "toggled", "--reason", "holidays")
    assert paused.out == "toggled is Paused.\npaused: holidays\n"
    shown = shared.json("schedule", "show", "toggled")
    assert (shown["state"], shown["pause_reason"], shown["next_due"]) == ("Paused", "holidays", None)
    assert "toggled is Running.\nnext: " in shared("schedule", "resume", "toggled").out


@pytest.mark.contract("K40", "K41", "K21")
def test_what_the_rules_refuse(shared: Kavor) -> None:
    add(shared, "past", "--once", "2020-01-01T09:00", "--payload", "true")
    assert "has passed" in shared.refused(3, "schedule", "resume", "past")
    add(shared, "empty", *DAILY)
    assert "payload" in shared.refused(3, "schedule", "resume", "empty")
    assert "no target" in shared.refused(3, "schedule", "run", "past")
    assert shared.json("schedule", "history", "past") == {"attempts": []}
    assert "There are no attempts." in shared("schedule", "history", "past").out


@pytest.mark.contract("K13")
def test_a_second_target_is_refused(shared: Kavor) -> None:
    add(shared, "single", *DAILY, "--payload", "true", "--target", "build")
    shared.json("node", "add", "terminal", "--name", "other", "--closed")
    assert "has a target already" in shared.refused(3, "connect", "single", "other")
    assert shared.json("schedule", "show", "single")["target"]["name"] == "build"


@pytest.mark.contract("K+2")
def test_losing_its_target_pauses_it_with_the_reason(shared: Kavor) -> None:
    add(shared, "robbed", *DAILY, "--payload", "true", "--target", "build")
    shared.json("schedule", "resume", "robbed")
    shared.json("disconnect", "build", "robbed")
    shown = shared.json("schedule", "show", "robbed")
    assert shown["state"] == "Paused"
    assert "build" in shown["pause_reason"]
    assert shown["pause_reason"] in shared("schedule", "show", "robbed").out


def test_a_schedule_is_a_node_too(shared: Kavor) -> None:
    made = shared.json("node", "add", "schedule", "--name", "node", *DAILY)
    assert made["state"] == "Paused"
    assert shared.json("node", "show", "node")["kind"] == "schedule"
    assert shared.json("schedule", "rm", "node") == {"removed": made["id"]}
    assert "there is no Schedule 'node'" in shared.refused(2, "schedule", "show", "node")


def test_the_list_is_one_table(shared: Kavor) -> None:
    add(shared, "listed", *DAILY, "--payload", "true", "--target", "build")
    header, *rows = shared("schedule", "list").out.splitlines()
    assert header.split() == ["id", "name", "state", "when", "next", "target", "last"]
    (row,) = [row for row in rows if " listed " in row]
    assert "‖ Paused" in row
    assert "Every day at 02:30" in row
