"""Shards: the pieces a run is cut into, by the input alone, so that output never depends on workers or engine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

MEGABYTE = 1_000_000
SMALLEST, LARGEST, WANTED = 8 * MEGABYTE, 128 * MEGABYTE, 64
"""Shards are so large that there are about ``WANTED``, within these bounds: small inputs keep all workers busy,
large ones do not become a heap of small files."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One piece of the input; it becomes one part of the output."""

    kind: str
    """The source's name: ``warc``, ``folder``, ``jsonl``, ``parquet``, ``cdx`` or ``urls``."""
    path: str
    number: int = 0
    begin: int = 0
    end: int = 0
    """Bytes, rows or row groups from ``begin`` to before ``end``, as the source counts."""
    names: tuple[str, ...] = ()
    """The files, for a folder; the addresses, for a list of URLs."""
    base: int = 0
    """Where the archive begins inside ``path``, for one that is packed in another file."""
    length: int = 0
    """How long that archive is."""

    @property
    def part(self) -> str:
        return f"part-{self.number:05}"

    @property
    def weight(self) -> int:
        """How much work it is, in a unit that all shards of one source share."""
        return len(self.names) or self.end - self.begin

    def to_json(self) -> str:
        return json.dumps({k: v for k, v in asdict(self).items() if v or k in ("kind", "path")}, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str | bytes) -> Shard:
        data: dict[str, Any] = json.loads(line)
        known = {f.name for f in fields(cls)}
        data = {name: value for name, value in data.items() if name in known}
        return cls(**{**data, "names": tuple(data.get("names", ()))})


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read."""

    html_column: str = "html"
    url_column: str = "url"
    id_column: str = "id"
    archives: str = ""
    """The folder or address that the file names of a CDX or offset list are relative to."""
    max_bytes: int = 16_000_000
    """Of a page longer than this, only so much (and one byte, to show that more was there) is read."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last item a journal holds: where it began, and its id."""

    offset: int
    id: str


def numbered(shards: Iterable[Shard]) -> Iterator[Shard]:
    for number, shard in enumerate(shards):
        yield replace(shard, number=number)


def shard_size(total: int, wanted: int | None) -> int:
    """Bytes a shard should have, for an input of so many."""
    return wanted or min(max(total // WANTED, SMALLEST), LARGEST)


def cuts(size: int, step: int) -> Iterator[tuple[int, int]]:
    """Ranges that cover ``size``; the last takes a small rest with it.

    >>> list(cuts(25, 10))
    [(0, 10), (10, 25)]
    """
    count = max(1, size // step)
    for i in range(count):
        yield i * step, size if i == count - 1 else (i + 1) * step
