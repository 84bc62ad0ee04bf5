"""Records at known places in archives. Ranges of remote archives are read ahead, several at once."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from duramen.batch.input_files import joined
from duramen.batch.records import Damage, Item, Record, Skip
from duramen.batch.shards import Reading, Shard
from duramen.batch.sources.warc import ShardReader
from duramen.batch.storage import is_remote, public_address, read_range

AHEAD = 16
"""Ranges that are read at once: a request to an object store takes longer than extracting the page."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a list says a record is, or that the entry says nothing readable."""

    id: str
    at: int
    """The place in the list."""
    shard: Shard
    name: str | None = None
    offset: int | None = None
    length: int | None = None
    url: str | None = None
    carried: bytes = b""
    fault: Damage | None = None


def read_places(places: Iterator[Place], reading: Reading) -> Iterator[Item]:
    """The page at each place, in order."""
    pool = ThreadPoolExecutor(AHEAD)
    waiting: deque[tuple[Place, Future[bytes | OSError] | None]] = deque()
    try:
        for place in places:
            path = archive_path(place, reading)
            remote = place.fault is None and path is not None and is_remote(path)
            waiting.append((place, pool.submit(_data, place, reading) if remote else None))
            if len(waiting) > AHEAD or not remote:
                while len(waiting) > (AHEAD if remote else 0):
                    yield _item(*waiting.popleft(), reading)
        while waiting:
            yield _item(*waiting.popleft(), reading)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def archive_path(place: Place, reading: Reading) -> str | None:
    """The path or address of the place's archive."""
    name = place.name
    if name is None or is_remote(name) or name.startswith("/"):
        return name
    return joined(place.shard.path, name, reading.archives)


def _data(place: Place, reading: Reading) -> bytes | OSError:
    path = archive_path(place, reading)
    try:
        return read_range(path or "", place.offset or 0, min(place.length or 0, 4 * reading.max_bytes))
    except OSError as error:
        return error


def _item(place: Place, coming: Future[bytes | OSError] | None, reading: Reading) -> Item:
    """The page at a place."""
    if place.fault is not None:
        return place.fault
    path, offset, length = archive_path(place, reading), place.offset, place.length
    if path is None or offset is None or length is None or offset < 0 or length <= 0:
        message = "names no archive, offset and length"
        return Damage(message, place.id, place.url, place.shard.source, place.at, "unreadable")
    source = public_address(path) if is_remote(path) else place.name or ""
    data = coming.result() if coming is not None else _data(place, reading)
    if isinstance(data, OSError):
        message = f"{source}: {data.strerror or data}"
        return Damage(message, place.id, place.url, source, offset, "unreadable")
    if len(data) < min(length, 4 * reading.max_bytes):
        return Damage(f"cut off after {len(data):,} of {length:,} bytes", place.id, place.url, source, offset)
    inside = Shard("warc", path, end=length, source=source)
    for item in ShardReader(io.BytesIO(data), inside, reading).items(0, None):
        if isinstance(item, Record):
            return replace(item, source=source, offset=offset, carried=place.carried)
        if isinstance(item, Damage):
            return Damage(item.message, item.id or place.id, item.url or place.url, source, offset)
        return Skip(item.reason, item.id, place.at)
    return Damage("no response record at this place", place.id, place.url, source, offset)
