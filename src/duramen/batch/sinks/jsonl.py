"""JSON Lines, plain or zstd: one object per line, every column in every line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from duramen.batch.storage import Folder, open_input, zstd

_LEVEL = 6


def write_jsonl(
    folder: Folder, name: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]], compress: bool
) -> None:
    with folder.create(name) as file:
        if not compress:
            _write(file, columns, rows)
            return
        with zstd().ZstdFile(file, "w", level=_LEVEL) as packed:
            _write(packed, columns, rows)


def _write(file: IO[bytes], columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        line = json.dumps({name: row.get(name) for name in columns}, ensure_ascii=False)
        file.write(line.encode("utf-8", "backslashreplace") + b"\n")


def read_jsonl(folder: Folder, name: str, wanted: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    with open_input(f"{folder.root}/{name}") as raw:
        file: IO[bytes] = raw
        if name.endswith(".zst"):
            file = zstd().ZstdFile(raw)
        for line in file:
            row = json.loads(line)
            yield {column: row.get(column) for column in wanted}
