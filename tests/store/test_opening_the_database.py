"""Opening the database: a fresh one, one of ours, and files that are not."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from kavor.domain.errors import StorageFailed
from kavor.home import Home
from kavor.store import workspaces
from kavor.store.database import Store, head_revision, open_store
from kavor.store.tables import APPLICATION_ID, terminals

Opened = Callable[[], Store]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_a_fresh_database_is_ours_and_private_whatever_the_umask(home: Home, opened: Opened) -> None:
    before = os.umask(0)
    try:
        store = opened()
        with store.transaction() as tx:
            workspaces.set_fact(tx, "colour", "green")
        files = [file for file in home.database.parent.iterdir() if file.name.startswith(home.database.name)]
        assert {file.name: mode(file) for file in files} == {
            home.database.name + ending: 0o600 for ending in ("", "-wal", "-shm")
        }
    finally:
        os.umask(before)
    with closing(sqlite3.connect(home.database)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            (head_revision(),)
        ]


def test_an_error_does_not_tell_what_was_to_be_written(opened: Opened) -> None:
    """It may be logged, and payloads have no place in a log."""
    with pytest.raises(sa.exc.IntegrityError) as broken, opened().transaction() as tx:
        tx.execute(terminals.insert().values(node_id="no such", directory="/secret", wanted="open"))
    assert "secret" not in str(broken.value)


def test_commits_reach_the_disk_and_references_are_checked(opened: Opened) -> None:
    with opened().reading() as view:
        pragmas = {
            name: view.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_what_was_kept_is_there_when_it_is_opened_again(home: Home, opened: Opened) -> None:
    first = opened()
    with first.transaction() as tx:
        identity = workspaces.fact(tx, "ledger-id")
        workspaces.set_fact(tx, "colour", "green")
    first.close()
    with opened().reading() as view:
        assert workspaces.fact(view, "colour") == "green"
        assert workspaces.fact(view, "ledger-id") == identity
    assert identity
    assert not list(home.data.rglob("kavor-schema-*"))


def test_two_databases_have_two_identities(home: Home, opened: Opened) -> None:
    other = open_store(home.data / "other.db", home.backups)
    with opened().reading() as one, other.reading() as two:
        assert workspaces.fact(one, "ledger-id") != workspaces.fact(two, "ledger-id")
    other.close()


def test_an_empty_file_becomes_a_database(home: Home, opened: Opened) -> None:
    home.database.touch(mode=0o644)
    opened()
    assert mode(home.database) == 0o600


def test_a_transaction_that_raises_leaves_nothing(opened: Opened) -> None:
    store = opened()

    def fail_halfway() -> None:
        with store.transaction() as tx:
            workspaces.set_fact(tx, "colour", "green")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    with store.reading() as view:
        assert workspaces.fact(view, "colour") is None
    with store.transaction() as tx:
        workspaces.set_fact(tx, "colour", "blue")


def test_a_view_changes_nothing(opened: Opened) -> None:
    store = opened()
    with store.reading() as view:
        workspaces.set_fact(view, "colour", "green")
    with store.reading() as view:
        assert workspaces.fact(view, "colour") is None


def test_a_database_of_a_newer_version_is_refused_untouched(home: Home, opened: Opened) -> None:
    opened().close()
    with closing(sqlite3.connect(home.database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = home.database.read_bytes()
    with pytest.raises(StorageFailed, match="newer version of Kavor \\(schema 9999\\)") as refusal:
        opened()
    assert "not touched" in refusal.value.hint
    assert home.database.read_bytes() == before
    assert not list(home.data.rglob("kavor-schema-*"))


def test_a_database_of_another_program_is_refused_untouched(home: Home, opened: Opened) -> None:
    with closing(sqlite3.connect(home.database)) as connection:
        connection.execute("CREATE TABLE places (url TEXT)")
    before = contents(home.database.parent)
    with pytest.raises(StorageFailed, match="another program") as refusal:
        opened()
    assert refusal.value.hint
    assert contents(home.database.parent) == before


@pytest.mark.parametrize(
    "garbage",
    [
        b"this is not a database, though it is long enough to be one\n" * 40,
        b"x",
        b"SQLite format 3\0" + b"\xff" * 4096,
    ],
    ids=["text", "one byte", "a header alone"],
)
def test_a_file_that_is_no_database_is_refused_untouched(home: Home, opened: Opened, garbage: bytes) -> None:
    home.database.write_bytes(garbage)
    with pytest.raises(StorageFailed) as refusal:
        opened()
    assert str(home.database) in refusal.value.message
    assert refusal.value.hint
    assert contents(home.database.parent) == {home.database.name: garbage}


def test_a_folder_in_its_place_is_refused(home: Home, opened: Opened) -> None:
    home.database.mkdir()
    with pytest.raises(StorageFailed):
        opened()
    assert home.database.is_dir()


def test_a_folder_that_is_not_there_is_an_error_to_read(home: Home) -> None:
    with pytest.raises(StorageFailed) as refusal:
        open_store(home.data / "gone" / "kavor.db", home.backups)
    assert refusal.value.hint


def test_another_program_that_holds_the_database_is_named_as_the_cause(
    home: Home, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened()
    with store.reading() as view:
        view.exec_driver_sql("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageFailed, match="locked by another program"), store.transaction():
            pass
        other.execute("ROLLBACK")
    with store.transaction() as tx:
        workspaces.set_fact(tx, "colour", "green")


def test_a_database_that_cannot_be_written_is_refused(
    home: Home, opened: Opened, request: pytest.FixtureRequest
) -> None:
    opened().close()
    if os.geteuid() == 0:  # whom no mode keeps out
        disk: Path = request.getfixturevalue("small_disk")(4 * 1024 * 1024)
        database = disk / "kavor.db"
        database.write_bytes(home.database.read_bytes())
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    else:
        database = home.database
        database.chmod(0o400)
    before = database.read_bytes()
    with pytest.raises(StorageFailed) as refusal:
        open_store(database, home.backups)
    assert refusal.value.hint
    assert database.read_bytes() == before


def test_a_broken_rule_of_the_schema_is_no_failing_disk(opened: Opened) -> None:
    store = opened()
    with pytest.raises(sa.exc.IntegrityError), store.transaction() as tx:
        tx.exec_driver_sql("INSERT INTO facts (name, value) VALUES ('a', 'b'), ('a', 'c')")
