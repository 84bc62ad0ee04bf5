"""The settings of a run: one frozen object that is passed to every worker, here or on a cluster."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from duramen.batch.filters import filters_of
from duramen.batch.part_columns import check_parts
from duramen.batch.partitions import partitioner
from duramen.batch.schema import CONTENT, VERSION, check_columns, columns_of
from duramen.batch.shards import Reading
from duramen.errors import BatchError, OptionError
from duramen.option_checks import check_number
from duramen.options import MOST_BYTES, MOST_SECONDS, FetchOptions, Options

FORMATS = ("parquet", "jsonl", "folder")
DUPLICATES = ("exact", "near")
GIGABYTE = 1_000_000_000

_MAY_CHANGE = ("deadline", "memory", "recycle", "scratch")
"""Fields that may differ when a run is resumed: they limit the work, and do not change what is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to extract and how to write it.

    >>> Job(output="out", format="csv")
    Traceback (most recent call last):
    duramen.errors.OptionError: format must be one of 'parquet', 'jsonl', 'folder', not 'csv'
    """

    output: str
    format: str = "parquet"
    content: tuple[str, ...] = ("text",)
    """Which of ``text``, ``markdown`` and ``html`` the rows contain; for a folder, the content of the files."""
    columns: tuple[str, ...] = ()
    """The columns of the rows besides the content; empty for all."""
    parts: tuple[str, ...] = ()
    """Columns for what pages are made of: ``records``, ``links``, ``images``, ``tables``, ``chunks``."""
    carry: tuple[str, ...] | None = None
    """The columns of JSONL and Parquet inputs that are carried through; ``None`` for all."""
    keep: tuple[str, ...] = ()
    """Rules that rows have to meet, such as ``language=en,de``; see ``filters.py``. Other rows are dropped."""
    drop: tuple[str, ...] = ()
    """Rules that drop the rows which meet them."""
    drop_duplicates: str = ""
    """``exact`` or ``near``: drop all pages with the same or nearly the same text but the first."""
    dropped: bool = False
    """Write the dropped rows to ``dropped/``, each with the reason."""
    partition: tuple[str, ...] = ()
    """Folders that the pages are sorted into: ``language``, ``crawl``, ``host:N``; see ``partitions.py``."""
    file_size: int = 0
    """Bytes that a file of pages should have; 0 for one file per shard, or per shard and partition."""
    compress: bool = False
    """Write JSONL as ``.jsonl.zst``; Parquet is always compressed."""
    options: Options = field(default_factory=Options)
    reading: Reading = field(default_factory=Reading)
    extractor: str = ""
    """``module:function`` to call instead of the engine, for tests and to compare another extractor:
    it gets (body, url, options) and returns a :class:`duramen.Result`."""
    deadline: float = 60.0
    """Seconds a page may take; then its worker is killed and the page becomes a failure."""
    memory: int = 2 * GIGABYTE
    """Bytes a worker may use; a page that needs more becomes a failure."""
    recycle: int = 20_000
    """A worker is replaced after this many pages."""
    duplicates: bool = False
    """Mark exact and near duplicates in a table of their own."""
    boilerplate: bool = False
    """First survey which blocks repeat on the pages of a host, and use that as evidence against them."""
    fetch: FetchOptions = field(default_factory=FetchOptions)
    """How the pages of a list of URLs are fetched."""
    scratch: str = ""
    """Where journals are kept; empty for ``run/`` in a local output folder."""

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise OptionError(f"format must be one of {', '.join(map(repr, FORMATS))}, not {self.format!r}")
        unknown = [name for name in self.content if name not in CONTENT]
        if unknown or not self.content:
            raise OptionError(f"content must name some of {', '.join(map(repr, CONTENT))}, not {unknown or 'none'}")
        if self.format == "folder" and len(self.content) != 1:
            raise OptionError("a folder has one file per page: choose one content, such as content=('markdown',)")
        check_columns(self.columns)
        check_parts(self.parts)
        filters_of(self.keep, self.drop)
        partitioner(self.partition)
        if self.drop_duplicates not in ("", *DUPLICATES):
            raise OptionError(f"drop_duplicates must be one of 'exact', 'near', not {self.drop_duplicates!r}")
        if self.format == "folder" and (self.partition or self.file_size):
            raise OptionError("a folder has one file per page: partition and file_size need Parquet or JSONL")
        check_number("deadline", self.deadline, 0.01, MOST_SECONDS, whole=False)
        check_number("memory", self.memory, 50_000_000, 1_000 * MOST_BYTES)
        check_number("recycle", self.recycle, 1, 1_000_000_000)

    @property
    def staged(self) -> bool:
        """Whether the pages are first written to ``run/staged``, because what is kept or where depends on all."""
        return bool(self.drop_duplicates or self.file_size)

    @property
    def signs(self) -> bool:
        """Whether the texts are compared with each other."""
        return self.duplicates or bool(self.drop_duplicates)

    def row_columns(self) -> dict[str, str]:
        """The columns of the table of pages."""
        if self.format == "folder":
            return columns_of((), self.columns, self.parts) | {"file": "string"}
        return columns_of(self.content, self.columns, self.parts)

    def to_json(self) -> str:
        return json.dumps(asdict(self) | {"schema": VERSION}, sort_keys=True, default=str)

    @classmethod
    def from_json(cls, text: str | bytes) -> Job:
        data: dict[str, Any] = json.loads(text)
        if data.pop("schema", 1) != VERSION:
            raise BatchError(
                "another version of Duramen, with another schema, started this run; start over with --restart, or"
                " choose another --output"
            )
        lists = {name: tuple(value) for name, value in data["options"].items() if isinstance(value, list)}
        data["options"] = Options.from_mapping(data["options"] | lists)
        data["reading"] = Reading(**data["reading"])
        data["fetch"] = FetchOptions(**data["fetch"])
        data |= {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
        return cls(**data)

    def differences(self, other: Job) -> list[str]:
        """The fields whose difference would change what is written."""
        theirs = replace(other, output=self.output)
        return [
            f.name
            for f in fields(self)
            if f.name not in _MAY_CHANGE and getattr(self, f.name) != getattr(theirs, f.name)
        ]
