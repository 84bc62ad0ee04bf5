"""SQLite files that several threads and processes share."""

from __future__ import annotations

import sqlite3
import time

__all__ = ["LOCK_TIMEOUT", "enable_write_ahead_log"]

LOCK_TIMEOUT = 10.0
"""Seconds to wait for another writer."""


def enable_write_ahead_log(db: sqlite3.Connection) -> None:
    """Switch a database to a write-ahead log, so that readers and a writer do not block each other.

    If several processes do this to a new file at once, SQLite reports "locked" to all but one without waiting.
    """
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
