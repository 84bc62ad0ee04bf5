"""The input's own columns, carried through to the output.

Columns of Parquet files keep their Arrow types. Values of JSONL are text: strings as they are, anything else as JSON,
because a later line may hold another type. A name that the output uses itself, in any case, gets the prefix
``input_``.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from duramen.batch.part_columns import PARTS
from duramen.batch.schema import COLUMNS
from duramen.batch.shards import Reading
from duramen.errors import BatchError, MissingExtra

REST = "input_rest"
"""Keys of JSONL that are not in the first lines of any file, together as one JSON object."""
_OWN = {*COLUMNS, *PARTS, REST, "file", "dropped_for", "duplicate_of", "lang", "crawl", "host_bucket"}


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("batch", "carrying columns through") from error
    return pyarrow


def output_names(names: Iterable[str], own: Collection[str] = ()) -> dict[str, str]:
    """The names of an input's columns in the output: no two are equal, not even in SQL, which ignores case.

    >>> output_names(["crawl_id", "title", "URL", "input_title"])
    {'crawl_id': 'crawl_id', 'input_title': 'input_title', 'title': 'input_input_title', 'URL': 'input_URL'}
    """
    outputs: dict[str, str] = {}
    taken = {*_OWN, *own, ""}
    waiting = []
    for name in names:
        # A name that can stay stays: others make way for it.
        if name.lower() in taken:
            waiting.append(name)
        else:
            outputs[name] = name
            taken.add(name.lower())
    for name in waiting:
        output = name
        while output.lower() in taken:
            output = f"input_{output}"
        outputs[name] = output
        taken.add(output.lower())
    return outputs


def plan_carried(
    tables: Sequence[tuple[str, Mapping[str, Any]]], reading: Reading, wanted: tuple[str, ...] | None, json_lines: bool
) -> str:
    """The columns to carry through, as an Arrow schema in base64; empty if there are none.

    ``tables`` has the columns of every input that is a table, with their types. ``wanted`` names those to carry
    through; ``None`` means all. The columns for the page, its address and its id are left out.
    """
    if wanted == ():
        return ""
    used = {reading.html_column, reading.url_column, reading.id_column}
    found: dict[str, Any] = {}
    for path, columns in tables:
        for name, type_ in columns.items():
            if name not in used and (wanted is None or name in wanted):
                found[name] = _unified(found.get(name), name, _plain(type_), path)
    if missing := [name for name in wanted or () if name not in found]:
        raise BatchError(f"no input has a column {missing[0]!r} to carry through; see --carry")
    outputs = output_names(found)
    schema = [_arrow().field(outputs[name], type_, metadata={"input": name}) for name, type_ in found.items()]
    if wanted is None and json_lines:
        schema.append(_arrow().field(REST, _arrow().string()))
    return base64.b64encode(_arrow().schema(schema).serialize().to_pybytes()).decode() if schema else ""


def _plain(type_: Any) -> Any:
    """Dictionaries, views and runs are encodings that not all tools read: their values are kept, inside others, too."""
    found = [type_]
    for one in found:
        found += _inner(one)
    plain: dict[Any, Any] = {}
    for one in reversed(found):
        plain[one] = _rebuilt(one, plain)
    return plain[type_]


def _inner(type_: Any) -> list[Any]:
    """The types that a type consists of."""
    types = _arrow().types
    if types.is_struct(type_):
        return [field.type for field in type_]
    if types.is_map(type_):
        return [type_.key_type, type_.item_type]
    return [type_.value_type] if _is_encoding(type_) or _is_list(type_) or types.is_fixed_size_list(type_) else []


def _is_encoding(type_: Any) -> bool:
    types = _arrow().types
    return bool(types.is_dictionary(type_) or types.is_run_end_encoded(type_))


def _is_list(type_: Any) -> bool:
    types = _arrow().types
    return bool(types.is_list(type_) or types.is_list_view(type_) or _is_large_list(type_))


def _is_large_list(type_: Any) -> bool:
    types = _arrow().types
    return bool(types.is_large_list(type_) or types.is_large_list_view(type_))


def _rebuilt(type_: Any, plain: Mapping[Any, Any]) -> Any:
    """The type with plain types inside it."""
    pa = _arrow()
    types = pa.types
    if types.is_string_view(type_) or types.is_binary_view(type_):
        return pa.string() if types.is_string_view(type_) else pa.binary()
    if _is_encoding(type_):
        return plain[type_.value_type]
    if types.is_struct(type_):
        return pa.struct([field.with_type(plain[field.type]) for field in type_])
    if types.is_map(type_):
        return pa.map_(plain[type_.key_type], plain[type_.item_type])
    if types.is_fixed_size_list(type_):
        return pa.list_(type_.value_field.with_type(plain[type_.value_type]), type_.list_size)
    if _is_list(type_):
        make = pa.large_list if _is_large_list(type_) else pa.list_
        return make(type_.value_field.with_type(plain[type_.value_type]))
    return type_


def _unified(known: Any, name: str, type_: Any, path: str) -> Any:
    """The type of a column that has this type in one more file."""
    pa = _arrow()
    if known is None or known == type_:
        return type_
    try:
        pair = [pa.schema([pa.field("", each)]) for each in (known, type_)]
        return pa.unify_schemas(pair, promote_options="permissive").field(0).type
    except pa.ArrowException as error:
        raise BatchError(
            f"{path}: column {name!r} has type {type_} here and {known} in another input;"
            " leave it out with --carry, or run the inputs one by one"
        ) from error


def _cast(column: Any, type_: Any) -> Any:
    """The column with another type. Arrow casts some views to lists that are not valid."""
    pa = _arrow()
    cast = column.cast(type_)
    try:
        cast.validate()
    except pa.ArrowException:
        return pa.array(column.to_pylist(), type_)
    return cast


class CarriedColumns:
    """Packs the columns of one row into bytes for the journal, and unpacks many rows into Arrow columns."""

    def __init__(self, encoded: str) -> None:
        pa = _arrow()
        self.schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(encoded)))
        self.inputs = [(field.metadata or {}).get(b"input", b"").decode() for field in self.schema]

    def pack_batch(self, batch: Any) -> Iterator[bytes]:
        """Each row of a batch from a Parquet file."""
        pa = _arrow()
        names = batch.schema.names
        columns = [
            _cast(batch.column(names.index(name)), field.type) if name in names else pa.nulls(len(batch), field.type)
            for name, field in zip(self.inputs, self.schema, strict=True)
        ]
        whole = pa.record_batch(columns, schema=self.schema)
        for row in range(len(batch)):
            yield whole.slice(row, 1).serialize().to_pybytes()

    def pack_row(self, row: Mapping[str, Any], used: set[str]) -> bytes:
        """The values of a JSONL line; ``used`` are the keys of the page itself."""
        values: list[str | None] = [_text(row.get(name)) for name in self.inputs]
        if REST in self.schema.names:
            rest = {name: value for name, value in row.items() if name not in used and name not in self.inputs}
            values[self.schema.names.index(REST)] = _text(rest) if rest else None
        pa = _arrow()
        arrays = [pa.array([value], field.type) for value, field in zip(values, self.schema, strict=True)]
        return bytes(pa.record_batch(arrays, schema=self.schema).serialize().to_pybytes())

    def table(self, packed: Sequence[bytes]) -> Any:
        """Many rows as an Arrow table; no bytes stand for nulls."""
        pa = _arrow()
        empty = pa.record_batch([pa.nulls(1, field.type) for field in self.schema], schema=self.schema)
        batches = [pa.ipc.read_record_batch(pa.py_buffer(row), self.schema) if row else empty for row in packed]
        return pa.Table.from_batches(batches, self.schema).combine_chunks()

    def values(self, packed: bytes) -> dict[str, Any]:
        """One row as JSON can hold it."""
        if not packed:
            return dict.fromkeys(self.schema.names)
        (row,) = self.table([packed]).to_pylist()
        return {name: as_json(value) for name, value in row.items()}


def _text(value: Any) -> str | None:
    plain = as_json(value)
    if plain is None:
        return None
    return valid_text(plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False))


def valid_text(text: str) -> str:
    """JSON can hold halves of characters, which no other format can."""
    return text.encode("utf-8", "replace").decode()


def as_json(value: Any) -> Any:
    """A value of an Arrow column as JSON can hold it: bytes in base64, times and the like as text, no NaN.

    >>> as_json({"day": date(2026, 1, 31), "raw": b"oak", "share": float("nan")})
    {'day': '2026-01-31', 'raw': 'b2Fr', 'share': None}
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    return json.loads(json.dumps(value, ensure_ascii=False, default=_plain_value), parse_constant=lambda _: None)


def _plain_value(value: Any) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, (datetime, date, time)) else str(value)
