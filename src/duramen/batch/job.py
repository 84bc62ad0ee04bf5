"""The settings of a run: one frozen object that is passed to every worker, here or on a cluster."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from duramen.batch.records import CONTENT
from duramen.batch.shards import Reading
from duramen.errors import OptionError
from duramen.options import FetchOptions, Options

FORMATS = ("parquet", "jsonl", "folder")
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
        for name, value, least in (("deadline", self.deadline, 0.01), ("memory", self.memory, 50_000_000)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value < least:
                raise OptionError(f"{name} must be a number of at least {least:g}, not {value!r}")
        if self.recycle < 1:
            raise OptionError(f"recycle must be at least 1, not {self.recycle!r}")

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, default=str)

    @classmethod
    def from_json(cls, text: str | bytes) -> Job:
        data: dict[str, Any] = json.loads(text)
        lists = {name: tuple(value) for name, value in data["options"].items() if isinstance(value, list)}
        data["options"] = Options.from_mapping(data["options"] | lists)
        data["reading"] = Reading(**data["reading"])
        data["fetch"] = FetchOptions(**data["fetch"])
        data["content"] = tuple(data["content"])
        return cls(**data)

    def differences(self, other: Job) -> list[str]:
        """The fields whose difference would change what is written."""
        theirs = replace(other, output=self.output)
        return [
            f.name
            for f in fields(self)
            if f.name not in _MAY_CHANGE and getattr(self, f.name) != getattr(theirs, f.name)
        ]
