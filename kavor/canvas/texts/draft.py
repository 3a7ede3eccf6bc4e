"""What a person types over a text that others may edit at the same time. Nothing of either is lost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A text as it is kept, and the version of it that a save has to name."""

    text: str
    version: str


@dataclass
class Draft:
    base: Text
    """What the typed text began as."""
    typed: str
    conflict: Text | None = None
    """What is there now, where it was edited elsewhere since."""

    @classmethod
    def of(cls, base: Text) -> Draft:
        return cls(base, base.text)

    @property
    def is_changed(self) -> bool:
        return self.typed != self.base.text

    def meet(self, present: Text) -> None:
        """This is there now. It is taken up at once where that loses nothing that was typed."""
        if present.text == self.base.text:  # a rename or a new colour makes another version, too
            self.base, self.conflict = present, None
        elif not self.is_changed or self.typed == present.text:
            self.base, self.typed, self.conflict = present, present.text, None
        else:
            self.conflict = present

    def saved(self, text: str, version: str) -> None:
        """``text`` is on record; more may have been typed since."""
        self.base, self.conflict = Text(text, version), None

    def take_theirs(self) -> None:
        assert self.conflict is not None
        self.base, self.typed, self.conflict = self.conflict, self.conflict.text, None

    def keep_mine(self) -> None:
        """The next save is over what is there now."""
        assert self.conflict is not None
        self.base, self.conflict = self.conflict, None
