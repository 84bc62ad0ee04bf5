"""JSON Lines, plain or zstd: one object per line, every column in every line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from duramen.batch.carried import CarriedColumns
from duramen.batch.storage import Folder, open_input, zstd

_LEVEL = 6


def write_jsonl(
    folder: Folder,
    name: str,
    columns: Iterable[str],
    rows: Iterable[Mapping[str, Any]],
    compress: bool,
    carried: CarriedColumns | None = None,
) -> None:
    with folder.create(name) as file:
        if not compress:
            _write(file, tuple(columns), rows, carried)
            return
        with zstd().ZstdFile(file, "w", level=_LEVEL) as packed:
            # Without any write, a table without rows would be an empty file, which is not zstd.
            packed.write(b"")
            _write(packed, tuple(columns), rows, carried)


def _write(
    file: IO[bytes], columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]], carried: CarriedColumns | None
) -> None:
    for row in rows:
        values = {name: row.get(name) for name in columns}
        if carried is not None:
            values |= carried.values(row.get("_carried", b""))
        file.write(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def read_jsonl(folder: Folder, name: str, wanted: tuple[str, ...] | None) -> Iterator[dict[str, Any]]:
    with open_input(folder.uri(name)) as raw:
        file: IO[bytes] = raw
        if name.endswith(".zst"):
            file = zstd().ZstdFile(raw)
        for line in file:
            row = json.loads(line)
            yield row if wanted is None else {column: row.get(column) for column in wanted}
