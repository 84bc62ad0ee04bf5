"""JSON Lines, plain or zstd: one object a line, every column in every line."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from duramen.batch.storage import Folder, open_input
from duramen.errors import MissingExtra

_LEVEL = 6


def write_jsonl(
    folder: Folder, name: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]], compress: bool
) -> None:
    with folder.create(name) as file:
        if not compress:
            _write(file, columns, rows)
            return
        with _zstandard().ZstdCompressor(level=_LEVEL).stream_writer(file, closefd=False) as packed:
            _write(packed, columns, rows)


def _write(file: IO[bytes], columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        line = json.dumps({name: row.get(name) for name in columns}, ensure_ascii=False)
        file.write(line.encode("utf-8", "backslashreplace") + b"\n")


def read_jsonl(folder: Folder, name: str, wanted: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    with open_input(f"{folder.root}/{name}") as raw:
        file: IO[bytes] = raw
        if name.endswith(".zst"):
            file = io.BufferedReader(_zstandard().ZstdDecompressor().stream_reader(raw, read_across_frames=True))
        for line in file:
            row = json.loads(line)
            yield {column: row.get(column) for column in wanted}


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra("batch", "compressed JSONL") from error
    return zstandard
