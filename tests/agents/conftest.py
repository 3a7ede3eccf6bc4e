"""One real agent at a time, in a runtime that the tests of it share."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from agent_recipes import RECIPES
from agent_stage import Stage, stage
from model_endpoint import ModelEndpoint, model_endpoint

from kavor.home import find_home

ASKED_FOR = "KAVOR_TEST_AGENTS"
"""The names of the agents to drive, set by `make test-agents`."""


def _real_agents() -> ModuleType:
    file = Path(__file__).resolve().parents[2] / "packaging/real_agents.py"
    spec = importlib.util.spec_from_file_location("real_agents", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


real_agents = _real_agents()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "agent" in metafunc.fixturenames:
        names = os.environ.get(ASKED_FOR, "opencode").split()
        # One worker has all tests of an agent, which share its session.
        cases = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names]
        metafunc.parametrize("agent", cases, indirect=True, scope="module")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ModelEndpoint]:
    with model_endpoint() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def agent(
    request: pytest.FixtureRequest, endpoint: ModelEndpoint, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    """Its session is opened by each test that needs it, since others end it."""
    name: str = request.param
    try:
        search_path = real_agents.search_path(real_agents.pins()[name])
    except real_agents.NotInstalled as why:
        pytest.skip(str(why))
    root = Path(tempfile.mkdtemp(prefix="kv"))
    home = find_home({"KAVOR_HOME": str(root)})
    folder = tmp_path_factory.mktemp(name)
    try:
        with stage(name, RECIPES[name], search_path, endpoint, home, folder) as whole:
            yield whole
    finally:
        shutil.rmtree(root, ignore_errors=True)
