"""Finished shards: a journal becomes a part of the output, and a mark file records that it is complete.

The mark is written last. A shard without a mark is written again from its journal, with the same bytes.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from duramen.batch.job import Job
from duramen.batch.journal import FAILURE, ROW, SKIP, Journal
from duramen.batch.records import FAILURE_COLUMNS, columns_of
from duramen.batch.shards import Shard
from duramen.batch.sinks import write_table
from duramen.batch.sinks.folder import write_files
from duramen.batch.storage import Folder
from duramen.errors import BatchError

DONE = "run/done"
FAILURE_TYPES = {name: "integer" if name == "offset" else "string" for name in FAILURE_COLUMNS}


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of one shard, or of all shards."""

    part: str = ""
    read: int = 0
    """Pages found, including damaged places where a page should be."""
    rows: int = 0
    failures: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """Records that are not pages, by reason."""
    verdicts: dict[str, int] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    """Failures by code."""
    page_types: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Report:
        return cls(**json.loads(text))


def total(reports: Iterator[Report] | list[Report]) -> Report:
    """The sum of all shards' reports."""
    read = rows = failures = 0
    counters: dict[str, Counter[str]] = {n: Counter() for n in ("skipped", "verdicts", "codes", "page_types")}
    for report in reports:
        read, rows, failures = read + report.read, rows + report.rows, failures + report.failures
        for name, counter in counters.items():
            counter.update(getattr(report, name))
    return Report("", read, rows, failures, **{name: dict(sorted(c.items())) for name, c in counters.items()})


def row_columns(job: Job) -> dict[str, str]:
    """The columns of the job's table of pages."""
    if job.format == "folder":
        return columns_of(()) | {"file": "string"}
    return columns_of(job.content)


def commit_part(folder: Folder, job: Job, shard: Shard, journal: Journal, read: int) -> Report:
    """Write the shard's part, then its mark. ``read`` is the number of items read, counted independently."""
    counts: dict[str, Counter[str]] = {n: Counter() for n in ("skipped", "verdicts", "codes", "page_types")}
    frames = Counter(frame.kind for frame in journal.frames())
    rows = _rows(journal, counts)
    if job.duplicates:
        from duramen.batch.duplicates import write_signatures

        rows = write_signatures(folder, shard.part, rows)
    if job.format == "folder":
        rows = write_files(folder, rows, job.content[0])
    write_table(folder, f"{'index' if job.format == 'folder' else 'pages'}/{shard.part}", row_columns(job), rows, job)
    write_table(folder, f"failures/{shard.part}", FAILURE_TYPES, _failures(journal, counts), job)
    if job.format == "folder" and not folder.remote:
        os.sync()
    for frame in journal.frames():
        if frame.kind == SKIP:
            counts["skipped"][json.loads(frame.payload)["reason"]] += 1
    written = sum(counts["verdicts"].values()), sum(counts["codes"].values())
    tallies = {name: dict(sorted(counter.items())) for name, counter in counts.items()}
    report = Report(shard.part, read - frames[SKIP], written[0], written[1], **tallies)
    if written != (frames[ROW], frames[FAILURE]) or report.read != report.rows + report.failures:
        raise BatchError(
            f"{shard.part}: {report.read} pages were read, but {written[0]} rows and {written[1]} failures written;"
            " please report this"
        )
    folder.write(f"{DONE}/{shard.part}.json", report.to_json().encode())
    return report


def _rows(journal: Journal, counts: dict[str, Counter[str]]) -> Iterator[dict[str, Any]]:
    for frame in journal.frames():
        if frame.kind == ROW:
            row = json.loads(frame.payload)
            counts["verdicts"][row["verdict"]] += 1
            counts["page_types"][row["page_type"]] += 1
            yield row


def _failures(journal: Journal, counts: dict[str, Counter[str]]) -> Iterator[dict[str, Any]]:
    for frame in journal.frames():
        if frame.kind == FAILURE:
            row = json.loads(frame.payload)
            counts["codes"][row["code"]] += 1
            yield row


def done_parts(folder: Folder) -> set[str]:
    """The shards that have a mark."""
    return {name.removesuffix(".json") for name in folder.names(DONE, ".json")}


def reports(folder: Folder) -> Iterator[Report]:
    """The marks of all finished shards, in order."""
    for name in folder.names(DONE, ".json"):
        yield Report.from_json(folder.read(f"{DONE}/{name}"))
