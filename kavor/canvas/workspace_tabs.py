"""The tabs of the window, one for each Workspace."""

from __future__ import annotations

from collections.abc import Iterable

from kavor.canvas.qt import QTabBar, translate
from kavor.canvas.things import Workspace


class WorkspaceTabs(QTabBar):
    def __init__(self) -> None:
        super().__init__(expanding=False, drawBase=False, documentMode=True)
        self.setAccessibleName(translate("Window", "Workspaces"))
        self._wanted: str | None = None
        """To be in front as soon as it is there: the runtime's answer may come before the event."""

    def workspace_at(self, number: int) -> str | None:
        return self.tabData(number) if number >= 0 else None

    def show_workspaces(self, workspaces: Iterable[Workspace], in_front: str | None) -> None:
        """Without telling of a change, as all of it is one."""
        self.blockSignals(True)
        while self.count():
            self.removeTab(0)
        for workspace in workspaces:
            number = self.addTab(workspace.name)
            self.setTabData(number, workspace.id)
            self.setTabToolTip(number, workspace.directory)
        if in_front is not None:
            self._bring(in_front)
        if self._wanted is not None:
            self.bring_to_front(self._wanted)
        self.blockSignals(False)

    def bring_to_front(self, workspace_id: str) -> None:
        self._wanted = None if self._bring(workspace_id) else workspace_id

    def step(self, step: int) -> None:
        if self.count():
            self.setCurrentIndex((self.currentIndex() + step) % self.count())

    def _bring(self, workspace_id: str) -> bool:
        for number in range(self.count()):
            if self.tabData(number) == workspace_id:
                self.setCurrentIndex(number)
                return True
        return False
