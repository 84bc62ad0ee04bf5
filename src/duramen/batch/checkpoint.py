"""Finished shards: a journal becomes a part of the output, and a mark file records that it is complete.

The mark is written last. A shard without a mark is written again from its journal, with the same bytes.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from duramen.batch.job import Job
from duramen.batch.journal import DROP, FAILURE, ROW, SKIP, Journal, decode
from duramen.batch.partitions import partitioner
from duramen.batch.schema import columns_of, failure_columns
from duramen.batch.shards import Shard
from duramen.batch.sinks import carried_columns, read_table, suffix_of, write_table
from duramen.batch.sinks.folder import write_files
from duramen.batch.storage import Folder
from duramen.errors import BatchError

DONE, STAGED = "run/done", "run/staged"
_COUNTERS = ("skipped", "verdicts", "codes", "page_types", "filtered")


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of one shard, or of all shards."""

    part: str = ""
    read: int = 0
    """Pages found, including damaged places where a page should be."""
    rows: int = 0
    failures: int = 0
    filtered: dict[str, int] = field(default_factory=dict)
    """Pages that were dropped, by reason."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Records that are not pages, by reason."""
    verdicts: dict[str, int] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    """Failures by code."""
    page_types: dict[str, int] = field(default_factory=dict)
    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Rows and bytes of the part's files of pages, by partition."""

    @property
    def adds_up(self) -> bool:
        return self.read == self.rows + self.failures + sum(self.filtered.values())

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Report:
        known = {f.name for f in fields(cls)}
        return cls(**{name: value for name, value in json.loads(text).items() if name in known})


def total(reports: Iterable[Report]) -> Report:
    """The sum of all shards' reports."""
    read = rows = failures = 0
    counters: dict[str, Counter[str]] = {name: Counter() for name in _COUNTERS}
    for report in reports:
        read, rows, failures = read + report.read, rows + report.rows, failures + report.failures
        for name, counter in counters.items():
            counter.update(getattr(report, name))
    return Report(read=read, rows=rows, failures=failures, **_sorted(counters))


def _sorted(counters: Mapping[str, Counter[str]]) -> dict[str, Any]:
    return {name: {key: n for key, n in sorted(counter.items()) if n} for name, counter in counters.items()}


def without_retried(total: Report, retried: Iterable[Shard]) -> Report:
    """The total without the failures that later shards tried again: these shards have counted them once more."""
    codes = Counter(total.codes)
    again = Counter(code for shard in retried for _, code in shard.only)
    codes.subtract(again)
    count = sum(again.values())
    return replace(total, read=total.read - count, failures=total.failures - count, **_sorted({"codes": codes}))


def pages_folder(job: Job) -> str:
    """Where a shard's rows are written."""
    if job.staged:
        return STAGED
    return "index" if job.format == "folder" else "pages"


def staged_columns(job: Job) -> dict[str, str]:
    """The columns of staged pages: those of the output, those that are counted, and those that name a page's file."""
    columns = columns_of(job.content, job.columns, job.parts)
    if job.format == "folder":
        columns |= {"source": "string", "offset": "integer"}
    return columns | {"verdict": "string", "page_type": "string"}


def dropped_columns(job: Job) -> dict[str, str]:
    return columns_of(job.content, job.columns, job.parts) | {"dropped_for": "string", "duplicate_of": "string"}


