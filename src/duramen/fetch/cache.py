"""The HTTP cache: one SQLite file that several processes may share."""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from os import PathLike
from pathlib import Path

from duramen.errors import OptionError
from duramen.sqlite_file import LOCK_TIMEOUT, enable_write_ahead_log

MOST_BYTES = 1_000_000_000
"""Above this size, the least recently used pages are removed."""
_USED_STEP = 3600.0
"""Resolution, in seconds, of the time of last use, so that not every read is a write."""
_VERSION = 1
_TABLE = """
create table if not exists pages (
  key text primary key, status integer, headers text, body blob, stored real, used real, size integer
) without rowid
"""
_KEPT_WITH_304 = ("cache-control", "date", "etag", "expires", "last-modified", "vary")


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored page."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    stored: float

    def is_fresh(self, now: float) -> bool:
        """Whether the page may be used without revalidation, by its Cache-Control."""
        rules = _cache_control(self.headers)
        if "no-cache" in rules:
            return False
        return now < self.stored + _lifetime(self.headers, rules)

    def conditions(self) -> dict[str, str]:
        """The header fields of a conditional request."""
        fields = (("if-none-match", "etag"), ("if-modified-since", "last-modified"))
        return {condition: self.headers[name] for condition, name in fields if name in self.headers}


class PageCache:
    """The cache. Every call opens the file, so that threads, processes and forks do not share connections."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.path = Path(folder) / "pages.sqlite"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._open()) as db, db:
                enable_write_ahead_log(db)
                version = db.execute("pragma user_version").fetchone()[0]
                if version not in (0, _VERSION):
                    db.execute("drop table if exists pages")
                db.execute(_TABLE)
                db.execute(f"pragma user_version = {_VERSION}")
        except (OSError, sqlite3.Error) as error:
            raise OptionError(
                f"cache {str(folder)!r} cannot be used ({error}); name a folder you may write to"
            ) from None

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=LOCK_TIMEOUT)
        db.execute("pragma synchronous = off")  # a page lost in a power failure is fetched again
        return db

    def get(self, key: str) -> Entry | None:
        """The stored page; ``None`` also if the cache is busy or broken, because the page can still be fetched."""
        try:
            with closing(self._open()) as db, db:
                row = db.execute(
                    "select status, headers, body, stored, used from pages where key = ?", (key,)
                ).fetchone()
                if row is None:
                    return None
                if row[4] < time.time() - _USED_STEP:
                    db.execute("update pages set used = ? where key = ?", (time.time(), key))
                return Entry(row[0], json.loads(row[1]), zlib.decompress(row[2]), row[3])
        except (sqlite3.Error, ValueError, zlib.error):
            return None

    def put(self, key: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Store a page, if its server allows that and it can be reused."""
        now = time.time()
        rules = _cache_control(headers)
        entry = Entry(status, headers, body, now)
        if status != 200 or "no-store" in rules or "*" in headers.get("vary", ""):
            return
        if not entry.conditions() and not entry.is_fresh(now):
            return
        packed = zlib.compress(body, 6)
        row = (key, status, json.dumps(dict(headers)), packed, now, now, len(packed))
        try:
            with closing(self._open()) as db, db:
                db.execute("insert or replace into pages values (?, ?, ?, ?, ?, ?, ?)", row)
                self._shrink(db)
        except sqlite3.Error:
            return

    def refresh(self, key: str, entry: Entry, headers: Mapping[str, str]) -> Entry:
        """Update an entry after the response "not modified"."""
        merged = {**entry.headers, **{name: headers[name] for name in _KEPT_WITH_304 if name in headers}}
        self.put(key, entry.status, merged, entry.body)
        return Entry(entry.status, merged, entry.body, time.time())

    @staticmethod
    def _shrink(db: sqlite3.Connection) -> None:
        total = db.execute("select coalesce(sum(size), 0) from pages").fetchone()[0]
        if total <= MOST_BYTES:
            return
        for key, size in db.execute("select key, size from pages order by used").fetchall():
            db.execute("delete from pages where key = ?", (key,))
            total -= size
            if total <= MOST_BYTES * 0.9:
                return


def _cache_control(headers: Mapping[str, str]) -> dict[str, str]:
    parts = (part.strip().partition("=") for part in headers.get("cache-control", "").lower().split(","))
    return {name: value.strip('"') for name, _, value in parts if name}


def _lifetime(headers: Mapping[str, str], rules: Mapping[str, str]) -> float:
    if rules.get("max-age", "").isdigit():
        age = headers.get("age", "")
        return float(min(int(rules["max-age"][:9]), 31_536_000)) - (float(age) if age.isdigit() else 0.0)
    try:
        expires = parsedate_to_datetime(headers["expires"])
        return (expires - parsedate_to_datetime(headers["date"])).total_seconds()
    except (KeyError, TypeError, ValueError):
        return 0.0
