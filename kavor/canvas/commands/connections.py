"""Changes of Connections."""

from __future__ import annotations

from kavor.canvas.commands.change import Change, Done, Failed
from kavor.canvas.commands.identities import Identities
from kavor.canvas.commands.nodes import Tell
from kavor.canvas.edits import Edits
from kavor.canvas.model import Model
from kavor.canvas.qt import translate
from kavor.canvas.things import Connection
from kavor.domain.guardrails import NO_GUARDRAIL


class Connect(Change):
    def __init__(
        self,
        edits: Edits,
        identities: Identities,
        one: str,
        other: str,
        environment_name: str | None = None,
        guardrail: str | None = None,
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._ends = (one, other)
        self._environment_name = environment_name
        self._guardrail = guardrail

    def apply(self, done: Done, failed: Failed) -> None:
        one, other = map(self._identities.current, self._ends)
        self._edits.connect(
            one,
            other,
            lambda _: done(),
            failed,
            environment_name=self._environment_name,
            guardrail=self._guardrail,
        )

    def revert(self, done: Done, failed: Failed) -> None:
        one, other = map(self._identities.current, self._ends)
        self._edits.disconnect(one, other, lambda _: done(), failed)


class ChangeConnection(Change):
    """What a Connection carries, or forbids."""

    def __init__(
        self, edits: Edits, identities: Identities, connection: Connection, after: Connection
    ) -> None:
        self._edits = edits
        self._identities = identities
        self._before, self._after = connection, after

    def apply(self, done: Done, failed: Failed) -> None:
        self._set(self._after, done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        self._set(self._before, done, failed)

    def _set(self, wanted: Connection, done: Done, failed: Failed) -> None:
        one, other = map(self._identities.current, (wanted.a, wanted.b))
        guards = self._before.guardrail != self._after.guardrail
        self._edits.connect(
            one,
            other,
            lambda _: done(),
            failed,
            environment_name=None if guards else wanted.env,
            guardrail=(wanted.guardrail or NO_GUARDRAIL) if guards else None,
        )


class Disconnect(Change):
    """``tell`` says that a Schedule which was Running stays Paused after undo."""

    def __init__(
        self, edits: Edits, model: Model, identities: Identities, connection: Connection, tell: Tell
    ) -> None:
        self._model = model
        self._identities = identities
        self._ends = (connection.a, connection.b)
        self._tell = tell
        self._join = Connect(edits, identities, *self._ends, connection.env, connection.guardrail)
        self._was_running: str | None = None

    def apply(self, done: Done, failed: Failed) -> None:
        ends = map(self._identities.current, self._ends)
        schedules = (self._model.schedules.get(end) for end in ends)
        running = next((each for each in schedules if each is not None and each.state == "Running"), None)
        self._was_running = None if running is None else running.id
        self._join.revert(done, failed)

    def revert(self, done: Done, failed: Failed) -> None:
        def joined() -> None:
            done()
            if self._was_running is not None:
                words = translate("Undo", "Connected again. It stays Paused: Resume it when you are ready.")
                self._tell(self._was_running, words)

        self._join.apply(joined, failed)
