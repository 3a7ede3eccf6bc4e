"""The dialects in which agents speak to models: how each asks, and how its answer is streamed."""

from __future__ import annotations

import itertools
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from model_script import Conversation, Reply, Tool, Turn

Json = dict[str, Any]

TOKENS_IN, TOKENS_OUT = 100, 20


class Event(NamedTuple):
    """One server-sent event: its name, where the dialect has names, and its data."""

    name: str | None
    data: Json | str


class Dialect(Protocol):
    def read(self, body: Json) -> Conversation: ...

    def stream(self, body: Json, reply: Reply) -> Iterator[Event]:
        """A whole answer; an error, a break or a silence is the server's affair."""
        ...


def new_id(prefix: str) -> str:
    return prefix + secrets.token_hex(12)


def words(text: str) -> list[str]:
    return re.findall(r"\S+\s*", text) or [""]


def text_of(content: object) -> str:
    """All text in a message's content, in any shape that one of the dialects gives it."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, Mapping):
        return next((text_of(content[key]) for key in ("text", "content", "output") if key in content), "")
    return ""


def turns_of(role: str, content: object) -> list[Turn]:
    """One for each block: a prompt after one that was never answered may come in the same message."""
    blocks = content if isinstance(content, list) else [content]
    return [Turn(role, text_of(block)) for block in blocks]


class ChatCompletions:
    """Of OpenAI, and of nearly everybody else."""

    FINISH: Mapping[str, str] = {"call": "tool_calls", "refuse": "content_filter", "run_out": "length"}

    def read(self, body: Json) -> Conversation:
        turns: list[Turn] = []
        for message in body.get("messages", []):
            if message["role"] == "tool":
                turns.append(Turn("tool", text_of(message.get("content"))))
            else:
                turns += turns_of(message["role"], message.get("content"))
        return Conversation(turns, [Tool(tool["function"]["name"]) for tool in body.get("tools") or []])

    def stream(self, body: Json, reply: Reply) -> Iterator[Event]:
        head = {
            "id": new_id("chatcmpl-"),
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body["model"],
        }

        def chunk(delta: Json, finish: str | None = None) -> Event:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return Event(None, {**head, "choices": [choice]})

        yield chunk({"role": "assistant", "content": ""})
        if reply.verb == "call":
            function = {"name": reply.tool.name, "arguments": json.dumps(reply.arguments)}
            call = {"index": 0, "id": new_id("call_"), "type": "function", "function": function}
            yield chunk({"tool_calls": [call]})
        for word in words(reply.text):
            yield chunk({"content": word})
        yield chunk({}, self.FINISH.get(reply.verb, "stop"))
        used = {
            "prompt_tokens": TOKENS_IN,
            "completion_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }
        yield Event(None, {**head, "choices": [], "usage": used})
        yield Event(None, "[DONE]")


class Responses:
    """Of OpenAI, newer."""

    def read(self, body: Json) -> Conversation:
        turns: list[Turn] = []
        items = body.get("input") or []
        for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
            kind = item.get("type", "message")
            if kind.endswith("_call_output"):
                turns.append(Turn("tool", text_of(item.get("output"))))
            elif kind == "message":
                turns += turns_of(item.get("role", "user"), item.get("content"))
        return Conversation(turns, list(self._tools(body)))

    def _tools(self, body: Json) -> Iterator[Tool]:
        for tool in body.get("tools") or []:
            if tool.get("type") == "namespace":
                yield from (Tool(inner["name"], tool["name"]) for inner in tool.get("tools", []))
            elif "name" in tool:
                yield Tool(tool["name"])

    def stream(self, body: Json, reply: Reply) -> Iterator[Event]:
        numbers = itertools.count()
        response: Json = {
            **{"id": new_id("resp_"), "object": "response", "created_at": 0, "model": body["model"]},
            **{"output": [], "tools": [], "tool_choice": "auto", "parallel_tool_calls": False},
            **{"status": "in_progress", "error": None, "incomplete_details": None},
        }

        def event(name: str, **data: Any) -> Event:
            return Event(name, {"sequence_number": next(numbers), **data})

        yield event("response.created", response=response)
        item = self._call(reply) if reply.verb == "call" else self._message(reply)
        yield event("response.output_item.added", output_index=0, item={**item, "status": "in_progress"})
        place = {"item_id": item["id"], "output_index": 0}
        if reply.verb == "call":
            yield event("response.function_call_arguments.done", **place, arguments=item["arguments"])
        elif reply.verb != "refuse":
            for word in words(reply.text):
                yield event("response.output_text.delta", **place, content_index=0, delta=word)
        yield event("response.output_item.done", output_index=0, item=item)
        used = {
            "input_tokens": TOKENS_IN,
            "output_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }
        whole = {**response, "output": [item], "usage": used}
        if reply.verb == "run_out":
            why = {"reason": "max_output_tokens"}
            ended = {**whole, "status": "incomplete", "incomplete_details": why}
            yield event("response.incomplete", response=ended)
        else:
            yield event("response.completed", response={**whole, "status": "completed"})

    def _call(self, reply: Reply) -> Json:
        call = {
            "id": new_id("fc_"),
            "type": "function_call",
            "status": "completed",
            "call_id": new_id("call_"),
        }
        namespace = {"namespace": reply.tool.namespace} if reply.tool.namespace else {}
        return {**call, "name": reply.tool.name, "arguments": json.dumps(reply.arguments), **namespace}

    def _message(self, reply: Reply) -> Json:
        said: Json = {"type": "output_text", "text": reply.text, "annotations": []}
        if reply.verb == "refuse":
            said = {"type": "refusal", "refusal": "I will not do that."}
        head = {"id": new_id("msg_"), "type": "message", "role": "assistant", "status": "completed"}
        return {**head, "content": [said]}


class Messages:
    """Of Anthropic."""

    STOP: Mapping[str, str] = {"call": "tool_use", "refuse": "refusal", "run_out": "max_tokens"}

    def read(self, body: Json) -> Conversation:
        turns: list[Turn] = []
        for message in body.get("messages", []):
            content = message.get("content")
            for block in content if isinstance(content, list) else [content]:
                is_answer = isinstance(block, Mapping) and block.get("type") == "tool_result"
                turns.append(Turn("tool" if is_answer else message["role"], text_of(block)))
        return Conversation(turns, [Tool(tool["name"]) for tool in body.get("tools") or []])

    def stream(self, body: Json, reply: Reply) -> Iterator[Event]:
        def event(name: str, **data: Any) -> Event:
            return Event(name, data)

        message = {
            **{"id": new_id("msg_"), "type": "message", "role": "assistant", "model": body["model"]},
            **{"content": [], "stop_reason": None, "stop_sequence": None},
            "usage": {"input_tokens": TOKENS_IN, "output_tokens": 1},
        }
        yield event("message_start", message=message)
        if reply.verb == "call":
            block = {"type": "tool_use", "id": new_id("toolu_"), "name": reply.tool.name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
            yield event("content_block_start", index=0, content_block=block)
            yield event("content_block_delta", index=0, delta=delta)
            yield event("content_block_stop", index=0)
        elif reply.verb != "refuse":
            yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
            for word in words(reply.text):
                yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": word})
            yield event("content_block_stop", index=0)
        stop = {"stop_reason": self.STOP.get(reply.verb, "end_turn"), "stop_sequence": None}
        yield event("message_delta", delta=stop, usage={"output_tokens": TOKENS_OUT})
        yield event("message_stop")


class GenerateContent:
    """Of Gemini."""

    FINISH: Mapping[str, str] = {"refuse": "SAFETY", "run_out": "MAX_TOKENS"}

    def read(self, body: Json) -> Conversation:
        turns: list[Turn] = []
        for content in body.get("contents", []):
            role = "user" if content.get("role") == "user" else "assistant"
            for part in content.get("parts", []):
                answer = part.get("functionResponse")
                turns.append(
                    Turn(role, text_of(part)) if answer is None else Turn("tool", json.dumps(answer))
                )
        declared = [tool for kind in body.get("tools") or [] for tool in kind.get("functionDeclarations", [])]
        return Conversation(turns, [Tool(tool["name"]) for tool in declared])

    def stream(self, body: Json, reply: Reply) -> Iterator[Event]:
        def chunk(part: Json, finish: str | None = None) -> Event:
            candidate = {"index": 0, "content": {"role": "model", "parts": [part]}}
            used = {"promptTokenCount": TOKENS_IN, "candidatesTokenCount": TOKENS_OUT}
            ended = {} if finish is None else {"finishReason": finish}
            return Event(None, {"candidates": [candidate | ended], "usageMetadata": used})

        if reply.verb == "call":
            call = {"id": new_id("call_"), "name": reply.tool.name, "args": reply.arguments}
            yield chunk({"functionCall": call}, "STOP")
            return
        for word in words(reply.text):
            yield chunk({"text": word})
        yield chunk({"text": ""}, self.FINISH.get(reply.verb, "STOP"))


DIALECTS: Mapping[str, Dialect] = {
    "/chat/completions": ChatCompletions(),
    "/responses": Responses(),
    "/messages": Messages(),
    ":streamGenerateContent": GenerateContent(),
}
"""By the end of the path that a request goes to."""
