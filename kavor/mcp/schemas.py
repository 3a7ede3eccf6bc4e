"""JSON Schemas of the tools' arguments, as plain as can be: no references, and nothing that decorates."""

from __future__ import annotations

from typing import Any

from kavor.api.models import Body

_DECORATION = frozenset({"title", "default"})
"""What a model says to a reader of Python. Defaults are in the descriptions where they matter."""


def input_schema(arguments: type[Body]) -> dict[str, Any]:
    """The schema of these arguments, an object."""
    schema = arguments.model_json_schema(by_alias=True)
    plain = _plain(schema, schema.get("$defs", {}))
    plain.pop("description", None)  # of the Python class
    plain.setdefault("properties", {})
    return plain


def _plain(schema: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _plain(known[schema["$ref"].rpartition("/")[2]], known)
    plain: dict[str, Any] = {}
    for word, value in schema.items():
        if word == "properties":
            plain[word] = {name: _plain(field, known) for name, field in value.items()}
        elif word == "items":
            plain[word] = _plain(value, known)
        elif word not in _DECORATION and word != "$defs":
            plain[word] = value
    return plain
