"""The page cache: what it keeps, for how long, and how it fares with other processes and broken files."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import time
from email.utils import formatdate
from pathlib import Path

import pytest

from duramen.errors import OptionError
from duramen.fetch import cache
from duramen.fetch.cache import Entry, PageCache

TAG = {"etag": '"1"', "content-type": "text/html"}


def test_round_trip(tmp_path: Path) -> None:
    store = PageCache(tmp_path / "deep" / "folder")
    store.put("a", 200, TAG, b"<p>Oak")
    entry = PageCache(tmp_path / "deep" / "folder").get("a")
    assert entry is not None and (entry.status, dict(entry.headers), entry.body) == (200, TAG, b"<p>Oak")
    assert entry.conditions() == {"if-none-match": '"1"'}
    assert store.get("b") is None


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (404, TAG),
        (200, {}),
        (200, {**TAG, "cache-control": "private, NO-STORE"}),
        (200, {**TAG, "vary": "*"}),
        (200, {"cache-control": "max-age=0"}),
    ],
)
def test_not_kept(tmp_path: Path, status: int, headers: dict[str, str]) -> None:
    store = PageCache(tmp_path)
    store.put("a", status, headers, b"x")
    assert store.get("a") is None


@pytest.mark.parametrize(
    ("headers", "lives"),
    [
        ({"cache-control": "max-age=60"}, 60),
        ({"cache-control": "max-age=60", "age": "50"}, 10),
        ({"cache-control": 'max-age="60"'}, 60),
        ({"cache-control": "no-cache, max-age=60"}, 0),
        ({"cache-control": "max-age=rubbish"}, 0),
        ({"date": formatdate(1000, usegmt=True), "expires": formatdate(1060, usegmt=True)}, 60),
        ({"date": formatdate(1000, usegmt=True), "expires": "0"}, 0),
        ({"cache-control": "max-age=" + "9" * 50}, 31_536_000),
        ({}, 0),
    ],
)
def test_freshness(headers: dict[str, str], lives: int) -> None:
    entry = Entry(200, headers, b"", 1000.0)
    assert lives == 0 or entry.is_fresh(1000.0 + lives - 0.5)
    assert not entry.is_fresh(1000.0 + lives)


def test_not_changed(tmp_path: Path) -> None:
    store = PageCache(tmp_path)
    store.put("a", 200, TAG, b"x")
    old = store.get("a")
    assert old is not None
    store.refresh("a", old, {"etag": '"2"', "cache-control": "max-age=60", "content-type": "text/rubbish"})
    new = store.get("a")
    assert new is not None and new.headers["etag"] == '"2"' and new.is_fresh(time.time()) and new.body == b"x"
    assert new.headers["content-type"] == "text/html"


def test_the_least_used_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 3000)
    monkeypatch.setattr(cache, "_USED_STEP", -1.0)
    store = PageCache(tmp_path)
    for key in "abcdefgh":
        store.put(key, 200, TAG, os.urandom(500))
        store.get("a")
    kept = [key for key in "abcdefgh" if store.get(key)]
    assert "a" in kept and "h" in kept and "b" not in kept and len(kept) <= 6


def fill(folder: str, start: int) -> None:
    store = PageCache(folder)
    for n in range(start, start + 40):
        store.put(f"{n % 50}", 200, TAG, b"x" * 2000)
        assert store.get(f"{n % 50}") is not None


def test_several_processes(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=fill, args=(str(tmp_path), n * 10)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert PageCache(tmp_path).get("5") is not None


def test_broken_files(tmp_path: Path) -> None:
    store = PageCache(tmp_path)
    store.put("a", 200, TAG, b"x")
    with sqlite3.connect(store.path) as db:
        db.execute("update pages set body = x'00'")
    db.close()
    assert store.get("a") is None
    store.path.write_bytes(b"not a database, but long enough to be seen as none" * 100)
    for name in ("-wal", "-shm"):
        Path(f"{store.path}{name}").unlink(missing_ok=True)
    assert store.get("a") is None
    store.put("a", 200, TAG, b"x")
    with pytest.raises(OptionError, match="cannot be used"):
        PageCache(tmp_path)
