"""The CodingAgents of one canvas: what is read of them, and which is in use."""

from __future__ import annotations

import secrets
from collections import defaultdict

from kavor.api.client import Document
from kavor.canvas.agents.agent_overlay import AgentOverlay
from kavor.canvas.agents.reading import Reading
from kavor.canvas.cards.coding_agent import ANSWER, STOP, WRITE
from kavor.canvas.conversation import Message
from kavor.canvas.edits import Edits
from kavor.canvas.link import Link
from kavor.canvas.qt import QObject, QPointF
from kavor.canvas.theme import Theme
from kavor.canvas.things import Node
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError, Unreachable
from kavor.domain.graph import NodeKind

USABLE = 0.75
"""An agent that is to be used is brought to 100 % from below this zoom."""


class Agents(QObject):
    """What is typed to an agent is kept until it is sent, whatever else is done meanwhile."""

    def __init__(self, view: CanvasView, link: Link, edits: Edits, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._edits = edits
        self._theme = theme
        self._used: tuple[str, AgentOverlay] | None = None
        self._drafts: dict[str, str] = {}
        self._on_its_way: defaultdict[str, list[str]] = defaultdict(list)
        """What was sent to each and is neither taken nor refused yet."""
        self._in_doubt: dict[str, tuple[str, str]] = {}
        """What came back because the runtime did not answer: it may have taken it all the same. With its key,
        under which it can be sent again without being sent twice."""
        self._asked_for_providers = False
        self._reading = Reading(view, link)
        view.opened.connect(self._on_opened)
        view.clicked_again.connect(self._on_clicked_again)
        view.acted.connect(self._on_acted)
        self._model.node_added.connect(self._on_node)
        self._model.node_changed.connect(self._on_node)
        self._model.look_changed.connect(self._on_look)
        self._model.message_told.connect(self._on_message)
        self._model.node_removed.connect(self._on_removed)
        self._model.reloaded.connect(self._on_reloaded)
        self._on_reloaded()

    def release(self) -> None:
        """Before the view goes."""
        self.leave()
        self._reading.release()
        self._model.node_added.disconnect(self._on_node)
        self._model.node_changed.disconnect(self._on_node)
        self._model.look_changed.disconnect(self._on_look)
        self._model.message_told.disconnect(self._on_message)
        self._model.node_removed.disconnect(self._on_removed)
        self._model.reloaded.disconnect(self._on_reloaded)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._used is not None:
            self._used[1].set_theme(theme)

    def names_with_drafts(self) -> list[str]:
        """The agents to whom something was typed that is not sent."""
        return [node.name for node in self._model.nodes.values() if self.has_draft(node.id)]

    def has_draft(self, node_id: str) -> bool:
        return bool(self._drafts.get(node_id, "").strip() or self._on_its_way.get(node_id))

    def drop_drafts(self) -> None:
        self._on_its_way.clear()
        for node_id in self._drafts:
            self._show_draft(node_id, "")

    # --- Using one

    @property
    def overlay(self) -> AgentOverlay | None:
        """The one that keys go to."""
        return None if self._used is None else self._used[1]

    def use(self, node_id: str) -> None:
        if self._used is not None and self._used[0] == node_id:
            self._used[1].setFocus()
            return
        self.leave()
        if self._view.zoom < USABLE:
            self._view.set_zoom(1.0)
            self._view.show_node(node_id)
        self._view.reveal(node_id)
        overlay = AgentOverlay(self._model.nodes[node_id].name, self._theme, self._view.viewport())
        overlay.composer.show_draft(self._drafts.get(node_id, ""))
        overlay.composer.textChanged.connect(
            lambda: self._drafts.__setitem__(node_id, overlay.composer.exact_text())
        )
        overlay.left.connect(self.leave)
        overlay.sent.connect(lambda text: self._send(node_id, text))
        overlay.stop_wanted.connect(lambda: self._edits.stop_turn(node_id))
        overlay.open_wanted.connect(lambda: self._edits.act_on_session(node_id, "open"))
        overlay.question.answered.connect(
            lambda question, option: self._edits.answer(node_id, question, option)
        )
        overlay.inbox.withdrawn.connect(lambda number: self._edits.withdraw_message(number, node_id))
        self._used = (node_id, overlay)
        self._refresh()
        self._view.show_live(node_id, overlay)
        overlay.transcript.to_end()
        overlay.setFocus()

    def leave(self) -> None:
        """Back to the canvas."""
        used, self._used = self._used, None
        if used is None:
            return
        _, overlay = used
        overlay.release()
        if overlay.isAncestorOf(self._view.window().focusWidget() or overlay):
            self._view.setFocus()  # before it is hidden, which would hand the focus on as Tab does
        self._view.hide_live()
        overlay.deleteLater()

    def _send(self, node_id: str, text: str) -> None:
        """It leaves the field at once, and is back in it where the runtime refuses it."""
        if not text.strip():
            return

        def arrived() -> None:
            if text in self._on_its_way[node_id]:
                self._on_its_way[node_id].remove(text)

        def failed(error: KavorError) -> None:
            arrived()
            if node_id not in self._model.nodes:
                return
            self._show_draft(node_id, "\n".join(filter(None, [text, self._drafts.get(node_id, "")])))
            if isinstance(error, Unreachable):
                self._in_doubt[node_id] = text, key

        self._show_draft(node_id, "")
        before, key = self._in_doubt.pop(node_id, ("", ""))
        if before != text:
            key = secrets.token_hex(16)
        self._on_its_way[node_id].append(text)
        self._edits.send_message(node_id, text, key, lambda _: arrived(), failed)

    def _on_message(self, message: Message) -> None:
        """One that was in doubt was taken after all: it must not lie in the field to be sent once more."""
        text, _ = self._in_doubt.get(message.agent, ("", ""))
        draft = self._drafts.get(message.agent, "")
        if not text or message.sender or message.text != text:
            return
        del self._in_doubt[message.agent]
        if draft == text or draft.startswith(f"{text}\n"):
            self._show_draft(message.agent, draft.removeprefix(text).removeprefix("\n"))

    def _show_draft(self, node_id: str, text: str) -> None:
        self._drafts[node_id] = text
        if self._used is not None and self._used[0] == node_id:
            self._used[1].composer.show_draft(text)

    def _refresh(self) -> None:
        if self._used is not None:
            node_id, overlay = self._used
            overlay.show_conversation(self._model.conversation_of(node_id))
            overlay.show_session(self._model.sessions.get(node_id))

    # --- What happens

    def _is_spoken_to(self, node_id: str) -> bool:
        """Whether it is an agent without a screen of its own: to such a one a person writes on that."""
        return self._is_agent(node_id) and not self._model.has_screen(node_id)

    def _is_agent(self, node_id: str) -> bool:
        return node_id in self._canvas.node_items and self._model.nodes[node_id].kind is NodeKind.CODING_AGENT

    def _on_opened(self, node_id: str) -> None:
        if self._is_spoken_to(node_id):
            self.use(node_id)

    def _on_clicked_again(self, node_id: str, at: QPointF) -> None:
        if self._is_spoken_to(node_id) and self._canvas.node_items[node_id].card.content.contains(at):
            self.use(node_id)

    def _on_acted(self, node_id: str, action: str) -> None:
        question = self._model.question_of(node_id)
        if action == WRITE:
            self.use(node_id)
        elif action == STOP:
            self._edits.stop_turn(node_id)
        elif action.startswith(ANSWER) and question is not None:
            self._edits.answer(node_id, question.id, action.removeprefix(ANSWER))

    def _on_node(self, node_id: str) -> None:
        if self._used is not None and self._used[0] == node_id:
            self._refresh()
        if self._is_agent(node_id):
            self._name_providers()

    def _on_look(self, node_id: str) -> None:
        if self._used is not None and self._used[0] == node_id:
            self._refresh()

    def _on_removed(self, node: Node) -> None:
        self._drafts.pop(node.id, None)
        if self._used is not None and self._used[0] == node.id:
            self.leave()

    def _on_reloaded(self) -> None:
        for gone in self._drafts.keys() - self._model.nodes.keys():
            del self._drafts[gone]
        if self._used is not None and self._used[0] not in self._model.nodes:
            self.leave()
        self._refresh()
        if any(map(self._is_agent, self._canvas.node_items)):
            self._name_providers()

    def _name_providers(self) -> None:
        """Once there is an agent whose card shall say by what name its provider goes."""
        if self._asked_for_providers:
            return
        self._asked_for_providers = True

        def answered(document: Document) -> None:
            self._model.providers.update({each["name"]: each["label"] for each in document["providers"]})
            for node_id in self._canvas.node_items:
                if self._is_agent(node_id):
                    self._model.tell_conversation(node_id)

        self._edits.list_providers(answered)
