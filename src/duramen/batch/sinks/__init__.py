"""Output formats, one module each. Each writes a table of rows as one file, which appears when it is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from duramen.batch.carried import CarriedColumns
from duramen.batch.job import Job
from duramen.batch.storage import Folder

Row = Mapping[str, Any]


def suffix_of(job: Job) -> str:
    """The file suffix of a job's tables; a folder of pages has JSONL tables."""
    if job.format == "parquet":
        return ".parquet"
    return ".jsonl.zst" if job.compress else ".jsonl"


def carried_columns(job: Job) -> CarriedColumns | None:
    """The columns that the job's tables of pages carry through."""
    return CarriedColumns(job.reading.carried) if job.reading.carried else None


def write_table(
    folder: Folder,
    name: str,
    columns: Mapping[str, str],
    rows: Iterable[Row],
    job: Job,
    carried: CarriedColumns | None = None,
) -> None:
    """Write rows as one file in the job's format; ``name`` has no suffix."""
    if job.format == "parquet":
        from duramen.batch.sinks.parquet import write_parquet

        write_parquet(folder, name + suffix_of(job), columns, rows, carried)
    else:
        from duramen.batch.sinks.jsonl import write_jsonl

        write_jsonl(folder, name + suffix_of(job), columns, rows, job.compress, carried)


def read_table(folder: Folder, name: str, wanted: tuple[str, ...] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a file that :func:`write_table` wrote, with these columns or all."""
    if name.endswith(".parquet"):
        from duramen.batch.sinks.parquet import read_parquet

        return read_parquet(folder, name, wanted)
    from duramen.batch.sinks.jsonl import read_jsonl

    return read_jsonl(folder, name, wanted)
