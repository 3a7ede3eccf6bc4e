"""All of Qt that the canvas uses, through one door: no other module of it imports PySide6."""

# ruff: noqa: F403 - a door, not a list: every public name of these four modules
from PySide6.QtCore import *
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import *  # type: ignore[assignment]
from PySide6.QtSvg import *  # type: ignore[assignment]
from PySide6.QtWidgets import *  # type: ignore[assignment]

translate = QCoreApplication.translate
"""``translate(context, text)``: the text in the person's language; English is what the sources say."""
