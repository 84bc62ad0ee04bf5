"""Ray Data: every shard is one row of a dataset, mapped by a task that runs our own supervisor.

The supervisor handles pages that kill their worker: Ray sees no crash. Ray handles lost nodes: their shards are
processed again elsewhere, a bounded number of times, and give the same files.
"""

from __future__ import annotations

from typing import Any

from duramen.batch.checkpoint import Report
from duramen.batch.job import Job
from duramen.batch.progress import Progress
from duramen.batch.shards import Shard
from duramen.batch.supervisor import map_shard
from duramen.errors import BatchError, MissingExtra

RETRIES = 5


def map_shards(job: Job, shards: list[Shard], workers: int | None, progress: Progress, survey: bool) -> None:
    """Process shards on the connected Ray cluster, or on a new local one."""
    if not shards:
        return
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtra("ray", "the engine 'ray'") from error
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"job": job.to_json(), "shard": shard.to_json(), "survey": survey} for shard in shards]
    dataset = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
        map_row, num_cpus=1, concurrency=workers, max_retries=RETRIES
    )
    try:
        for row in dataset.iter_rows():
            report = Report.from_json(row["report"])
            progress.done(report)
            progress.pages += report.read
    except ray.exceptions.RayError as error:
        raise BatchError(f"Ray gave up: {_first_line(error)}") from error


def map_row(row: dict[str, Any]) -> dict[str, Any]:
    return {"report": map_shard(row["job"], row["shard"], bool(row["survey"]))}


def _first_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


class ExtractTable:
    """Extracts a dataset that contains the pages: ``ds.map_batches(ExtractTable, batch_format="pyarrow")``."""

    def __init__(self, **choices: Any) -> None:
        from duramen.batch.frames import TableExtractor, job_of

        self._extractor = TableExtractor(job_of(**choices), 1)

    def __call__(self, batch: Any) -> Any:
        return self._extractor.table(batch)
