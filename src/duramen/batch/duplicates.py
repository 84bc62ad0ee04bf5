"""Duplicate pages: exact ones by hash, near ones by MinHash (rensa) and locality-sensitive bands.

Workers compute the signatures; when all shards are done they are sorted and compared. A page is a duplicate of the
first similar page in input order, so the result does not depend on which worker was faster.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.batch.job import Job
from duramen.batch.sinks import suffix_of, write_table
from duramen.batch.storage import Folder, zstd
from duramen.errors import MissingExtra

SIGNATURES, DECISIONS = "run/signatures", "run/duplicates"
PERMUTATIONS, BANDS = 64, 16
"""16 bands of 4: pages that share half of their shingles are compared; almost all that share 0.8 are found."""
SIMILAR = 0.8
"""Pages are near duplicates from this share of equal shingles on, as estimated from the signatures."""
SHINGLE = 3
MOST_SHINGLES = 20_000
_COLUMNS = {"id": "string", "url": "string", "duplicate_of": "string", "kind": "string", "similarity": "float"}


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


class Signed(NamedTuple):
    """What is remembered of a row to compare it with others."""

    hash: str
    signature: str
    partition: str
    id: str
    url: str | None


def write_signatures(folder: Folder, part: str, signed: Sequence[Signed], job: Job) -> None:
    """Write what is to be compared of a part's rows, in the order of the input."""
    table = np.zeros(len(signed), _row(job))
    table["hash"] = [int(row.hash or "0", 16) for row in signed]
    if signed and job.drop_duplicates != "exact":
        packed = b"".join(bytes.fromhex(row.signature) or bytes(4 * PERMUTATIONS) for row in signed)
        table["signature"] = np.frombuffer(packed, "<u4").reshape(-1, PERMUTATIONS)
    data = io.BytesIO()
    np.save(data, table)
    names = json.dumps([(row.partition, row.id, row.url) for row in signed], ensure_ascii=False)
    folder.write(f"{SIGNATURES}/{part}.json.zst", zstd().compress(names.encode("utf-8", "replace")))
    folder.write(f"{SIGNATURES}/{part}.npy", data.getvalue())


def _row(job: Job) -> np.dtype[Any]:
    fields: list[Any] = [("hash", "<u8")]
    return np.dtype(fields if job.drop_duplicates == "exact" else [*fields, ("signature", "<u4", (PERMUTATIONS,))])


def merge(folder: Folder, job: Job) -> None:
    """Compare all pages; write which rows of each part are duplicates, and the table of all of them.

    What was decided about a part stays: pages that are retried later count as later pages.
    """
    parts = [name.removesuffix(".npy") for name in folder.names(SIGNATURES, ".npy")]
    decided = {name.removesuffix(".jsonl") for name in folder.names(DECISIONS, ".jsonl")}
    if set(parts) <= decided and folder.exists(f"duplicates{suffix_of(job)}"):
        return
    tables = [np.load(io.BytesIO(folder.read(f"{SIGNATURES}/{part}.npy"))) for part in parts]
    table = np.concatenate(tables) if tables else np.zeros(0, _row(job))
    signatures = table["signature"] if "signature" in (table.dtype.names or ()) else None
    first = first_alike(table["hash"], signatures)
    duplicates = np.flatnonzero(first != np.arange(len(first)))
    needed = set(duplicates.tolist()) | set(first[duplicates].tolist())
    places: dict[int, _Place] = {}
    begin = 0
    for part, rows in zip(parts, tables, strict=True):
        inside = needed.intersection(range(begin, begin + len(rows)))
        places |= _places(folder, part, begin, inside) if inside else {}
        begin += len(rows)
    begin = 0
    for part, rows in zip(parts, tables, strict=True):
        if part not in decided:
            mine = duplicates[(duplicates >= begin) & (duplicates < begin + len(rows))]
            lines = (json.dumps(_decision(at, int(first[at]), table, places)) for at in mine.tolist())
            folder.write(f"{DECISIONS}/{part}.jsonl", "".join(f"{line}\n" for line in lines).encode())
        begin += len(rows)
    write_table(folder, "duplicates", _COLUMNS, (row for part in parts for row in decisions(folder, part)), job)


class _Place(NamedTuple):
    partition: str
    row: int
    id: str
    url: str | None


def _places(folder: Folder, part: str, begin: int, wanted: set[int]) -> dict[int, _Place]:
    """Where some rows of a part are, with their ids and addresses."""
    names = json.loads(zstd().decompress(folder.read(f"{SIGNATURES}/{part}.json.zst")))
    counts: Counter[str] = Counter()
    found = {}
    for at, (partition, id_, url) in enumerate(names, begin):
        if at in wanted:
            found[at] = _Place(partition, counts[partition], id_, url)
        counts[partition] += 1
    return found


def _decision(at: int, original: int, table: NDArray[Any], places: Mapping[int, _Place]) -> dict[str, Any]:
    exact = bool(table["hash"][at] == table["hash"][original])
    similarity = 1.0 if exact else _similarity(table["signature"], at, original)
    about = {"duplicate_of": places[original].id, "kind": "exact" if exact else "near", "similarity": similarity}
    return places[at]._asdict() | about


def decisions(folder: Folder, part: str) -> Iterator[dict[str, Any]]:
    """The duplicates among a part's rows: partition and number of each row there, kind, and which page it repeats."""
    for line in folder.read(f"{DECISIONS}/{part}.jsonl").splitlines():
        yield json.loads(line)


def first_alike(hashes: NDArray[Any], signatures: NDArray[Any] | None) -> NDArray[np.int64]:
    """For each page the first page that is similar, directly or through others; itself if there is none.

    Without signatures only equal pages are similar.
    """
    count = len(hashes)
    root = np.arange(count, dtype=np.int64)
    _join_equal(root, hashes, np.flatnonzero(hashes != 0), None)
    # One page represents all that are exactly equal.
    alone = np.flatnonzero((root == np.arange(count)) & (hashes != 0))
    width = PERMUTATIONS // BANDS
    for band in range(BANDS if signatures is not None else 0):
        assert signatures is not None
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
