"""An agent with two models, that says which one it asks: ``model_agent.py [--without-choice]``."""

from __future__ import annotations

import json
import sys
from typing import Any

Json = dict[str, Any]

MODELS = ("house/small", "house/large")


class Agent:
    def __init__(self, *, offers_choice: bool) -> None:
        self._offers_choice = offers_choice
        self._model = MODELS[0]

    def answer(self, method: str, params: Json) -> Json:
        """Raises ValueError."""
        match method:
            case "initialize":
                return {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}
            case "session/new" | "session/load":
                return {
                    "sessionId": "s",
                    **({"configOptions": [self._option()]} if self._offers_choice else {}),
                }
            case "session/set_config_option":
                if params["configId"] != "which-model" or params["value"] not in MODELS:
                    raise ValueError("no such model")
                self._model = params["value"]
                return {"configOptions": [self._option()]}
            case "session/prompt":
                content = {"type": "text", "text": f"asked {self._model}"}
                update = {"sessionUpdate": "agent_message_chunk", "content": content}
                send(method="session/update", params={"sessionId": "s", "update": update})
                return {"stopReason": "end_turn"}
        raise ValueError(f"there is no {method}")

    def _option(self) -> Json:
        group = {"group": "house", "options": [{"value": model, "name": model} for model in MODELS]}
        kind = {"id": "which-model", "category": "model", "type": "select"}
        return {**kind, "name": "Model", "currentValue": self._model, "options": [group]}


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def main() -> None:
    agent = Agent(offers_choice="--without-choice" not in sys.argv)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        try:
            send(id=message["id"], result=agent.answer(message["method"], message.get("params") or {}))
        except ValueError as error:
            send(id=message["id"], error={"code": -32602, "message": str(error)})


main()
