"""Opening the database: what kind of file it is, bringing its schema up to date, and transactions.

One process and one thread write it (WAL, ``synchronous=FULL``). A file of a newer version, or one that
is not Kavor's, is refused before a byte of it is changed; before each schema change a copy is kept.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import StaticPool

from kavor.domain.errors import StorageFailed
from kavor.store.tables import APPLICATION_ID

_MIGRATIONS = Path(__file__).parent / "migrations"
_FIRST_BYTES = b"SQLite format 3\0"


class Store:
    """The open database. Not thread-safe: all of it belongs to one thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One all-or-nothing change. Raises StorageFailed, with nothing changed, when it cannot be kept."""
        with _readable_errors(), self._engine.connect() as connection:
            # Begin and end are said to the driver itself: a runtime says them more often than anything else.
            driver: Any = connection.connection.driver_connection
            driver.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                driver.execute("COMMIT")
            except BaseException:
                # SQLite has already rolled back after some errors, a full disk among them.
                if driver.in_transaction:
                    driver.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view, nothing changed. Raises StorageFailed."""
        with _readable_errors(), self._engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            driver.execute("BEGIN")
            try:
                yield connection
            finally:
                if driver.in_transaction:
                    driver.execute("ROLLBACK")

    def close(self) -> None:
        self._engine.dispose()


def open_store(path: Path, backups: Path, *, durable: bool = True) -> Store:
    """Open the database at ``path``, creating or migrating it as needed.

    A copy is put into ``backups`` before a schema change (K+15). Where nothing has to outlive this machine's
    power, not ``durable`` saves the wait for the disk. Raises StorageFailed for a file that is
    not a database, not Kavor's, of a newer version, or that cannot be read or written.
    """
    current = _inspect(path)
    if current is not None and current not in known_revisions():
        raise StorageFailed(
            f"the database {path} was made by a newer version of Kavor (schema {current})",
            "start that newer version, or set KAVOR_HOME to another folder; the file was not touched",
        )
    with _readable_errors():
        if current is not None and current != head_revision():
            _back_up(path, backups, current)
        _create_private(path)
        engine = _engine(path, durable=durable)
        try:
            if current != head_revision():
                _migrate(engine)
        except BaseException:
            engine.dispose()
            raise
    return Store(engine)


def known_revisions() -> list[str]:
    """The schema revisions this version knows, oldest first."""
    return sorted(file.name[:4] for file in (_MIGRATIONS / "versions").glob("[0-9][0-9][0-9][0-9]_*.py"))


def head_revision() -> str:
    """The schema revision this version writes."""
    return known_revisions()[-1]


def _inspect(path: Path) -> str | None:
    """The schema revision of an existing database, read without changing the file; None if it is new."""
    try:
        if not path.exists() or path.stat().st_size == 0:
            return None
        # SQLite itself would take a file of a few bytes for an empty database, and write over it.
        with path.open("rb") as file:
            if file.read(len(_FIRST_BYTES)) != _FIRST_BYTES:
                raise _damaged(f"the database {path}")
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION_ID and tables:
                raise StorageFailed(
                    f"{path} is a database of another program",
                    "move it away, or set KAVOR_HOME to another folder; the file was not touched",
                )
            if "alembic_version" not in tables:
                return None
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            return str(row[0]) if row else None
    except (sqlite3.Error, OSError) as error:
        raise _storage_failed(error, path) from error


def _create_private(path: Path) -> None:
    """Make the file before SQLite does, so that it and its journals are 0600 from the first byte."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    path.chmod(0o600)


def _engine(path: Path, *, durable: bool) -> Engine:
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        poolclass=StaticPool,
        hide_parameters=True,  # payloads have no place in a log
        connect_args={"check_same_thread": False, "isolation_level": None, "cached_statements": 256},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        for pragma in (
            "journal_mode = WAL",
            f"synchronous = {'FULL' if durable else 'OFF'}",
            "foreign_keys = ON",
            "busy_timeout = 5000",
            "journal_size_limit = 4194304",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _migrate(engine: Engine) -> None:
    # Imported only here: alembic costs a start 0.3 s, and a schema changes rarely.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with engine.connect() as connection:
        # One transaction around all of it: a kill in the middle leaves the file as it was.
        connection.exec_driver_sql("BEGIN EXCLUSIVE")
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            if connection.connection.driver_connection.in_transaction:  # type: ignore[union-attr]
                connection.exec_driver_sql("ROLLBACK")
            raise


def _back_up(path: Path, backups: Path, revision: str) -> Path:
    """A copy of the database as it was under ``revision``; an earlier copy is never overwritten."""
    number = 1
    while (copy := backups / f"kavor-schema-{revision}-{number}.db").exists():
        number += 1
    backups.mkdir(mode=0o700, parents=True, exist_ok=True)
    _create_private(copy)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except sa.exc.IntegrityError:
        raise  # a rule of the schema, not a failing disk
    except sa.exc.DBAPIError as error:
        raise _storage_failed(error.orig or error) from error
    except (sqlite3.Error, OSError) as error:
        raise _storage_failed(error) from error


_FULL = re.compile(r"full|SHMSIZE|No space left", re.IGNORECASE)


def _storage_failed(error: BaseException, path: Path | None = None) -> StorageFailed:
    name = getattr(error, "sqlite_errorname", "")
    where = f"the database {path}" if path else "the database"
    if _FULL.search(f"{name} {error}"):
        return StorageFailed(
            f"the disk is full: {where} cannot be written", "free some space, then try again"
        )
    if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return _damaged(where)
    if name in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        return StorageFailed(f"{where} is locked by another program", "close what else has it open")
    return StorageFailed(
        f"{where} cannot be used: {error}", "check that its folder is writable and the disk is healthy"
    )


def _damaged(where: str) -> StorageFailed:
    return StorageFailed(
        f"{where} is damaged or not a database",
        "put a copy from the backups folder in its place, or move it away; the file was not touched",
    )
