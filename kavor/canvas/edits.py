"""What a person changes through the canvas. Each edit goes to the runtime, and what comes of it returns as
events: nothing here touches the model, except that a dragged Node is moved at once.

``refused`` tells what the runtime said no to, and about which Node, so that it is shown where the eye is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from kavor.api.client import Client
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.naming import free_name
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QPointF
from kavor.domain.errors import KavorError

Document = dict[str, Any]
Answer = TypeVar("Answer")
Done = Callable[[Document], None]
Failed = Callable[[KavorError], None]

_SCHEDULE_VERBS = {"Resume": "resume", "Pause": "pause", "Run now": "run"}
"""What the API offers on a Schedule, and the route that does it."""


def _ignore(_: object) -> None:
    return


class Edits:
    def __init__(self, link: Link, model: Model) -> None:
        self._link = link
        self._model = model
        self.refused = Notice[[str, KavorError]]()
        """The Node's id (empty when it is about none) and the error."""

    # --- Schedules and attempts

    def act_on_schedule(self, schedule_id: str, action: str, done: Done = _ignore) -> None:
        """``action`` is one that the Schedule offers: Resume, Pause or Run now."""
        self._post(f"/api/schedules/{schedule_id}/{_SCHEDULE_VERBS[action]}", {}, schedule_id, done)

    def withdraw(self, attempt_id: int, schedule_id: str) -> None:
        self._post(f"/api/attempts/{attempt_id}/withdraw", {}, schedule_id)

    def dismiss(self, attempt_id: int, schedule_id: str) -> None:
        self._post(f"/api/attempts/{attempt_id}/dismiss", {}, schedule_id)

    # --- Sessions: slow ones must not hold up the changes behind them, and their order is the runtime's

    def act_on_session(self, node_id: str, verb: str) -> None:
        """``verb`` is open, close or restart."""
        self._ask(node_id, lambda client: client.post(f"/api/sessions/{node_id}/{verb}"))

    # --- Agents

    def answer(self, node_id: str, question_id: str, option_id: str | None) -> None:
        """What an agent asks; None leaves it without an answer, and the agent does not do it."""
        body = {"question": question_id, "option": option_id}
        self._ask(node_id, lambda client: client.post(f"/api/sessions/{node_id}/answer", body))

    def stop_turn(self, node_id: str) -> None:
        self._ask(node_id, lambda client: client.post(f"/api/sessions/{node_id}/cancel"))

    def send_message(self, node_id: str, text: str, key: str, done: Done, failed: Failed) -> None:
        """Sent again under the same ``key`` it is not another message."""
        path = f"/api/nodes/{node_id}/messages"
        self.change(lambda client: client.post(path, {"text": text}, key=key), node_id, done, failed)

    def withdraw_message(self, message_id: int, node_id: str) -> None:
        self._post(f"/api/messages/{message_id}/withdraw", {}, node_id)

    def list_providers(self, done: Done) -> None:
        """Which providers of agents there are, and which this machine has."""
        self._link.ask(lambda client: client.get("/api/providers"), done, self._refusal(""))

    def _ask(self, node_id: str, question: Callable[[Client], Document]) -> None:
        self._link.ask(question, _ignore, self._refusal(node_id))

    # --- The graph

    def open_folder(self, directory: str, done: Done) -> None:
        """``done`` is given its Workspace: the one that it is already, or a new one."""
        self.change(lambda client: _workspace_of(client, directory), "", done)

    def add_node(
        self,
        workspace_id: str,
        kind: str,
        fields: Mapping[str, object],
        done: Done,
        failed: Failed = _ignore,
    ) -> None:
        self._post("/api/nodes", {"workspace": workspace_id, "kind": kind, **fields}, "", done, failed)

    def connect(
        self,
        one: str,
        other: str,
        done: Done = _ignore,
        failed: Failed = _ignore,
        *,
        environment_name: str | None = None,
        guardrail: str | None = None,
    ) -> None:
        """Of Nodes that are connected already it changes the variable or the Guardrail; ``none`` takes a
        Guardrail away."""
        body = {"a": one, "b": other, "env": environment_name, "guardrail": guardrail}
        self._post("/api/connections", body, other, done, failed)

    def disconnect(self, one: str, other: str, done: Done = _ignore, failed: Failed = _ignore) -> None:
        self.change(lambda client: client.delete("/api/connections", a=one, b=other), one, done, failed)

    def rename(self, node_id: str, name: str, done: Done = _ignore, failed: Failed = _ignore) -> None:
        node = self._model.nodes.get(node_id)
        revision = 0 if node is None else node.revision
        self.change(
            lambda client: client.patch(f"/api/nodes/{node_id}", {"name": name}, revision=revision),
            node_id,
            done,
            failed,
        )

    def set_fields(
        self, node_id: str, fields: Mapping[str, object], done: Done = _ignore, failed: Failed = _ignore
    ) -> None:
        """Over whatever else was set since: these fields alone."""
        path = f"/api/nodes/{node_id}"

        def set_them(client: Client) -> Document:
            return client.patch(path, fields, revision=client.get(path)["revision"])

        self.change(set_them, node_id, done, failed)

    def show(self, places: Mapping[str, QPointF]) -> None:
        """Top left corners by Node id, on this canvas only."""
        for node_id, place in places.items():
            self._model.move(node_id, place.x(), place.y())

    def move(self, places: Mapping[str, QPointF], done: Callable[[], None], failed: Failed = _ignore) -> None:
        """Shown at once, and kept by the runtime."""
        self.show(places)
        for node_id in places:
            self._model.expect_move(node_id)

        def send(client: Client) -> None:
            for node_id, place in places.items():
                # A move needs no revision: the last one wins.
                client.patch(f"/api/nodes/{node_id}", {"x": place.x(), "y": place.y()}, revision=0)

        def moved(_: None) -> None:
            self._confirm(places)
            done()

        def refused(error: KavorError) -> None:
            self._confirm(places)
            failed(error)

        self.change(send, next(iter(places), ""), moved, refused)

    def change(
        self,
        change: Callable[[Client], Answer],
        about: str,
        done: Callable[[Answer], None],
        failed: Failed = _ignore,
    ) -> None:
        """Any other change. ``about``: the Node beside which a refusal is shown."""
        self._link.change(change, done, self._refusal(about, failed))

    def _confirm(self, places: Mapping[str, QPointF]) -> None:
        for node_id in places:
            self._model.confirm_move(node_id)

    def _post(
        self,
        path: str,
        body: Mapping[str, object],
        about: str,
        done: Done = _ignore,
        failed: Failed = _ignore,
    ) -> None:
        self.change(lambda client: client.post(path, body), about, done, failed)

    def _refusal(self, about: str, failed: Failed = _ignore) -> Failed:
        def refused(error: KavorError) -> None:
            failed(error)
            self.refused.emit(about, error)

        return refused


def _workspace_of(client: Client, directory: str) -> Document:
    """Asked where the window does not wait for it: the folder's file system may be slow."""
    folder = Path(directory).resolve()
    there = client.get("/api/workspaces")["workspaces"]
    for workspace in there:
        if workspace["directory"] == str(folder):
            return dict(workspace)
    name = free_name(folder.name or "/", (workspace["name"] for workspace in there))
    return client.post("/api/workspaces", {"directory": str(folder), "name": name})
