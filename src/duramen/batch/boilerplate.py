"""Blocks that repeat across the pages of a host: evidence that they are its chrome, not a page's content.

A survey first reads all pages and counts, for each host, on how many different pages each longer block occurs. The
counts are merged in sorted order, so they depend on the input alone. Pages without an address are not surveyed.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from duramen.batch.checkpoint import Report
from duramen.batch.job import Job
from duramen.batch.journal import FAILURE, ROW, SKIP, Journal
from duramen.batch.records import Item, Record
from duramen.batch.shards import Shard
from duramen.batch.storage import Folder
from duramen.blocks import segment
from duramen.flatten import parse_tree
from duramen.options import Options
from duramen.read.decode import decode

SURVEY, TABLE = "run/survey", "run/repeated.npy"
LEAST_CHARS = 25
"""Shorter blocks repeat by chance, and the judge knows the usual ones anyway."""
LEAST_PAGES = 5
"""A host with fewer pages gives no evidence."""
LEAST_COUNT, LEAST_SHARE = 3, 0.2
"""A block counts as repeated when at least this many, and at least this share, of the host's pages contain it."""
_BUCKETS = 64
_BLOCK = np.dtype([("host", "<u8"), ("block", "<u8"), ("count", "<u4")])
_REPEATED = np.dtype([("key", "<u8"), ("share", "<f4")])


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def host_of(url: str | None) -> str:
    try:
        return (urlsplit(url or "").hostname or "").lower()
    except ValueError:
        return ""


def block_digests(texts: Sequence[str]) -> list[int]:
    """A digest of each block that is long enough, 0 for the others."""
    return [_digest(text) if len(text) >= LEAST_CHARS else 0 for text in texts]


def page_blocks(record: Record, options: Options) -> list[str]:
    """The texts of a page's blocks, as the engine will see them."""
    html = (record.body or b"")[: options.limits.max_bytes]
    text = html if isinstance(html, str) else decode(html, options.encoding, record.content_type)[0]
    return segment(parse_tree(text, options.limits.max_nodes)).text


class Survey:
    """A worker's task on the items of a shard during the survey."""

    def __init__(self, job: Job, shard: Shard) -> None:
        self.job, self.shard = job, shard

    def frame(self, item: Item, number: int) -> tuple[int, bytes, str]:
        if not isinstance(item, Record):
            return SKIP, b"", "skipped"
        host = host_of(item.url)
        if item.body is None or not host:
            return SKIP, b"", "skipped"
        try:
            digests = block_digests(page_blocks(item, self.job.options))
        except Exception:  # extracting the page later reports the error
            return FAILURE, b"", "error"
        data = np.array([_digest(host), *sorted({d for d in digests if d})], "<u8")
        return ROW, data.tobytes(), "good"

    def commit(self, journal: Journal, read: int) -> Report:
        """Write the shard's counts: one row per host and block; block 0 counts the host's pages."""
        seen: set[bytes] = set()
        counts: Counter[tuple[int, int]] = Counter()
        for frame in journal.frames():
            # The same page under two addresses is one page.
            if frame.kind == ROW and frame.payload not in seen:
                seen.add(frame.payload)
                host, *blocks = np.frombuffer(frame.payload, "<u8").tolist()
                counts.update((host, block) for block in (0, *blocks))
        table = np.array([(host, block, n) for (host, block), n in sorted(counts.items())], _BLOCK)
        folder = Folder(self.job.output)
        folder.write(f"{SURVEY}/{self.shard.part}.npy", _saved(table))
        report = Report(self.shard.part, read)
        folder.write(f"{SURVEY}/{self.shard.part}.json", report.to_json().encode())
        return report


def _saved(table: NDArray[Any]) -> bytes:
    data = io.BytesIO()
    np.save(data, table)
    return data.getvalue()


def surveyed_parts(folder: Folder) -> set[str]:
    return {name.removesuffix(".json") for name in folder.names(SURVEY, ".json")}


def merge(folder: Folder) -> None:
    """Add up the counts of all shards, one range of hosts at a time, and keep the blocks that repeat."""
    names = folder.names(SURVEY, ".npy")
    found = [_repeated(_bucket(folder, names, bucket)) for bucket in range(_BUCKETS)]
    table = np.concatenate(found) if found else np.zeros(0, _REPEATED)
    folder.write(TABLE, _saved(np.sort(table, order="key")))


def _bucket(folder: Folder, names: Sequence[str], bucket: int) -> NDArray[Any]:
    """The counts of the hosts whose digests are in one range."""
    width = (1 << 64) // _BUCKETS
    pieces = []
    for name in names:
        if folder.remote:
            table = np.load(io.BytesIO(folder.read(f"{SURVEY}/{name}")))
        else:
            table = np.load(folder.path(f"{SURVEY}/{name}"), mmap_mode="r")
        first = np.searchsorted(table["host"], np.uint64(bucket * width))
        last = np.searchsorted(table["host"], np.uint64((bucket + 1) * width - 1), "right")
        pieces.append(np.array(table[first:last]))
    return np.concatenate(pieces) if pieces else np.zeros(0, _BLOCK)


def _repeated(table: NDArray[Any]) -> NDArray[Any]:
    if len(table) == 0:
        return np.zeros(0, _REPEATED)
    table = np.sort(table, order=("host", "block"))
    new = (table["host"][1:] != table["host"][:-1]) | (table["block"][1:] != table["block"][:-1])
    starts = np.concatenate(([0], np.flatnonzero(new) + 1))
    counts = np.add.reduceat(table["count"], starts)
    hosts, blocks = table["host"][starts], table["block"][starts]
    # Block 0 sorts first within each host: it counts the pages.
    pages = counts[np.flatnonzero(blocks == 0)][np.cumsum(blocks == 0) - 1]
    share = counts / pages
    kept = (blocks != 0) & (pages >= LEAST_PAGES) & (counts >= LEAST_COUNT) & (share >= LEAST_SHARE)
    result = np.zeros(int(kept.sum()), _REPEATED)
    result["key"], result["share"] = _key(hosts[kept], blocks[kept]), share[kept]
    return result


def _key(host: Any, block: Any) -> Any:
    """Host and block as one number."""
    return (host * np.uint64(0x9E3779B97F4A7C15)) ^ block


class RepeatedBlocks:
    """The result of the survey: which blocks repeat on the pages of which host."""

    def __init__(self, table: NDArray[Any]) -> None:
        self.keys, self.shares = np.ascontiguousarray(table["key"]), np.ascontiguousarray(table["share"])

    @classmethod
    def load(cls, folder: Folder) -> RepeatedBlocks:
        return cls(np.load(io.BytesIO(folder.read(TABLE))))

    def for_page(self, record: Record) -> Callable[[Sequence[str]], list[float]] | None:
        """A function from block texts to the share of the host's pages with each; ``None`` if the host is unknown."""
        host = host_of(record.url)
        if not host or len(self.keys) == 0:
            return None
        digest = np.uint64(_digest(host))

        def shares(texts: Sequence[str]) -> list[float]:
            blocks = np.array(block_digests(texts), "<u8")
            with np.errstate(over="ignore"):
                keys = _key(digest, blocks)
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            known = (self.keys[at] == keys) & (blocks != 0)
            return np.where(known, self.shares[at], 0.0).tolist()  # type: ignore[no-any-return]

        return shares
