"""An agent reads and writes Sticky Notes, Files and Specifications, against what it has read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from agent_world import AgentWorld

from kavor.domain.graph import NodeKind
from kavor.runtime.text_files import MAX_BYTES


async def test_a_note_is_read_appended_to_and_replaced(world: AgentWorld) -> None:
    agent, note = await world.agent(), await world.note(text="one")
    await world.join(agent, note)
    read = (await world.call(agent, "read_sticky_note", note=note)).done
    assert (read["text"], read["colour"]) == ("one", "yellow")
    appended = (await world.call(agent, "append_sticky_note", note=note, text="two")).done
    assert appended["revision"] == read["revision"] + 1
    assert (await world.call(agent, "read_sticky_note", note=note)).done["text"] == "one\ntwo"
    await world.call(agent, "replace_sticky_note", note=note, text="three", revision=appended["revision"])
    assert (await world.call(agent, "read_sticky_note", note=note)).done["text"] == "three"


async def test_a_note_that_somebody_else_edited_is_not_written_over(world: AgentWorld) -> None:
    agent, note = await world.agent(), await world.note(text="one")
    await world.join(agent, note)
    revision = (await world.call(agent, "read_sticky_note", note=note)).done["revision"]
    await world.services.graph.edit_node(note, {"text": "a person's"}, revision=revision)
    said = await world.call(agent, "replace_sticky_note", note=note, text="mine", revision=revision)
    assert "edited meanwhile" in said.refused(409)
    assert (await world.call(agent, "read_sticky_note", note=note)).done["text"] == "a person's"


async def test_a_note_holds_so_much_and_no_control_characters(world: AgentWorld) -> None:
    agent, note = await world.agent(), await world.note(text="one")
    await world.join(agent, note)
    assert (await world.call(agent, "append_sticky_note", note=note, text="x" * 64_000)).status == 422
    assert (await world.call(agent, "append_sticky_note", note=note, text="a\x1b[31m")).status == 422
    assert (await world.call(agent, "read_sticky_note", note=note)).done["text"] == "one"


async def test_a_file_is_read_in_pieces_and_replaced_against_its_version(world: AgentWorld) -> None:
    agent, file = await world.agent(), await world.file("data.txt", "αβγδε")
    path = world.directory / "data.txt"
    path.chmod(0o640)
    await world.join(agent, file)
    first = (await world.call(agent, "read_file", file=file, limit=2)).done
    assert (first["text"], first["next_offset"], first["characters"]) == ("αβ", 2, 5)
    rest = (await world.call(agent, "read_file", file=file, offset=2)).done
    assert (rest["text"], rest["next_offset"], rest["version"]) == ("γδε", None, first["version"])
    written = await world.call(agent, "replace_file", file=file, text="new", version=first["version"])
    assert written.done["version"] != first["version"]
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [left.name for left in world.directory.iterdir()] == ["data.txt"]


async def test_a_file_that_was_changed_outside_is_not_written_over(world: AgentWorld) -> None:
    agent, file = await world.agent(), await world.file()
    await world.join(agent, file)
    version = (await world.call(agent, "read_file", file=file)).done["version"]
    (world.directory / "data.txt").write_text("changed outside")
    said = await world.call(agent, "replace_file", file=file, text="mine", version=version)
    assert "changed meanwhile" in said.refused(409)
    assert (world.directory / "data.txt").read_text() == "changed outside"


async def test_a_file_that_became_a_link_leads_nowhere(world: AgentWorld, tmp_path: Path) -> None:
    agent, file = await world.agent(), await world.file()
    await world.join(agent, file)
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (world.directory / "data.txt").unlink()
    (world.directory / "data.txt").symlink_to(secret)
    assert "link" in (await world.call(agent, "read_file", file=file)).refused(403)
    said = await world.call(agent, "replace_file", file=file, text="mine", version="absent")
    assert said.status == 403
    assert secret.read_text() == "secret"


async def test_what_is_no_text_is_not_given(world: AgentWorld) -> None:
    agent, file = await world.agent(), await world.file()
    await world.join(agent, file)
    path = world.directory / "data.txt"
    path.write_bytes(b"\xff\xfe\x00")
    assert "no text" in (await world.call(agent, "read_file", file=file)).refused(422)
    path.write_bytes(b"x" * (MAX_BYTES + 1))
    assert "longer" in (await world.call(agent, "read_file", file=file)).refused(422)
    path.unlink()
    os.mkfifo(path)
    assert (await world.call(agent, "read_file", file=file)).status == 403


async def test_a_specification_is_written_read_and_taken_further(world: AgentWorld) -> None:
    agent = await world.agent()
    specification = await world.node(NodeKind.SPECIFICATION, "plan")
    await world.join(agent, specification)
    read = (await world.call(agent, "read_specification", specification=specification)).done
    assert (read["text"], read["state"], read["version"]) == ("", "Draft", "absent")
    written = await world.call(
        agent, "replace_specification", specification="plan", text="# Plan\n", version="absent"
    )
    assert (world.directory / "plan.md").read_text() == "# Plan\n"
    await world.call(agent, "set_specification_state", specification="plan", state="in progress")
    read = (await world.call(agent, "read_specification", specification="plan")).done
    assert (read["text"], read["state"], read["version"]) == (
        "# Plan\n",
        "In progress",
        written.done["version"],
    )
    stale = await world.call(agent, "replace_specification", specification="plan", text="", version="absent")
    assert stale.status == 409
    assert (
        await world.call(agent, "set_specification_state", specification="plan", state="Sold")
    ).status == 422


async def test_faces_are_told_of_what_an_agent_wrote(world: AgentWorld) -> None:
    agent, note, file = await world.agent(), await world.note(), await world.file()
    await world.join(agent, note, file)
    version = (await world.call(agent, "read_file", file=file)).done["version"]
    with world.scripted.runtime.events.subscribed() as events:
        await world.call(agent, "append_sticky_note", note=note, text="x")
        await world.call(agent, "replace_file", file=file, text="x", version=version)
        told = {events.get_nowait().change for _ in range(events.qsize())}
    assert {("node", note), ("node", file)} <= {(change.type, change.id) for change in told if change}
