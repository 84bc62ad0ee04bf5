"""Shards: the pieces of a run's input. They depend on the input alone, so output never depends on workers or engine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

MEGABYTE = 1_000_000
SMALLEST, LARGEST, WANTED = 8 * MEGABYTE, 128 * MEGABYTE, 64
"""The shard size aims at ``WANTED`` shards, within these bounds: small inputs keep all workers busy, and large ones
do not become many small files."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One piece of the input; it becomes one part of the output."""

    kind: str
    """The source's name: ``warc``, ``folder``, ``jsonl``, ``parquet``, ``cdx`` or ``urls``."""
    path: str
    number: int = 0
    begin: int = 0
    end: int = 0
    """A half-open range, ``begin`` to ``end``, of bytes, rows or row groups, depending on the source."""
    names: tuple[str, ...] = ()
    """The files of a folder, or the addresses of a list of URLs."""
    base: int = 0
    """Where the archive begins inside ``path``, if it is packed in another file."""
    length: int = 0
    """The length of that archive."""
    only: tuple[tuple[int, str], ...] = ()
    """The numbers of the items to process, with the codes of their failures, if the shard retries another's."""
    retries: int = 0
    """The number of the shard whose failures these are."""
    source: str = ""
    """What rows name as their source: ``path`` is absolute."""
    prefix: str = ""
    """What the ids of a folder's pages begin with, if the run has more than one folder."""

    @property
    def part(self) -> str:
        return f"part-{self.number:05}"

    @property
    def weight(self) -> int:
        """The amount of work, in a unit that all shards of one source share."""
        return len(self.only) or len(self.names) or self.end - self.begin

    def to_json(self) -> str:
        # In ASCII: names of files may hold bytes that no encoding can write.
        return json.dumps({k: v for k, v in asdict(self).items() if v or k in ("kind", "path")})

    @classmethod
    def from_json(cls, line: str | bytes) -> Shard:
        data: dict[str, Any] = json.loads(line)
        known = {f.name for f in fields(cls)}
        data = {name: value for name, value in data.items() if name in known}
        only = tuple((int(item), str(code)) for item, code in data.get("only", ()))
        return cls(**{**data, "names": tuple(data.get("names", ())), "only": only})


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read."""

    html_column: str = "html"
    url_column: str = "url"
    id_column: str = "id"
    archives: str = ""
    """The folder or address that the file names of a CDX or offset list are relative to."""
    carried: str = ""
    """The input's own columns to carry through, as found when the run was planned; see ``carried.py``."""
    max_bytes: int = 16_000_000
    """At most this much of a page is read, plus one byte, which shows that there is more."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last item a journal holds: where it began, and its id."""

    offset: int
    id: str


def numbered(shards: Iterable[Shard], first: int = 0) -> Iterator[Shard]:
    for number, shard in enumerate(shards, first):
        yield replace(shard, number=number)


def shard_size(total: int, wanted: int | None) -> int:
    """The size of shards, in bytes, for an input of ``total`` bytes."""
    return wanted or min(max(total // WANTED, SMALLEST), LARGEST)


def cuts(size: int, step: int) -> Iterator[tuple[int, int]]:
    """Ranges that cover ``size``; a small remainder is added to the last.

    >>> list(cuts(25, 10))
    [(0, 10), (10, 25)]
    """
    count = max(1, size // step)
    for i in range(count):
        yield i * step, size if i == count - 1 else (i + 1) * step
