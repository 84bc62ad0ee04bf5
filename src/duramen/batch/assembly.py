"""The last step of a run whose files depend on all pages: staged pages become the output.

Workers stage their pages, a file for each shard and partition. When all are staged, duplicates are known and files are
planned: consecutive pages of a partition, up to the wanted size. A file that is lost is written again from what is
staged, with the same bytes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from duramen.batch.checkpoint import STAGED, Report, dropped_columns, part_name, reports
from duramen.batch.job import Job
from duramen.batch.shards import Shard
from duramen.batch.sinks import carried_columns, read_table, suffix_of, write_table
from duramen.batch.sinks.folder import write_files
from duramen.batch.storage import Folder

PLAN, DONE = "run/assembly.jsonl", "run/assembled"


class Piece(NamedTuple):
    """Consecutive rows of a staged file."""

    part: str
    begin: int
    end: int


def plan_files(folder: Folder, job: Job) -> list[Shard]:
    """The files of the output, as shards of staged pages; those of parts that were staged since are added."""
    planned = [Shard.from_json(line) for line in folder.read(PLAN).splitlines()] if folder.exists(PLAN) else []
    known = {piece.part for shard in planned for piece in pieces(shard)}
    new = [report for report in reports(folder) if report.part not in known and report.rows]
    made = list(_new_files(folder, job, new, len(planned)))
    if made or not planned:
        folder.write(PLAN, "".join(shard.to_json() + "\n" for shard in planned + made).encode())
    return planned + made


def _new_files(folder: Folder, job: Job, staged: list[Report], number: int) -> Iterator[Shard]:
    partitions: dict[str, list[tuple[Piece, float]]] = defaultdict(list)
    for report in staged:
        dropped: Counter[str] = Counter()
        if job.drop_duplicates:
            from duramen.batch.duplicates import decisions

            dropped.update(row["partition"] for row in decisions(folder, report.part))
        for partition, (rows, size) in report.files.items():
            # What is dropped is taken to be as long as the rest.
            size_left = size * (rows - dropped[partition]) / max(1, rows)
            partitions[partition] += _cut(Piece(report.part, 0, rows), size_left, job.file_size)
    for partition, found in sorted(partitions.items()):
        for group in _grouped(found, job.file_size):
            names = tuple(f"{piece.part}:{piece.begin}:{piece.end}" for piece in group)
            yield Shard("staged", partition, number, names=names)
            number += 1


def _cut(piece: Piece, size: float, wanted: int) -> Iterator[tuple[Piece, float]]:
    """A piece that is larger than a file should be as several of equal length."""
    count = min(max(1, round(size / wanted)), max(1, piece.end)) if wanted else 1
    for n in range(count):
        yield Piece(piece.part, piece.end * n // count, piece.end * (n + 1) // count), size / count


def _grouped(found: list[tuple[Piece, float]], wanted: int) -> Iterator[list[Piece]]:
    """Consecutive pieces up to the wanted size; without one, each by itself.

    >>> a, b, c = (Piece(name, 0, 1) for name in "abc")
    >>> list(_grouped([(a, 60), (b, 30), (c, 40)], 100)) == [[a, b], [c]]
    True
    """
    group: list[Piece] = []
    total = 0.0
    for piece, size in found:
        if group and total + size > wanted:
            yield group
            group, total = [], 0.0
        group.append(piece)
        total += size
    if group:
        yield group


def pieces(shard: Shard) -> Iterator[Piece]:
    for name in shard.names:
        part, begin, end = name.split(":")
        yield Piece(part, int(begin), int(end))


class Assembler:
    """Writes one file of the output."""

    def __init__(self, folder: Folder, job: Job, shard: Shard) -> None:
        self.folder, self.job, self.shard = folder, job, shard
        self.read = self.rows = 0
        self.verdicts: Counter[str] = Counter()
        self.page_types: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def commit(self) -> Report:
        duplicates = {piece.part: self._duplicates(piece.part) for piece in pieces(self.shard)}
        self._write_pages(duplicates)
        if self.job.dropped and any(duplicates.values()):
            self._write_dropped(duplicates)
        counts = {"verdicts": self.verdicts, "page_types": self.page_types, "filtered": self.reasons}
        tallies: dict[str, Any] = {name: dict(sorted(counter.items())) for name, counter in counts.items()}
        report = Report(self.shard.part, self.read, self.rows, 0, **tallies)
        assert report.adds_up, f"{self.shard.part}: {report.read} staged rows, {report.rows} written"
        self.folder.write(f"{DONE}/{self.shard.part}.json", report.to_json().encode())
        return report

    def _duplicates(self, part: str) -> dict[int, dict[str, Any]]:
        if not self.job.drop_duplicates:
            return {}
        from duramen.batch.duplicates import decisions

        mine = (row for row in decisions(self.folder, part) if row["partition"] == self.shard.path)
        return {row["row"]: row for row in mine}

    def _staged(self, piece: Piece) -> str:
        return part_name(STAGED, self.shard.path, piece.part) + suffix_of(self.job)

    def _write_pages(self, duplicates: dict[str, dict[int, dict[str, Any]]]) -> None:
        job, folder = self.job, self.folder
        top = "index" if job.format == "folder" else "pages"
        name = part_name(top, self.shard.path, self.shard.part)
        if job.format == "parquet":
            from duramen.batch.sinks.parquet import schema_of, write_batches

            schema = schema_of(job.row_columns(), carried_columns(job))
            write_batches(folder, name + suffix_of(job), schema, self._batches(duplicates, schema))
            return
        rows = self._kept_rows(duplicates)
        carried = carried_columns(job)
        columns = job.row_columns() | dict.fromkeys(carried.schema.names if carried else (), "string")
        write_table(folder, name, columns, write_files(folder, rows, job.content[0]) if top == "index" else rows, job)

    def _batches(self, duplicates: dict[str, dict[int, dict[str, Any]]], schema: Any) -> Iterator[Any]:
        from duramen.batch.sinks.parquet import read_batches, taken

        for piece in pieces(self.shard):
            at = 0
            for batch in read_batches(self.folder, self._staged(piece)):
                here = range(at, at + len(batch))
                at += len(batch)
                if at <= piece.begin or here.start >= piece.end:
                    continue
                inside = [row for row in here if piece.begin <= row < piece.end]
                stays = [row - here.start for row in inside if self._counted(duplicates[piece.part].get(row))]
                table = batch if len(stays) == len(batch) else taken(batch, stays)
                self.rows += len(table)
                self.verdicts.update(table["verdict"].to_pylist())
                self.page_types.update(table["page_type"].to_pylist())
                yield table.select(schema.names).cast(schema)

    def _kept_rows(self, duplicates: dict[str, dict[int, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
        for piece, at, row in self._rows():
            if self._counted(duplicates[piece.part].get(at)):
                self.rows += 1
                self.verdicts[row["verdict"]] += 1
                self.page_types[row["page_type"]] += 1
                yield row

    def _rows(self) -> Iterator[tuple[Piece, int, dict[str, Any]]]:
        for piece in pieces(self.shard):
            for at, row in enumerate(read_table(self.folder, self._staged(piece))):
                if piece.begin <= at < piece.end:
                    yield piece, at, row

    def _counted(self, duplicate: dict[str, Any] | None) -> bool:
        """Count a row; returns whether it stays."""
        self.read += 1
        if duplicate is not None:
            self.reasons[f"{duplicate['kind']} duplicate"] += 1
        return duplicate is None

    def _write_dropped(self, duplicates: dict[str, dict[int, dict[str, Any]]]) -> None:
        name, columns = f"dropped/duplicates-{self.shard.part}", dropped_columns(self.job)
        carried = carried_columns(self.job)
        if self.job.format == "parquet":
            from duramen.batch.sinks.parquet import schema_of, write_batches

            schema = schema_of(columns, carried)
            write_batches(self.folder, name + suffix_of(self.job), schema, self._dropped_batches(duplicates, schema))
            return
        rows = (
            row | _about(found)
            for piece, at, row in self._rows()
            if (found := duplicates[piece.part].get(at)) is not None
        )
        names = columns | dict.fromkeys(carried.schema.names if carried else (), "string")
        write_table(self.folder, name, names, rows, self.job)

    def _dropped_batches(self, duplicates: dict[str, dict[int, dict[str, Any]]], schema: Any) -> Iterator[Any]:
        import pyarrow as pa

        from duramen.batch.sinks.parquet import read_batches, taken

        for piece in pieces(self.shard):
            at = 0
            for batch in read_batches(self.folder, self._staged(piece)):
                mine = duplicates[piece.part]
                rows = [row for row in range(at, at + len(batch)) if row in mine and piece.begin <= row < piece.end]
                table = taken(batch, [row - at for row in rows])
                at += len(batch)
                for name in ("dropped_for", "duplicate_of"):
                    table = table.append_column(name, pa.array([_about(mine[row])[name] for row in rows], pa.string()))
                if rows:
                    yield table.select(schema.names).cast(schema)


def _about(duplicate: dict[str, Any]) -> dict[str, str]:
    return {"dropped_for": f"{duplicate['kind']} duplicate", "duplicate_of": duplicate["duplicate_of"]}
