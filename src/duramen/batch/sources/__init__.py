"""Input formats, one module each.

Each has ``plan(path, step, reading)``, which cuts an input into shards, and ``read(shard, reading, start, last)``,
which yields a shard's items from number ``start`` on; ``last`` is the item before, for sources that can seek.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from duramen.batch.input_files import InputPath, with_distinct_sources
from duramen.batch.records import Damage, Item, Skip
from duramen.batch.shards import Last, Reading, Shard, numbered, shard_size
from duramen.batch.storage import is_remote, size_of
from duramen.errors import BatchError

_REQUESTS = 32
"""Remote files that are opened at once."""


def plan_shards(
    files: Sequence[InputPath], reading: Reading | None = None, size: int | None = None, first: int = 0
) -> list[Shard]:
    """All shards of all files, in order."""
    if not files:
        raise BatchError("there is nothing to read; name a file or folder")
    files = with_distinct_sources(files)
    several = sum(file.kind == "folder" for file in files) > 1
    with ThreadPoolExecutor(_REQUESTS if any(is_remote(file.path) for file in files) else 1) as pool:
        sizes = pool.map(lambda file: size_of(file.path) if file.kind in ("warc", "jsonl", "parquet") else 0, files)
        step = shard_size(sum(sizes), size)
        planned = pool.map(lambda file: _plan(file, step, reading or Reading(), several), files)
        return list(numbered((shard for shards in planned for shard in shards), first))


def _plan(file: InputPath, step: int, reading: Reading, several: bool) -> list[Shard]:
    shards: Iterator[Shard] = _module(file.kind).plan(file.path, step, reading)
    prefix = ""
    if file.kind == "folder" and several:
        # No two pages have one id: of a page that was named by itself, the name is the end of its source.
        alone = is_remote(file.path) or Path(file.path).is_file()
        prefix = file.source[: file.source.rfind("/") + 1] if alone else f"{file.source}/"
    return [replace(shard, source=file.source, prefix=prefix) for shard in shards]


def read_shard(shard: Shard, reading: Reading, start: int = 0, last: Last | None = None) -> Iterator[Item]:
    """The items of a shard, from number ``start`` on."""
    if shard.only:
        return _chosen(shard, reading, start)
    items: Iterator[Item] = _module(shard.kind).read(shard, reading, start, last)
    return items


def _chosen(shard: Shard, reading: Reading, start: int) -> Iterator[Item]:
    """The items that a shard retries, in order; one that is not found any more is damage, so that none is lost."""
    wanted = [number for number, _ in shard.only[start:]]
    if not wanted:
        return
    items: Iterator[Item] = _module(shard.kind).read(shard, reading, wanted[0], None)
    numbered_items = enumerate(items, wanted[0])
    for number in wanted:
        item = next((item for at, item in numbered_items if at == number), None)
        if item is None or isinstance(item, Skip):
            item = Damage("the page is not found there any more", "", None, shard.source, 0, "unreadable")
        yield item


def place_after(shard: Shard, last: Last | None) -> int:
    """Where the item after ``last`` begins, as far as that is known without reading it."""
    if shard.kind == "warc":
        from duramen.batch.sources import warc

        return warc.place_after(shard, last)
    return last.offset + 1 if last is not None else shard.begin


def _module(kind: str):  # type: ignore[no-untyped-def]
    return import_module(f"duramen.batch.sources.{kind}")
