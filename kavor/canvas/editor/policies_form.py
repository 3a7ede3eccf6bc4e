"""What becomes of times that cannot run at once: folded away, with what holds said in one line."""

from __future__ import annotations

from kavor.canvas.editor.fields import CheckBox, ComboBox, Duration, caption, column, quiet
from kavor.canvas.qt import QPushButton, QVBoxLayout, QWidget, Signal, translate
from kavor.canvas.times import span_words
from kavor.domain.schedule import DEFAULT_MISFIRE_GRACE_MS


class PoliciesForm(QWidget):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._body = QWidget()
        self.fold = QPushButton()
        self.fold.setProperty("link", True)
        self.fold.clicked.connect(lambda: self._unfold(self._body.isHidden()))
        self.overlap = ComboBox()
        self.overlap.addItem(translate("Policies", "The one that waits stays"), "coalesce")
        self.overlap.addItem(translate("Policies", "The newer one takes its place"), "replace")
        self.catchup = ComboBox()
        self.catchup.addItem(translate("Policies", "Only record it as Missed"), "none")
        self.catchup.addItem(translate("Policies", "Run the latest one, once"), "latest")
        self.grace = Duration("smh", translate("Policies", "Misfire grace"))
        self.no_grace = CheckBox(translate("Policies", "No grace: late is Missed"))
        self.limited = CheckBox(translate("Policies", "Give up waiting after"))
        self.limit = Duration("smhdw", translate("Policies", "Pending limit"))
        self._summary = quiet()
        self._grace_s = DEFAULT_MISFIRE_GRACE_MS / 1000
        self._limit_s: float | None = None
        self._build()
        self._unfold(False)

    # --- What is set

    def show_policies(self, overlap: str, catchup: str, grace_s: float, limit_s: float | None) -> None:
        """Not told as a change."""
        self.blockSignals(True)
        self.overlap.setCurrentIndex(self.overlap.findData(overlap))
        self.catchup.setCurrentIndex(self.catchup.findData(catchup))
        self.no_grace.setChecked(grace_s == 0)
        self.grace.show_seconds(grace_s or DEFAULT_MISFIRE_GRACE_MS / 1000)
        self.limited.setChecked(limit_s is not None)
        self.limit.show_seconds(limit_s or 3_600)
        # What is not touched goes back as it came, also where the fields cannot say it exactly.
        self._grace_s, self._limit_s = grace_s, limit_s
        self.blockSignals(False)
        self._show_state()

    def policies(self) -> tuple[str, str, float, float | None]:
        """Overlap, catch-up, misfire grace and pending limit; durations in seconds."""
        return (
            str(self.overlap.currentData()),
            str(self.catchup.currentData()),
            self._grace_s,
            self._limit_s,
        )

    # --- Building

    def _build(self) -> None:
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 6, 0, 0)
        body.setSpacing(6)
        body.addWidget(caption(translate("Policies", "A TIME COMES WHILE AN EARLIER ONE STILL WAITS")))
        body.addWidget(self.overlap)
        body.addSpacing(6)
        body.addWidget(caption(translate("Policies", "A TIME PASSES WHILE NOTHING CAN RUN")))
        body.addWidget(self.catchup)
        body.addSpacing(6)
        body.addWidget(caption(translate("Policies", "HOW LATE A TIME MAY START")))
        body.addWidget(self.grace)
        body.addWidget(self.no_grace)
        body.addSpacing(6)
        body.addWidget(caption(translate("Policies", "HOW LONG IT MAY WAIT FOR A BUSY TARGET")))
        body.addWidget(self.limited)
        body.addWidget(self.limit)
        layout = column(2)
        self.setLayout(layout)
        layout.addWidget(self.fold)
        layout.addWidget(self._summary)
        layout.addWidget(self._body)
        for box in (self.overlap, self.catchup):
            box.currentIndexChanged.connect(lambda _: self._on_change())
        self.grace.changed.connect(lambda _: self._on_grace())
        self.no_grace.toggled.connect(lambda _: self._on_grace())
        self.limit.changed.connect(lambda _: self._on_limit())
        self.limited.toggled.connect(lambda _: self._on_limit())

    def _unfold(self, unfolded: bool) -> None:
        self._body.setVisible(unfolded)
        self._summary.setVisible(not unfolded)
        words = translate("Policies", "When it cannot run at once")
        self.fold.setText(("▾  " if unfolded else "▸  ") + words)

    def _on_grace(self) -> None:
        self._grace_s = 0.0 if self.no_grace.isChecked() else float(self.grace.seconds())
        self._on_change()

    def _on_limit(self) -> None:
        self._limit_s = float(self.limit.seconds()) if self.limited.isChecked() else None
        self._on_change()

    def _on_change(self) -> None:
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        self.grace.setEnabled(not self.no_grace.isChecked())
        self.limit.setEnabled(self.limited.isChecked())
        overlap, catchup, grace_s, limit_s = self.policies()
        said = [
            translate("Policies", "a waiting time stays")
            if overlap == "coalesce"
            else translate("Policies", "a newer time replaces a waiting one"),
            translate("Policies", "no catch-up")
            if catchup == "none"
            else translate("Policies", "the latest missed time runs once"),
            translate("Policies", "at most {time} late").format(time=span_words(grace_s)),
            translate("Policies", "waits as long as it takes")
            if limit_s is None
            else translate("Policies", "waits at most {time}").format(time=span_words(limit_s)),
        ]
        default = (overlap, catchup, grace_s, limit_s) == (
            "coalesce",
            "none",
            DEFAULT_MISFIRE_GRACE_MS / 1000,
            None,
        )
        form = translate("Policies", "{policies}.")
        if default:
            form = translate("Policies", "{policies} (the defaults).")
        line = translate("Policies", ", ").join(said)
        self._summary.setText(form.format(policies=line[:1].upper() + line[1:]))
