"""What is typed and not saved or sent: asked about before the window closes, or a Node is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kavor.canvas.live_cards import LiveCards
from kavor.canvas.panels.panels import Panels
from kavor.canvas.qt import QWidget, translate
from kavor.canvas.texts.texts import Texts
from kavor.canvas.tools.question import Question

_NAMED_AT_MOST = 4


class Closing:
    def __init__(
        self,
        panels: Panels,
        live_cards: Callable[[], Sequence[LiveCards]],
        room: QWidget,
        close: Callable[[], object],
    ) -> None:
        """``live_cards`` are those of every canvas; ``close`` closes the window, once nothing is unsaved."""
        self._panels = panels
        self._live_cards = live_cards
        self._close = close
        self.question = Question(room)

    def may_close(self) -> bool:
        """Whether it may at once. If not, the person is asked, and the window is closed as they say."""
        names = [form.title.text() for form in self._panels.unsaved_forms()]
        names += [name for texts in self._texts for name in texts.unsaved_names()]
        if not names:
            return self._may_drop_messages()
        title = translate("Closing", "Save “{name}”?").format(name=names[0])
        words = translate("Closing", "It has changes that are not saved.")
        if len(names) > 1:
            title = translate("Closing", "Save {count} Nodes?").format(count=len(names))
            named = "\n".join(map(_quoted, names[:_NAMED_AT_MOST]))
            words = translate("Closing", "They have changes that are not saved.") + f"\n{named}"
        self.question.ask(
            title,
            words,
            translate("Closing", "Save"),
            self._save,
            harms=False,
            instead=(translate("Closing", "Discard"), self._discard),
        )
        return False

    def typed_about(self, node_id: str) -> list[str]:
        """What was typed about a Node and would go with it, in sentences."""
        lost, live_cards = [], self._live_cards()
        if self._panels.is_unsaved(node_id) or any(each.texts.is_lost_with(node_id) for each in live_cards):
            lost.append(translate("Delete", "What you typed in “{name}” is not saved."))
        if any(each.agents.has_draft(node_id) for each in live_cards):
            lost.append(translate("Delete", "What you wrote to “{name}” is not sent."))
        return lost

    def _may_drop_messages(self) -> bool:
        """What was written to agents and not sent would be lost."""
        names = [name for live in self._live_cards() for name in live.agents.names_with_drafts()]
        if not names:
            return True
        named = ", ".join(map(_quoted, names[:_NAMED_AT_MOST]))
        self.question.ask(
            translate("Closing", "Close without sending?"),
            translate("Closing", "What you wrote to {names} is not sent.").format(names=named),
            translate("Closing", "Close"),
            self._drop_messages,
        )
        return False

    def _drop_messages(self) -> None:
        for live in self._live_cards():
            live.agents.drop_drafts()
        self._close()

    @property
    def _texts(self) -> list[Texts]:
        return [live.texts for live in self._live_cards()]

    def _discard(self) -> None:
        self._panels.discard_unsaved()
        for texts in self._texts:
            texts.discard_unsaved()
        self._close()

    def _save(self) -> None:
        """Close when all are saved; where one is refused, stay, with that one in front."""
        forms, refused = self._panels.unsaved_forms(), list[Callable[[], None]]()
        waiting: set[object] = set(forms)
        waiting.update((texts, node_id) for texts in self._texts for node_id in texts.unsaved())

        def settled(one: object, show: Callable[[], None], saved: bool) -> None:
            waiting.discard(one)
            if not saved:
                refused.append(show)
            if not waiting and refused:
                refused[0]()
            elif not waiting:
                self._close()

        for form in forms:
            form.save_then(partial(settled, form, partial(self._panels.edit, form.node_id)))
        for texts in self._texts:
            for node_id in texts.unsaved():
                texts.save_then(node_id, partial(settled, (texts, node_id), partial(texts.use, node_id)))


def _quoted(name: str) -> str:
    return translate("Closing", "“{name}”").format(name=name)
