"""The outcome of a run: what was read, written, dropped and lost, and whether that adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from duramen.batch import assembly
from duramen.batch.checkpoint import Report, done_parts, reports, total, without_retried
from duramen.batch.job import Job
from duramen.batch.journal import DROP, FAILURE, ROW, decode, journal_frames
from duramen.batch.schema import VERSION
from duramen.batch.shards import Shard
from duramen.batch.storage import Folder
from duramen.batch.tasks import journal_folder
from duramen.errors import BatchError

_COUNTS = tuple(field.name for field in fields(Report) if field.name not in ("part", "files"))


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a run. ``read`` always equals ``rows`` plus ``failures`` plus what was filtered."""

    total: Report
    """All finished pages; of a stopped run also those that are only in journals yet."""
    shards: int
    done: int
    seconds: float
    """The time of the call that ended last."""
    pages: int
    """Pages extracted by that call, without those that were finished before it resumed."""
    stopped: bool
    versions: Mapping[str, str]

    @property
    def complete(self) -> bool:
        return self.done == self.shards and not self.stopped

    @property
    def adds_up(self) -> bool:
        return self.total.adds_up

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {name: value for name, value in asdict(self.total).items() if name in _COUNTS}
        data |= {"adds_up": self.adds_up, "complete": self.complete, "shards": self.shards, "shards_done": self.done}
        # The rate is of the seconds as they are written: read again, a summary gives the same.
        seconds = round(self.seconds, 2)
        rate = round(self.pages / seconds, 2) if seconds > 0 else 0.0
        data |= {"pages": self.pages, "seconds": seconds, "pages_per_second": rate}
        return data | {"schema": VERSION, **self.versions}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Summary:
        """The summary that a complete run wrote."""
        counts = Report(**{name: data[name] for name in _COUNTS})
        used = {name: data[name] for name in ("engine", "rules", "model")}
        return cls(counts, data["shards"], data["shards_done"], data["seconds"], data["pages"], False, used)


def count(folder: Folder, job: Job, shards: Sequence[Shard], stopped: bool) -> tuple[Report, int]:
    """The counts of all pages that are finished, and the number of finished shards."""
    done = done_parts(folder)
    found = without_retried(total(reports(folder)), [shard for shard in shards if shard.only and shard.part in done])
    if stopped:
        found = total([found, *(_journaled(job, shard) for shard in shards if shard.part not in done)])
    elif job.staged:
        found = _assembled(folder, found)
    return found, sum(shard.part in done for shard in shards)


def _assembled(folder: Folder, staged: Report) -> Report:
    """The counts after duplicates were dropped."""
    names = folder.names(assembly.DONE, ".json")
    written = total(Report.from_json(folder.read(f"{assembly.DONE}/{name}")) for name in names)
    if written.read != staged.rows:
        raise BatchError(f"{staged.rows:,} rows were staged, but {written.read:,} assembled; please report this")
    filtered = dict(sorted((Counter(staged.filtered) + Counter(written.filtered)).items()))
    kept: dict[str, Any] = {"rows": written.rows, "verdicts": written.verdicts, "page_types": written.page_types}
    return replace(staged, filtered=filtered, **kept)


def _journaled(job: Job, shard: Shard) -> Report:
    """The pages of an unfinished shard that are in its journal."""
    path = journal_folder(job) / shard.part
    if shard.only or not path.exists():
        # What is retried is still among the failures.
        return Report()
    counters: dict[int, Counter[str]] = {ROW: Counter(), FAILURE: Counter(), DROP: Counter()}
    keys = {ROW: "verdict", FAILURE: "code", DROP: "dropped_for"}
    types: Counter[str] = Counter()
    for frame in journal_frames(path):
        if frame.kind in keys:
            row = decode(frame.payload)
            counters[frame.kind][row[keys[frame.kind]]] += 1
            types.update([row["page_type"]] if frame.kind == ROW else [])
    counts = {kind: counter.total() for kind, counter in counters.items()}
    return Report(
        read=sum(counts.values()),
        rows=counts[ROW],
        failures=counts[FAILURE],
        filtered=dict(counters[DROP]),
        verdicts=dict(counters[ROW]),
        codes=dict(counters[FAILURE]),
        page_types=dict(types),
    )
