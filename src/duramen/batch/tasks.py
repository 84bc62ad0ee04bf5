"""The tasks that a supervisor sends to a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from duramen.batch.job import Job
from duramen.batch.records import Record
from duramen.batch.shards import Shard

SURVEY, EXTRACT, ASSEMBLE = "survey", "extract", "assemble"
"""The stages of a run: count the blocks of all pages, extract them, make files of what is staged."""
MARKS = {SURVEY: "run/survey", EXTRACT: "run/done", ASSEMBLE: "run/assembled"}
"""Where a stage marks the shards that are done."""


@dataclass(frozen=True, slots=True)
class WorkerDeath:
    """How an item killed its worker."""

    code: str
    stage: str
    message: str


@dataclass(frozen=True, slots=True)
class ShardTask:
    """Process one shard, from its journal's end on. ``poison`` has the items that killed their workers."""

    job: Job
    shard: Shard
    poison: Mapping[int, WorkerDeath]
    stage: str = EXTRACT

    @property
    def journal(self) -> Path:
        return journal_folder(self.job) / f"{'survey-' if self.stage == SURVEY else ''}{self.shard.part}"


@dataclass(frozen=True, slots=True)
class PageTask:
    """Process one page, which is part of the message."""

    job: Job
    number: int
    record: Record
    as_row: bool


def journal_folder(job: Job) -> Path:
    return Path(job.scratch) if job.scratch else Path(job.output, "run", "journal")


def memory_message(limit: int) -> str:
    return f"needed more than {limit / 1e9:g} GB of memory"
