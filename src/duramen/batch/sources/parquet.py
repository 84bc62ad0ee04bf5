"""Parquet with a column for HTML, as text or bytes. Row groups are the unit that is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duramen.batch.records import Damage, Item
from duramen.batch.shards import Last, Reading, Shard
from duramen.batch.sources.jsonl import page_of
from duramen.batch.storage import open_input
from duramen.errors import BatchError, MissingExtra

_ROWS_AT_ONCE = 64


def _open(file: Any, path: str) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("batch", "reading Parquet files") from error
    try:
        return pyarrow.parquet.ParquetFile(file)
    except pyarrow.ArrowException as error:
        raise BatchError(f"{path}: not a complete Parquet file: {error}") from error


def plan(path: str, step: int) -> Iterator[Shard]:
    """Shards of consecutive row groups of about ``step`` bytes."""
    with open_input(path) as file:
        metadata = _open(file, path).metadata
        begin = size = 0
        for group in range(metadata.num_row_groups):
            size += metadata.row_group(group).total_byte_size
            if size >= step or group == metadata.num_row_groups - 1:
                yield Shard("parquet", path, begin=begin, end=group + 1)
                begin, size = group + 1, 0
        if metadata.num_row_groups == 0:
            yield Shard("parquet", path)


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    with open_input(shard.path) as file:
        table = _open(file, shard.path)
        names = table.schema_arrow.names
        if reading.html_column not in names:
            raise BatchError(
                f"{shard.path}: there is no column {reading.html_column!r}; name one of {', '.join(names)}"
                " with --html-column"
            )
        wanted = [n for n in (reading.html_column, reading.url_column, reading.id_column) if n in names]
        first = sum(table.metadata.row_group(g).num_rows for g in range(shard.begin))
        done = 0
        for group in range(shard.begin, shard.end):
            rows = table.metadata.row_group(group).num_rows
            if done + rows > start:
                yield from _group(table, group, wanted, shard, reading, first + done, max(0, start - done))
            done += rows


def _group(
    table: Any, group: int, wanted: list[str], shard: Shard, reading: Reading, first: int, skip: int
) -> Iterator[Item]:
    """The rows of one row group. If it cannot be read, every row fails, because their number is known."""
    row = first
    try:
        for batch in table.iter_batches(_ROWS_AT_ONCE, row_groups=[group], columns=wanted):
            for values in batch.to_pylist():
                if row - first >= skip:
                    yield page_of(values, f"{shard.path}#{row}", shard.path, row, reading)
                row += 1
    except (OSError, ValueError) as error:
        last = first + table.metadata.row_group(group).num_rows
        for number in range(max(row, first + skip), last):
            yield Damage(str(error), f"{shard.path}#{number}", None, shard.path, number)
