"""Parquet with typed columns and zstd. Row groups depend on the rows alone, so equal rows make equal files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from duramen.batch.carried import CarriedColumns
from duramen.batch.part_columns import PARTS, Kinds
from duramen.batch.schema import VERSION
from duramen.batch.storage import Folder, open_input
from duramen.errors import MissingExtra

GROUP_ROWS = 10_000
GROUP_BYTES = 64_000_000
"""A row group ends when it has this many rows, or this many characters of text."""


def schema_of(columns: Mapping[str, str], carried: CarriedColumns | None = None) -> Any:
    """The Arrow schema for the columns. The columns carried through come last."""
    pa = _arrow()
    types = {"string": pa.string(), "strings": pa.list_(pa.string()), "float": pa.float32(), "integer": pa.int64()}
    types |= {"timestamp": pa.timestamp("us", tz="UTC"), "boolean": pa.bool_()}
    types["lists"] = pa.list_(types["strings"])
    types |= {name: _objects(kinds, types) for name, kinds in PARTS.items()}
    fields = [pa.field(name, types[kind]) for name, kind in columns.items()]
    if carried is not None:
        fields += [field.remove_metadata() for field in carried.schema]
    return pa.schema(fields, metadata={"duramen.schema": str(VERSION)})


def _objects(kinds: Kinds, types: Mapping[str, Any]) -> Any:
    """The type of a list of objects with these fields, some of which may be lists of objects themselves."""
    fields = {}
    for name, kind in kinds.items():
        inner = {} if isinstance(kind, str) else {key: types[value] for key, value in kind.items()}
        fields[name] = types[kind] if isinstance(kind, str) else _list_of(inner)
    return _list_of(fields)


def _list_of(fields: Mapping[str, Any]) -> Any:
    pa = _arrow()
    return pa.list_(pa.struct(list(fields.items())))


def table_of(
    columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], carried: CarriedColumns | None = None
) -> Any:
    """Rows as an Arrow table."""
    pa = _arrow()
    schema = schema_of(columns, carried)
    arrays = []
    for name, kind in columns.items():
        values = [row.get(name) for row in rows]
        if kind == "timestamp":
            arrays.append(pa.array(values, pa.string()).cast(schema.field(name).type))
        else:
            arrays.append(pa.array(values, schema.field(name).type))
    if carried is not None:
        arrays += carried.table([row.get("_carried", b"") for row in rows]).columns
    return pa.table(arrays, schema=schema)


def write_parquet(
    folder: Folder,
    name: str,
    columns: Mapping[str, str],
    rows: Iterable[Mapping[str, Any]],
    carried: CarriedColumns | None = None,
) -> None:
    with created(folder, name, schema_of(columns, carried)) as writer:
        for group in _groups(rows):
            writer.write_table(table_of(columns, group, carried), row_group_size=len(group))


@contextmanager
def created(folder: Folder, name: str, schema: Any) -> Iterator[Any]:
    """A writer for a new file, which appears when the block ends without an exception."""
    _arrow()
    import pyarrow.parquet

    with (
        folder.create(name) as file,
        pyarrow.parquet.ParquetWriter(file, schema, compression="zstd", write_page_index=True) as writer,
    ):
        yield writer


def write_batches(folder: Folder, name: str, schema: Any, batches: Iterable[Any]) -> None:
    """Write Arrow tables as one file, in row groups of the usual size."""
    pa = _arrow()
    waiting: list[Any] = []
    with created(folder, name, schema) as writer:
        for batch in batches:
            waiting.append(batch)
            if sum(len(b) for b in waiting) >= GROUP_ROWS or sum(b.nbytes for b in waiting) >= GROUP_BYTES:
                writer.write_table(pa.concat_tables(waiting))
                waiting = []
        if waiting:
            writer.write_table(pa.concat_tables(waiting))


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


def read_parquet(folder: Folder, name: str, wanted: tuple[str, ...] | None) -> Iterator[dict[str, Any]]:
    for batch in read_batches(folder, name, wanted):
        yield from batch.to_pylist()


def read_batches(folder: Folder, name: str, wanted: tuple[str, ...] | None = None) -> Iterator[Any]:
    """The rows of a file as Arrow tables, in order."""
    pa = _arrow()
    import pyarrow.parquet

    with open_input(folder.uri(name)) as file:
        columns = None if wanted is None else list(wanted)
        for batch in pyarrow.parquet.ParquetFile(file).iter_batches(1000, columns=columns):
            yield pa.Table.from_batches([batch])


def taken(table: Any, rows: Sequence[int]) -> Any:
    """Some rows of an Arrow table, perhaps none."""
    pa = _arrow()
    return table.take(pa.array(rows, pa.int64()))


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("batch", "Parquet output") from error
    return pyarrow
