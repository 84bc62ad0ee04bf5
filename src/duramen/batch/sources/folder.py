"""Folders of HTML files, plain or gzipped. A page has an address only if its file name contains one."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from duramen.batch.input_files import PAGE_SUFFIXES
from duramen.batch.records import Damage, Item, Record
from duramen.batch.shards import Last, Reading, Shard
from duramen.batch.storage import is_remote, open_input
from duramen.errors import BatchError

PER_SHARD = 500


def plan(path: str, step: int, reading: Reading) -> Iterator[Shard]:
    """Files in the order of their names; ``step`` is not used, because files are counted."""
    if is_remote(path) or Path(path).is_file():
        head, _, name = path.rpartition("/")
        yield Shard("folder", head or ".", names=(name,), length=1)
        return
    names = page_names(path)
    if not names:
        raise BatchError(f"{path}: no file in it ends in {', '.join(PAGE_SUFFIXES)}")
    for at in range(0, len(names), PER_SHARD):
        yield Shard("folder", path, names=tuple(names[at : at + PER_SHARD]))


def page_names(path: str) -> list[str]:
    """The pages in a folder and below it, relative to it, in order."""
    return sorted(_names(Path(path)))


def _names(folder: Path) -> Iterator[str]:
    unreadable: list[OSError] = []
    for at, _, files in os.walk(folder, onerror=unreadable.append):
        for name in files:
            if name.lower().endswith(PAGE_SUFFIXES):
                yield Path(at, name).relative_to(folder).as_posix()
    if unreadable:
        error = unreadable[0]
        raise BatchError(f"{error.filename}: {error.strerror}")


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    for number, name in enumerate(shard.names[start:], start):
        path = f"{shard.path}/{name}"
        # A file that was named by itself is its own source.
        source = shard.source if shard.length else f"{shard.source}/{name}"
        try:
            body = _body(path, reading.max_bytes + 1)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            yield Damage(reason, shard.prefix + name, None, source, number, "unreadable")
        else:
            yield Record(shard.prefix + name, body, None, None, source, number)


def _body(path: str, most: int) -> bytes:
    with open_input(path) as file:
        if path.lower().endswith(".gz"):
            with gzip.GzipFile(fileobj=file) as unpacked:
                return unpacked.read(most)
        return file.read(most)
