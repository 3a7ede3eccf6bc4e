"""Texts of Nodes: read, saved against their version, and changed outside."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.errors import BadInput, Conflict, Refused
from kavor.domain.graph import NodeKind
from kavor.runtime.file_views import file_view
from kavor.runtime.file_watch import FileWatch
from kavor.runtime.node_kinds import NodeFields
from kavor.runtime.text_files import ABSENT, MAX_BYTES
from kavor.runtime.text_service import TextService

K = NodeKind


@pytest.fixture
async def texts(scripted: ScriptedRuntime) -> TextService:
    """Of a runtime with one Workspace, whose directory is ``work`` in its home."""
    await scripted.workspace()
    return scripted.services.texts


@pytest.fixture
def place(scripted: ScriptedRuntime) -> Path:
    return (scripted.home.data / "work").resolve()


def write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def entries(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


async def add(scripted: ScriptedRuntime, kind: NodeKind, fields: NodeFields) -> str:
    return (await scripted.services.graph.add_node(kind, fields, workspace=None, open_session=False))["id"]


async def add_file(scripted: ScriptedRuntime, path: Path, content: bytes = b"one\n") -> str:
    write(path, content)
    return await add(scripted, K.FILE, {"path": str(path)})


# --- Saving


async def test_a_note_is_saved_against_its_revision(scripted: ScriptedRuntime, texts: TextService) -> None:
    note = await add(scripted, K.STICKY_NOTE, {"name": "note", "text": "one"})
    found = await texts.get("note")
    assert (found["text"], found["version"], found["path"]) == ("one", "1", None)
    saved = await texts.save(note, "two\r\n", version="1")
    assert (saved["text"], saved["version"]) == ("two\n", "2")
    for stale in ("1", "3", "", "two"):
        with pytest.raises(Conflict):
            await texts.save(note, "lost", version=stale)
    with pytest.raises(BadInput, match="control character"):
        await texts.save(note, "\x07", version="2")
    assert await texts.get(note) == saved


async def test_a_file_is_saved_against_what_was_read(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    path = place / "notes.txt"
    file = await add_file(scripted, path, "é\r\n\tend".encode())
    path.chmod(0o640)
    found = await texts.get(file)
    assert (found["text"], found["path"], found["name"]) == ("é\r\n\tend", str(path), "notes.txt")
    saved = await texts.save(file, "new 🪁\r\n", version=found["version"])
    assert path.read_bytes() == "new 🪁\r\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert saved == await texts.get(file)
    assert entries(place) == ["notes.txt"], "nothing is left beside it"


async def test_a_name_may_be_as_long_as_the_file_system_has_it(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    path = place / ("漢" * 85)
    file = await add_file(scripted, path)
    version = (await texts.get(file))["version"]
    await texts.save(file, "新しい", version=version)
    assert path.read_text() == "新しい"


async def test_a_save_over_a_change_from_outside_is_a_conflict_and_changes_nothing(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    path = place / "notes.txt"
    file = await add_file(scripted, path)
    version = (await texts.get(file))["version"]
    path.write_text("an editor was faster")
    with pytest.raises(Conflict, match="changed meanwhile"):
        await texts.save(file, "lost", version=version)
    assert path.read_text() == "an editor was faster"
    path.unlink()
    with pytest.raises(Conflict):
        await texts.save(file, "lost", version=version)
    assert not path.exists()


async def test_a_touch_alone_is_no_conflict(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    file = await add_file(scripted, place / "notes.txt")
    version = (await texts.get(file))["version"]
    os.utime(place / "notes.txt", (0, 0))
    assert (await texts.save(file, "two", version=version))["text"] == "two"


async def test_of_saves_over_the_same_version_one_is_made(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    file = await add_file(scripted, place / "notes.txt")
    version = (await texts.get(file))["version"]
    saves = (texts.save(file, f"writer {number}", version=version) for number in range(8))
    results = await asyncio.gather(*saves, return_exceptions=True)
    assert sum(isinstance(result, Conflict) for result in results) == 7
    (made,) = [result for result in results if not isinstance(result, BaseException)]
    assert (place / "notes.txt").read_text() == made["text"]


async def test_a_specification_that_is_not_written_yet_is_empty_and_is_made_by_the_first_save(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    plan = await add(scripted, K.SPECIFICATION, {"name": "plan"})
    assert (await texts.get(plan))["version"] == ABSENT
    assert (await texts.get(plan))["text"] == ""
    saved = await texts.save(plan, "# Plan\n", version=ABSENT)
    assert (place / "plan.md").read_text() == "# Plan\n"
    with pytest.raises(Conflict):
        await texts.save(plan, "lost", version=ABSENT)
    (place / "plan.md").unlink()
    with pytest.raises(Conflict):
        await texts.save(plan, "lost", version=saved["version"])


async def test_a_link_is_followed_once_when_the_path_is_chosen_and_never_again(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    real = place / "real.txt"
    real.write_text("one")
    (place / "link.txt").symlink_to(real)
    file = await add(scripted, K.FILE, {"path": "link.txt"})
    found = await texts.get(file)
    assert found["path"] == str(real)
    await texts.save(file, "two", version=found["version"])
    assert (place / "link.txt").is_symlink()
    assert real.read_text() == "two"
    secret = place / "secret"
    secret.write_text("secret")
    real.unlink()
    real.symlink_to(secret)
    with pytest.raises(Refused, match="it is a link now"):
        await texts.get(file)


async def test_a_folder_that_became_a_link_leads_nowhere_else(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    """What an agent may read or write is fixed when a person makes the Node, not when the agent asks."""
    (place / "a" / "b").mkdir(parents=True)
    file = await add_file(scripted, place / "a" / "b" / "notes.txt")
    plan = await add(scripted, K.SPECIFICATION, {"name": "plan", "path": "a/b/plan.md"})
    version = (await texts.get(file))["version"]
    (place / "a").rename(place / "moved")
    secret = scripted.home.data / "secret"
    (secret / "b").mkdir(parents=True)
    write(secret / "b" / "notes.txt", b"one\n")
    (place / "a").symlink_to(secret)
    with pytest.raises(Refused, match="one of its folders is"):
        await texts.get(file)
    with pytest.raises(Refused, match="one of its folders is"):
        await texts.save(file, "overwritten", version=version)
    with pytest.raises(Refused, match="one of its folders is"):
        await texts.save(plan, "made", version=ABSENT)
    assert (await scripted.services.graph.node(file))["file"]["exists"] is False
    assert entries(secret / "b") == ["notes.txt"]
    assert (secret / "b" / "notes.txt").read_bytes() == b"one\n"
    (place / "a").unlink()
    (place / "moved").rename(place / "a")
    assert (await texts.save(file, "two", version=version))["text"] == "two"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a folder is opened to be read")
@pytest.mark.skipif(os.geteuid() == 0, reason="no mode keeps root out")
async def test_a_folder_that_is_only_passed_through_need_not_be_readable(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    (place / "outer" / "inner").mkdir(parents=True)
    file = await add_file(scripted, place / "outer" / "inner" / "notes.txt")
    (place / "outer").chmod(0o311)
    assert (await texts.get(file))["text"] == "one\n"


# --- What is no text


async def test_what_is_no_text_is_refused(scripted: ScriptedRuntime, texts: TextService, place: Path) -> None:
    binary = await add_file(scripted, place / "a.png", b"\x89PNG\xff")
    with pytest.raises(BadInput, match="no text in UTF-8"):
        await texts.get(binary)
    big = await add_file(scripted, place / "big.txt", b"x" * (MAX_BYTES + 1))
    with pytest.raises(BadInput, match=r"longer than 1,048,576 bytes"):
        await texts.get(big)
    await scripted.terminal()
    with pytest.raises(BadInput, match="a Terminal has no text"):
        await texts.get("shell")


async def test_a_text_that_is_too_long_is_not_written(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    file = await add_file(scripted, place / "notes.txt")
    version = (await texts.get(file))["version"]
    with pytest.raises(BadInput, match="at most 1,048,576"):
        await texts.save(file, "é" * MAX_BYTES, version=version)
    assert (place / "notes.txt").read_text() == "one\n"
    await texts.save(file, "x" * MAX_BYTES, version=version)


async def test_a_file_that_has_gone_or_is_none_any_more_is_refused(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    path = place / "notes.txt"
    file = await add_file(scripted, path)
    path.unlink()
    with pytest.raises(Refused, match="any more"):
        await texts.get(file)
    os.mkfifo(path)
    with pytest.raises(Refused, match="not a file any more"):
        await texts.get(file)


async def test_what_cannot_be_written_is_refused(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    plan = await add(scripted, K.SPECIFICATION, {"name": "plan", "path": "no/such/folder/plan.md"})
    with pytest.raises(Refused, match="cannot be written: No such file or directory"):
        await texts.save(plan, "two", version=ABSENT)
    assert not (place / "no").exists()


# --- Changes outside


def told(scripted: ScriptedRuntime, after: int) -> list[str]:
    events = scripted.runtime.events.missed_since(after)
    return [
        event.change.id for event in events or () if event.change is not None and event.change.type == "node"
    ]


async def test_a_change_outside_is_told_once(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    path = place / "notes.txt"
    file = await add_file(scripted, path)
    plan = await add(scripted, K.SPECIFICATION, {"name": "plan"})
    watch = FileWatch(scripted.runtime)
    await watch.look()
    last = scripted.runtime.events.last
    await watch.look()
    assert told(scripted, last) == []
    path.write_text("longer than before")
    (place / "plan.md").write_text("it is there now")
    await watch.look()
    assert sorted(told(scripted, last)) == sorted([file, plan])
    last = scripted.runtime.events.last
    await watch.look()
    assert told(scripted, last) == []
    path.unlink()
    await watch.look()
    assert told(scripted, last) == [file]


@pytest.mark.parametrize("seconds", [10**12, -(10**12)])
def test_a_file_of_a_time_in_no_calendar_is_shown_without_it(seconds: int) -> None:
    """Some file systems keep such times, and one file must not take all Nodes off the screen."""
    found = SimpleNamespace(st_size=7, st_mtime_ns=seconds * 10**9)
    shown = file_view(cast(os.stat_result, found))
    assert shown == {"exists": True, "size": 7, "modified_at": None}


class CountedWatch(FileWatch):
    looks = 0

    async def look(self) -> None:
        await super().look()
        self.looks += 1


async def test_files_are_looked_at_once_and_then_only_while_somebody_listens(
    scripted: ScriptedRuntime, texts: TextService, place: Path
) -> None:
    file = await add_file(scripted, place / "notes.txt")
    watch = CountedWatch(scripted.runtime)

    async def looks() -> int:
        return watch.looks

    watching = asyncio.create_task(watch.keep(every=0.001))
    try:
        await scripted.eventually(looks, 1)
        write(place / "notes.txt", b"nobody is there to be told of it")
        await asyncio.sleep(0.05)
        assert watch.looks == 1
        with scripted.runtime.events.subscribed() as queue:
            event = await asyncio.wait_for(queue.get(), 20)
        assert event.change is not None
        assert event.change.id == file, "it is told to the next who listens"
    finally:
        watching.cancel()


async def test_a_save_is_told_at_once(scripted: ScriptedRuntime, texts: TextService, place: Path) -> None:
    file = await add_file(scripted, place / "notes.txt")
    version = (await texts.get(file))["version"]
    last = scripted.runtime.events.last
    await texts.save(file, "two", version=version)
    assert told(scripted, last) == [file]
