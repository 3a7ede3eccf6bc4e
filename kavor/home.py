"""Kavor's home: the folders that hold its database, sockets, logs and settings.

``KAVOR_HOME`` moves everything under one folder; without it the platform's own folders are used.
All of it is for the user alone: folders 0700, files 0600.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kavor.domain.errors import BadInput, HomeUnusable

MAX_SOCKET_PATH = 103 if sys.platform == "darwin" else 107
"""Bytes a Unix socket's path may have."""


@dataclass(frozen=True)
class Home:
    """Where one user's (or one profile's) Kavor lives."""

    data: Path
    run: Path
    logs: Path

    @property
    def database(self) -> Path:
        return self.data / "kavor.db"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def lock(self) -> Path:
        return self.data / "runtime.lock"

    @property
    def socket(self) -> Path:
        return self.run / "kavor.sock"

    @property
    def host_socket(self) -> Path:
        return self.run / "host.sock"

    @property
    def sessions(self) -> Path:
        """What the PTY host keeps of each session: output ring, hand-over files, process ids."""
        return self.data / "sessions"

    @property
    def agent_door(self) -> Path:
        """Where agents were let in: the port, and digests of their tokens."""
        return self.data / "agent-door.json"

    @property
    def runtime_log(self) -> Path:
        return self.logs / "runtime.log"

    @property
    def host_log(self) -> Path:
        return self.logs / "host.log"

    def prepare(self) -> None:
        """Make the folders, for the user alone. Raises HomeUnusable or BadInput, with a hint."""
        for folder in (self.data, self.run, self.logs, self.backups, self.sessions):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _check_own(folder)
                folder.chmod(0o700)
            except OSError as error:
                raise HomeUnusable(
                    f"Kavor's folder {folder} cannot be used: {error.strerror or error}",
                    "make it writable for you, or set KAVOR_HOME to a folder that is",
                ) from error
            if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise HomeUnusable(
                    f"Kavor's folder {folder} is not writable",
                    "make it writable for you, or set KAVOR_HOME to a folder that is",
                )
        self.check_socket_paths()

    def check_socket_paths(self) -> None:
        """Raises BadInput when a socket under this home would have a path too long to bind."""
        for socket in (self.socket, self.host_socket):
            length = len(os.fsencode(socket))
            if length > MAX_SOCKET_PATH:
                raise BadInput(
                    f"the socket path {socket} is {length} bytes long; this system takes {MAX_SOCKET_PATH}",
                    "set KAVOR_HOME to a folder with a shorter path",
                )


def _check_own(folder: Path) -> None:
    """Raises HomeUnusable for a folder that others share: making it private would lock them out."""
    about = folder.stat()
    shared = about.st_mode & stat.S_ISVTX or about.st_uid != os.geteuid()
    if shared or folder.resolve() == Path.home():
        raise HomeUnusable(
            f"{folder} is not a folder for Kavor alone", f"set KAVOR_HOME to one: {folder / 'kavor'}, say"
        )


def find_home(environ: Mapping[str, str] = os.environ) -> Home:
    """The home that this environment names. Nothing is created."""
    chosen = environ.get("KAVOR_HOME", "")
    if chosen:
        root = Path(chosen).expanduser().absolute()
        return Home(data=root, run=root, logs=root / "logs")
    import platformdirs  # costs a face 20 ms, and only where KAVOR_HOME is not set

    dirs = platformdirs.PlatformDirs("kavor", appauthor=False)
    # Sockets lie beside the database: a runtime folder of the login session is not there for a cron job
    # or over ssh, and two faces that look for one runtime in different places would never meet.
    return Home(data=dirs.user_data_path, run=dirs.user_data_path, logs=dirs.user_log_path)
