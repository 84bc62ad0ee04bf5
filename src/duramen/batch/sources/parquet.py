"""Parquet with a column for HTML, as text or bytes. Row groups are the unit that is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from duramen.batch.carried import CarriedColumns
from duramen.batch.records import Damage, Item, Record
from duramen.batch.shards import Last, Reading, Shard
from duramen.batch.sources.jsonl import page_of
from duramen.batch.storage import open_input
from duramen.errors import BatchError, MissingExtra

INDEX = ("warc_filename", "warc_record_offset", "warc_record_length")
"""The columns of Common Crawl's columnar index that say where a page is."""
_ROWS_AT_ONCE = 64


def opened(file: Any, path: str) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("batch", "reading Parquet files") from error
    try:
        return pyarrow.parquet.ParquetFile(file)
    except pyarrow.ArrowException as error:
        raise BatchError(f"{path}: not a complete Parquet file: {error}") from error


def columns(path: str) -> dict[str, Any]:
    """The columns of a file, with their types."""
    with open_input(path) as file:
        return {field.name: field.type for field in opened(file, path).schema_arrow}


def plan(path: str, step: int, reading: Reading) -> Iterator[Shard]:
    """Shards of consecutive row groups of about ``step`` bytes. A table that only says where pages are is an index."""
    with open_input(path) as file:
        table = opened(file, path)
        names = table.schema_arrow.names
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise BatchError(f"{path}: several columns have the name {twice!r}; rename them")
        is_index = reading.html_column not in names and set(INDEX) <= set(names)
        if reading.html_column not in names and not is_index:
            raise BatchError(
                f"{path}: there is no column {reading.html_column!r}; name one of {', '.join(names)} with --html-column"
            )
        if is_index:
            from duramen.batch.sources import index

            yield from index.plan_groups(path, table.metadata)
            return
        begin = size = 0
        for group in range(table.metadata.num_row_groups):
            size += table.metadata.row_group(group).total_byte_size
            if size >= step or group == table.metadata.num_row_groups - 1:
                yield Shard("parquet", path, begin=begin, end=group + 1)
                begin, size = group + 1, 0
        if table.metadata.num_row_groups == 0:
            yield Shard("parquet", path)


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    carried = CarriedColumns(reading.carried) if reading.carried else None
    with open_input(shard.path) as file:
        table = opened(file, shard.path)
        own = (reading.html_column, reading.url_column, reading.id_column, *(carried.inputs if carried else ()))
        wanted = [name for name in dict.fromkeys(own) if name in table.schema_arrow.names]
        first = sum(table.metadata.row_group(g).num_rows for g in range(shard.begin))
        done = 0
        for group in range(shard.begin, shard.end):
            rows = table.metadata.row_group(group).num_rows
            if done + rows > start:
                yield from _group(table, group, wanted, shard, reading, carried, first + done, max(0, start - done))
            done += rows


def _group(
    table: Any,
    group: int,
    wanted: list[str],
    shard: Shard,
    reading: Reading,
    carried: CarriedColumns | None,
    first: int,
    skip: int,
) -> Iterator[Item]:
    """The rows of one row group. If it cannot be read, every row fails, because their number is known."""
    used = [n for n in (reading.html_column, reading.url_column, reading.id_column) if n in wanted]
    row = first
    try:
        for batch in table.iter_batches(_ROWS_AT_ONCE, row_groups=[group], columns=wanted):
            packed = iter(carried.pack_batch(batch)) if carried else None
            for values in batch.select(used).to_pylist():
                extra = next(packed) if packed else b""
                if row - first >= skip:
                    page = page_of(values, f"{shard.source}#{row}", shard.source, row, reading)
                    yield replace(page, carried=extra) if isinstance(page, Record) else page
                row += 1
    except (OSError, ValueError) as error:
        last = first + table.metadata.row_group(group).num_rows
        for number in range(max(row, first + skip), last):
            yield Damage(str(error), f"{shard.source}#{number}", None, shard.source, number)
