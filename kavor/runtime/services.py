"""All that the API may ask, in one place."""

from __future__ import annotations

import os
from typing import Any

from sqlalchemy.engine import Connection

import kavor
from kavor.domain.errors import BadInput
from kavor.domain.graph import TARGET_KINDS
from kavor.domain.instant import format_instant
from kavor.domain.zones import tzdata_version
from kavor.home import Home
from kavor.host_zone import host_zone_name
from kavor.runtime.agent_access.access import AgentAccess
from kavor.runtime.agent_access.tokens import Tokens
from kavor.runtime.attempt_service import AttemptService
from kavor.runtime.conversation_service import ConversationService
from kavor.runtime.events import Change
from kavor.runtime.find import find_attempt, find_node, find_schedule, find_workspace
from kavor.runtime.graph_service import GraphService
from kavor.runtime.notices import NoticeView, attempt_notice, message_notice, session_notice
from kavor.runtime.providers import ProviderService
from kavor.runtime.runtime import Runtime
from kavor.runtime.schedule_service import ScheduleService
from kavor.runtime.session_service import SessionService
from kavor.runtime.text_service import TextService
from kavor.runtime.turn import WorkKind
from kavor.runtime.views import Views, instant_or_none
from kavor.runtime.workspace_service import WorkspaceService
from kavor.sessions.terminal.screens import Screens
from kavor.store import schedules, workspaces


class Services:
    def __init__(
        self, runtime: Runtime, home: Home, screens: Screens | None = None, tokens: Tokens | None = None
    ) -> None:
        """``tokens`` are those that the door gives to agents."""
        self.runtime = runtime
        self._home = home
        self._views = Views(runtime.clock, runtime.targets)
        self.sessions = SessionService(runtime, self._views, screens)
        self.providers = ProviderService(home)
        self.graph = GraphService(runtime, self._views, self.providers, self.sessions.open)
        self.texts = TextService(runtime)
        self.workspaces = WorkspaceService(runtime, self._views, self.graph)
        self.schedules = ScheduleService(runtime, self._views)
        self.attempts = AttemptService(runtime, self._views)
        self.conversations = ConversationService(runtime)
        self.agents = AgentAccess(runtime, tokens or Tokens(), self.providers, self.sessions.open)

    async def status(self) -> dict[str, Any]:
        """How the runtime is: what it serves, and whether it can record."""

        def ask(view: Connection) -> dict[str, Any]:
            is_open = [session for session in self.runtime.targets.sessions() if session.open]
            return {
                "schedules": schedules.count_by_state(view),
                "next_due": instant_or_none(schedules.next_due(view)),
                "sessions": len(is_open),
                # Those that end with this process; agents with a screen of their own live on in the PTY host.
                "agents": sum(session.provider is not None and not session.own_screen for session in is_open),
            }

        problem = self.runtime.storage_problem
        try:
            zone: str | None = host_zone_name()
        except BadInput:
            zone = None
        return {
            "pid": os.getpid(),
            "version": kavor.__version__,
            "home": str(self._home.data),
            "started_at": format_instant(self.runtime.started_at),
            "host_zone": zone,
            "tzdata": tzdata_version(),
            "storage": {"ok": problem is None, "problem": problem},
            "event": self.runtime.events.last,
            **await self.runtime.read(ask),
        }

    async def present(self, change: Change, viewer_zone: str) -> dict[str, Any] | None:
        """What an event is about, as it is now; None where it is gone."""
        if change.type == "runtime":
            return await self.status()
        if change.type == "node":
            try:
                return dict(await self.graph.node(change.id))
            except BadInput:
                return None
        if change.type == "transcript":
            return {"node": change.id}  # what is new in it is asked for by whoever reads along

        def ask(view: Connection) -> object:
            match change.type:
                case "schedule":
                    row = find_schedule(view, change.id)
                    return self._views.schedule(view, row, viewer_zone)
                case "attempt":
                    return self._views.attempt(find_attempt(view, int(change.id)))
                case "message":
                    return self.conversations.show_message(view, int(change.id))
                case "turn":
                    return self.conversations.show_turn(view, int(change.id))
                case "notice":
                    return self._notice(view, change.id)
                case "session":
                    node = find_node(view, change.id)
                    return self._views.session(view, node) if node.kind in TARGET_KINDS else None
                case "workspace":
                    return self._views.workspace(find_workspace(view, change.id))
                case _:
                    found = [c for c in workspaces.list_connections(view) if str(c.id) == change.id]
                    return self._views.connection(found[0]) if found else None

        try:
            shown = await self.runtime.read(ask)
        except BadInput:
            return None
        return dict(shown) if isinstance(shown, dict) else None

    def _notice(self, view: Connection, ref: str) -> NoticeView | None:
        """None where nothing is wanted any more. Raises NotFound."""
        about, _, number = ref.partition("-")
        if about == "session":
            return session_notice(self._views.session(view, find_node(view, number)))
        if about == WorkKind.ATTEMPT:
            return attempt_notice(self._views.attempt(find_attempt(view, int(number))))
        message = self.conversations.show_message(view, int(number))
        return message_notice(message, find_node(view, message["agent"]).name)
