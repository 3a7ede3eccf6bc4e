"""Which zone this machine is in, as ``TZ`` tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kavor.domain.errors import BadInput
from kavor.host_zone import host_zone_name


@pytest.mark.contract("K32")
@pytest.mark.parametrize(
    ("variable", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        (":Europe/Berlin", "Europe/Berlin"),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        (":/usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"),
        ("EST5EDT", "EST5EDT"),
        ("", "UTC"),
        (":", "UTC"),
    ],
)
def test_tz_decides(monkeypatch: pytest.MonkeyPatch, variable: str, name: str) -> None:
    monkeypatch.setenv("TZ", variable)
    assert host_zone_name() == name


def test_tz_may_name_a_link_to_the_zones_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "localtime").symlink_to("/usr/share/zoneinfo/America/Lima")
    monkeypatch.setenv("TZ", f":{tmp_path}/localtime")
    assert host_zone_name() == "America/Lima"


@pytest.mark.parametrize("variable", ["CET-1CEST", "<+03>-3", "UTC0", "europe/berlin", "/etc/hostname"])
def test_a_tz_that_names_no_zone_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("TZ", variable)
    with pytest.raises(BadInput, match="TZ is") as refused:
        host_zone_name()
    assert "TZ=Europe/Berlin" in refused.value.hint
