"""Which programs of agents the runtime finds: those on the PATH of the login shell, as it is by now."""

from __future__ import annotations

from pathlib import Path

import pytest

from kavor.home import Home
from kavor.runtime.providers import ProviderService, ProviderView
from kavor.sessions.agent import login_environment


@pytest.fixture
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a login shell that says nothing yet."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("ENV", "BASH_ENV", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    return folder


async def gemini_of(service: ProviderService) -> ProviderView:
    found, _ = await service.listing()
    return next(each for each in found if each["name"] == "gemini")


async def test_what_is_installed_meanwhile_is_found(
    home: Home, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = ProviderService(home)
    before = await gemini_of(service)
    assert (before["installed"], before["program"]) == (False, "gemini")
    program = user_home / "tools" / "gemini"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for startup in (".bash_profile", ".profile"):
        (user_home / startup).write_text("PATH=$HOME/tools:$PATH\n")
    monkeypatch.setattr(login_environment, "KEPT_WHERE_MISSED_SECONDS", -1.0)  # some seconds later
    after = await gemini_of(service)
    assert (after["installed"], after["path"]) == (True, str(program))
