"""The description that the API gives of itself."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from api_world import Api

METHODS = {"get", "post", "patch", "delete", "put"}

PROMISED = {
    "/api/runtime": {"get"},
    "/api/runtime/stop": {"post"},
    "/api/workspaces": {"get", "post"},
    "/api/workspaces/{ref}": {"get", "delete"},
    "/api/nodes": {"get", "post"},
    "/api/nodes/{ref}": {"get", "patch", "delete"},
    "/api/nodes/{ref}/text": {"get", "put"},
    "/api/connections": {"get", "post", "delete"},
    "/api/providers": {"get"},
    "/api/schedules": {"get", "post"},
    "/api/schedules/{ref}": {"get", "patch", "delete"},
    "/api/schedules/{ref}/pause": {"post"},
    "/api/schedules/{ref}/resume": {"post"},
    "/api/schedules/{ref}/run": {"post"},
    "/api/schedules/{ref}/next": {"get"},
    "/api/schedules/{ref}/history": {"get"},
    "/api/preview": {"post"},
    "/api/attempts": {"get"},
    "/api/attempts/{attempt_id}": {"get"},
    "/api/attempts/{attempt_id}/withdraw": {"post"},
    "/api/attempts/{attempt_id}/dismiss": {"post"},
    "/api/sessions": {"get"},
    "/api/sessions/{ref}/open": {"post"},
    "/api/sessions/{ref}/close": {"post"},
    "/api/sessions/{ref}/restart": {"post"},
    "/api/sessions/{ref}/screen": {"get"},
    "/api/sessions/{ref}/tail": {"get"},
    "/api/sessions/{ref}/input": {"post"},
}


@pytest.fixture(scope="module")
def document(api: Api) -> dict[str, Any]:
    return api("GET", "/openapi.json").made


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, at_path in document["paths"].items()
        for method, operation in at_path.items()
        if method in METHODS
    ]


def schema_of(document: dict[str, Any], content: dict[str, Any], media_type: str) -> dict[str, Any]:
    """With what it refers to beside it, so that it can be used alone."""
    return {**content[media_type]["schema"], "components": document["components"]}


def test_it_lists_every_route_that_is_promised(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["info"]["title"] == "Kavor"
    for path, methods in PROMISED.items():
        assert set(document["paths"][path]) >= methods, path


def test_every_route_has_schemas_for_what_it_takes_and_answers(document: dict[str, Any]) -> None:
    names = []
    for method, path, operation in operations(document):
        names.append(operation["operationId"])
        responses = operation["responses"]
        assert set(responses) == {"200", "default"}, f"{method} {path}"
        answer = schema_of(document, responses["200"]["content"], "application/json")
        assert set(answer) > {"components"}, f"{method} {path} says nothing of its answer"
        problem = schema_of(document, responses["default"]["content"], "application/problem+json")
        schemas = [answer, problem]
        if "requestBody" in operation:
            schemas.append(schema_of(document, operation["requestBody"]["content"], "application/json"))
        for schema in schemas:
            jsonschema.Draft202012Validator.check_schema(schema)
        in_path = {part[1:-1] for part in path.split("/") if part.startswith("{")}
        described = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}
        assert described == in_path, f"{method} {path}"
    assert len(names) == len(set(names))


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(part: object) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + [found for value in part.values() for found in references(value)]
        if isinstance(part, list):
            return [found for value in part for found in references(value)]
        return []

    found = references(document)
    assert found
    for reference in found:
        _, *steps = reference.split("/")
        at: Any = document
        for step in steps:
            at = at[step]
        assert at


def test_answers_and_problems_are_as_it_says(api: Api, document: dict[str, Any]) -> None:
    terminal = api.terminal()
    schedule = api.schedule(target=terminal["id"])
    note = api("POST", "/api/nodes", {"kind": "sticky-note", "name": api.name("note")}).made
    asked = {
        "/api/runtime": "/api/runtime",
        "/api/workspaces": "/api/workspaces",
        "/api/nodes": "/api/nodes",
        "/api/nodes/{ref}": f"/api/nodes/{terminal['id']}",
        "/api/nodes/{ref}/text": f"/api/nodes/{note['id']}/text",
        "/api/connections": "/api/connections",
        "/api/providers": "/api/providers",
        "/api/schedules": "/api/schedules",
        "/api/schedules/{ref}": f"/api/schedules/{schedule['id']}",
        "/api/schedules/{ref}/next": f"/api/schedules/{schedule['id']}/next",
        "/api/schedules/{ref}/history": f"/api/schedules/{schedule['id']}/history",
        "/api/attempts": "/api/attempts",
        "/api/sessions": "/api/sessions",
    }
    for path, address in asked.items():
        responses = document["paths"][path]["get"]["responses"]
        schema = schema_of(document, responses["200"]["content"], "application/json")
        jsonschema.validate(api("GET", address).made, schema)
    problem = schema_of(
        document,
        document["paths"]["/api/schedules/{ref}"]["patch"]["responses"]["default"]["content"],
        "application/problem+json",
    )
    for answer in (
        api("GET", "/api/schedules/nobody"),
        api("PATCH", f"/api/schedules/{schedule['id']}", {"name": "x"}),
        api.edit({**schedule, "revision": 7}, {"name": "x"}),
        api("POST", f"/api/schedules/{schedule['id']}/dance"),
    ):
        jsonschema.validate(answer.json, problem)


def test_an_edit_names_its_revision_and_zone(document: dict[str, Any]) -> None:
    headers = {
        one["name"].lower() for one in document["paths"]["/api/schedules/{ref}"]["patch"]["parameters"]
    }
    assert headers >= {"if-match", "kavor-zone"}
