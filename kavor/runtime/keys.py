"""The keys under which deliveries are known to the sessions.

A key names the ledger too: what belongs to another database must never be taken for ours.
"""

from __future__ import annotations

import secrets

from kavor.runtime.turn import Work, WorkKind

_MESSAGE = "m"
_COMMAND = "c"


class Keys:
    """``ledger_id`` is this database's own; it has no hyphen."""

    def __init__(self, ledger_id: str) -> None:
        self._prefix = f"{ledger_id}-"

    def of(self, work: Work) -> str:
        kind = _MESSAGE if work.kind is WorkKind.MESSAGE else ""
        return f"{self._prefix}{kind}{work.id}"

    def new_command(self) -> str:
        """A key for a command that an agent has run in a Terminal; it stands for nothing on record."""
        return f"{self._prefix}{_COMMAND}{secrets.token_hex(8)}"

    def work(self, key: str) -> Work | None:
        """None for a key of another database, and for one that is no attempt's and no message's."""
        if not key.startswith(self._prefix):
            return None
        number = key.removeprefix(self._prefix)
        if number.isdecimal():
            return Work.attempt(int(number))
        number = number.removeprefix(_MESSAGE)
        return Work.message(int(number)) if number.isdecimal() else None
