"""Common Crawl's columnar index: Parquet whose rows say where pages are in the archives. Only these ranges are read.

Usually not the index itself, but the result of a query of it, with the columns ``warc_filename``,
``warc_record_offset`` and ``warc_record_length``, and perhaps ``url`` and others, which can be carried through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duramen.batch.carried import CarriedColumns
from duramen.batch.records import Item
from duramen.batch.shards import Last, Reading, Shard, cuts
from duramen.batch.sources.parquet import INDEX, opened
from duramen.batch.sources.ranges import Place, read_places
from duramen.batch.storage import open_input

ROWS_PER_SHARD = 2000
_ROWS_AT_ONCE = 512


def plan_groups(path: str, metadata: Any) -> Iterator[Shard]:
    """Ranges of rows, whatever the size of the row groups: a row names a whole page."""
    yield from (Shard("index", path, begin=b, end=e) for b, e in cuts(metadata.num_rows, ROWS_PER_SHARD))


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    return read_places(_places(shard, reading, shard.begin + start), reading)


def _places(shard: Shard, reading: Reading, begin: int) -> Iterator[Place]:
    carried = CarriedColumns(reading.carried) if reading.carried else None
    with open_input(shard.path) as file:
        table = opened(file, shard.path)
        names = table.schema_arrow.names
        own = (*INDEX, reading.url_column, *(carried.inputs if carried else ()))
        wanted = [name for name in dict.fromkeys(own) if name in names]
        groups, row = _groups(table.metadata, begin, shard.end)
        for batch in table.iter_batches(_ROWS_AT_ONCE, row_groups=groups, columns=wanted):
            packed = carried.pack_batch(batch) if carried else None
            for values in batch.select([name for name in wanted if name in (*INDEX, reading.url_column)]).to_pylist():
                extra = next(packed) if packed else b""
                if begin <= row < shard.end:
                    name, offset, length = (values[column] for column in INDEX)
                    url = values.get(reading.url_column)
                    here = f"{shard.source}#{row}"
                    yield Place(here, row, shard, name, offset, length, None if url is None else str(url), extra)
                row += 1
            if row >= shard.end:
                return


def _groups(metadata: Any, begin: int, end: int) -> tuple[list[int], int]:
    """The row groups that hold a range of rows, and the number of their first row."""
    groups: list[int] = []
    first, row = begin, 0
    for group in range(metadata.num_row_groups):
        rows = metadata.row_group(group).num_rows
        if row < end and row + rows > begin:
            first = first if groups else row
            groups.append(group)
        row += rows
    return groups, first
