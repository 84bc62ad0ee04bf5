"""JSON Lines with a column for HTML: plain (read in ranges), gzip or zstd (read from the beginning)."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import IO, Any, cast

from duramen.batch.carried import CarriedColumns, valid_text
from duramen.batch.records import Damage, Item, Record
from duramen.batch.shards import Last, Reading, Shard, cuts
from duramen.batch.storage import open_input, size_of, zstd

SAMPLE = 1000
"""Lines of each file that are read to learn its keys."""


def plan(path: str, step: int, reading: Reading) -> Iterator[Shard]:
    size = size_of(path)
    if path.lower().endswith((".gz", ".zst")):
        yield Shard("jsonl", path, end=size)
        return
    yield from (Shard("jsonl", path, begin=b, end=e) for b, e in cuts(size, step))


def columns(path: str) -> dict[str, Any]:
    """The keys in the first lines of a file, as columns of text."""
    import pyarrow

    keys: dict[str, None] = {}
    for _, line in islice(lines(Shard("jsonl", path, end=1 << 62)), SAMPLE):
        try:
            row = json.loads(line) if isinstance(line, bytes) else None
        except (ValueError, RecursionError):
            continue
        keys |= dict.fromkeys(row) if isinstance(row, dict) else {}
    return {valid_text(key): pyarrow.string() for key in keys}


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    carried = CarriedColumns(reading.carried) if reading.carried else None
    for number, (offset, line) in enumerate(lines(shard, 8 * reading.max_bytes)):
        if number >= start:
            yield page(line, f"{shard.source}#{offset}", shard.source, offset, reading, carried)


def lines(shard: Shard, most: int = 1 << 27) -> Iterator[tuple[int, bytes | Damage]]:
    """The lines that begin in the shard's range, with their offsets; empty lines are left out."""
    with open_input(shard.path) as raw, unpacked(shard.path, raw) as file:
        at = shard.begin
        whole = file is not raw
        broken = (OSError, EOFError, zlib.error, *((zstd().ZstdError,) if shard.path.endswith(".zst") else ()))
        if at:
            # A line belongs to the range in which it begins: an unfinished one here is the previous shard's.
            file.seek(at - 1)
            at += len(file.readline()) - 1
        while whole or at < shard.end:
            try:
                line = file.readline(most)
            except broken as error:
                yield at, Damage(str(error), f"{shard.source}#{at}", None, shard.source, at)
                return
            if not line:
                return
            if line.strip():
                yield at, line
            at += len(line)


def unpacked(path: str, file: IO[bytes]) -> IO[bytes]:
    """The decompressed stream, if the file name has a suffix of a compressed format."""
    name = path.lower()
    if name.endswith(".gz"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if name.endswith(".zst"):
        return cast("IO[bytes]", zstd().ZstdFile(file))
    return file


def page(
    line: bytes | Damage,
    default_id: str,
    source: str,
    offset: int,
    reading: Reading,
    carried: CarriedColumns | None = None,
) -> Record | Damage:
    """One line as a page."""
    if isinstance(line, Damage):
        return line
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Damage(f"not JSON: {error}", default_id, None, source, offset, "unreadable")
    if not isinstance(row, dict):
        return Damage("not a JSON object", default_id, None, source, offset, "unreadable")
    found = page_of(row, default_id, source, offset, reading)
    if carried is None or isinstance(found, Damage):
        return found
    used = {reading.html_column, reading.url_column, reading.id_column}
    try:
        return replace(found, carried=carried.pack_row(row, used))
    except RecursionError:
        return Damage("a value is nested too deeply", found.id, found.url, source, offset, "unreadable")


def page_of(row: dict[str, Any], default_id: str, source: str, offset: int, reading: Reading) -> Record | Damage:
    """A row of a table as a page."""
    html, url, id_ = row.get(reading.html_column), row.get(reading.url_column), row.get(reading.id_column)
    id_ = default_id if id_ is None else valid_text(str(id_))
    url = None if url is None else valid_text(str(url))
    if not isinstance(html, (str, bytes)):
        what = "is missing or null" if html is None else f"holds {type(html).__name__}, not text or bytes"
        return Damage(f"column {reading.html_column!r} {what}", id_, url, source, offset, "unreadable")
    return Record(id_, html[: reading.max_bytes + 1], url, None, source, offset)
