"""Notices that the files of Files and Specifications were changed outside, and tells the faces.

Where nobody listens, nobody is told, and nothing is looked at.
"""

from __future__ import annotations

import asyncio
import logging

from kavor.domain.errors import StorageFailed
from kavor.runtime.events import Change
from kavor.runtime.file_views import FileView, look_at_files
from kavor.runtime.runtime import Runtime
from kavor.store import documents

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0


class FileWatch:
    """Belongs to the event loop."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._seen: dict[str, tuple[str, FileView]] | None = None
        """By Node: its path, and what stood there at the last look."""

    async def keep(self, every: float = LOOK_SECONDS) -> None:
        """Look once, then each ``every`` seconds while a face listens, until cancelled."""
        while True:
            try:
                await self.look()
            except StorageFailed as error:
                log.warning("whether files were changed is not known: %s", error.message)
            await asyncio.sleep(every)
            await self._runtime.events.somebody_listens.wait()

    async def look(self) -> None:
        """Tell of every Node whose file is another than at the last look, or was not looked at yet."""
        paths = await self._runtime.read(documents.paths)
        views = await look_at_files(self._runtime.files, set(paths.values()))
        found = {node_id: (path, views[path]) for node_id, path in paths.items()}
        before, self._seen = self._seen, found
        if before is not None:
            changed = [node_id for node_id, sight in found.items() if before.get(node_id) != sight]
            self._runtime.events.publish(Change("node", node_id) for node_id in changed)
