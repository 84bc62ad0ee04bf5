"""Lists of records in archives: CDX, CDXJ, or one ``FILE OFFSET LENGTH [URL]`` per line. Only these ranges are read."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator

from duramen.batch.records import Damage, Item, Record, Skip
from duramen.batch.shards import Last, Reading, Shard, cuts
from duramen.batch.sources import jsonl
from duramen.batch.sources.warc import ShardReader
from duramen.batch.storage import is_remote, open_input, size_of

BYTES_PER_SHARD = 200_000
"""About a thousand lines."""
_PLAIN = re.compile(r"(\S+)[ \t]+(\d+)[ \t]+(\d+)(?:[ \t]+(\S+))?$")


def plan(path: str, step: int) -> Iterator[Shard]:
    size = size_of(path)
    if path.lower().endswith(".gz"):
        yield Shard("cdx", path, end=size)
    else:
        yield from (Shard("cdx", path, begin=b, end=e) for b, e in cuts(size, BYTES_PER_SHARD))


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    number = 0
    for offset, line in jsonl.lines(shard):
        if isinstance(line, bytes) and line.lstrip().startswith((b"CDX ", b"!meta", b"#")):
            continue
        if number >= start:
            yield _record(line, offset, shard, reading)
        number += 1


def archives(path: str, reading: Reading) -> Iterator[str]:
    """The archives named in a list, each once."""
    seen: set[str] = set()
    for _, line in jsonl.lines(Shard("cdx", path, end=size_of(path))):
        found = None if isinstance(line, Damage) else parse_line(line.decode("utf-8", "replace"))
        if found is not None and found[0] not in seen:
            seen.add(found[0])
            yield _archive_path(found[0], path, reading)


def parse_line(line: str) -> tuple[str, int, int, str | None] | None:
    """File, offset, length and address of a line.

    >>> parse_line("com,example)/ 20260101000000 "
    ...            '{"url": "https://example.com/", "filename": "a.warc.gz", "offset": "7", "length": "90"}')
    ('a.warc.gz', 7, 90, 'https://example.com/')
    >>> parse_line("a.warc.gz 7 90 https://example.com/")
    ('a.warc.gz', 7, 90, 'https://example.com/')
    """
    line = line.strip()
    brace = line.find("{")
    if brace >= 0:
        try:
            data = json.loads(line[brace:])
            return str(data["filename"]), int(data["offset"]), int(data["length"]), data.get("url")
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
    if match := _PLAIN.match(line):
        return match[1], int(match[2]), int(match[3]), match[4]
    fields = line.split()
    # CDX of 11 fields: … length offset file; the third is the address.
    if len(fields) == 11 and fields[8].isdigit() and fields[9].isdigit():
        return fields[10], int(fields[9]), int(fields[8]), fields[2]
    return None


def _record(line: bytes | Damage, at: int, shard: Shard, reading: Reading) -> Item:
    """The page a line points to."""
    if isinstance(line, Damage):
        return line
    here = f"{shard.path}#{at}"
    found = parse_line(line.decode("utf-8", "replace"))
    if found is None:
        return Damage("not a line of CDX, CDXJ or FILE OFFSET LENGTH", here, None, shard.path, at, "unreadable")
    name, offset, length, url = found
    path = _archive_path(name, shard.path, reading)
    try:
        with open_input(path) as file:
            file.seek(offset)
            data = file.read(min(length, 4 * reading.max_bytes))
    except OSError as error:
        return Damage(f"{path}: {error.strerror or error}", here, url, path, offset, "unreadable")
    if len(data) < length:
        return Damage(f"cut off after {len(data):,} of {length:,} bytes", here, url, path, offset)
    inside = Shard("warc", path, end=length)
    for item in ShardReader(io.BytesIO(data), inside, reading).items(0, None):
        if isinstance(item, Record):
            return Record(item.id, item.body, item.url, item.content_type, path, offset)
        if isinstance(item, Damage):
            return Damage(item.message, item.id or here, item.url or url, path, offset)
        return Skip(item.reason, item.id, at)
    return Damage("no response record at this place", here, url, path, offset)


def _archive_path(name: str, listed_in: str, reading: Reading) -> str:
    if is_remote(name) or name.startswith("/"):
        return name
    base = reading.archives or listed_in.rpartition("/")[0] or "."
    return f"{base.rstrip('/')}/{name}"
