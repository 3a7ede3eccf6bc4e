"""Every text of the canvas can be said in Japanese, and what is built says what is written."""

from __future__ import annotations

import string
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from canvas_world import OpenWindow, World
from pytestqt.qtbot import QtBot

from kavor.canvas.language import chosen_language, speak
from kavor.canvas.qt import QApplication, QFont, QFontDatabase, QLabel, QLocale, translate
from kavor.canvas.theme import JAPANESE_FAMILIES
from kavor.resources import resource_path

SOURCES = sorted(map(str, Path(__file__).parents[2].joinpath("kavor", "canvas").rglob("*.py")))
WRITTEN = resource_path("translations", "kavor_ja.ts")

Texts = dict[tuple[str, str], tuple[str, bool]]


def texts_in(path: Path) -> Texts:
    """Translation, and whether it is finished, by context and source."""
    found: Texts = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            said = message.find("translation")
            assert said is not None
            key = context.findtext("name", ""), message.findtext("source", "")
            found[key] = said.text or "", said.get("type") is None
    return found


def tool(name: str, *arguments: str) -> None:
    subprocess.run([str(Path(sys.executable).parent / name), *arguments], check=True, capture_output=True)


@pytest.fixture
def japanese(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    translators = speak(qapp, QLocale("ja_JP"))
    yield
    for translator in translators:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)


def test_every_text_has_a_finished_translation(tmp_path: Path) -> None:
    found = tmp_path / "found.ts"
    tool("pyside6-lupdate", *SOURCES, "-ts", str(found), "-locations", "none", "-target-language", "ja_JP")
    written = texts_in(WRITTEN)
    assert written.keys() == texts_in(found).keys(), "make translations"
    assert [key for key, (said, finished) in written.items() if not finished or not said] == []


def test_a_translation_has_the_same_gaps_to_fill() -> None:
    def gaps(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text)} - {None}

    assert [key for key, (said, _) in texts_in(WRITTEN).items() if gaps(said) != gaps(key[1])] == []


def test_what_is_built_says_what_is_written(tmp_path: Path) -> None:
    built = tmp_path / "kavor_ja.qm"
    tool("pyside6-lrelease", str(WRITTEN), "-qm", str(built))
    assert built.read_bytes() == resource_path("translations", "kavor_ja.qm").read_bytes()


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (["ja-Jpan-JP", "ja-JP", "ja"], "ja"),
        (["en-GB", "ja-JP"], "en"),  # who reads English first gets English
        (["fr-FR", "ja-JP", "en"], "ja"),
        (["fr_FR"], "en"),
        ([], "en"),
    ],
)
def test_the_first_language_that_is_spoken_is_chosen(wanted: list[str], language: str) -> None:
    assert chosen_language(wanted) == language


def test_the_system_chooses_the_language() -> None:
    program = (
        "from kavor.canvas.app import make_application; from kavor.canvas.states import state_word\n"
        "application = make_application(); print(state_word('Missed'))"
    )

    def said(language: str) -> str:
        environment = {"LC_ALL": language, "QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
        told = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
        )
        return told.stdout.strip()

    assert said("ja_JP.UTF-8") == "未実行"
    assert said("de_DE.UTF-8") == "Missed"


@pytest.mark.usefixtures("japanese")
def test_the_window_speaks_japanese(open_canvas: OpenWindow, world: World, qtbot: QtBot) -> None:
    place = world.workspace()
    schedule = world.schedule(place, recurrence={"preset": "weekdays", "time": "09:00"})
    window = open_canvas()
    view = window.view
    assert view is not None
    face = view.canvas.node_items[schedule].face
    assert face.headline == "平日の 09:00"
    assert face.caption == "再開した場合の次回"
    assert "1 一時停止" in [label.text() for label in window.header.findChildren(QLabel)]
    assert window.workbench.palette.find_button.accessibleName() == "検索"
    view.canvas.node_items[schedule].setSelected(True)
    assert "一時停止" in view.accessibleDescription()
    assert translate("QPlatformTheme", "Cancel") == "キャンセル"  # Qt's own


@pytest.mark.usefixtures("japanese")
def test_a_font_has_every_letter_of_it(qapp: QApplication) -> None:
    known = set(QFontDatabase.families())
    family = next((name for name in JAPANESE_FAMILIES if name in known), None)
    if family is None:
        pytest.skip("no Japanese font is installed, such as fonts-noto-cjk")
    from kavor.canvas.qt import QFontMetrics

    letters = {letter for said, _ in texts_in(WRITTEN).values() for letter in said}
    metrics = QFontMetrics(QFont(family))
    assert [letter for letter in sorted(letters) if not metrics.inFontUcs4(ord(letter))] == []