class PartWriter:
    """Writes one shard's journal as files, and counts what it writes."""

    def __init__(self, folder: Folder, job: Job, shard: Shard, journal: Journal) -> None:
        self.folder, self.job, self.shard, self.journal = folder, job, shard, journal
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in _COUNTERS}
        self.carried = carried_columns(job)
        self.signed: list[Any] = []
        self.places: dict[int, list[int]] = {ROW: [], FAILURE: [], SKIP: [], DROP: []}
        self.written = 0

    def commit(self, read: int) -> Report:
        """Write everything; ``read`` is the number of items read, counted independently."""
        for frame, at in self.journal.placed_frames():
            self.places[frame.kind].append(at)
        frames = {kind: len(places) for kind, places in self.places.items()}
        files = self._write_pages()
        if self.job.signs:
            from duramen.batch.duplicates import write_signatures

            write_signatures(self.folder, self.shard.part, self.signed, self.job)
        if self.job.dropped and frames[DROP]:
            name = f"dropped/filtered-{self.shard.part}"
            rows = self._frames(DROP, "filtered", "dropped_for")
            write_table(self.folder, name, dropped_columns(self.job), rows, self.job, self.carried)
        else:
            _exhaust(self._frames(DROP, "filtered", "dropped_for"))
        failures = self._frames(FAILURE, "codes", "code")
        write_table(self.folder, f"failures/{self.shard.part}", failure_columns(), failures, self.job)
        if self.job.format == "folder" and not self.folder.remote:
            os.sync()
        _exhaust(self._frames(SKIP, "skipped", "reason"))
        report = Report(
            self.shard.part,
            read - frames[SKIP],
            self.written,
            sum(self.counts["codes"].values()),
            **_sorted(self.counts),
            files=files,
        )
        if (report.rows, report.failures) != (frames[ROW], frames[FAILURE]) or not report.adds_up:
            raise BatchError(
                f"{self.shard.part}: {report.read} pages were read, but {report.rows} rows and {report.failures}"
                f" failures written and {sum(report.filtered.values())} dropped; please report this"
            )
        return report

    def _frames(self, kind: int, counter: str, by: str) -> Iterator[dict[str, Any]]:
        for row in self._decoded(self.places[kind]):
            self.counts[counter][row[by]] += 1
            yield row

    def _decoded(self, places: Iterable[int]) -> Iterator[dict[str, Any]]:
        return (decode(self.journal.frame_at(at).payload) for at in places)

    def _write_pages(self) -> dict[str, tuple[int, int]]:
        """Write the rows, one file for each partition; returns rows and bytes of each."""
        if not self.job.partition:
            rows = (self._counted(row, "") for row in self._decoded(self.places[ROW]))
            return {"": self._write_file("", rows)}
        place_of: Callable[[Mapping[str, Any]], str] = partitioner(self.job.partition)
        places: dict[str, list[int]] = {}
        for at, row in zip(self.places[ROW], self._decoded(self.places[ROW]), strict=True):
            partition = place_of(row)
            places.setdefault(partition, []).append(at)
            self._counted(row, partition)
        return {
            partition: self._write_file(partition, self._decoded(found)) for partition, found in sorted(places.items())
        }

    def _counted(self, row: dict[str, Any], partition: str) -> dict[str, Any]:
        self.counts["verdicts"][row["verdict"]] += 1
        self.counts["page_types"][row["page_type"]] += 1
        if self.job.signs:
            from duramen.batch.duplicates import Signed

            signature = row.pop("_signature", "")
            self.signed.append(Signed(row["content_hash"], signature, partition, row["id"], row["url"]))
        return row

    def _write_file(self, partition: str, rows: Iterator[dict[str, Any]]) -> tuple[int, int]:
        job, before = self.job, self.written
        name = part_name(pages_folder(job), partition, self.shard.part)
        if job.staged:
            columns = staged_columns(job)
        else:
            columns = job.row_columns()
            rows = write_files(self.folder, rows, job.content[0]) if job.format == "folder" else rows
        write_table(self.folder, name, columns, self._tallied(rows), job, self.carried)
        return self.written - before, self.folder.size(name + suffix_of(job))

    def _tallied(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            self.written += 1
            yield row


def part_name(top: str, partition: str, part: str) -> str:
    return f"{top}/{partition}/{part}" if partition else f"{top}/{part}"


def _exhaust(rows: Iterator[Any]) -> None:
    for _ in rows:
        pass


def commit_part(folder: Folder, job: Job, shard: Shard, journal: Journal, read: int) -> Report:
    """Write the shard's part, then its mark."""
    report = PartWriter(folder, job, shard, journal).commit(read)
    if shard.only:
        remove_failures(folder, job, shard)
    folder.write(f"{DONE}/{shard.part}.json", report.to_json().encode())
    return report


def remove_failures(folder: Folder, job: Job, shard: Shard) -> None:
    """Take the failures that a shard tried again out of the table of the shard that had them first."""
    name = f"failures/part-{shard.retries:05}"
    again = {item for item, _ in shard.only}
    rows = [row for row in read_table(folder, name + suffix_of(job)) if row["item"] not in again]
    write_table(folder, name, failure_columns(), rows, job)


def done_parts(folder: Folder) -> set[str]:
    """The shards that have a mark."""
    return {name.removesuffix(".json") for name in folder.names(DONE, ".json")}


def reports(folder: Folder) -> Iterator[Report]:
    """The marks of all finished shards, in order."""
    for name in folder.names(DONE, ".json"):
        yield Report.from_json(folder.read(f"{DONE}/{name}"))
