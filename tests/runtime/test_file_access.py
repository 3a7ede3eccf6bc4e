"""Files are reached in lanes, one for each folder, and nobody waits for one longer than a limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from kavor.domain.errors import Refused
from kavor.runtime import file_access
from kavor.runtime.file_access import FileAccess, in_a_thread


async def test_what_is_asked_of_one_folder_is_done_in_its_order(tmp_path: Path) -> None:
    files, done = FileAccess(), list[int]()
    asked = [files.work(str(tmp_path / str(number)), partial(done.append, number)) for number in range(20)]
    await asyncio.gather(*asked)
    assert done == list(range(20))


async def test_folders_do_not_wait_for_each_other(tmp_path: Path) -> None:
    files, other_is_done = FileAccess(), threading.Event()
    waits = asyncio.create_task(files.work(str(tmp_path / "a" / "x"), lambda: other_is_done.wait(20)))
    await files.work(str(tmp_path / "b" / "x"), other_is_done.set)
    assert await waits


async def test_what_goes_wrong_there_is_raised_here(tmp_path: Path) -> None:
    def refuse() -> None:
        raise Refused("no")

    with pytest.raises(Refused, match="no"):
        await FileAccess().work(str(tmp_path / "x"), refuse)


async def test_whoever_gives_up_waiting_leaves_the_folder_to_others(tmp_path: Path) -> None:
    files, go_on = FileAccess(), threading.Event()
    path = str(tmp_path / "x")
    given_up = asyncio.create_task(files.work(path, lambda: go_on.wait(20)))
    await asyncio.sleep(0)
    given_up.cancel()
    go_on.set()
    assert await files.work(path, lambda: "the next") == "the next"


async def test_a_look_at_many_folders_leaves_out_the_silent_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_access, "LOOK_SECONDS", 0.05)
    go_on = threading.Event()

    def look_in(folder: str, paths: Sequence[str]) -> dict[str, int]:
        if Path(folder).name == "silent":
            go_on.wait(20)
        return dict.fromkeys(paths, len(paths))

    here = [str(tmp_path / folder / name) for folder in ("a", "b") for name in ("1", "2")]
    silent = str(tmp_path / "silent" / "1")
    files = FileAccess()
    try:
        assert await files.look([*here, silent], look_in) == dict.fromkeys(here, 2)
    finally:
        go_on.set()


def test_without_a_thread_to_be_had_nothing_is_known_until_there_is_one(tmp_path: Path) -> None:
    threads_left = False

    def start(work: Callable[[], None]) -> None:
        if not threads_left:
            raise RuntimeError("can't start new thread")
        in_a_thread(work)

    files, directory = FileAccess(start), str(tmp_path)
    assert files.directories([directory]) == {directory: None}
    threads_left = True
    assert files.directories([directory, "/no/such"]) == {directory: True, "/no/such": False}
