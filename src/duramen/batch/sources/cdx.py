"""Lists of records in archives: CDX, CDXJ, or one ``FILE OFFSET LENGTH [URL]`` per line. Only these ranges are read."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from itertools import islice

from duramen.batch.records import Damage, Item
from duramen.batch.shards import Last, Reading, Shard, cuts
from duramen.batch.sources import jsonl
from duramen.batch.sources.ranges import Place, archive_path, read_places
from duramen.batch.storage import size_of
from duramen.errors import BatchError

BYTES_PER_SHARD = 200_000
"""About a thousand lines."""
_USUAL = tuple("NbamskrMSVg")
"""The fields of a line of CDX: ``a`` is the address, ``S`` the length, ``V`` the offset and ``g`` the archive."""
_PLAIN = re.compile(r"(\S+)[ \t]+(\d+)[ \t]+(\d+)(?:[ \t]+(\S+))?$")


def plan(path: str, step: int, reading: Reading) -> Iterator[Shard]:
    size = size_of(path)
    if missing := [letter for letter in "gVS" if letter not in _fields(path)]:
        raise BatchError(
            f"{path}: its lines do not say where records begin and end: there is no field {missing[0]} in its header;"
            " use the archives themselves, or an index that has it, such as CDXJ"
        )
    if path.lower().endswith(".gz"):
        yield Shard("cdx", path, end=size)
    else:
        yield from (Shard("cdx", path, begin=b, end=e) for b, e in cuts(size, BYTES_PER_SHARD))


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    return read_places(islice(_places(shard), start, None), reading)


def _fields(path: str) -> tuple[str, ...]:
    """The fields of a list's lines, by the letters in its first line; the usual ones if it does not begin with such."""
    first = next((line for _, line in jsonl.lines(Shard("cdx", path, end=1))), b"")
    words = first.decode("utf-8", "replace").split() if isinstance(first, bytes) else []
    return tuple(words[1:]) if words[:1] == ["CDX"] else _USUAL


def _places(shard: Shard) -> Iterator[Place]:
    fields = _fields(shard.path)
    for at, line in jsonl.lines(shard):
        here = f"{shard.source}#{at}"
        if isinstance(line, Damage):
            yield Place(here, at, shard, fault=line)
        elif not line.lstrip().startswith((b"CDX ", b"!meta", b"#")):
            found = parse_line(line.decode("utf-8", "replace"), fields)
            if found is None:
                message = "not a line of CDX, CDXJ or FILE OFFSET LENGTH"
                fault = Damage(message, here, None, shard.source, at, "unreadable")
                yield Place(here, at, shard, fault=fault)
            else:
                yield Place(here, at, shard, *found)


def archives(path: str, reading: Reading) -> Iterator[str]:
    """The archives named in a list, each once."""
    seen: set[str] = set()
    fields = _fields(path)
    for _, line in jsonl.lines(Shard("cdx", path, end=size_of(path))):
        found = None if isinstance(line, Damage) else parse_line(line.decode("utf-8", "replace"), fields)
        if found is not None and found[0] not in seen:
            seen.add(found[0])
            yield archive_path(Place("", 0, Shard("cdx", path), found[0]), reading) or ""


def parse_line(line: str, fields: tuple[str, ...] = _USUAL) -> tuple[str, int, int, str | None] | None:
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
        # Otherwise the brace is part of an address.
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            data = json.loads(line[brace:])
            return str(data["filename"]), int(data["offset"]), int(data["length"]), data.get("url")
    if match := _PLAIN.match(line):
        return match[1], int(match[2]), int(match[3]), match[4]
    values = line.split()
    found = dict(zip(fields, values, strict=False)) if len(values) == len(fields) else {}
    if found.get("V", "").isdecimal() and found.get("S", "").isdecimal() and "g" in found:
        return found["g"], int(found["V"]), int(found["S"]), found.get("a")
    return None
