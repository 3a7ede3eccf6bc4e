"""How the widgets around the canvas look: one style sheet, made from a theme."""

from __future__ import annotations

from kavor.canvas.theme import Theme, mixed


def style_sheet(theme: Theme) -> str:
    hover = mixed(theme.muted, theme.card, 0.14).name()
    pressed = mixed(theme.muted, theme.card, 0.24).name()
    warned = mixed(theme.warn, theme.card, 0.14).name()
    return f"""
    QMainWindow, #centre {{ background: {theme.canvas.name()}; }}
    #bar {{ background: {theme.card.name()}; border: none; border-bottom: 1px solid {theme.border.name()}; }}
    #side {{ background: {theme.card.name()}; border: none; border-left: 1px solid {theme.border.name()}; }}
    #below {{ background: {theme.card.name()}; border: none; border-top: 1px solid {theme.border.name()}; }}
    QSplitter::handle {{ background: {theme.border.name()}; }}
    #floating, #refusal {{ background: {theme.card.name()}; border: 1px solid {theme.border.name()};
        border-radius: 9px; }}
    #refusal {{ border-color: {theme.warn.name()}; }}
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
    QPushButton:disabled {{ color: {theme.faint.name()}; }}
    QToolTip {{ background: {theme.raised.name()}; color: {theme.text.name()};
        border: 1px solid {theme.border.name()}; padding: 4px 6px; }}
    """
