"""How forms and tables beside the canvas look: one style sheet, made from a theme."""

from __future__ import annotations

from kavor.canvas.theme import Theme, mixed


def form_style(theme: Theme) -> str:
    text, muted, faint = theme.text.name(), theme.muted.name(), theme.faint.name()
    card, border, accent = theme.card.name(), theme.border.name(), theme.accent.name()
    field = mixed(theme.canvas, theme.card, 0.6).name()
    hover = mixed(theme.muted, theme.card, 0.12).name()
    chosen = mixed(theme.accent, theme.card, 0.14).name()
    warned = mixed(theme.warn, theme.card, 0.12).name()
    inputs = "QLineEdit, QPlainTextEdit, QSpinBox, QTimeEdit, QDateEdit, QComboBox"
    return f"""
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: {card}; border: none; }}
    QLabel {{ color: {text}; }}
    QLabel[quiet="true"] {{ color: {muted}; }}
    QLabel[caption="true"] {{ color: {faint}; font-size: 11px; font-weight: 600; }}
    QLabel[problem="true"] {{ color: {theme.bad.name()}; }}
    QLabel[warning="true"] {{ color: {theme.warn.name()}; }}
    QLabel[comes="true"] {{ color: {accent}; font-weight: 600; }}
    QLabel[good="true"] {{ color: {theme.good.name()}; }}
    {inputs} {{ background: {field}; color: {text}; border: 1px solid {border}; border-radius: 7px;
        padding: 5px 8px; selection-background-color: {accent};
        selection-color: {theme.on_accent.name()}; }}
    QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QTimeEdit:focus, QDateEdit:focus,
    QComboBox:focus {{ border-color: {accent}; }}
    QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"] {{ border-color: {theme.bad.name()}; }}
    QLineEdit#title {{ background: transparent; border: 1px solid transparent; font-size: 16px;
        font-weight: 600; padding: 3px 6px; }}
    QLineEdit#title:hover {{ border-color: {border}; }}
    QLineEdit#title:focus {{ border-color: {accent}; background: {field}; }}
    QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 24px; }}
    QComboBox::down-arrow, QDateEdit::down-arrow {{ image: none; }}
    QComboBox QAbstractItemView {{ background: {theme.raised.name()}; color: {text};
        border: 1px solid {border}; selection-background-color: {chosen}; selection-color: {text};
        outline: none; padding: 4px; }}
    QSpinBox::up-button, QSpinBox::down-button, QTimeEdit::up-button, QTimeEdit::down-button {{
        width: 0; border: none; }}
    QPushButton[chip="true"] {{ background: transparent; color: {muted}; border: 1px solid {border};
        padding: 6px 4px; font-weight: 500; }}
    QPushButton[chip="true"]:hover {{ background: {hover}; color: {text}; }}
    QPushButton[chip="true"]:checked {{ background: {chosen}; border-color: {accent}; color: {accent};
        font-weight: 600; }}
    QPushButton[chip="true"]:focus {{ border-color: {accent}; }}
    QPushButton[link="true"] {{ background: transparent; border: 1px solid transparent; color: {accent};
        padding: 3px 6px; font-weight: 500; text-align: left; }}
    QPushButton[link="true"]:focus {{ border-color: {accent}; }}
    QPushButton[link="true"]:hover {{ background: {hover}; }}
    QPushButton[primary="true"] {{ background: {accent}; color: {theme.on_accent.name()}; font-weight: 600; }}
    QPushButton[primary="true"]:hover {{ background: {mixed(theme.accent, theme.text, 0.88).name()}; }}
    QPushButton[primary="true"]:focus {{ border-color: {text}; }}
    QPushButton[primary="true"]:disabled {{ background: {hover}; color: {faint}; }}
    QFrame[note="true"] {{ background: {warned}; border: none; border-radius: 8px; }}
    QFrame[rule="true"] {{ background: {border}; border: none; }}
    QCheckBox {{ color: {text}; spacing: 8px; }}
    QCheckBox::indicator {{ width: 15px; height: 15px; border: 1px solid {theme.border_strong.name()};
        border-radius: 4px; background: {field}; }}
    QCheckBox::indicator:checked {{ background: {accent}; border-color: {accent}; }}
    QCheckBox::indicator:focus {{ border: 2px solid {text}; }}
    QTableView {{ background: {card}; color: {text}; border: none; gridline-color: transparent;
        selection-background-color: {chosen}; outline: none; }}
    QTableView#attempts::item {{ padding: 0 8px; border: none; }}
    QTableView:focus {{ border: none; }}
    QListWidget {{ background: {card}; color: {text}; border: none; outline: none; }}
    QListWidget::item {{ padding: 2px 8px; border: none; }}
    QListWidget::item:selected {{ background: {chosen}; color: {text}; }}
    QTextBrowser {{ background: {card}; color: {text}; border: none; selection-background-color: {accent};
        selection-color: {theme.on_accent.name()}; }}
    QHeaderView, QHeaderView::section {{ background: {card}; color: {faint}; border: none;
        font-size: 11px; font-weight: 600; }}
    QHeaderView::section {{ border-bottom: 1px solid {border}; padding: 4px 8px; }}
    QTableCornerButton::section {{ background: {card}; border: none; }}
    QPlainTextEdit#output {{ background: {theme.screen.name()}; color: {theme.screen_text.name()};
        border: none; }}
    QCalendarWidget QWidget {{ background: {theme.raised.name()}; color: {text}; }}
    QCalendarWidget QAbstractItemView {{ background: {theme.raised.name()}; color: {text};
        selection-background-color: {accent}; selection-color: {theme.on_accent.name()}; outline: none; }}
    QCalendarWidget QToolButton {{ color: {text}; padding: 4px 8px; }}
    QCalendarWidget QToolButton::menu-indicator {{ image: none; }}
    QCalendarWidget QAbstractItemView:disabled {{ color: {faint}; }}
    """
