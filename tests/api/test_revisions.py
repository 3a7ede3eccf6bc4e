"""Edits say what they are based on; pause, resume and run are never lost to one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from api_world import Answer, Api


def at(api: Api, schedule: str) -> dict[str, object]:
    return api("GET", f"/api/schedules/{schedule}").made


def test_an_edit_needs_the_revision_it_is_based_on(api: Api) -> None:
    made = api.schedule()
    path = f"/api/schedules/{made['id']}"
    api("PATCH", path, {"payload": "false"}).problem("revision-missing", 428, 2)
    for stated in ("*", '"x"', "-1", "1.0", '"1", "2"', "9" * 5000, b"\xb2"):
        refused = api("PATCH", path, {"payload": "false"}, headers={"If-Match": stated})
        refused.problem("bad-input", 422, 2)
    assert at(api, made["id"]) == made


def test_a_revision_may_be_spelt_as_a_weak_tag_or_plainly(api: Api) -> None:
    made = api.schedule()
    for revision, spelt in enumerate(('"1"', 'W/"2"', "3"), start=2):
        path = f"/api/schedules/{made['id']}"
        edited = api("PATCH", path, {"payload": f"echo {revision}"}, headers={"If-Match": spelt}).made
        assert edited["revision"] == revision


def test_a_stale_edit_changes_nothing_and_brings_the_present(api: Api) -> None:
    made = api.schedule()
    won = api.edit(made, {"payload": "echo first"}).made
    problem = api.edit(made, {"payload": "echo second", "name": "second"}).problem(
        "conflict", 409, 5, "present"
    )
    assert problem["present"] == at(api, made["id"])
    assert (problem["present"]["payload"], problem["present"]["revision"]) == ("echo first", won["revision"])
    ahead = {**made, "revision": 99}
    api.edit(ahead, {"payload": "echo third"}).problem("conflict", 409, 5, "present")
    assert at(api, made["id"]) == problem["present"]


def test_a_stale_edit_of_a_terminal(api: Api) -> None:
    made = api.terminal()
    path, stated = f"/api/nodes/{made['id']}", {"If-Match": '"1"'}
    api("PATCH", path, {"name": "won"}).problem("revision-missing", 428, 2)
    won = api("PATCH", path, {"name": "won"}, headers=stated).made
    problem = api("PATCH", path, {"name": "lost"}, headers=stated).problem("conflict", 409, 5, "present")
    assert problem["present"] == won == api("GET", path).made


def test_the_present_is_shown_in_the_zone_of_the_one_who_lost(api: Api) -> None:
    made = api.schedule(recurrence={"cron": "0 9 * * *"})
    api("POST", f"/api/schedules/{made['id']}/resume")
    api.edit(made, {"payload": "true"})
    headers = {"If-Match": '"1"', "Kavor-Zone": "Asia/Kolkata"}
    stale = api("PATCH", f"/api/schedules/{made['id']}", {"payload": "x"}, headers=headers)
    assert stale.problem("conflict", 409, 5, "present")["present"]["next_local"].endswith("+05:30")


def test_an_edit_that_cannot_be_meant_changes_nothing(api: Api) -> None:
    made = api.schedule()
    for change in (
        {"payload": "echo new", "recurrence": {"cron": "99 * * * *"}},
        {"payload": "echo new", "misfire_grace_s": 1e308},
        {"name": "new", "payload": ""},
        {"payload": "echo new", "name": " "},
        {"payload": "echo new", "overlap": "sometimes"},
    ):
        api.edit(made, change).problem("bad-input", 422, 2)
    assert at(api, made["id"]) == made


def test_pause_and_resume_need_no_revision_and_make_no_edit_stale(api: Api) -> None:
    made = api.schedule()
    path = f"/api/schedules/{made['id']}"
    resumed = api("POST", f"{path}/resume").made
    assert (resumed["state"], resumed["revision"]) == ("Running", made["revision"])
    edited = api.edit(made, {"payload": "echo edited"}).made
    assert (edited["state"], edited["payload"]) == ("Running", "echo edited")
    paused = api("POST", f"{path}/pause", {"reason": "away"}).made
    assert (paused["state"], paused["pause_reason"]) == ("Paused", "away")
    again = api.edit(edited, {"payload": "echo again"}).made
    assert (again["state"], again["pause_reason"], again["next_due"]) == ("Paused", "away", None)


def test_of_fifty_edits_over_one_revision_one_wins(api: Api) -> None:
    made = api.schedule()
    start = Barrier(50)

    def edit(number: int) -> Answer:
        start.wait()
        return api.edit(made, {"payload": f"echo {number}", "name": f"by {number}"})

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(edit, range(50)))
    (winner,) = [answer.made for answer in answers if answer.status == 200]
    for answer in answers:
        if answer.status != 200:
            present = answer.problem("conflict", 409, 5, "present")["present"]
            assert (present["name"], present["payload"]) == (winner["name"], winner["payload"])
    now = at(api, made["id"])
    assert now["revision"] == made["revision"] + 1
    assert now["payload"] == f"echo {str(now['name']).removeprefix('by ')}"


@pytest.mark.parametrize("wanted", ["pause", "resume"])
def test_no_storm_of_edits_undoes_a_pause_or_a_resume(api: Api, wanted: str) -> None:
    made = api.schedule()
    path = f"/api/schedules/{made['id']}"
    if wanted == "pause":
        api("POST", f"{path}/resume")
    start = Barrier(9)

    def keep_editing(number: int) -> None:
        start.wait()
        for turn in range(6):
            now = at(api, made["id"])
            api.edit(now, {"payload": f"echo {number} {turn}"})

    def act() -> Answer:
        start.wait()
        return api("POST", f"{path}/{wanted}")

    with ThreadPoolExecutor(9) as pool:
        edits = [pool.submit(keep_editing, number) for number in range(8)]
        acted = pool.submit(act).result()
        for edit in edits:
            edit.result()
    assert (
        acted.made["state"] == at(api, made["id"])["state"] == ("Paused" if wanted == "pause" else "Running")
    )


def test_run_is_never_lost_to_an_edit(api: Api) -> None:
    terminal = api.terminal(open=True)
    made = api.schedule(target=terminal["id"], payload="echo by hand")
    edited = api.edit(made, {"payload": "echo edited"}).made
    attempt = api("POST", f"/api/schedules/{made['id']}/run").made
    assert (attempt["payload"], attempt["trigger"]) == ("echo edited", "manual")
    assert at(api, made["id"])["revision"] == edited["revision"]
