"""A CodingAgent in use: its transcript, what it asks, what waits for it, and where to write to it."""

from __future__ import annotations

from kavor.canvas import theme as themes
from kavor.canvas.agents.composer import Composer
from kavor.canvas.agents.inbox_list import InboxList
from kavor.canvas.agents.question_bar import QuestionBar
from kavor.canvas.agents.transcript_view import TranscriptView
from kavor.canvas.cards.coding_agent import state_of_agent
from kavor.canvas.conversation import Conversation
from kavor.canvas.editor.style import form_style
from kavor.canvas.labels import Label
from kavor.canvas.live_overlay import LiveOverlay
from kavor.canvas.qt import (
    QHBoxLayout,
    QPushButton,
    QSize,
    Qt,
    QToolButton,
    QVBoxLayout,
    QWidget,
    Signal,
    translate,
)
from kavor.canvas.runtime_words import spoken
from kavor.canvas.theme import Theme
from kavor.canvas.things import Session

_PIXELS = 13


class AgentOverlay(LiveOverlay):
    sent = Signal(object)
    stop_wanted = Signal()
    open_wanted = Signal()

    def __init__(self, name: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("agentOverlay")
        self._theme = theme
        self._zoom = 0.0
        self.transcript = TranscriptView(theme, themes.ui_font(_PIXELS))
        self.transcript.setMinimumHeight(1)  # what is asked and written comes first where room is short
        self.question = QuestionBar()
        self.inbox = InboxList()
        self.composer = Composer()
        self.composer.setPlaceholderText(translate("Agent", "Write to {name}…").format(name=name))
        self.composer.setAccessibleName(translate("Agent", "Message to {name}").format(name=name))
        self.send_button = QToolButton()
        self.stop_button = QToolButton()
        self.open_button = QPushButton(translate("Agent", "Open its session"))
        self.said = Label(wraps=True)
        self.said.setProperty("quiet", True)
        self._foot, self._closed = QWidget(), QWidget()
        self._build()
        self._follow()
        self.set_zoom(1.0)

    def _build(self) -> None:
        for button, words in (
            (self.send_button, translate("Agent", "Send (Enter)")),
            (self.stop_button, translate("Agent", "Stop what it does")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(8, 6, 8, 8)
        foot.setSpacing(4)
        foot.addWidget(self.composer, 1)
        foot.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignBottom)
        foot.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        closed = QHBoxLayout(self._closed)
        closed.setContentsMargins(12, 4, 12, 6)
        closed.addWidget(self.said, 1)
        closed.addWidget(self.open_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(0)
        layout.addWidget(self.transcript, 1)
        layout.addWidget(self.question)
        layout.addWidget(self.inbox)
        layout.addWidget(self._closed)
        layout.addWidget(self._foot)
        self.setFocusProxy(self.composer)

    def _follow(self) -> None:
        self.composer.sent.connect(self.sent)
        self.composer.left.connect(self.left)
        self.send_button.clicked.connect(lambda: self.sent.emit(self.composer.exact_text()))
        self.stop_button.clicked.connect(self.stop_wanted)
        self.open_button.clicked.connect(self.open_wanted)

    @property
    def tab_order(self) -> list[QWidget]:
        return [
            self.composer,
            self.send_button,
            self.stop_button,
            self.open_button,
            *self.inbox.buttons,
            *self.question.buttons,
            self.transcript,
        ]

    # --- What it shows

    def show_conversation(self, conversation: Conversation) -> None:
        self.transcript.show_entries(conversation.ordered())
        self.inbox.show_messages(conversation.waiting())

    def show_session(self, session: Session | None) -> None:
        state = state_of_agent(session)
        is_open = session is not None and session.state == "open"
        self.question.show_question(None if session is None else session.question)
        self.stop_button.setVisible(state in ("working", "Needs attention"))
        self._closed.setVisible(not is_open)
        if session is not None and not is_open:
            why = spoken(session.diagnostic)
            self.said.setText(why or translate("Agent", "The session is closed"))

    # --- How it looks

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        zoom, self._zoom = self._zoom, 0.0
        self.set_zoom(zoom)

    def set_zoom(self, zoom: float) -> None:
        if zoom == self._zoom:
            return
        self._zoom = zoom
        theme, pixels = self._theme, max(9, round(_PIXELS * zoom))
        corner = round(9 * zoom)
        self.setStyleSheet(
            form_style(theme)
            + f"""
            #agentOverlay {{ background: {theme.card.name()}; border: 2px solid {theme.accent.name()};
                border-bottom-left-radius: {corner}px; border-bottom-right-radius: {corner}px; }}
            #agentOverlay QTextBrowser {{ background: transparent; border: none; color: {theme.text.name()};
                selection-background-color: {theme.accent.name()};
                selection-color: {theme.on_accent.name()}; padding: 0 {round(6 * zoom)}px; }}
            #agentOverlay QLabel, #agentOverlay QPushButton, #agentOverlay QPlainTextEdit {{
                font-size: {pixels}px; }}
            #agentOverlay QPushButton {{ padding: {round(5 * zoom)}px {round(12 * zoom)}px; }}
            """
        )
        self.transcript.set_look(theme, themes.ui_font(pixels))
        side = round(18 * zoom)
        for button, name, tone in ((self.send_button, "send", "accent"), (self.stop_button, "stop", "bad")):
            button.setIcon(themes.icon(name, theme.tone(tone)))
            button.setIconSize(QSize(side, side))
        self.composer.fit_soon()
