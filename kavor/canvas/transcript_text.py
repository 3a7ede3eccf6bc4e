"""A transcript as text that can be read: what was asked, said, thought and done, an entry after the other."""

from __future__ import annotations

from kavor.canvas.conversation import Entry
from kavor.canvas.prose import insert_markdown
from kavor.canvas.qt import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor, translate
from kavor.canvas.runtime_words import spoken
from kavor.canvas.theme import Theme, mixed, mono_font

FOLD = "fold:"
"""What a link begins with that shows or hides the rest of an entry; its number follows."""

_LINE = "\u2028"
"""What divides the lines of one block."""
_SHORT = 90
"""Characters of what is folded."""
_PROMPT_LINES, _PROMPT_LENGTH = 3, 240
"""Of a prompt that is folded."""
_LONGEST = 20_000
"""Characters of one entry that are shown; of a longer one the last."""
_PROMPT_TINT, _QUESTION_TINT = 0.12, 0.14
_SIGNS = {
    "completed": ("✓", "good"),
    "failed": ("✗", "bad"),
    "interrupted": ("✗", "bad"),
    "refused": ("✗", "bad"),
    "in_progress": ("→", "busy"),
}
_WAITS = ("·", "muted")
_PLAN_SIGNS = {"completed": "✓", "in_progress": "→"}


class TranscriptWriter:
    """Writes entries into a document, each as one or more blocks of its own."""

    def __init__(self, theme: Theme, font: QFont, *, folds: bool) -> None:
        """``folds``: whether what is folded can be unfolded where it is written."""
        self._theme = theme
        self._font = font
        self._folds = folds

    def write(self, cursor: QTextCursor, entry: Entry, *, unfolded: bool = False) -> None:
        """At the cursor, in a block that is empty yet."""
        text = entry.text
        if len(text) > _LONGEST:
            text = f"…{text[-_LONGEST:]}"
        match entry.kind:
            case "prompt":
                self._write_prompt(cursor, entry, text, unfolded)
            case "text":
                insert_markdown(cursor, text, self._theme)
            case "thought":
                self._write_thought(cursor, entry, text, unfolded)
            case "tool":
                self._write_tool(cursor, entry, unfolded)
            case "plan":
                self._write_plan(cursor, entry)
            case "question":
                self._write_question(cursor, entry)
            case _:
                cursor.insertText(_in_one_block(spoken(text)), self._ink("muted"))

    def _write_prompt(self, cursor: QTextCursor, entry: Entry, text: str, unfolded: bool) -> None:
        lines = text.strip().splitlines() or [""]
        is_long = len(lines) > _PROMPT_LINES or len(text) > _PROMPT_LENGTH
        if is_long and not unfolded:
            lines = ["\n".join(lines[:_PROMPT_LINES])[:_PROMPT_LENGTH].rstrip() + " …"]
        self._write_tinted(cursor, "\n".join(lines), "accent", _PROMPT_TINT)
        if is_long and self._folds:
            cursor.insertText(" ", self._ink("muted"))
            self._write_link(cursor, entry, translate("Transcript", "All of it"), unfolded)

    def _write_thought(self, cursor: QTextCursor, entry: Entry, text: str, unfolded: bool) -> None:
        ink = self._ink("muted")
        ink.setFontItalic(True)
        shown = " ".join(text.split())
        if not unfolded and len(shown) > _SHORT:
            shown = f"{shown[:_SHORT].rstrip()}…"
        self._write_link(cursor, entry, translate("Transcript", "Thought"), unfolded)
        cursor.insertText(f" {_in_one_block(text) if unfolded else shown}", ink)

    def _write_tool(self, cursor: QTextCursor, entry: Entry, unfolded: bool) -> None:
        status = str(entry.data.get("status"))
        sign, tone = _SIGNS.get(status, _WAITS)
        cursor.insertText(f"{sign} ", self._ink(tone))
        code = self._ink("text")
        code.setFontFamilies(mono_font(12).families())
        title = " ".join(entry.text.split())
        cursor.insertText(title[:_SHORT] + ("…" if len(title) > _SHORT else ""), code)
        if detail := str(entry.data.get("detail") or ""):
            cursor.insertText(f" – {seen_words(status, detail)}", self._ink("muted"))
        told = [str(entry.data[part]) for part in ("input", "output") if entry.data.get(part)]
        if told and self._folds:
            cursor.insertText("  ", self._ink("muted"))
            self._write_link(cursor, entry, translate("Transcript", "Details"), unfolded)
        if unfolded:
            quiet = self._ink("muted")
            quiet.setFontFamilies(mono_font(12).families())
            for part in told:
                cursor.insertText(_in_one_block(f"\n{part[:_LONGEST].rstrip()}"), quiet)

    def _write_plan(self, cursor: QTextCursor, entry: Entry) -> None:
        entries = [each for each in entry.data.get("entries") or [] if isinstance(each, dict)]
        for number, step in enumerate(entries):
            sign = _PLAN_SIGNS.get(str(step.get("status")), "·")
            done = step.get("status") == "completed"
            line = f"{sign} {step.get('content')}"
            cursor.insertText(
                line if number == 0 else f"{_LINE}{line}", self._ink("muted" if done else "text")
            )

    def _write_question(self, cursor: QTextCursor, entry: Entry) -> None:
        answer = entry.data.get("answer_label")
        words = translate("Transcript", "Asked: {question}").format(question=entry.text)
        if answer:
            words += " " + translate("Transcript", "– answered: {answer}").format(answer=answer)
        self._write_tinted(cursor, words, "warn", _QUESTION_TINT)

    def _write_tinted(self, cursor: QTextCursor, text: str, tone: str, share: float) -> None:
        ground = QTextBlockFormat()
        ground.setBackground(mixed(self._theme.tone(tone), self._theme.card, share))
        cursor.mergeBlockFormat(ground)
        cursor.insertText(_in_one_block(text), self._ink("text"))

    def _write_link(self, cursor: QTextCursor, entry: Entry, words: str, unfolded: bool) -> None:
        ink = self._ink("muted")
        if self._folds:
            ink.setAnchor(True)
            ink.setAnchorHref(f"{FOLD}{entry.number}")
            words = f"{'▾' if unfolded else '▸'} {words}"
        ink.setFontWeight(QFont.Weight.Medium)
        cursor.insertText(words, ink)

    def _ink(self, tone: str) -> QTextCharFormat:
        ink = QTextCharFormat()
        ink.setFont(self._font)
        ink.setForeground(self._theme.tone(tone))
        return ink


def seen_words(status: str, detail: str) -> str:
    """What Kavor saw of a call of one of its tools."""
    if status == "refused":
        return translate("Transcript", "refused: {why}").format(why=spoken(detail))
    return spoken(detail)


def _in_one_block(text: str) -> str:
    """With its lines as lines of the block that it is written into."""
    return text.replace("\n", _LINE)
