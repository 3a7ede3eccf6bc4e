"""The wheel is whole, and runs where there is no checkout beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import kavor
from kavor.home import Home
from kavor.resources import resource_path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """The output of a command that must succeed, started in an environment without our own paths."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KAVOR"))
    }
    result = subprocess.run(
        command,
        cwd=cwd,
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT, cwd=folder)
    (built,) = folder.glob("kavor-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of a fresh environment that has the wheel, and our dependencies by a path."""
    folder = tmp_path_factory.mktemp("elsewhere")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv/bin/python"
    site_packages = Path(
        run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=folder).strip()
    )
    run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python),
        *("install", "-q", "--no-deps", "--no-index", wheel),
        cwd=folder,
    )
    # A path in a .pth file is not itself searched for .pth files: the editable install stays out of sight.
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "venv/bin"


def files_under(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_package_and_resources(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("kavor/")}
    package = {f"kavor/{name}" for name in files_under(ROOT / "kavor")}
    resources = {f"kavor/_resources/{name}" for name in files_under(ROOT / "resources")}
    assert resources
    assert held == package | resources


def test_the_installed_command_runs(installed: Path, tmp_path: Path) -> None:
    assert kavor.__version__ in run(installed / "kavor", "--version", cwd=tmp_path)


def test_resources_are_found_in_an_installation(installed: Path, tmp_path: Path) -> None:
    script = "from kavor.resources import resource_path; print(resource_path('shell', 'kavor.bash'))"
    found = Path(run(installed / "python", "-c", script, cwd=tmp_path).strip())
    assert found.is_relative_to(installed.parent)
    assert found.read_bytes() == resource_path("shell", "kavor.bash").read_bytes()


def test_resources_are_found_in_a_checkout() -> None:
    assert resource_path("shell", "kavor.bash") == ROOT / "resources/shell/kavor.bash"
    with pytest.raises(FileNotFoundError, match=r"shell/none\.bash"):
        resource_path("shell", "none.bash")


def test_a_runtime_starts_from_an_installation(installed: Path, tmp_path: Path, home: Home) -> None:
    """Migrations and the host's shell scripts come from the wheel too."""
    environment = {"KAVOR_HOME": str(home.data), "TZ": "UTC"}
    run(installed / "kavor", "runtime", "start", cwd=tmp_path, **environment)
    try:
        assert '"workspaces"' in run(
            installed / "kavor", "workspace", "list", "--json", cwd=tmp_path, **environment
        )
    finally:
        run(installed / "kavor", "runtime", "stop", cwd=tmp_path, **environment)
