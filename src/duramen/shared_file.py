"""SQLite files that several threads and processes open at once."""

from __future__ import annotations

import sqlite3
import time

__all__ = ["PATIENCE", "use_log"]

PATIENCE = 10.0
"""Seconds to wait for others that write."""


def use_log(db: sqlite3.Connection) -> None:
    """Turn a file to its write-ahead log, so that readers and a writer do not wait for each other.

    Of several that do this to a new file at once SQLite lets one, and tells the others at once that it is locked.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
