"""How the widgets around the canvas look: one style sheet, made from a theme."""

from __future__ import annotations

from kavor.canvas.theme import Theme, mixed


def style_sheet(theme: Theme) -> str:
    hover = mixed(theme.muted, theme.card, 0.14).name()
    pressed = mixed(theme.muted, theme.card, 0.24).name()
    field = mixed(theme.canvas, theme.card, 0.6).name()
    warned = mixed(theme.warn, theme.card, 0.14).name()
    return f"""
    QMainWindow, #centre {{ background: {theme.canvas.name()}; }}
    #bar {{ background: {theme.card.name()}; border: none; border-bottom: 1px solid {theme.border.name()}; }}
    #side {{ background: {theme.card.name()}; border: none; border-left: 1px solid {theme.border.name()}; }}
    #below {{ background: {theme.card.name()}; border: none; border-top: 1px solid {theme.border.name()}; }}
    QSplitter::handle {{ background: {theme.border.name()}; }}
    #floating, #refusal, #sheet {{ background: {theme.card.name()}; border: 1px solid {theme.border.name()};
        border-radius: 9px; }}
    #refusal[warns="true"] {{ border-color: {theme.warn.name()}; }}
    #sheet {{ border-radius: 12px; border-color: {theme.border_strong.name()}; }}
    #rule {{ background: {theme.border.name()}; border: none; }}
    #callout {{ background: {theme.text.name()}; color: {theme.card.name()}; border-radius: 7px;
        padding: 6px 10px; }}
    QLabel[heading="true"] {{ font-weight: 600; }}
    QMenu {{ background: {theme.card.name()}; color: {theme.text.name()};
        border: 1px solid {theme.border.name()}; padding: 5px; }}
    QMenu::item {{ padding: 6px 44px 6px 14px; border-radius: 6px; }}
    QMenu::item:selected {{ background: {hover}; }}
    QMenu::item:disabled {{ color: {theme.faint.name()}; }}
    QMenu::separator {{ height: 1px; background: {theme.border.name()}; margin: 5px 8px; }}
    #banner {{ background: {warned}; border: none; border-bottom: 1px solid {theme.border.name()}; }}
    #banner QLabel {{ color: {theme.text.name()}; }}
    QLabel {{ color: {theme.text.name()}; background: transparent; }}
    QLabel[quiet="true"] {{ color: {theme.muted.name()}; }}
    QLabel[title="true"] {{ font-size: 20px; font-weight: 600; }}
    QTabBar {{ background: transparent; }}
    QTabBar::tab {{ background: transparent; color: {theme.muted.name()}; border: none; border-radius: 7px;
        padding: 6px 14px; margin: 8px 2px; }}
    QTabBar::tab:hover {{ background: {hover}; }}
    QTabBar::tab:selected {{ background: {pressed}; color: {theme.text.name()}; font-weight: 600; }}
    QTabBar::tab:focus {{ border: 1px solid {theme.accent.name()}; }}
    QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 7px;
        padding: 5px 8px; color: {theme.text.name()}; }}
    QToolButton:hover {{ background: {hover}; }}
    QToolButton:pressed, QToolButton:checked {{ background: {pressed}; }}
    QToolButton:focus {{ border-color: {theme.accent.name()}; }}
    QPushButton {{ background: {pressed}; border: 1px solid transparent; border-radius: 7px;
        padding: 7px 16px; color: {theme.text.name()}; font-weight: 500; }}
    QPushButton:hover {{ background: {hover}; }}
    QPushButton:focus {{ border-color: {theme.accent.name()}; }}
    QPushButton:default {{ background: {theme.accent.name()}; color: {theme.on_accent.name()}; }}
    QPushButton[danger="true"] {{ background: {theme.bad.name()}; color: {theme.card.name()}; }}
    QPushButton[danger="true"]:focus {{ border: 2px solid {theme.text.name()}; }}
    QPushButton:disabled {{ color: {theme.faint.name()}; }}
    QLineEdit {{ background: {field}; color: {theme.text.name()}; border: 1px solid {theme.border.name()};
        border-radius: 7px; padding: 5px 8px; selection-background-color: {theme.accent.name()};
        selection-color: {theme.on_accent.name()}; }}
    QLineEdit:focus {{ border-color: {theme.accent.name()}; }}
    #rename {{ background: {theme.card.name()}; border-radius: 5px; padding: 0 5px; font-weight: 600; }}
    #choices {{ background: transparent; border: none; outline: none; }}
    QLabel[keys="true"] {{ color: {theme.muted.name()}; background: {hover}; border-radius: 5px;
        padding: 1px 7px; font-size: 12px; }}
    QToolTip {{ background: {theme.raised.name()}; color: {theme.text.name()};
        border: 1px solid {theme.border.name()}; padding: 4px 6px; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {theme.border_strong.name()}; border-radius: 3px; margin: 2px;
        min-height: 28px; min-width: 28px; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """
