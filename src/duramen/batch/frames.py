"""Extraction from tables to tables: Arrow, and so pandas and polars. Each input row gives one output row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from duramen.batch.job import Job
from duramen.batch.records import Failure, Record, columns_of
from duramen.batch.run import default_workers
from duramen.batch.shards import Reading
from duramen.batch.sinks.parquet import schema_of, table_of
from duramen.batch.sources.jsonl import page_of
from duramen.batch.stream import PageSupervisor
from duramen.errors import InputError, MissingExtra
from duramen.options import Options

FAILURE_FIELDS = {"failure": "string", "failure_stage": "string", "failure_message": "string"}


def output_columns(content: tuple[str, ...] = ("text",)) -> dict[str, str]:
    """The columns of the table that :func:`extract_table` returns, with their types."""
    return columns_of(content) | FAILURE_FIELDS


def extract_table(
    data: Any,
    *,
    html: str = "html",
    url: str = "url",
    id: str = "id",
    content: tuple[str, ...] = ("text",),
    options: Options | None = None,
    workers: int | None = None,
    deadline: float = 60.0,
    memory: int = 2_000_000_000,
    extractor: str = "",
) -> Any:
    """Extract the pages in a column of a table; returns an Arrow table with one row per input row, in the same order.

    ``data`` is a pyarrow table or batch, a pandas or polars frame, or anything with the Arrow stream interface;
    ``html``, ``url`` and ``id`` name its columns. A page that fails has its reason in ``failure``. Convert the result
    with ``.to_pandas()`` or ``polars.from_arrow()``.
    """
    pa = _arrow()
    job = job_of(
        html=html,
        url=url,
        id=id,
        content=content,
        options=options,
        deadline=deadline,
        memory=memory,
        extractor=extractor,
    )
    with TableExtractor(job, workers or default_workers()) as mapper:
        tables = [mapper.table(batch) for batch in _batches(data)]
    return pa.concat_tables(tables) if tables else schema_of(output_columns(content)).empty_table()


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
        wanted = [n for n in (reading.html_column, reading.url_column, reading.id_column) if n in batch.schema.names]
        pages = [
            page_of(row, str(number), "", number, reading)
            for number, row in enumerate(batch.select(wanted).to_pylist())
        ]
        answers = self.supervisor.run(page for page in pages if isinstance(page, Record))
        rows = [next(answers)[1] if isinstance(page, Record) else page for page in pages]
        # Read to the end, so that its workers are idle again.
        next(answers, None)
        return table_of(output_columns(self.job.content), [_as_row(row) for row in rows])


def _as_row(answer: Any) -> dict[str, Any]:
    if isinstance(answer, dict):
        return answer
    stage = answer.stage if isinstance(answer, Failure) else "read"
    row = {"id": answer.id, "url": answer.url, "source": answer.source, "offset": answer.offset}
    return row | {"failure": answer.code, "failure_stage": stage, "failure_message": answer.message}


def _batches(data: Any) -> Iterator[Any]:
    pa = _arrow()
    if isinstance(data, pa.RecordBatch):
        return iter([data])
    if isinstance(data, (pa.Table, pa.RecordBatchReader)):
        return iter(data.to_batches() if isinstance(data, pa.Table) else data)
    if hasattr(data, "__arrow_c_stream__"):
        return iter(pa.RecordBatchReader.from_stream(data))
    if type(data).__module__.partition(".")[0] == "pandas":
        return iter(pa.Table.from_pandas(data, preserve_index=False).to_batches())
    raise InputError(f"a {type(data).__name__} is not a table; pass an Arrow table, a pandas or a polars frame")


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("batch", "working on tables") from error
    return pyarrow
