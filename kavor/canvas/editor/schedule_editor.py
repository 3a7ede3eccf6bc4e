"""The form of one Schedule: in the order in which one is made (K16), with Resume as the deliberate last step.

Nothing starts by saving (K19). Who saves says on what revision; when somebody else saved meanwhile, the
present text is shown and the person chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from kavor.api.client import Document, EditedElsewhere
from kavor.canvas.coming import Coming, Effect, Plan, effect_of_edit, now
from kavor.canvas.commands.edit_schedule import Saved
from kavor.canvas.editor.conflict_note import ConflictNote
from kavor.canvas.editor.editor_head import EditorHead
from kavor.canvas.editor.fields import Problem, caption, mark, rule
from kavor.canvas.editor.payload_field import PayloadField
from kavor.canvas.editor.policies_form import PoliciesForm
from kavor.canvas.editor.preview_list import LEAVING_SHOWN, SHOWN, PreviewList
from kavor.canvas.editor.recurrence_draft import RecurrenceDraft
from kavor.canvas.editor.recurrence_form import RecurrenceForm
from kavor.canvas.editor.saved_note import SavedNote
from kavor.canvas.editor.schedule_draft import ScheduleDraft
from kavor.canvas.editor.style import form_style
from kavor.canvas.editor.zone_note import ZoneNote
from kavor.canvas.link import Link
from kavor.canvas.model import Model
from kavor.canvas.panel import Panel
from kavor.canvas.qt import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    Qt,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.states import action_words
from kavor.canvas.theme import Theme
from kavor.canvas.things import Schedule
from kavor.domain.errors import BadInput, KavorError
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.domain.recurrence import Recurrence
from kavor.domain.zones import known_zones, load_zone, to_local

_EDGE = 18
_SUGGESTED = time(9)


class ScheduleEditor(Panel):
    acted = Signal(str)
    """Resume or Pause, as on the card."""
    history_wanted = Signal()
    saved = Signal(object)
    """A Saved: what a save changed."""

    def __init__(self, schedule_id: str, model: Model, link: Link, zone: ZoneInfo, theme: Theme) -> None:
        super().__init__(schedule_id)
        self._model = model
        self._link = link
        self._zone = zone
        self._saved = self._present_draft()
        self._revision = self._schedule.revision
        self._there: tuple[str, Schedule] | None = None
        """What somebody else saved meanwhile, while the person has not chosen."""
        self._saving = False
        self._when_settled: Callable[[bool], None] | None = None
        self.head = EditorHead(theme)
        self.title = self.head.title
        self.payload = PayloadField()
        self.when = RecurrenceForm(self._saved.when)
        self.zone_note = ZoneNote()
        self.preview = PreviewList(theme)
        self.policies = PoliciesForm()
        self.conflict = ConflictNote()
        self.problem = Problem()
        self.said = SavedNote(zone)
        self.save_button = QPushButton(translate("Editor", "Save"))
        self.cancel_button = QPushButton(translate("Editor", "Cancel"))
        self.act_button = QPushButton()
        self._build()
        self._follow()
        self.set_theme(theme)
        self._show(self._saved)

    # --- Questions

    @property
    def is_changed(self) -> bool:
        """Whether something typed here is not saved."""
        return self._draft().is_changed_from(self._saved)

    @property
    def _schedule(self) -> Schedule:
        return self._model.schedules[self.node_id]

    def _present_draft(self) -> ScheduleDraft:
        return self._draft_of(self._model.nodes[self.node_id].name, self._schedule)

    def _draft_of(self, name: str, schedule: Schedule) -> ScheduleDraft:
        return ScheduleDraft.of(name, schedule, self._suggested())

    def _suggested(self) -> datetime:
        tomorrow = to_local(now(), self._zone).date() + timedelta(days=1)
        return datetime.combine(tomorrow, _SUGGESTED)

    def _draft(self) -> ScheduleDraft:
        overlap, catchup, grace_s, limit_s = self.policies.policies()
        return ScheduleDraft(
            name=self.title.text(),
            payload=self.payload.payload(),
            when=self.when.draft,
            overlap=overlap,
            catchup=catchup,
            misfire_grace_s=grace_s,
            pending_limit_s=limit_s,
        )

    # --- Building

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(rule())
        layout.addWidget(self._middle(), 1)
        layout.addWidget(rule())
        layout.addLayout(self._foot())
        self.setAccessibleName(translate("Editor", "Schedule"))
        self.setFocusProxy(self.payload.text)

    def _middle(self) -> QScrollArea:
        form = QWidget()
        layout = QVBoxLayout(form)
        layout.setContentsMargins(_EDGE, 16, _EDGE, 20)
        layout.setSpacing(8)
        layout.addWidget(self.payload)
        layout.addSpacing(10)
        layout.addWidget(caption(translate("Editor", "WHEN")))
        layout.addWidget(self.when)
        layout.addSpacing(10)
        layout.addWidget(caption(translate("Editor", "NEXT OCCURRENCES")))
        layout.addWidget(self.zone_note)
        layout.addWidget(self.preview)
        layout.addSpacing(10)
        layout.addWidget(self.policies)
        layout.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(form)
        return area

    def _foot(self) -> QVBoxLayout:
        self.save_button.setProperty("primary", True)
        self.save_button.setToolTip(translate("Editor", "Save (Ctrl+Enter); nothing starts by saving"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.act_button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.save_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(_EDGE, 12, _EDGE, 14)
        foot.setSpacing(8)
        foot.addWidget(self.conflict)
        foot.addWidget(self.problem)
        foot.addWidget(self.said)
        foot.addLayout(buttons)
        return foot

    def _follow(self) -> None:
        for changed in (self.when.changed, self.payload.changed, self.policies.changed):
            changed.connect(self._on_typed)
        self.title.textEdited.connect(self._on_typed)
        self.head.history.clicked.connect(self.history_wanted)
        self.head.close_button.clicked.connect(self.closed)
        self.save_button.clicked.connect(self.save)
        self.cancel_button.clicked.connect(self._cancel)
        self.act_button.clicked.connect(self._act)
        self.conflict.reload.connect(self._take_there)
        self.conflict.overwrite.connect(self._overwrite)
        self._model.node_changed.connect(self._on_node_changed)
        self.add_shortcut("Ctrl+Return", self.save)
        self.add_shortcut("Ctrl+S", self.save)

    def release(self) -> None:
        self._model.node_changed.disconnect(self._on_node_changed)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(form_style(theme))
        self.preview.set_theme(theme)
        self.when.date.set_theme(theme)
        self.head.set_theme(theme)
        self._show_state()

    # --- Showing

    def _show(self, draft: ScheduleDraft) -> None:
        self.title.setText(draft.name)
        self.title.setCursorPosition(0)  # a long name is shown from its beginning
        self.payload.show_payload(draft.payload)
        self.when.set_draft(draft.when)
        self.policies.show_policies(
            draft.overlap, draft.catchup, draft.misfire_grace_s, draft.pending_limit_s
        )
        self.problem.say(None)
        self.conflict.hide()
        self._there = None
        self._show_consequences()

    def _on_typed(self) -> None:
        self.said.hide()
        self.problem.say(None)
        self._show_consequences()

    def _show_consequences(self) -> None:
        """What follows from what is typed: the coming times, and which buttons may be pressed."""
        self._show_times()
        self._show_state()
        savable = True
        try:
            changes = self._draft().changes_from(self._saved)
            savable = bool(changes) or self._schedule.zone != self._zone.key
        except BadInput:
            savable = False
        self.save_button.setEnabled(savable and not self._saving)

    def tick(self) -> None:
        """A minute went by: other times come next."""
        self._show_times()

    def _show_times(self) -> None:
        after = now()
        typed = _meant(self.when.draft)
        times = [] if typed is None else self._effect_of(typed, after)
        otherwise = translate("Editor", "—")
        if typed is not None:
            otherwise = translate("Editor", "That time has passed: choose one in the future.")
        self.preview.show_times(times, to_local(after, self._zone).date(), otherwise)
        self.zone_note.show_zones(self._schedule.zone, self._zone, _meant(self._saved.when), typed, after)

    def _effect_of(self, typed: Recurrence, after: Instant) -> list[tuple[Coming, Effect]]:
        """The coming times, and which of them the edit brings or takes away."""
        saved, zone = _meant(self._saved.when), self._schedule.zone
        plan = None if saved is None or zone not in known_zones() else Plan(saved, load_zone(zone))
        return effect_of_edit(plan, Plan(typed, self._zone), self._zone, SHOWN, LEAVING_SHOWN, after)

    def _show_state(self) -> None:
        schedule = self._schedule
        self.said.see_state(schedule.state)
        target = self._model.nodes.get(schedule.target or "")
        self.head.show_state(schedule, None if target is None else target.name)
        is_agent = target is not None and target.kind is NodeKind.CODING_AGENT
        self.payload.show_target(is_agent, None if target is None else target.name)
        action = "Pause" if schedule.state == "Running" else "Resume"
        self.act_button.setText(action_words(action))
        # Only what is saved can be resumed; a pause is always possible.
        held_up = action == "Resume" and self.is_changed
        self.act_button.setEnabled(not held_up)
        self.act_button.setToolTip(translate("Editor", "Save first") if held_up else "")
        next_step = action == "Resume" and action in schedule.actions and not held_up
        mark(self.act_button, "primary", next_step)

    # --- Saving

    def save(self) -> None:
        """Nothing starts by it. Refusals are said above the buttons."""
        if self.save_button.isEnabled():
            self._send(self._revision)

    def save_then(self, settled: Callable[[bool], None]) -> None:
        """Save, and be told whether that succeeded; what is refused is said in the form."""
        self._when_settled = settled
        if not self._saving:
            self._send(self._revision)

    def _overwrite(self) -> None:
        if self._there is not None:
            self._accept(*self._there)
            self._there = None
            self.conflict.hide()
            self._send(self._revision)

    def _send(self, revision: int) -> None:
        try:
            changes = self._draft().changes_from(self._saved)
        except BadInput as error:
            self.problem.say(error)
            self._settle(saved=False)
            return
        self._saving = True
        was_pressed = self.save_button.hasFocus()
        if was_pressed:  # a button that is greyed would send the keyboard away from the form
            self.cancel_button.setFocus()
        self.save_button.setEnabled(False)
        path = f"/api/schedules/{self.node_id}"
        before = self._saved.fields(changes)

        def answered(answer: Document) -> None:
            self._on_saved(answer)
            if was_pressed and self.cancel_button.hasFocus():
                self.act_button.setFocus()  # what most likely comes next
            if changes:
                self.saved.emit(Saved(self.node_id, before, changes, answer["revision"]))
            self._settle(saved=True)

        self._link.change(
            lambda client: client.patch(path, changes, revision=revision),
            self.while_open(answered),
            self.while_open(self._on_refused),
        )

    def _on_saved(self, answer: Document) -> None:
        self._saving = False
        self._accept(answer["name"], Schedule.read(answer))
        if not self.is_changed:
            self._show(self._saved)
        self.said.tell(answer)
        self._show_consequences()

    def _settle(self, *, saved: bool) -> None:
        told, self._when_settled = self._when_settled, None
        if told is not None:
            told(saved)

    def _accept(self, name: str, schedule: Schedule) -> None:
        """From now on what is typed is compared with this."""
        self._saved, self._revision = self._draft_of(name, schedule), schedule.revision

    def _on_refused(self, error: KavorError) -> None:
        self._saving = False
        if isinstance(error, EditedElsewhere):
            self._tell_conflict(error.present["name"], Schedule.read(error.present))
        else:
            self.problem.say(error)
        self._show_consequences()
        self._settle(saved=False)

    def _tell_conflict(self, name: str, schedule: Schedule) -> None:
        self._there = (name, schedule)
        self.conflict.show_present(name, schedule)

    def _take_there(self) -> None:
        """Throw away what was typed for what somebody else saved."""
        if self._there is not None:
            self._accept(*self._there)
            self._show(self._saved)

    def _cancel(self) -> None:
        self._take_there()
        self._show(self._saved)
        self.closed.emit()

    def _act(self) -> None:
        self.acted.emit("Pause" if self._schedule.state == "Running" else "Resume")

    def _on_node_changed(self, node_id: str) -> None:
        """It was changed elsewhere: shown at once where nothing is typed, else the person is told."""
        schedule = self._model.schedules.get(node_id)
        if node_id != self.node_id or schedule is None or self._saving:
            return
        if schedule.revision >= self._revision and self._present_draft() != self._saved:
            name = self._model.nodes[node_id].name
            if not self.is_changed:
                self._accept(name, schedule)
                self._show(self._saved)
            elif schedule.revision > self._revision:
                self._tell_conflict(name, schedule)
        self._show_consequences()


def _meant(when: RecurrenceDraft) -> Recurrence | None:
    try:
        return when.recurrence()
    except BadInput:
        return None
