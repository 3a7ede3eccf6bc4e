"""The steps of one Workspace, back and forth.

The stack never runs ahead of the runtime: one step is on its way at a time, and one that is refused leaves
the stack where the truth is. What a person asks for meanwhile waits its turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from kavor.canvas.commands.change import Change
from kavor.canvas.qt import QObject, QUndoCommand, QUndoStack, Signal
from kavor.domain.errors import KavorError, NotFound

STEPS_KEPT = 500

_MERGES = 1
"""The id of every command: QUndoStack offers to merge those of one id, and the changes decide."""


class Command(QUndoCommand):
    """One step: a change and its words, such as "Move 3 Nodes"."""

    def __init__(self, history: History, words: str, change: Change) -> None:
        super().__init__(words)
        self.change = change
        self.merged = False
        """Whether the step before has taken it up."""
        self.stack_only = False
        """The stack is only put where the truth is."""
        self._history = history

    def redo(self) -> None:
        if not self.stack_only:
            self._history.begin()
            self.change.apply(self._done, lambda error: self._history.end_refused_redo(self, error))

    def undo(self) -> None:
        if not self.stack_only:
            self._history.begin()
            self.change.revert(self._done, lambda error: self._history.end_refused_undo(self, error))

    def id(self) -> int:
        return _MERGES

    def mergeWith(self, other: QUndoCommand) -> bool:
        assert isinstance(other, Command)
        other.merged = self.change.absorb(other.change)
        return other.merged

    def _done(self) -> None:
        self._history.end()


class History(QObject):
    changed = Signal()
    """What can be undone or redone is different."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack = QUndoStack(self)
        self._stack.setUndoLimit(STEPS_KEPT)
        self._stack.indexChanged.connect(self.changed)
        self._waiting: deque[Callable[[], None]] = deque()
        self._busy = False

    @property
    def undo_words(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self._stack.undoText()

    @property
    def redo_words(self) -> str:
        return self._stack.redoText()

    def removed_by_undo(self) -> Sequence[str]:
        """The Nodes that would go, by their present ids."""
        step = self._stack.command(self._stack.index() - 1)
        return step.change.removed_by_revert() if isinstance(step, Command) else ()

    def removed_by_redo(self) -> Sequence[str]:
        step = self._stack.command(self._stack.index())
        return step.change.removed_by_apply() if isinstance(step, Command) else ()

    def do(self, words: str, change: Change) -> None:
        self.in_turn(lambda: self._stack.push(Command(self, words, change)))

    def undo(self) -> None:
        self.in_turn(self._stack.undo)

    def redo(self) -> None:
        self.in_turn(self._stack.redo)

    def in_turn(self, go: Callable[[], None]) -> None:
        """When the steps that were asked for before have been taken."""
        self._waiting.append(go)
        self._advance()

    # --- What the commands tell

    def begin(self) -> None:
        self._busy = True

    def end(self) -> None:
        self._busy = False
        self._advance()

    def end_refused_redo(self, command: Command, error: KavorError) -> None:
        """It did not happen: the step goes."""
        if not command.merged:
            command.setObsolete(True)
            self._stack.undo()  # an obsolete command is only dropped
        self._stop()

    def end_refused_undo(self, command: Command, error: KavorError) -> None:
        """It still stands, and can be tried again; unless what it was about is gone."""
        if isinstance(error, NotFound):
            command.setObsolete(True)
            self._stack.redo()  # an obsolete command is only dropped
        else:
            command.stack_only = True
            self._stack.redo()
            command.stack_only = False
        self._stop()

    def _stop(self) -> None:
        """What waits was asked for in another belief of how things are."""
        self._waiting.clear()
        self.end()

    def _advance(self) -> None:
        while self._waiting and not self._busy:
            self._waiting.popleft()()
