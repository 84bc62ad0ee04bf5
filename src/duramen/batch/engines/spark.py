"""Spark: every shard is one task that runs our own supervisor. Spark sees no crash when a page kills its worker."""

from __future__ import annotations

from typing import Any

from duramen.batch.checkpoint import Report
from duramen.batch.frames import extract_batches, output_columns
from duramen.batch.job import Job
from duramen.batch.progress import Progress
from duramen.batch.shards import Shard
from duramen.batch.supervisor import map_shard
from duramen.errors import BatchError, MissingExtra


def map_shards(job: Job, shards: list[Shard], workers: int | None, progress: Progress, survey: bool) -> None:
    """Process shards in the active Spark session, or in a new local one with so many ``workers``."""
    if not shards:
        return
    session = _session(workers)
    rows = [(job.to_json(), shard.to_json(), survey) for shard in shards]
    try:
        tasks = session.sparkContext.parallelize(rows, len(rows))
        for text in tasks.map(map_row).collect():
            report = Report.from_json(text)
            progress.done(report)
            progress.pages += report.read
    except Exception as error:  # Py4J's own classes, which cannot be imported without Spark
        if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
            raise
        raise BatchError(f"Spark gave up: {str(error).splitlines()[0]}") from error


def _session(workers: int | None) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtra("spark", "the engine 'spark'") from error
    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    builder = SparkSession.builder.appName("duramen batch")
    if workers is not None:
        builder = builder.config("spark.default.parallelism", str(workers))
    return builder.getOrCreate()


def map_row(row: tuple[str, str, bool]) -> str:
    return map_shard(*row)


def extract_frame(frame: Any, **choices: Any) -> Any:
    """Extract a Spark frame with a column of pages; accepts the keyword arguments of :func:`extract_table`."""
    from pyspark.sql.types import ArrayType, FloatType, LongType, StringType, StructField, StructType

    types = {"string": StringType(), "strings": ArrayType(StringType()), "float": FloatType(), "integer": LongType()}
    columns = output_columns(tuple(choices.get("content", ("text",))))
    schema = StructType([StructField(name, types[kind]) for name, kind in columns.items()])
    given = {"workers": 1, **choices}
    return frame.mapInArrow(lambda batches: extract_batches(batches, **given), schema)
