"""Parquet with typed columns and zstd. Row groups depend on the rows alone, so equal rows make equal files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from duramen.batch.storage import Folder, open_input
from duramen.errors import MissingExtra

GROUP_ROWS = 10_000
GROUP_BYTES = 64_000_000
"""A row group ends when it has this many rows, or this many characters of text."""


def schema_of(columns: Mapping[str, str]) -> Any:
    """The Arrow schema for the columns."""
    pa = _arrow()
    types = {"string": pa.string(), "strings": pa.list_(pa.string()), "float": pa.float32(), "integer": pa.int64()}
    return pa.schema([pa.field(name, types[kind]) for name, kind in columns.items()])


def table_of(columns: Mapping[str, str], rows: list[Mapping[str, Any]]) -> Any:
    """Rows as an Arrow table."""
    schema = schema_of(columns)
    values = {name: [row.get(name) for row in rows] for name in columns}
    return _arrow().table(values, schema=schema)


def write_parquet(folder: Folder, name: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    _arrow()
    import pyarrow.parquet

    with folder.create(name) as file:
        writer = pyarrow.parquet.ParquetWriter(file, schema_of(columns), compression="zstd", write_page_index=True)
        with writer:
            for group in _groups(rows):
                writer.write_table(table_of(columns, group), row_group_size=len(group))


def _groups(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    group: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        group.append(row)
        size += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(group) >= GROUP_ROWS or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def read_parquet(folder: Folder, name: str, wanted: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    _arrow()
    import pyarrow.parquet

    with open_input(f"{folder.root}/{name}") as file:
        for batch in pyarrow.parquet.ParquetFile(file).iter_batches(1000, columns=list(wanted)):
            yield from batch.to_pylist()


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("batch", "Parquet output") from error
    return pyarrow
