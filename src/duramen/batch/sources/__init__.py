"""Input formats, one module each.

Each has ``plan(path, step)``, which cuts an input into shards, and ``read(shard, reading, start, last)``, which yields
a shard's items from number ``start`` on; ``last`` is the item before, for sources that can seek.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from duramen.batch.records import Item
from duramen.batch.shards import Last, Reading, Shard, numbered, shard_size
from duramen.batch.storage import is_remote, size_of
from duramen.errors import BatchError

SUFFIXES = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".wacz"),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst"),
    "parquet": (".parquet", ".pq"),
    "cdx": (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", ".offsets"),
    "urls": (".txt", ".urls"),
}
KINDS = ("folder", *SUFFIXES)


def kind_of(path: str) -> str:
    """The kind of an input, from its name."""
    name = path.partition("?")[0].lower()
    for kind, suffixes in SUFFIXES.items():
        if name.endswith(suffixes):
            return kind
    if not is_remote(path) and Path(path).is_dir():
        return "folder"
    if name.endswith((".html", ".htm", ".xhtml")):
        return "folder"
    known = ", ".join(s for suffixes in SUFFIXES.values() for s in suffixes)
    raise BatchError(f"{path}: unknown kind of input; name the kind with --from, or use a name that ends in {known}")


def expand(path: str, kind: str | None) -> Iterator[tuple[str, str]]:
    """The files of an input, with their kinds: a folder of archives expands to the archives in it."""
    if is_remote(path) or kind not in (None, "folder"):
        yield path, kind or kind_of(path)
        return
    if not Path(path).exists():
        raise BatchError(f"{path}: there is no such file or folder")
    if kind is None and Path(path).is_dir():
        known = tuple(s for name, suffixes in SUFFIXES.items() if name != "urls" for s in suffixes)
        found = sorted(file.name for file in Path(path).iterdir() if file.name.lower().endswith(known))
        if found:
            yield from ((str(Path(path, name)), kind_of(name)) for name in found)
            return
    yield path, kind or kind_of(path)


def plan_shards(inputs: Sequence[str], kind: str | None = None, size: int | None = None) -> list[Shard]:
    """All shards of all inputs, in order."""
    files = [file for path in inputs for file in expand(path, kind)]
    if not files:
        raise BatchError("there is nothing to read; name a file or folder")
    total = sum(size_of(path) for path, of in files if of in ("warc", "jsonl", "parquet"))
    step = shard_size(total, size)
    shards = (shard for path, of in files for shard in _module(of).plan(path, step))
    return list(numbered(shards))


def read_shard(shard: Shard, reading: Reading, start: int = 0, last: Last | None = None) -> Iterator[Item]:
    """The items of a shard, from number ``start`` on."""
    items: Iterator[Item] = _module(shard.kind).read(shard, reading, start, last)
    return items


def place_after(shard: Shard, last: Last | None) -> int:
    """Where the item after ``last`` begins, as far as that is known without reading it."""
    if shard.kind == "warc":
        from duramen.batch.sources import warc

        return warc.place_after(shard, last)
    return last.offset + 1 if last is not None else shard.begin


def _module(kind: str):  # type: ignore[no-untyped-def]
    return import_module(f"duramen.batch.sources.{kind}")
