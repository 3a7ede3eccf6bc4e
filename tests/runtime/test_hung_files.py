"""A file system that does not answer holds up nothing but what is asked of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hung_files import HungFiles
from scripted_runtime import ScriptedRuntime

from kavor.domain.errors import BadInput, Refused
from kavor.domain.graph import NodeKind
from kavor.runtime import file_access, supervisor
from kavor.runtime.file_watch import FileWatch
from kavor.runtime.node_kinds import NodeFields

T = TypeVar("T")

K = NodeKind


@pytest.fixture
def hung(monkeypatch: pytest.MonkeyPatch) -> Iterator[HungFiles]:
    monkeypatch.setattr(file_access, "WORK_SECONDS", 0.3)
    monkeypatch.setattr(file_access, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(supervisor, "LOOK_AGAIN_SECONDS", 0.05)
    files = HungFiles("hung", monkeypatch)
    yield files
    files.answers()


@pytest.fixture
async def share(scripted: ScriptedRuntime) -> Path:
    """A directory of the file system that will hang; the Workspace of the runtime is elsewhere."""
    await scripted.workspace()
    made = (scripted.home.data / "work" / "hung").resolve()
    made.mkdir()
    (made / "report.txt").write_text("from far away")
    (made.parent / "notes.txt").write_text("at hand")
    return made


def away(directory: Path) -> None:
    directory.rename(directory.with_name("gone"))


async def soon(answer: Awaitable[T]) -> T:
    """Long before the file system answers."""
    return await asyncio.wait_for(answer, 10)


async def add(scripted: ScriptedRuntime, kind: NodeKind, **fields: object) -> str:
    given = NodeFields(**fields)  # type: ignore[typeddict-item]
    return (await scripted.services.graph.add_node(kind, given, workspace="work", open_session=False))["id"]


async def far_workspace(scripted: ScriptedRuntime, share: Path) -> None:
    """A Workspace on the file system that will hang, with a Terminal and a Schedule due every hour."""
    await scripted.services.workspaces.add(str(share), "far")
    await scripted.services.graph.add_node(K.TERMINAL, {"name": "far shell"}, workspace="far")
    made = await scripted.services.schedules.add(
        {"name": "far check", "payload": "make far", "recurrence": {"cron": "0 * * * *"}},
        scripted.zone,
        workspace="far",
        target="far shell",
    )
    await scripted.services.schedules.resume(made["id"], scripted.zone)


async def near_schedule(scripted: ScriptedRuntime) -> None:
    await scripted.services.graph.add_node(K.TERMINAL, {"name": "shell"}, workspace="work")
    made = await scripted.services.schedules.add(
        {"name": "check", "payload": "make check", "recurrence": {"cron": "0 * * * *"}},
        scripted.zone,
        workspace="work",
        target="shell",
    )
    await scripted.services.schedules.resume(made["id"], scripted.zone)


async def states(scripted: ScriptedRuntime) -> dict[str, tuple[str, str | None]]:
    """By Schedule, of its newest attempt: its state, and what it waits for."""
    return {each["schedule_name"]: (each["state"], each["waiting_for"]) for each in await scripted.attempts()}


# --- What is due


async def test_what_is_due_goes_out_on_time_while_files_are_looked_at(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    await near_schedule(scripted)
    await add(scripted, K.FILE, name="report", path="hung/report.txt")
    hung.hang()
    listing = asyncio.create_task(scripted.services.graph.nodes(workspace=None, kind=None, ref=None))
    text = asyncio.create_task(scripted.services.texts.get("report"))
    await scripted.eventually(hung.calls, 2)
    await soon(scripted.at("2026-11-02T10:00:00Z"))
    assert await scripted.states() == ["Delivering"]
    assert not text.done()
    await soon(asyncio.wait([listing, text]))
    with pytest.raises(Refused, match="cannot be read just now"):
        text.result()


async def test_of_two_workspaces_the_one_that_hangs_alone_is_waited_for(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    await near_schedule(scripted)
    await far_workspace(scripted, share)
    hung.hang()
    await soon(scripted.at("2026-11-02T10:00:00Z"))
    assert await states(scripted) == {
        "check": ("Delivering", None),
        "far check": ("Pending", "the Workspace's directory"),
    }
    await soon(scripted.eventually(scripted.deliveries, 1))
    hung.answers()
    await scripted.eventually(scripted.deliveries, 2)
    assert (await states(scripted))["far check"] == ("Delivering", None)


async def test_what_hangs_is_asked_once_and_waited_for_once(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    await near_schedule(scripted)
    await far_workspace(scripted, share)
    monkeypatch.setattr(file_access, "DIRECTORY_SECONDS", 1.0)
    hung.hang()
    scripted.clock.go_to("2026-11-02T09:59:59Z")
    scripted.alarm.is_near()
    await scripted.ring()  # behind the look ahead, which has waited
    before = time.monotonic()
    await soon(scripted.at("2026-11-02T10:00:00Z"))
    assert time.monotonic() - before < 0.9
    assert (await states(scripted))["far check"] == ("Pending", "the Workspace's directory")
    hung.answers()
    await scripted.eventually(scripted.deliveries, 2)
    assert hung.hanging == [f"stat {share}"]


async def test_what_waits_for_a_directory_that_turns_out_to_be_gone_is_blocked(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    await far_workspace(scripted, share)
    hung.hang()
    await soon(scripted.at("2026-11-02T10:00:00Z"))
    assert await scripted.states() == ["Pending"]
    away(share)
    hung.answers()
    await scripted.eventually(scripted.states, ["Blocked"])
    assert (await scripted.attempts())[0]["diagnostic"] == "the Workspace's directory is not there"


async def test_run_now_waits_for_a_directory_that_hangs(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    await far_workspace(scripted, share)
    hung.hang()
    made = await soon(scripted.services.schedules.run_now("far check"))
    assert (made["state"], made["waiting_for"]) == ("Pending", "the Workspace's directory")
    hung.answers()
    await scripted.eventually(scripted.states, ["Delivering"])


async def test_what_is_said_to_an_agent_waits_for_a_directory_that_hangs(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    await scripted.services.workspaces.add(str(share), "far")
    fields = NodeFields(name="far agent", provider="custom", command=["agent"])
    await scripted.services.graph.add_node(K.CODING_AGENT, fields, workspace="far")
    hung.hang()
    said = await soon(scripted.services.conversations.send("far agent", "are you there?"))
    assert (said["state"], said["waiting_for"]) == ("queued", "the Workspace's directory")
    hung.answers()
    await scripted.eventually(scripted.deliveries, 1)


# --- What is asked


async def test_other_files_are_shown_and_read_while_one_hangs(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    await add(scripted, K.FILE, name="report", path="hung/report.txt")
    notes = await add(scripted, K.FILE, name="notes", path="notes.txt")
    hung.hang()
    shown = await soon(scripted.services.graph.nodes(workspace=None, kind=None, ref=None))
    assert {node["name"]: node["file"]["exists"] for node in shown} == {"report": None, "notes": True}
    assert (await soon(scripted.services.texts.get(notes)))["text"] == "at hand"
    with pytest.raises(Refused, match="cannot be read just now"):
        await soon(scripted.services.texts.get("report"))
    hung.answers()
    await scripted.eventually(lambda: _text(scripted, "report"), "from far away")
    await scripted.eventually(lambda: _is_shown(scripted, "report"), True)


async def test_the_watch_tells_that_a_file_cannot_be_read_and_that_it_can_again(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    report = await add(scripted, K.FILE, name="report", path="hung/report.txt")
    await add(scripted, K.FILE, name="notes", path="notes.txt")
    watch = FileWatch(scripted.runtime)
    await watch.look()
    last = scripted.runtime.events.last
    hung.hang()
    for _ in range(3):
        await soon(watch.look())
    hung.answers()
    await scripted.eventually(lambda: _is_shown(scripted, report), True)
    await watch.look()
    told = [each.change.id for each in scripted.runtime.events.missed_since(last) or () if each.change]
    assert told == [report, report]


async def test_nodes_are_made_and_changed_while_a_path_hangs(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    graph = scripted.services.graph
    notes = await add(scripted, K.FILE, name="notes", path="notes.txt")
    hung.hang()
    for kind, fields in (
        (K.FILE, NodeFields(path="hung/report.txt")),
        (K.SPECIFICATION, NodeFields(path="hung/plan.md", text="# Plan")),
        (K.TERMINAL, NodeFields(directory="hung")),
    ):
        with pytest.raises(Refused, match="cannot be read just now"):
            await soon(graph.add_node(kind, fields, workspace=None, open_session=False))
    with pytest.raises(Refused, match="cannot be read just now"):
        await soon(graph.edit_node(notes, {"path": "hung/report.txt"}, revision=1))
    with pytest.raises(Refused, match="cannot be read just now"):
        await soon(scripted.services.workspaces.add(str(share), "far"))
    await soon(add(scripted, K.SPECIFICATION, name="near plan", text="# Plan"))
    names = {node["name"] for node in await graph.nodes(workspace=None, kind=None, ref=None)}
    assert names == {"notes", "near plan"}
    hung.answers()
    assert not (share / "plan.md").exists()


async def test_naming_ever_more_paths_in_vain_takes_no_more_threads(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_access, "MOST_FOLLOWED", 2)
    hung.hang()
    for number in range(5):
        with pytest.raises(Refused, match="cannot be read just now"):
            await soon(add(scripted, K.FILE, path=f"hung/{number}.txt"))
    assert len(hung.hanging) == 2


async def test_a_session_is_not_opened_where_nobody_answers(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    """Whoever holds the sessions would be held up for all of them."""
    terminal = await add(scripted, K.TERMINAL, name="far shell", directory="hung")
    agent = await add(
        scripted, K.CODING_AGENT, name="far agent", directory="hung", provider="custom", command=["agent"]
    )
    hung.hang()
    for node in (terminal, agent):
        with pytest.raises(Refused, match="cannot be read just now"):
            await soon(scripted.services.sessions.open(node))
    assert scripted.sessions.opened == []
    assert [each["open"] for each in await scripted.services.sessions.listing(None)] == [False, False]
    hung.answers()
    await scripted.eventually(lambda: _opens(scripted, terminal), True)


# --- What is written


async def test_a_save_that_was_given_up_is_not_made_later(
    scripted: ScriptedRuntime, share: Path, hung: HungFiles
) -> None:
    """One that began may still come to be, and it is said so; one that waited behind it may not."""
    await add(scripted, K.FILE, name="report", path="hung/report.txt")
    version = (await scripted.services.texts.get("report"))["version"]
    hung.hang()
    first = asyncio.create_task(scripted.services.texts.save("report", "first", version=version))
    await scripted.eventually(hung.calls, 1)
    second = asyncio.create_task(scripted.services.texts.save("report", "second", version=version))
    await soon(asyncio.wait([first, second]))
    with pytest.raises(Refused, match=r"whether .* was written is not known"):
        first.result()
    with pytest.raises(Refused, match="cannot be read just now"):
        second.result()
    hung.answers()
    await scripted.eventually(lambda: _text(scripted, "report"), "first")


async def test_a_first_text_over_a_file_is_refused_and_makes_no_node(
    scripted: ScriptedRuntime, share: Path
) -> None:
    with pytest.raises(BadInput, match="there is a file"):
        await add(scripted, K.SPECIFICATION, name="plan", path="notes.txt", text="# Plan")
    for wrong in ({"state": "Almost"}, {"name": "a\nb"}, {"colour": "pink"}):
        with pytest.raises(BadInput):
            await add(scripted, K.SPECIFICATION, **{"name": "plan", "text": "# Plan", **wrong})
    assert await scripted.services.graph.nodes(workspace=None, kind=None, ref=None) == []
    assert not (share.parent / "plan.md").exists()


async def _opens(scripted: ScriptedRuntime, node: str) -> bool:
    try:
        return (await scripted.services.sessions.open(node))["open"]
    except Refused:
        return False


async def _text(scripted: ScriptedRuntime, ref: str) -> str:
    try:
        return (await scripted.services.texts.get(ref))["text"]
    except Refused as error:
        return error.message


async def _is_shown(scripted: ScriptedRuntime, node: str) -> bool:
    return (await scripted.services.graph.node(node))["file"]["exists"] is True
