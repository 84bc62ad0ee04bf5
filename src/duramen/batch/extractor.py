"""Turns one record into one row. An exception becomes a failure here; anything worse kills the worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from duramen.batch.job import Job
from duramen.batch.records import Failure, Record, row_of
from duramen.batch.tasks import memory_message
from duramen.batch.versions import versions
from duramen.errors import BatchError, FetchError, MissingExtra, OptionError
from duramen.model import Trace
from duramen.options import Options
from duramen.result import Result

if TYPE_CHECKING:
    from duramen.session import Session

_T = TypeVar("_T")


def load_function(name: str) -> Callable[[Any, str | None, Options], Result]:
    """The function that ``module:function`` names."""
    module, _, function = name.partition(":")
    try:
        found: Callable[[Any, str | None, Options], Result] = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(f"extractor {name!r} cannot be loaded ({error}); write package.module:function") from error
    return found


class Extractor:
    """Extracts pages for one job. Fetches pages that have no body yet, and reuses connections."""

    def __init__(self, job: Job, repeated: Any = None) -> None:
        self.job = job
        self.versions = versions(job.options)
        self.repeated = repeated
        self._run = self._load()
        self._session: Session | None = None
        self._sign: Callable[[str], str] | None = None
        if job.signs:
            from duramen.batch.duplicates import signature

            self._sign = signature

    def row(self, record: Record) -> dict[str, Any] | Failure:
        """The page's row, or its failure."""
        return self._guarded(record, self._row)

    def outcome(self, record: Record) -> Result | Failure:
        """The page's result, rendered in the job's formats, without the details of its trace."""
        return self._guarded(record, self._rendered)

    def _row(self, record: Record) -> dict[str, Any]:
        result = self.result(record)
        row = row_of(record, result, self.job.content, self.job.parts, self.versions)
        if self._sign is not None:
            row["_signature"] = self._sign(result.text) if self.job.drop_duplicates != "exact" else ""
        return row

    def _rendered(self, record: Record) -> Result:
        result = self.result(record)
        result = replace(result, trace=Trace(result.trace.steps, limits=result.trace.limits))
        for name in self.job.content:
            getattr(result, name)
        return result

    def _guarded(self, record: Record, work: Callable[[Record], _T]) -> _T | Failure:
        try:
            return work(record)
        except (BatchError, MissingExtra, OptionError):
            raise
        except MemoryError:
            return self._failure(record, "memory", "extract", memory_message(self.job.memory))
        except Exception as error:  # one page must not end a run over millions
            message = f"{type(error).__name__}: {error}"
            if isinstance(error, FetchError):
                return self._failure(record, "fetch", "read", message)
            return self._failure(record, "error", "extract", message)

    def _load(self) -> Callable[[Record], Result]:
        """The engine, or the job's own extractor. Loaded before the first page: no page's deadline pays for it."""
        options, seen = self.job.options, self.repeated
        if self.job.extractor:
            function = load_function(self.job.extractor)
            return lambda record: function(record.body, record.url, options)
        from duramen.pipeline import run

        def engine(record: Record) -> Result:
            repeated = seen.for_page(record) if seen is not None else None
            return run(record.body or b"", record.url, options, content_type=record.content_type, repeated=repeated)

        engine(Record("", "<p>The first page loads what the engine imports on demand.</p>"))
        return engine

    def result(self, record: Record) -> Result:
        return self._fetched(record) if record.body is None else self._run(record)

    def _fetched(self, record: Record) -> Result:
        if self._session is None:
            from duramen.session import Session

            self._session = Session(self.job.options, self.job.fetch)
        return self._session.extract(record.url or "")

    def _failure(self, record: Record, code: str, stage: str, message: str) -> Failure:
        return Failure(record.id, record.url, code, stage, message[:2000], record.source, record.offset)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None
