"""Arguments that name nothing and text that is none: bad input, never a defect."""

from __future__ import annotations

import os

import pytest
from kavor_command import Kavor

NO_UTF8 = os.fsdecode(b"caf\xe9")


@pytest.fixture
def work(kavor: Kavor, tmp_path_factory: pytest.TempPathFactory) -> Kavor:
    kavor.json("workspace", "add", str(tmp_path_factory.mktemp("place")))
    kavor.json("schedule", "add", "--name", "job", "--cron", "0 9 * * *", "--payload", "true")
    return kavor


@pytest.mark.parametrize(
    "arguments",
    [
        ["schedule", "pause", "job", "--reason", NO_UTF8],
        ["schedule", "show", NO_UTF8],
        ["schedule", "add", "--name", NO_UTF8],
        ["workspace", "show", NO_UTF8],
        ["attempt", "show", "99999999999999999999"],
    ],
    ids=["reason", "schedule", "name", "workspace", "attempt"],
)
def test_it_is_bad_input(work: Kavor, arguments: list[str]) -> None:
    work.refused(2, *arguments)
    assert work.json("schedule", "show", "job")["pause_reason"] is None
