"""Many pages: from crawls to tables, without losing one.

``run_batch`` reads archives and writes tables, ``extract_many`` maps an iterator of pages to an iterator of results,
``extract_table`` reads and returns Arrow tables (and so pandas and polars). Each is imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duramen.batch.frames import extract_batches, extract_table
    from duramen.batch.job import Job
    from duramen.batch.records import Failure, Record
    from duramen.batch.run import run_batch
    from duramen.batch.stream import Outcome, extract_many
    from duramen.batch.summary import Summary

__all__ = [
    "Failure",
    "Job",
    "Outcome",
    "Record",
    "Summary",
    "extract_batches",
    "extract_many",
    "extract_table",
    "run_batch",
]

_HOMES = {
    "Failure": "records",
    "Job": "job",
    "Outcome": "stream",
    "Record": "records",
    "Summary": "summary",
    "extract_batches": "frames",
    "extract_many": "stream",
    "extract_table": "frames",
    "run_batch": "run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'duramen.batch' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"duramen.batch.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
