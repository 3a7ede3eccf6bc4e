"""The few questions that every claim and every outcome asks, put to the driver itself.

SQLAlchemy's part in so small a statement takes longer than SQLite's, and these are asked more often than
all others together.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection


def select(tx: Connection, query: str, arguments: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """All rows that answer a query."""
    driver: Any = tx.connection.driver_connection
    found: list[tuple[Any, ...]] = driver.execute(query, arguments).fetchall()
    return found


def execute(tx: Connection, statement: str, arguments: Sequence[object] = ()) -> None:
    """Change something. Raises IntegrityError where the schema's rules forbid it."""
    driver: Any = tx.connection.driver_connection
    with _rules_of_the_schema(statement):
        driver.execute(statement, arguments)


def execute_many(tx: Connection, statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Change something for each of ``rows``. Raises IntegrityError where the schema's rules forbid one."""
    driver: Any = tx.connection.driver_connection
    with _rules_of_the_schema(statement):
        driver.executemany(statement, rows)


def select_value(tx: Connection, query: str, arguments: Sequence[object] = ()) -> Any:
    """The first column of the first row; None where there is none."""
    found = select(tx, query, arguments)
    return found[0][0] if found else None


@contextmanager
def _rules_of_the_schema(statement: str) -> Iterator[None]:
    """A rule that was broken is told by one class of error, whoever passed the statement on."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise sa.exc.IntegrityError(statement, None, error) from error
