"""How a CodingAgent is set up: which provider, with which command and model, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass

from kavor.domain.errors import BadInput

DEFAULT_TURN_LIMIT_MS = 2 * 3_600_000
MIN_TURN_LIMIT_MS = 60_000
MAX_TURN_LIMIT_MS = 24 * 3_600_000

MAX_WORDS = 100
MAX_LENGTH = 4096
"""Characters of a command's word, or of a model's name."""


@dataclass(frozen=True)
class AgentSettings:
    """What a person decides about a CodingAgent."""

    provider: str
    command: tuple[str, ...] = ()
    """Of a provider that has none of its own: the program and its arguments, or the path of a way in."""
    model: str | None = None
    """The provider's own name of a model; None leaves the choice to the provider."""
    keep_open: bool = True
    """Its session is opened again when the runtime starts, where a Running Schedule aims at it (K+1)."""
    may_edit: bool = False
    """"Allow workspace editing": it may make and change Nodes (K+5)."""
    turn_limit_ms: int = DEFAULT_TURN_LIMIT_MS
    """How long one turn may take."""

    def check(self) -> None:
        """Raises BadInput for what cannot be meant. Which providers there are is not known here."""
        if len(self.command) > MAX_WORDS:
            raise BadInput(f"the command has more than {MAX_WORDS} words", "put it into a script")
        for number, word in enumerate(self.command):
            _check_word(word, "the command", may_be_empty=number > 0)
        if self.model is not None:
            _check_word(self.model, "the name of the model")
        if not MIN_TURN_LIMIT_MS <= self.turn_limit_ms <= MAX_TURN_LIMIT_MS:
            raise BadInput(
                f"a turn limit of {self.turn_limit_ms / 1000:g} s is out of range",
                "give 1 minute to 24 hours; 2 hours is the default",
            )


def _check_word(word: str, what: str, *, may_be_empty: bool = False) -> None:
    if not word.strip() and not may_be_empty:
        raise BadInput(f"{what} is empty", "write it, or leave it out")
    if len(word) > MAX_LENGTH:
        raise BadInput(f"{what} is longer than {MAX_LENGTH} characters", "shorten it")
    if any(not char.isprintable() for char in word):
        raise BadInput(f"{what} has a character that cannot be shown", "use letters, digits and signs")
