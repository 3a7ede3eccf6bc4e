"""The few questions that every claim and every outcome asks, put to the driver itself.

SQLAlchemy's part in so small a statement takes longer than SQLite's, and these are asked more often than
all others together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.engine import Connection


def select(tx: Connection, query: str, arguments: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """All rows that answer a query."""
    driver: Any = tx.connection.driver_connection
    found: list[tuple[Any, ...]] = driver.execute(query, arguments).fetchall()
    return found


def select_value(tx: Connection, query: str, arguments: Sequence[object] = ()) -> Any:
    """The first column of the first row; None where there is none."""
    found = select(tx, query, arguments)
    return found[0][0] if found else None
