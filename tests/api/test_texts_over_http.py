"""Texts, providers and Guardrails over the API, and that a change outside is told of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api_world import Api


def add(api: Api, kind: str, **fields: object) -> dict[str, Any]:
    return api("POST", "/api/nodes", {"kind": kind, "name": api.name(kind), "open": False, **fields}).made


def add_document(api: Api, kind: str, **fields: object) -> dict[str, Any]:
    """One of a kind that has no session."""
    return api("POST", "/api/nodes", {"kind": kind, "name": api.name(kind), **fields}).made


def tag(version: str) -> dict[str, str]:
    return {"If-Match": f'"{version}"'}


def test_a_text_is_read_saved_and_read_again(api: Api) -> None:
    path = api.folder / "read.txt"
    path.write_text("one")
    for made in (
        add_document(api, "file", path=str(path)),
        add_document(api, "sticky-note", text="one"),
        add_document(api, "specification", text="one"),
    ):
        address = f"/api/nodes/{made['id']}/text"
        answer = api("GET", address)
        found = answer.made
        assert (found["node"], found["kind"], found["text"]) == (made["id"], made["kind"], "one")
        assert answer.headers["etag"] == f'"{found["version"]}"'
        saved = api("PUT", address, {"text": "two"}, headers=tag(found["version"]))
        assert saved.made["text"] == "two"
        assert saved.headers["etag"] == f'"{saved.made["version"]}"'
        assert api("GET", address).made == saved.made


def test_a_stale_save_changes_nothing_and_brings_the_present_text(api: Api) -> None:
    note = add_document(api, "sticky-note", text="first")
    address = f"/api/nodes/{note['id']}/text"
    api("PUT", address, {"text": "lost"}).problem("revision-missing", 428, 2)
    won = api("PUT", address, {"text": "won"}, headers=tag("1")).made
    problem = api("PUT", address, {"text": "lost"}, headers=tag("1")).problem("conflict", 409, 5, "present")
    assert problem["present"] == won == api("GET", address).made


def test_a_file_that_was_changed_outside_brings_what_is_there_now(api: Api) -> None:
    path = api.folder / "outside.txt"
    path.write_text("one")
    address = f"/api/nodes/{add_document(api, 'file', path=str(path))['id']}/text"
    version = api("GET", address).made["version"]
    path.write_text("an editor was faster")
    problem = api("PUT", address, {"text": "lost"}, headers=tag(version)).problem(
        "conflict", 409, 5, "present"
    )
    assert problem["present"]["text"] == "an editor was faster"
    kept = api("PUT", address, {"text": "both"}, headers=tag(problem["present"]["version"])).made
    assert path.read_text() == kept["text"] == "both"


def test_what_cannot_be_a_text_is_a_problem(api: Api) -> None:
    path = api.folder / "binary"
    path.write_bytes(b"\xff\x00")
    binary, terminal = add_document(api, "file", path=str(path)), api.terminal()
    api("GET", f"/api/nodes/{binary['id']}/text").problem("bad-input", 422, 2)
    api("GET", f"/api/nodes/{terminal['id']}/text").problem("bad-input", 422, 2)
    api("GET", "/api/nodes/nobody/text").problem("not-found", 404, 2)
    note = f"/api/nodes/{add_document(api, 'sticky-note')['id']}/text"
    for body in ({"text": "\x1b]0;x\x07"}, {"text": None}, {}, {"text": "a", "more": 1}):
        api("PUT", note, body, headers=tag("1")).problem("bad-input", 422, 2)
    api("PUT", note, raw=b'{"text": "\\ud800"}', headers=tag("1")).problem("bad-input", 422, 2)
    assert api("GET", note).made["version"] == "1"
    refused = api("POST", note, {"text": "x"})
    refused.problem("method-not-allowed", 405, 1)
    assert refused.headers["allow"] == "GET, PUT"


def test_a_change_outside_is_told_to_who_listens(api: Api) -> None:
    path = api.folder / "watched.txt"
    path.write_text("one")
    made = add_document(api, "file", path=str(path))
    with api.client.events() as events:
        path.write_text("longer")
        told = (event for event in events if event["type"] == "node" and event["id"] == made["id"])
        while next(told)["value"]["file"]["size"] != len("longer"):
            pass  # that it was made may be told first


def test_the_providers_are_listed_with_what_is_installed(api: Api) -> None:
    found = api("GET", "/api/providers").made
    by_name = {provider["name"]: provider for provider in found["providers"]}
    assert {"claude", "codex", "opencode", "gemini", "custom", "scripted"} <= set(by_name)
    assert by_name["scripted"]["installed"], "it comes with Kavor"
    assert (by_name["custom"]["takes_command"], by_name["opencode"]["takes_command"]) == (True, False)
    assert by_name["opencode"]["install"] == "npm i -g opencode-ai"
    assert found["problems"] == []


def test_a_guardrail_is_set_changed_and_taken_away(api: Api) -> None:
    agent, note = add(api, "coding-agent", provider="scripted"), add_document(api, "sticky-note")
    pair = {"a": agent["id"], "b": note["id"]}
    made = api("POST", "/api/connections", {**pair, "guardrail": "sticky_note_read_only"}).made
    assert made["guardrail"] == "sticky_note_read_only"
    assert api("POST", "/api/connections", pair).made == made
    assert api("POST", "/api/connections", {**pair, "guardrail": "none"}).made["guardrail"] is None
    problem = api("POST", "/api/connections", {**pair, "guardrail": "file_read_only"}).problem(
        "bad-input", 422, 2
    )
    assert problem["hint"] == "use sticky_note_read_only"


def test_fields_of_another_kind_are_refused(api: Api, tmp_path: Path) -> None:
    for kind, fields in (
        ("sticky-note", {"payload": "true"}),
        ("sticky-note", {"open": True}),
        ("file", {"path": "/etc/hostname", "provider": "scripted"}),
        ("terminal", {"text": "x"}),
        ("schedule", {"colour": "blue"}),
        ("coding-agent", {"provider": "scripted", "target": "x"}),
    ):
        api("POST", "/api/nodes", {"kind": kind, "name": "x", **fields}).problem("bad-input", 422, 2)
