"""Extraction from tables to tables: Arrow, and so pandas and polars. Each input row gives one output row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from duramen.batch.carried import output_names
from duramen.batch.job import Job
from duramen.batch.records import Failure, Record
from duramen.batch.run import default_workers
from duramen.batch.schema import columns_of
from duramen.batch.shards import Reading
from duramen.batch.sinks.parquet import table_of
from duramen.batch.sources.jsonl import page_of
from duramen.batch.stream import PageSupervisor
from duramen.errors import InputError, MissingExtra
from duramen.options import Options

FAILURE_FIELDS = {"failure": "string", "failure_stage": "string", "failure_message": "string"}


def output_columns(content: tuple[str, ...] = ("text",), parts: tuple[str, ...] = ()) -> dict[str, str]:
    """The columns that :func:`extract_table` adds, with their types."""
    return columns_of(content, (), parts) | FAILURE_FIELDS


def carried_names(names: Sequence[str], job: Job) -> dict[str, str]:
    """The frame's own columns that are carried through, with their names in the output."""
    reading = job.reading
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"several columns have the name {twice!r}; rename them")
    used = (reading.html_column, reading.url_column, reading.id_column)
    missing = [name for name in job.carry or () if name not in names]
    if missing:
        raise InputError(f"there is no column {missing[0]!r} to carry through; the table has {', '.join(names)}")
    wanted = names if job.carry is None else job.carry
    return output_names([name for name in wanted if name not in used], FAILURE_FIELDS)


def frame_columns(names: Sequence[str], choices: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """For a frame with these columns: the columns that are added with their types, and those carried through."""
    job = job_of(**{name: value for name, value in choices.items() if name != "workers"})
    return output_columns(job.content, job.parts), carried_names(names, job)


def extract_table(
    data: Any,
    *,
    html: str = "html",
    url: str = "url",
    id: str = "id",
    content: tuple[str, ...] = ("text",),
    parts: tuple[str, ...] = (),
    carry: tuple[str, ...] | None = None,
    options: Options | None = None,
    workers: int | None = None,
    deadline: float = 60.0,
    memory: int = 2_000_000_000,
    extractor: str = "",
) -> Any:
    """Extract the pages in a column of a table; returns an Arrow table with one row per input row, in the same order.

    ``data`` is a pyarrow table or batch, a pandas or polars frame, or anything with the Arrow stream interface;
    ``html``, ``url`` and ``id`` name its columns; its other columns are carried through, or those that ``carry`` names.
    ``parts`` adds columns for ``records``, ``links``, ``images``, ``tables`` or ``chunks``. A page that fails has its
    reason in ``failure``. Convert the result with ``.to_pandas()`` or ``polars.from_arrow()``.
    """
    pa = _arrow()
    job = job_of(
        html=html,
        url=url,
        id=id,
        content=content,
        parts=parts,
        carry=carry,
        options=options,
        deadline=deadline,
        memory=memory,
        extractor=extractor,
    )
    with TableExtractor(job, workers or default_workers()) as mapper:
        return pa.concat_tables([mapper.table(batch) for batch in _batches(data)], promote_options="permissive")


def job_of(**choices: Any) -> Job:
    """The job for the keyword arguments of :func:`extract_table`."""
    reading = Reading(choices.pop("html", "html"), choices.pop("url", "url"), choices.pop("id", "id"))
    options = choices.pop("options", None) or Options()
    return Job(output="", reading=reading, options=options, **choices)


def extract_batches(batches: Iterable[Any], **choices: Any) -> Iterator[Any]:
    """Like :func:`extract_table`, over a stream of Arrow record batches and with bounded memory, as for ``mapInArrow``.

    Accepts the keyword arguments of :func:`extract_table`.
    """
    workers = choices.pop("workers", None) or default_workers()
    with TableExtractor(job_of(**choices), workers) as mapper:
        for batch in batches:
            yield from mapper.table(batch).to_batches()


class TableExtractor:
    """Extracts tables with a pool of workers that is kept from one table to the next."""

    def __init__(self, job: Job, workers: int) -> None:
        self.job = job
        self.supervisor = PageSupervisor(job, workers, as_row=True)

    def __enter__(self) -> TableExtractor:
        return self

    def __exit__(self, *_: object) -> None:
        self.supervisor.pool.close()

    def table(self, batch: Any) -> Any:
        """One batch of pages as a table of rows."""
        reading = self.job.reading
        if reading.html_column not in batch.schema.names:
            raise InputError(
                f"there is no column {reading.html_column!r}; name one of {', '.join(batch.schema.names)}: html='…'"
            )
        carried = carried_names(batch.schema.names, self.job)
        wanted = [n for n in (reading.html_column, reading.url_column, reading.id_column) if n in batch.schema.names]
        pages = [
            page_of(row, str(number), "", number, reading)
            for number, row in enumerate(batch.select(wanted).to_pylist())
        ]
        answers = self.supervisor.run(page for page in pages if isinstance(page, Record))
        rows = [next(answers)[1] if isinstance(page, Record) else page for page in pages]
        if pages:
            # Read to the end, so that its workers are idle again.
            next(answers, None)
        made = table_of(output_columns(self.job.content, self.job.parts), [_as_row(row) for row in rows])
        for name, output in carried.items():
            made = made.append_column(output, batch.column(batch.schema.names.index(name)))
        return made


def _as_row(answer: Any) -> dict[str, Any]:
    if isinstance(answer, dict):
        return answer
    stage = answer.stage if isinstance(answer, Failure) else "read"
    row = {"id": answer.id, "url": answer.url, "source": answer.source, "offset": answer.offset}
    return row | {"failure": answer.code, "failure_stage": stage, "failure_message": answer.message}


def _batches(data: Any) -> Iterator[Any]:
    """The batches, after a table without rows: the result has all columns even if there are no batches."""
    pa = _arrow()
    if hasattr(data, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(data)
    elif type(data).__module__.partition(".")[0] == "pandas":
        reader = pa.Table.from_pandas(data, preserve_index=False).to_reader()
    else:
        raise InputError(f"a {type(data).__name__} is not a table; pass an Arrow table, a pandas or a polars frame")
    return chain([reader.schema.empty_table()], reader)


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("batch", "working on tables") from error
    return pyarrow
