"""The suite's own model: in each dialect it does what the prompt's script says."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_stage import script_of
from model_dialects import DIALECTS
from model_endpoint import ModelEndpoint, model_endpoint

Document = dict[str, Any]


def chat(prompt: str, answers: list[str]) -> Document:
    told = [{"role": "tool", "tool_call_id": "1", "content": answer} for answer in answers]
    tools = [{"type": "function", "function": {"name": "kavor_whoami"}}]
    return {"messages": [{"role": "user", "content": prompt}, *told], "tools": tools}


def responses(prompt: str, answers: list[str]) -> Document:
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}
    told = [{"type": "function_call_output", "output": answer} for answer in answers]
    tools = [{"type": "namespace", "name": "mcp__kavor", "tools": [{"name": "whoami"}]}]
    return {"input": [said, *told], "tools": tools}


def messages(prompt: str, answers: list[str]) -> Document:
    told = [{"role": "user", "content": [{"type": "tool_result", "content": answer}]} for answer in answers]
    return {
        "messages": [{"role": "user", "content": prompt}, *told],
        "tools": [{"name": "mcp__kavor__whoami"}],
    }


def generate_content(prompt: str, answers: list[str]) -> Document:
    told = [{"role": "user", "parts": [{"functionResponse": {"output": answer}}]} for answer in answers]
    tools = [{"functionDeclarations": [{"name": "whoami"}]}]
    return {"contents": [{"role": "user", "parts": [{"text": prompt}]}, *told], "tools": tools}


BODIES: dict[str, Callable[[str, list[str]], Document]] = {
    "/chat/completions": chat,
    "/responses": responses,
    "/messages": messages,
    ":streamGenerateContent": generate_content,
}

dialects = pytest.mark.parametrize("path", DIALECTS)


@pytest.fixture
def model() -> Iterator[ModelEndpoint]:
    with model_endpoint() as endpoint:
        yield endpoint


def ask(model: ModelEndpoint, path: str, prompt: str, *answers: str) -> tuple[int, str]:
    """The status, and all that was streamed. Raises IncompleteRead where the stream breaks."""
    body = {"model": "m", "stream": True, **BODIES[path](prompt, list(answers))}
    connection = http.client.HTTPConnection(*model.server_address[:2], timeout=20)
    try:
        connection.request("POST", f"/v1/models/m{path}", json.dumps(body))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@dialects
def test_it_goes_from_step_to_step_as_tools_answer(model: ModelEndpoint, path: str) -> None:
    prompt = script_of('call whoami {"a": 1}', "say All is well.")
    status, streamed = ask(model, path, prompt)
    assert status == 200
    assert "whoami" in streamed
    _, streamed = ask(model, path, prompt, "a worker")
    assert all(word in streamed for word in ("All", "is", "well."))
    assert model.tool_answers() == [model.asked[-1][0].turns[-1].text]
    assert "a worker" in model.tool_answers()[0]
    _, streamed = ask(model, path, prompt, "a worker", "another")
    assert "up." in streamed


@dialects
def test_an_error_is_its_status(model: ModelEndpoint, path: str) -> None:
    assert ask(model, path, script_of("error 429"))[0] == 429


@dialects
def test_a_broken_stream_has_no_end(model: ModelEndpoint, path: str) -> None:
    with pytest.raises(http.client.IncompleteRead):
        ask(model, path, script_of("drop"))


@dialects
def test_without_tools_it_gives_a_title(model: ModelEndpoint, path: str) -> None:
    body = {"model": "m", **BODIES[path](script_of("say No."), [])}
    read = DIALECTS[path].read({**body, "tools": []})
    assert model.answer_to(read).text == "A title from the stand-in"
    assert model.asked == []
