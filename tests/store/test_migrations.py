"""Schema changes: what the migrations build, the copy kept before one, and being killed in one."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from kavor.domain.errors import StorageFailed
from kavor.home import Home
from kavor.store import conversations, database, ledger, workspaces
from kavor.store.database import Store, head_revision, known_revisions
from kavor.store.tables import metadata

Opened = Callable[[], Store]

ADDS_A_COLUMN = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{present}"


def upgrade() -> None:
    op.add_column("workspaces", sa.Column("colour", sa.String))
    {then}
"""

PRESENT = head_revision()
NEXT = f"{int(PRESENT) + 1:04}"


def next_schema(migrations: Path, then: str = "pass") -> Path:
    """A schema of a later version, which adds a column and then does as told."""
    file = migrations / "versions" / f"{NEXT}_colour.py"
    file.write_text(ADDS_A_COLUMN.format(revision=NEXT, present=PRESENT, then=then))
    return file


def only_up_to(migrations: Path, revision: str) -> None:
    """An earlier version of Kavor, which knows no schema after this one."""
    for file in (migrations / "versions").glob("[0-9]*_*.py"):
        if file.name[:4] > revision:
            file.unlink()


def shape(connection: sqlite3.Connection) -> dict[str, str]:
    """Every table and index, by the words that made it, spaces and quotes aside."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: " ".join(sql.replace('"', "").replace(" ,", ",").split()) for name, sql in rows}


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(found)


def test_the_migrations_build_what_the_tables_say(opened: Opened) -> None:
    with opened().reading() as view:
        context = MigrationContext.configure(view, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_partial_indexes_and_checks_are_the_same_too(home: Home, opened: Opened) -> None:
    """Alembic does not compare these, and they hold what the contract promises."""
    opened()
    declared = home.data / "declared.db"
    engine = sa.create_engine(f"sqlite:///{declared}")
    metadata.create_all(engine)
    engine.dispose()
    with closing(sqlite3.connect(home.database)) as one, closing(sqlite3.connect(declared)) as two:
        migrated, expected = shape(one), shape(two)
    indexes = {name for name in expected if name.startswith(("ix_", "uq_"))}
    assert {name: migrated.get(name) for name in indexes} == {name: expected[name] for name in indexes}
    for table in metadata.tables:
        for constraint in ("CHECK", "AUTOINCREMENT", "ON DELETE CASCADE", "UNIQUE"):
            assert migrated[table].count(constraint) == expected[table].count(constraint), (table, constraint)


def test_the_revision_we_think_newest_is_the_one_alembic_thinks_newest() -> None:
    config = Config()
    config.set_main_option("script_location", str(database._MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [head_revision()]
    assert sorted(script.revision for script in scripts.walk_revisions()) == known_revisions()


@pytest.mark.contract("K+15")
def test_a_copy_is_kept_before_the_schema_changes(home: Home, opened: Opened, migrations: Path) -> None:
    old = opened()
    with old.transaction() as tx:
        workspaces.set_fact(tx, "colour", "green")  # in the write-ahead log, not yet in the file
    old.close()
    next_schema(migrations)
    with opened().reading() as view:
        assert "colour" in {column["name"] for column in sa.inspect(view).get_columns("workspaces")}
        assert workspaces.fact(view, "colour") == "green"
    (copy,) = home.backups.iterdir()
    assert copy.name == f"kavor-schema-{PRESENT}-1.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert home.backups.stat().st_mode & 0o777 == 0o700
    assert revision(copy) == PRESENT
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT value FROM facts WHERE name = 'colour'").fetchall() == [("green",)]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.contract("K+15")
def test_an_earlier_copy_is_never_overwritten(home: Home, opened: Opened, migrations: Path) -> None:
    opened().close()
    home.backups.mkdir(mode=0o700, exist_ok=True)
    earlier = home.backups / f"kavor-schema-{PRESENT}-1.db"
    earlier.write_text("precious")
    next_schema(migrations)
    opened()
    assert earlier.read_text() == "precious"
    assert revision(home.backups / f"kavor-schema-{PRESENT}-2.db") == PRESENT


@pytest.mark.contract("K+15")
def test_without_a_copy_the_schema_does_not_change(home: Home, opened: Opened, migrations: Path) -> None:
    opened().close()
    if home.backups.exists():
        home.backups.rmdir()
    home.backups.write_text("a file where the folder should be")
    next_schema(migrations)
    with pytest.raises(StorageFailed):
        opened()
    assert revision(home.database) == PRESENT


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    home: Home, opened: Opened, migrations: Path
) -> None:
    opened().close()
    before = home.database.read_bytes()
    broken = next_schema(migrations, then='op.execute("INSERT INTO nowhere VALUES (1)")')
    with pytest.raises(StorageFailed):
        opened()
    assert home.database.read_bytes() == before
    broken.unlink()
    with opened().reading() as view:
        assert workspaces.fact(view, "ledger-id")


def test_a_kill_in_the_middle_of_a_migration_leaves_the_file_as_it_was(
    home: Home, opened: Opened, migrations: Path
) -> None:
    opened().close()
    with closing(sqlite3.connect(home.database)) as connection:
        before = shape(connection)
    next_schema(migrations, then="import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    program = """
        import sys
        from pathlib import Path
        from kavor.store import database

        database._MIGRATIONS = Path(sys.argv[1])
        database.open_store(Path(sys.argv[2]), Path(sys.argv[3]))
    """
    killed = subprocess.run(
        [sys.executable, "-c", dedent(program), str(migrations), str(home.database), str(home.backups)],
        capture_output=True,
        timeout=60,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with closing(sqlite3.connect(home.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert shape(connection) == before
    assert revision(home.database) == PRESENT
    next_schema(migrations)
    opened()
    assert revision(home.database) == NEXT
    assert len(list(home.backups.iterdir())) == 2


@pytest.mark.contract("K+15")
def test_a_graph_made_before_there_were_agents_is_kept_as_it_was(
    home: Home, opened: Opened, migrations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_up_to(migrations, "0002")
    opened().close()
    monkeypatch.undo()  # all of the migrations again
    with closing(sqlite3.connect(home.database)) as connection, connection:
        connection.executescript("""
            INSERT INTO workspaces (id, name, directory, created_at) VALUES ('w1', 'work', '/', 0);
            INSERT INTO nodes (id, workspace_id, kind, name, created_at)
                VALUES ('t1', 'w1', 'terminal', 'shell', 0), ('s1', 'w1', 'specification', 'plan', 0);
            INSERT INTO terminals (node_id, directory, wanted) VALUES ('t1', '/', 'open');
            INSERT INTO specifications (node_id, path) VALUES ('s1', '/plan.md');
            INSERT INTO connections (a, b, environment_name, created_at) VALUES ('s1', 't1', 'PLAN', 0);
            INSERT INTO attempts (schedule_id, schedule_name, trigger, created_at, state, payload)
                VALUES ('c1', 'check', 'manual', 0, 'Completed', 'make');
            INSERT INTO evidence (attempt_id, output, truncated) VALUES (1, CAST('all well' AS BLOB), 0);
        """)
    with opened().reading() as view:
        (connected,) = workspaces.list_connections(view)
        evidence = ledger.evidence_of(view, 1)
        (state,) = view.execute(sa.text("SELECT state FROM specifications")).scalars()
        assert len(workspaces.list_nodes(view)) == 2
    assert (connected.environment_name, connected.guardrail) == ("PLAN", None)
    assert evidence is not None
    assert evidence.output == "all well"
    assert state == "Draft"
    assert (home.backups / "kavor-schema-0002-1.db").exists()


@pytest.mark.contract("K+15")
def test_what_was_said_before_messages_had_hops_is_there_afterwards(
    home: Home, opened: Opened, migrations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_up_to(migrations, "0003")
    opened().close()
    monkeypatch.undo()  # all of the migrations again
    with closing(sqlite3.connect(home.database)) as connection, connection:
        connection.executescript("""
            INSERT INTO messages (agent_id, sender_kind, sender_name, text, created_at, after_attempt, state)
                VALUES ('a1', 'person', '', 'one', 0, 0, 'completed'),
                       ('a1', 'person', '', 'two', 0, 0, 'completed');
            INSERT INTO turns (agent_id, message_id, prompt, state, started_at, finished_at, entries)
                VALUES ('a1', 1, 'one', 'Completed', 0, 0, '["grün"]');
        """)
    with opened().reading() as view:
        found = conversations.list_messages(view, "a1", before=None, limit=10)
        turn = conversations.turn(view, 1)
    assert [(one.text, one.hops, one.idempotency_key) for one in found] == [
        ("two", 0, None),
        ("one", 0, None),
    ]
    assert turn is not None
    assert (turn.entries, turn.size) == ('["grün"]', len('["grün"]'.encode()))
