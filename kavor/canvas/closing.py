"""Before the window closes: what is typed in a Schedule's form and not saved is asked about."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kavor.canvas.editor.schedule_editor import ScheduleEditor
from kavor.canvas.panels.panels import Panels
from kavor.canvas.qt import QWidget, translate
from kavor.canvas.tools.question import Question

_NAMED_AT_MOST = 4


class Closing:
    def __init__(self, panels: Panels, room: QWidget, close: Callable[[], object]) -> None:
        """``close`` closes the window, once nothing is unsaved."""
        self._panels = panels
        self._close = close
        self.question = Question(room)

    def may_close(self) -> bool:
        """Whether it may at once. If not, the person is asked, and the window is closed as they say."""
        names = [form.title.text() for form in self._panels.unsaved_forms()]
        if not names:
            return True
        title = translate("Closing", "Save “{name}”?").format(name=names[0])
        words = translate("Closing", "Its form has changes that are not saved.")
        if len(names) > 1:
            title = translate("Closing", "Save {count} Schedules?").format(count=len(names))
            named = "\n".join(f"“{name}”" for name in names[:_NAMED_AT_MOST])
            words = translate("Closing", "Their forms have changes that are not saved.") + f"\n{named}"
        self.question.ask(
            title,
            words,
            translate("Closing", "Save"),
            self._save,
            harms=False,
            instead=(translate("Closing", "Discard"), self._discard),
        )
        return False

    def _discard(self) -> None:
        self._panels.discard_unsaved()
        self._close()

    def _save(self) -> None:
        """Close when all are saved; where one is refused, stay, with that form in front."""
        waiting, refused = set(self._panels.unsaved_forms()), list[ScheduleEditor]()

        def settled(form: ScheduleEditor, saved: bool) -> None:
            waiting.discard(form)
            if not saved:
                refused.append(form)
            if not waiting and refused:
                self._panels.edit(refused[0].node_id)
            elif not waiting:
                self._close()

        for form in tuple(waiting):
            form.save_then(partial(settled, form))
