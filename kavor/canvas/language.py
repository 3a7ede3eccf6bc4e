"""The language of the canvas: the person's, as far as we speak it."""

from __future__ import annotations

from collections.abc import Sequence

from kavor.canvas.qt import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from kavor.resources import resource_path

SOURCE = "en"
"""The language of the texts in the code."""

SPOKEN = (SOURCE, "ja")


def chosen_language(wanted: Sequence[str]) -> str:
    """The first of ``wanted`` (such as ``ja-Jpan-JP``, most wanted first) that is spoken; else English."""
    codes = (name.replace("_", "-").split("-")[0] for name in wanted)
    return next((code for code in codes if code in SPOKEN), SOURCE)


def speak_as_system(application: QCoreApplication) -> None:
    """Before any text is shown: the language the system asks for, and names of days in the same one."""
    system = QLocale.system()
    language = chosen_language(system.uiLanguages())
    speak(application, system if system.name().startswith(language) else QLocale(language))


def speak(application: QCoreApplication, locale: QLocale) -> list[QTranslator]:
    """The translators that were installed: our texts, and Qt's own, as in the menu of a text field."""
    QLocale.setDefault(locale)
    language = chosen_language([locale.name()])
    if language == SOURCE:
        return []
    places = {
        f"qtbase_{language}": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
        f"kavor_{language}": str(resource_path("translations")),
    }
    installed = []
    for name, folder in places.items():
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
            installed.append(translator)
    return installed
