"""The Schedule's card: its state, its plain words, the next three times, and what really happened last."""

from __future__ import annotations

from kavor.canvas.attempt_words import joined, stands_for_words, waits_words
from kavor.canvas.cards.brush import Brush
from kavor.canvas.cards.card import BUTTON_HEIGHT, MARGIN, Card
from kavor.canvas.cards.face import Button, Face, Moment, Row
from kavor.canvas.coming import coming
from kavor.canvas.model import Model
from kavor.canvas.qt import QPointF, QRectF, QSizeF, translate
from kavor.canvas.recurrence_words import note_words, recurrence_words
from kavor.canvas.runtime_words import spoken
from kavor.canvas.states import kind_word, look_of, state_word
from kavor.canvas.things import Attempt, Node, Schedule
from kavor.canvas.times import elapsed_words, moment_words
from kavor.domain.graph import NodeKind
from kavor.domain.instant import Instant
from kavor.domain.layout import SIZES
from kavor.domain.zones import to_local

SHOWN = 3
"""How many coming times are on the card."""

_BARE = 26.0
"""Side of the buttons that are an icon alone."""

_ICONS = {"Resume": "resume", "Pause": "pause", "Run now": "run-now", "Dismiss": "dismiss"}


class ScheduleCard(Card):
    size = QSizeF(*SIZES[NodeKind.SCHEDULE])
    icon = "schedule"
    tone = "schedule"

    def face(self, node: Node, model: Model, moment: Moment) -> Face:
        schedule = model.schedules.get(node.id)
        if schedule is None:
            return Face(node.kind, node.name, kind_word(node.kind), "")
        next_times = self._next_times(schedule, moment)
        last = schedule.last_attempt
        return Face(
            kind=node.kind,
            title=node.name,
            role=self._role(schedule, model),
            state=schedule.state,
            headline=recurrence_words(schedule),
            headline_note=schedule.zone,
            caption=self._caption(schedule, len(next_times)),
            rows=next_times,
            outcome=None if last is None else self._outcome(last, moment),
            outcome_detail="" if last is None else self._detail(last, model),
            buttons=self._buttons(schedule),
            far_row=self._far_row(schedule, next_times),
        )

    def _role(self, schedule: Schedule, model: Model) -> str:
        target = model.nodes.get(schedule.target or "")
        if target is None:
            return translate("Schedule", "No target yet")
        return translate("Schedule", "to {target}").format(target=target.name)

    def _caption(self, schedule: Schedule, shown: int) -> str:
        if not shown:
            return translate("Schedule", "NO TIME AHEAD")
        if schedule.state == "Running":
            return translate("Schedule", "NEXT")
        return translate("Schedule", "NEXT, ONCE RESUMED")

    def _next_times(self, schedule: Schedule, moment: Moment) -> tuple[Row, ...]:
        after = moment.now
        if schedule.next_due is not None:
            after = Instant(min(after, schedule.next_due - 1))  # due and not yet claimed is still next
        return tuple(
            Row(moment_words(each.local, moment.today), note_words(each.occurrence), "warn")
            for each in coming(schedule, moment.zone, SHOWN, after)
        )

    def _far_row(self, schedule: Schedule, next_times: tuple[Row, ...]) -> Row | None:
        if schedule.state != "Running" or not next_times:
            return Row(recurrence_words(schedule), tone="muted")
        return Row(next_times[0].text, tone="text")

    def _outcome(self, attempt: Attempt, moment: Moment) -> Row:
        look = look_of(attempt.state)
        when = attempt.finished_at or attempt.delivered_at or attempt.nominal_at or attempt.created_at
        return Row(
            text=state_word(attempt.state),
            note=moment_words(to_local(when, moment.zone).replace(second=0), moment.today),
            sign=look.sign,
            tone=look.tone,
        )

    def _detail(self, attempt: Attempt, model: Model) -> str:
        waiting = model.waiting_for(attempt)
        if waiting is not None:
            return waits_words(waiting)
        exit_code = ran = ""
        if attempt.exit_code is not None:
            exit_code = translate("Schedule", "exit code {code}").format(code=attempt.exit_code)
        if attempt.duration_ms is not None:
            ran = translate("Schedule", "ran {time}").format(time=elapsed_words(attempt.duration_ms))
        return joined(stands_for_words(attempt), exit_code, ran, spoken(attempt.diagnostic))

    def _buttons(self, schedule: Schedule) -> tuple[Button, ...]:
        """Pause or Resume, Run now, and Dismiss on a time that was missed (K66). One that the Schedule does
        not offer now stays, so that pressing it tells why."""
        actions = ["Pause" if schedule.state == "Running" else "Resume", "Run now"]
        offered = {"Dismiss", *schedule.actions}
        last = schedule.last_attempt
        if last is not None and "Dismiss" in last.actions:
            actions.append("Dismiss")
        gap = 8.0
        width = (self.size.width() - 2 * MARGIN - gap * (len(actions) - 1)) / len(actions)
        top = self.size.height() - MARGIN - BUTTON_HEIGHT
        below = tuple(
            Button(
                action,
                QRectF(MARGIN + number * (width + gap), top, width, BUTTON_HEIGHT),
                _ICONS[action],
                primary=action == "Resume",
                offered=action in offered,
            )
            for number, action in enumerate(actions)
        )
        beside = self.size.width() - MARGIN - _BARE + 5
        return (
            *below,
            Button("Edit", QRectF(beside, 80, _BARE, _BARE), "edit", bare=True),
            Button("History", QRectF(beside, 193, _BARE, _BARE), "history", bare=True),
        )

    def paint_body(self, brush: Brush, face: Face, hovered: Button | None) -> None:
        left, right = MARGIN, self.size.width() - MARGIN
        theme, fonts = brush.theme, brush.fonts
        brush.line(52, 1, self.size.width() - 1)
        rule = QRectF(left, 60, right - left, 20)
        caption_top, first_time, spacing = 84.0, 101.0, 20.0
        if brush.width(face.headline, fonts.strong) <= rule.width():
            brush.text(rule, face.headline, fonts.strong, theme.text)
        else:  # two lines, and what is below draws together
            rule = QRectF(left, 55, right - left, 2 * fonts.metrics(fonts.strong).lineSpacing())
            brush.wrapped(rule, face.headline, fonts.strong, theme.text)
            caption_top, first_time, spacing = 91.0, 106.0, 19.0
        caption_width = brush.width(face.caption, fonts.caption) + 2
        brush.text(QRectF(left, caption_top, caption_width, 14), face.caption, fonts.caption, theme.faint)
        beside = left + caption_width + 8
        zone = QRectF(beside, caption_top - 1, right - beside - _BARE, 16)
        brush.text(zone, face.headline_note, fonts.small, theme.muted, right=True)
        for number, row in enumerate(face.rows):
            self._paint_time(brush, row, first_time + number * spacing)
        brush.line(168, left, right)
        self._paint_outcome(brush, face)
        self.paint_buttons(brush, face, hovered)

    def _paint_time(self, brush: Brush, row: Row, y: float) -> None:
        left, right = MARGIN, self.size.width() - MARGIN
        width = brush.width(row.text, brush.fonts.body) + 2
        brush.text(QRectF(left, y, width, 19), row.text, brush.fonts.body, brush.theme.text)
        if row.note:
            start = left + width + 6
            brush.icon("bent", brush.theme.tone(row.note_tone), QPointF(start, y + 3), 13)
            note = QRectF(start + 16, y, right - start - 16, 19)
            brush.text(note, row.note, brush.fonts.small, brush.theme.tone(row.note_tone))

    def _paint_outcome(self, brush: Brush, face: Face) -> None:
        left, right = MARGIN, self.size.width() - MARGIN
        theme, fonts = brush.theme, brush.fonts
        if face.outcome is None:
            words = translate("Schedule", "Nothing has happened yet")
            brush.text(QRectF(left, 176, right - left, 20), words, fonts.body, theme.faint)
            return
        colour = theme.tone(face.outcome.tone)
        brush.icon(face.outcome.sign, colour, QPointF(left, 178), 16)
        width = brush.width(face.outcome.text, fonts.strong) + 2
        brush.text(QRectF(left + 22, 176, width, 20), face.outcome.text, fonts.strong, colour)
        start = left + 22 + width + 8
        brush.text(
            QRectF(start, 176, right - start, 20), face.outcome.note, fonts.small, theme.muted, right=True
        )
        detail = QRectF(left, 198, right - left - _BARE, 30)
        brush.wrapped(detail, face.outcome_detail, fonts.small, theme.muted)
