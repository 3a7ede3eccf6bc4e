"""CodingAgents, Sticky Notes, Files, Specifications and Guardrails, with scripted sessions."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_runtime import ScriptedRuntime

from kavor.domain.errors import BadInput, Conflict, Refused
from kavor.domain.graph import NodeKind
from kavor.runtime.graph_service import GraphService
from kavor.runtime.node_kinds import NodeFields
from kavor.runtime.node_views import NodeView

K = NodeKind


@pytest.fixture
async def graph(scripted: ScriptedRuntime) -> GraphService:
    """Of a runtime with one Workspace, whose directory is ``work`` in its home."""
    await scripted.workspace()
    return scripted.services.graph


@pytest.fixture
def place(scripted: ScriptedRuntime) -> Path:
    return (scripted.home.data / "work").resolve()


async def add(graph: GraphService, kind: NodeKind, **fields: object) -> NodeView:
    given: NodeFields = {"name": f"a {kind.value}", **fields}  # type: ignore[typeddict-item]
    return await graph.add_node(kind, given, workspace=None, open_session=False)


async def names(graph: GraphService) -> list[str]:
    return [node["name"] for node in await graph.nodes(workspace=None, kind=None, ref=None)]


# --- CodingAgents


async def test_an_agent_is_shown_as_it_was_set_up(graph: GraphService, place: Path) -> None:
    made = await add(graph, K.CODING_AGENT, provider="opencode", model="big")
    assert (made["provider"], made["command"], made["model"]) == ("opencode", [], "big")
    assert (made["keep_open"], made["allow_editing"], made["turn_limit_s"]) == (True, False, 7200)
    assert made["directory"] == str(place)
    assert (made["session"]["state"], made["session"]["closed_on_purpose"]) == ("closed", True)
    changed = await graph.edit_node(
        made["id"], {"keep_open": False, "allow_editing": True, "turn_limit_s": 90, "model": None}, revision=1
    )
    assert (changed["keep_open"], changed["allow_editing"], changed["turn_limit_s"]) == (False, True, 90)
    assert (changed["model"], changed["provider"], changed["revision"]) == (None, "opencode", 2)
    assert changed == (await graph.nodes(workspace=None, kind=K.CODING_AGENT, ref=None))[0]


async def test_an_agent_is_opened_when_it_is_added_unless_told_otherwise(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    opened = await graph.add_node(K.CODING_AGENT, {"name": "a", "provider": "opencode"}, workspace=None)
    assert [spec.id for spec in scripted.sessions.opened] == [opened["id"]]
    assert opened["session"]["open"]
    await add(graph, K.CODING_AGENT, provider="opencode")
    assert len(scripted.sessions.opened) == 1


async def test_an_open_agent_that_is_set_up_otherwise_needs_a_restart_and_says_so(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    made = await graph.add_node(K.CODING_AGENT, {"name": "a", "provider": "opencode"}, workspace=None)
    assert not made["session"]["restart_needed"]
    other = await graph.edit_node("a", {"name": "b", "keep_open": False, "allow_editing": True}, revision=1)
    assert not other["session"]["restart_needed"], "that holds at once"
    other = await graph.edit_node("b", {"model": "big", "turn_limit_s": 60}, revision=2)
    reason = "since its session started, it was given another model, turn limit"
    assert (other["session"]["restart_needed"], other["session"]["restart_reason"]) == (True, reason)
    back = await graph.edit_node("b", {"model": None, "turn_limit_s": 7200}, revision=3)
    assert back["session"]["restart_reason"] is None
    await graph.edit_node("b", {"model": "big"}, revision=4)
    assert not (await scripted.services.sessions.restart("b"))["restart_needed"]
    await graph.edit_node("b", {"model": "small"}, revision=5)
    assert not (await scripted.services.sessions.close("b"))["restart_needed"], "the next one is started so"


async def test_an_agent_that_does_not_start_is_not_kept(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    scripted.sessions.refuses_to_open = Refused("OpenCode is not installed", "npm i -g opencode-ai")
    with pytest.raises(Refused, match="not installed"):
        await graph.add_node(K.CODING_AGENT, {"name": "a", "provider": "opencode"}, workspace=None)
    assert await names(graph) == []


@pytest.mark.parametrize(
    ("fields", "message", "hint"),
    [
        ({}, "needs a provider", "--provider"),
        ({"provider": "skynet"}, "'skynet' is not a provider", "opencode"),
        ({"provider": "custom"}, "needs a command", "--command"),
        ({"provider": "custom", "command": []}, "needs a command", "--command"),
        ({"provider": "socket"}, "needs a command", "absolute path of its socket"),
        ({"provider": "opencode", "command": ["x"]}, "has a command of its own", "leave the command out"),
        ({"provider": "opencode", "turn_limit_s": 5}, "turn limit of 5 s", "1 minute to 24 hours"),
        ({"provider": "opencode", "directory": "nowhere"}, "no directory", "--directory"),
        ({"provider": "opencode", "shell": "bash"}, "a CodingAgent has no shell", "leave that out"),
    ],
)
async def test_an_agent_that_cannot_be_meant_is_refused(
    graph: GraphService, fields: dict[str, object], message: str, hint: str
) -> None:
    with pytest.raises(BadInput, match=message) as refusal:
        await add(graph, K.CODING_AGENT, **fields)
    assert hint in refusal.value.hint
    assert await names(graph) == []


async def test_another_provider_takes_command_and_model_of_the_former_one_away(graph: GraphService) -> None:
    made = await add(graph, K.CODING_AGENT, provider="custom", command=["my-agent", "--acp"], model="m")
    assert made["command"] == ["my-agent", "--acp"]
    with pytest.raises(BadInput, match="needs a command"):
        await graph.edit_node(made["id"], {"command": []}, revision=1)
    longer = await graph.edit_node(made["id"], {"command": ["my-agent"]}, revision=1)
    assert (longer["command"], longer["model"]) == (["my-agent"], "m")
    other = await graph.edit_node(made["id"], {"provider": "opencode"}, revision=2)
    assert (other["provider"], other["command"], other["model"]) == ("opencode", [], None)
    with pytest.raises(BadInput, match="needs a command"):
        await graph.edit_node(made["id"], {"provider": "custom"}, revision=3)


MINE = """
[mine]
label = "Mine"
transport = "acp"
command = ["no-such-program-anywhere"]
install = "make it"
"""


async def test_a_person_may_add_a_provider(
    scripted: ScriptedRuntime, graph: GraphService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where programs are is asked of a login shell
    (scripted.home.data / "providers.toml").write_text(MINE)
    made = await add(graph, K.CODING_AGENT, provider="mine")
    assert made["provider"] == "mine"
    providers, problems = await scripted.services.providers.listing()
    (mine,) = [one for one in providers if one["name"] == "mine"]
    assert (mine["installed"], mine["install"], mine["takes_command"]) == (False, "make it", False)
    assert problems == []


async def test_what_is_wrong_with_an_added_provider_is_told_with_the_names(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    (scripted.home.data / "providers.toml").write_text('[mine]\nlabel = "Mine"\n')
    with pytest.raises(BadInput, match="'mine' is not a provider") as refusal:
        await add(graph, K.CODING_AGENT, provider="mine")
    assert "mine.transport is missing" in refusal.value.hint


# --- Sticky Notes


async def test_a_note_is_edited_over_its_revision(graph: GraphService) -> None:
    made = await add(graph, K.STICKY_NOTE, text="# Plan\r\n- one")
    assert (made["text"], made["colour"], made["revision"]) == ("# Plan\n- one", "yellow", 1)
    changed = await graph.edit_node(made["id"], {"text": "done", "colour": "Pink"}, revision=1)
    assert (changed["text"], changed["colour"], changed["revision"]) == ("done", "pink", 2)
    with pytest.raises(Conflict):
        await graph.edit_node(made["id"], {"text": "lost"}, revision=1)
    assert (await graph.node(made["id"]))["text"] == "done"


@pytest.mark.parametrize(
    "fields", [{"text": "\x1b[2J"}, {"text": "x" * 64_001}, {"colour": "red"}, {"path": "a"}]
)
async def test_a_note_that_cannot_be_kept_is_refused(graph: GraphService, fields: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        await add(graph, K.STICKY_NOTE, **fields)
    made = await add(graph, K.STICKY_NOTE)
    with pytest.raises(BadInput):
        await graph.edit_node(made["id"], fields, revision=1)  # type: ignore[arg-type]
    assert (await graph.node(made["id"]))["revision"] == 1


# --- Files and Specifications


async def test_a_specification_has_a_state_and_a_file_that_need_not_be_there(
    graph: GraphService, place: Path
) -> None:
    made = await add(graph, K.SPECIFICATION, name="plan")
    assert (made["state"], made["path"]) == ("Draft", f"{place}/plan.md")
    assert made["file"] == {"exists": False, "size": None, "modified_at": None}
    (place / "plan.md").write_text("what is wanted")
    changed = await graph.edit_node(made["id"], {"state": "in review"}, revision=1)
    assert (changed["state"], changed["file"]["exists"], changed["file"]["size"]) == ("In review", True, 14)
    with pytest.raises(BadInput, match="not a state"):
        await graph.edit_node(made["id"], {"state": "perfect"}, revision=2)


async def test_the_first_text_of_a_specification_never_overwrites_a_file(
    graph: GraphService, place: Path
) -> None:
    await add(graph, K.SPECIFICATION, name="plan", text="mine", state="Ready")
    assert (place / "plan.md").read_text() == "mine"
    with pytest.raises(BadInput, match="already"):
        await add(graph, K.SPECIFICATION, name="plan", text="other")
    assert (place / "plan.md").read_text() == "mine"
    assert await names(graph) == ["plan"]
    second = await add(graph, K.SPECIFICATION, name="plan")
    assert second["path"] == f"{place}/plan.md", "it may be taken as it is"


async def test_a_specification_that_is_refused_leaves_no_file(graph: GraphService, place: Path) -> None:
    with pytest.raises(BadInput, match="not a state"):
        await add(graph, K.SPECIFICATION, name="plan", text="mine", state="perfect")
    assert not (place / "plan.md").exists()
    assert await names(graph) == []


async def test_the_text_of_a_file_is_not_edited_as_its_node(graph: GraphService, place: Path) -> None:
    (place / "a.txt").write_text("a")
    made = await graph.add_node(K.FILE, {"path": "a.txt"}, workspace=None)
    assert made["name"] == "a.txt"
    with pytest.raises(BadInput, match="the text of a File is a file"):
        await graph.edit_node(made["id"], {"text": "b"}, revision=1)
    with pytest.raises(BadInput, match="a File has no colour, state"):
        await graph.edit_node(made["id"], {"state": "Draft", "colour": "blue"}, revision=1)


# --- Guardrails


async def test_a_guardrail_is_chosen_with_the_connection_changed_and_taken_away(
    scripted: ScriptedRuntime, graph: GraphService
) -> None:
    agent = await add(graph, K.CODING_AGENT, provider="opencode")
    note = await add(graph, K.STICKY_NOTE)
    made = await graph.connect(note["id"], agent["id"], None, "sticky_note_read_only")
    assert made["guardrail"] == "sticky_note_read_only"
    for end, other in ((agent, note), (note, agent)):
        (neighbour,) = (await graph.node(end["id"]))["connections"]
        assert (neighbour["node"], neighbour["guardrail"]) == (other["id"], "sticky_note_read_only")
    assert await graph.connect(agent["id"], note["id"]) == made, "connecting them again takes nothing away"
    last = scripted.runtime.events.last
    freed = await graph.connect(agent["id"], note["id"], None, "none")
    assert (freed["id"], freed["guardrail"]) == (made["id"], None)
    events = scripted.runtime.events.missed_since(last)
    assert [event.change for event in events or ()] == [("connection", str(made["id"]), "changed")]
    again = await graph.connect(agent["id"], note["id"], None, "sticky_note_read_only")
    assert again == made


async def test_a_guardrail_that_does_not_fit_makes_no_connection(graph: GraphService) -> None:
    agent = await add(graph, K.CODING_AGENT, provider="opencode")
    other = await add(graph, K.CODING_AGENT, provider="opencode", name="other")
    note = await add(graph, K.STICKY_NOTE)
    terminal = await add(graph, K.TERMINAL)
    specification = await add(graph, K.SPECIFICATION)
    for one, two, rule in (
        (agent, note, "file_read_only"),
        (agent, note, "nonsense"),
        (agent, other, "terminal_read_only"),
        (terminal, specification, "terminal_read_only"),
    ):
        with pytest.raises(BadInput):
            await graph.connect(one["id"], two["id"], None, rule)
    assert await graph.connections(None) == []


async def test_a_variable_and_a_guardrail_do_not_disturb_each_other(graph: GraphService) -> None:
    terminal = await add(graph, K.TERMINAL)
    specification = await add(graph, K.SPECIFICATION, name="plan")
    agent = await add(graph, K.CODING_AGENT, provider="opencode")
    named = await graph.connect(terminal["id"], specification["id"], "PLAN")
    assert (named["env"], named["guardrail"]) == ("PLAN", None)
    ruled = await graph.connect(agent["id"], specification["id"], None, "specification_read_only")
    assert (ruled["env"], ruled["guardrail"]) == (None, "specification_read_only")
    with pytest.raises(BadInput, match="environment variable"):
        await graph.connect(agent["id"], specification["id"], "PLAN")
