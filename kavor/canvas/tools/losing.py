"""Before something is lost that no step brings back, the person is asked."""

from __future__ import annotations

from collections.abc import Callable

from kavor.canvas.desk import Desk
from kavor.canvas.model import Model
from kavor.canvas.qt import translate
from kavor.canvas.tools.question import Question

_NAMED_AT_MOST = 4


class Losing:
    """Deletes, undoes and does again, each at once where nothing is lost by it."""

    def __init__(self, model: Model, question: Question) -> None:
        self._model = model
        self._question = question

    def delete(self, desk: Desk) -> None:
        """What is selected."""
        nodes, wires = desk.selected(), desk.selected_connections()
        title = translate("Delete", "Delete {count} Nodes?").format(count=len(nodes))
        if len(nodes) == 1:
            name = self._model.nodes[nodes[0]].name
            title = translate("Delete", "Delete “{name}”?").format(name=name)
        self._ask(
            desk.lost_with(nodes),
            title,
            translate("Delete", "Undo brings the cards back, but not that."),
            translate("Delete", "Delete"),
            lambda: desk.delete(nodes, wires),
        )

    def undo(self, desk: Desk) -> None:
        desk.history.in_turn(lambda: self._undo(desk))

    def redo(self, desk: Desk) -> None:
        desk.history.in_turn(lambda: self._redo(desk))

    def _undo(self, desk: Desk) -> None:
        history = desk.history
        self._ask(
            desk.lost_with(history.removed_by_undo()),
            translate("Delete", "Undo “{step}”?").format(step=history.undo_words),
            translate("Delete", "Redo brings the cards back, but not that."),
            translate("Delete", "Undo"),
            history.undo,
        )

    def _redo(self, desk: Desk) -> None:
        history = desk.history
        self._ask(
            desk.lost_with(history.removed_by_redo()),
            translate("Delete", "Redo “{step}”?").format(step=history.redo_words),
            translate("Delete", "Undo brings the cards back, but not that."),
            translate("Delete", "Redo"),
            history.redo,
        )

    def _ask(
        self, lost: list[str], title: str, what_comes_back: str, yes: str, agreed: Callable[[], None]
    ) -> None:
        if not lost:
            agreed()
            return
        words = lost[:_NAMED_AT_MOST]
        if len(lost) > _NAMED_AT_MOST:
            words.append(translate("Delete", "And {count} more.").format(count=len(lost) - _NAMED_AT_MOST))
        self._question.ask(title, "\n".join([*words, what_comes_back]), yes, agreed)
