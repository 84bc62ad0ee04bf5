"""Duplicate pages: exact ones by hash, near ones by MinHash (rensa) and locality-sensitive bands.

Workers compute the signatures; when all shards are done they are sorted and compared. A page is a duplicate of the
first similar page in input order, so the result does not depend on which worker was faster.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.batch.job import Job
from duramen.batch.sinks import read_table, suffix_of, write_table
from duramen.batch.storage import Folder
from duramen.errors import MissingExtra

SIGNATURES = "run/signatures"
PERMUTATIONS, BANDS = 64, 16
"""16 bands of 4: pages that share half of their shingles are compared; almost all that share 0.8 are found."""
SIMILAR = 0.8
"""Pages are near duplicates from this share of equal shingles on, as estimated from the signatures."""
SHINGLE = 3
MOST_SHINGLES = 20_000
_COLUMNS = {"id": "string", "url": "string", "duplicate_of": "string", "kind": "string", "similarity": "float"}
_ROW = np.dtype([("hash", "<u8"), ("signature", "<u4", (PERMUTATIONS,))])


def signature(text: str) -> str:
    """A text's MinHash in hexadecimal; empty for a text without words."""
    try:
        from rensa import RMinHash
    except ImportError as error:
        raise MissingExtra("batch", "marking near duplicates") from error
    pieces = shingles(text)
    if not pieces:
        return ""
    made = RMinHash(num_perm=PERMUTATIONS, seed=1)
    made.update(pieces)
    return np.array(made.digest(), dtype="<u4").tobytes().hex()


def shingles(text: str) -> list[str]:
    """Runs of three words, or of eight characters in scripts without spaces between words.

    >>> shingles("Oaks live very long")
    ['oaks live very', 'live very long']
    """
    words = text.casefold().split()
    if not words:
        return []
    if sum(map(len, words)) > 20 * len(words):
        joined = "".join(words)
        return [joined[i : i + 8] for i in range(min(max(1, len(joined) - 7), MOST_SHINGLES))]
    return [" ".join(words[i : i + SHINGLE]) for i in range(min(max(1, len(words) - SHINGLE + 1), MOST_SHINGLES))]


def write_signatures(folder: Folder, part: str, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows unchanged, and write their signatures to a file of their own."""
    kept: list[tuple[int, bytes]] = []
    for row in rows:
        signed = bytes.fromhex(row.pop("_signature", "")) or bytes(4 * PERMUTATIONS)
        kept.append((int(row["content_hash"] or "0", 16), signed))
        yield row
    table = np.zeros(len(kept), _ROW)
    table["hash"] = [hash_ for hash_, _ in kept]
    if kept:
        table["signature"] = np.frombuffer(b"".join(s for _, s in kept), "<u4").reshape(-1, PERMUTATIONS)
    data = io.BytesIO()
    np.save(data, table)
    folder.write(f"{SIGNATURES}/{part}.npy", data.getvalue())


def merge(folder: Folder, job: Job) -> None:
    """Compare all pages and write the table of duplicates."""
    names = folder.names(SIGNATURES, ".npy")
    parts = [np.load(io.BytesIO(folder.read(f"{SIGNATURES}/{name}"))) for name in names]
    table = np.concatenate(parts) if parts else np.zeros(0, _ROW)
    first = first_alike(table["hash"], table["signature"])
    wanted = np.flatnonzero(first != np.arange(len(first)))
    needed = set(wanted.tolist()) | set(first[wanted].tolist())
    where = "index" if job.format == "folder" else "pages"
    known: dict[int, tuple[str, str | None]] = {}
    at = 0
    for name in names:
        for row in read_table(folder, f"{where}/{name.removesuffix('.npy')}{suffix_of(job)}", ("id", "url")):
            if at in needed:
                known[at] = row["id"], row["url"]
            at += 1
    write_table(folder, "duplicates", _COLUMNS, _described(table, first, wanted, known), job)


def _described(
    table: NDArray[Any], first: NDArray[np.int64], wanted: NDArray[np.int64], known: dict[int, tuple[str, str | None]]
) -> Iterator[dict[str, Any]]:
    for at in wanted.tolist():
        original = int(first[at])
        exact = bool(table["hash"][at] == table["hash"][original])
        similarity = 1.0 if exact else _similarity(table["signature"], at, original)
        id_, url = known[at]
        kind = "exact" if exact else "near"
        yield {"id": id_, "url": url, "duplicate_of": known[original][0], "kind": kind, "similarity": similarity}


def first_alike(hashes: NDArray[Any], signatures: NDArray[Any]) -> NDArray[np.int64]:
    """For each page the first page that is similar, directly or through others; itself if there is none."""
    count = len(hashes)
    root = np.arange(count, dtype=np.int64)
    _join_equal(root, hashes, np.flatnonzero(hashes != 0), None)
    # One page represents all that are exactly equal.
    alone = np.flatnonzero((root == np.arange(count)) & (hashes != 0))
    width = PERMUTATIONS // BANDS
    for band in range(BANDS):
        columns = np.ascontiguousarray(signatures[:, band * width : (band + 1) * width])
        keys = columns.view(np.dtype((np.void, columns.dtype.itemsize * width))).ravel() if count else hashes
        _join_equal(root, keys, alone, signatures)
    for at in range(count):
        # A root never comes after its page, so one pass from the front resolves all.
        root[at] = root[root[at]]
    return root


def _join_equal(
    root: NDArray[np.int64], keys: NDArray[Any], among: NDArray[np.int64], check: NDArray[Any] | None
) -> None:
    """Join pages with equal keys to the first of them; with ``check`` only those whose signatures are similar."""
    if len(among) == 0:
        return
    _, group = np.unique(keys[among], return_inverse=True)
    order = np.argsort(group, kind="stable")
    ordered, groups = among[order], group[order]
    starts = np.concatenate(([0], np.flatnonzero(np.diff(groups)) + 1))
    leader = np.repeat(ordered[starts], np.diff(np.concatenate((starts, [len(ordered)]))))
    for at, head in zip(ordered[ordered != leader].tolist(), leader[ordered != leader].tolist(), strict=True):
        if check is None or _similarity(check, at, head) >= SIMILAR:
            _join(root, at, head)


def _join(root: NDArray[np.int64], one: int, other: int) -> None:
    ends = []
    for at in (one, other):
        while root[at] != at:
            at = int(root[at])
        ends.append(at)
    root[max(ends)] = min(ends)


def _similarity(signatures: NDArray[Any], one: int, other: int) -> float:
    return round(float(np.mean(signatures[one] == signatures[other])), 4)
