"""Spark: every shard is one task that runs our own supervisor. Spark sees no crash when a page kills its worker."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from duramen.batch.checkpoint import Report
from duramen.batch.engines.shipping import map_shipped, ship
from duramen.batch.frames import extract_batches, frame_columns
from duramen.batch.sinks.parquet import schema_of
from duramen.batch.storage import Folder
from duramen.batch.supervisor import Stopped
from duramen.batch.tasks import MARKS
from duramen.errors import BatchError, MissingExtra, OptionError

if TYPE_CHECKING:
    from duramen.batch.run import Work

_GROUP = "duramen batch"
_MARKS_SECONDS = 2.0
"""How often the marks of finished shards are counted. Spark itself returns nothing before all are done."""


def map_shards(work: Work) -> None:
    """Process shards in the active Spark session, or in a new one."""
    from duramen.batch.run import stopping_by_signal

    context = _session(work.workers, work.options).sparkContext
    shipment = context.broadcast(ship(work.job))
    stage, shards = work.stage, [shard.to_json() for shard in work.shards]
    errors: list[BaseException] = []

    def collect() -> None:
        try:
            context.setJobGroup(_GROUP, "extract web pages", interruptOnCancel=True)
            tasks = context.parallelize(shards, len(shards))
            tasks.map(lambda shard: map_shipped(shipment.value, shard, stage)).count()
        except BaseException as error:  # handed to the main thread
            errors.append(error)

    from pyspark import InheritableThread

    thread: threading.Thread = InheritableThread(target=collect, daemon=True)
    with stopping_by_signal(work.stop):
        try:
            thread.start()
            _watch(work, thread)
        finally:
            work.progress.end()
        if work.stop.requested:
            context.cancelJobGroup(_GROUP)
            thread.join(10)
            raise Stopped
    if errors:
        error = errors[0]
        if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
            raise error
        raise BatchError(f"Spark gave up: {_cause(error)}") from error


def _watch(work: Work, thread: threading.Thread) -> None:
    """Report the shards that are marked as done until the job ends or a stop is requested."""
    folder, marks = Folder(work.job.output), MARKS[work.stage]
    seen = set(folder.names(marks, ".json"))
    last = 0.0
    while not work.stop.requested:
        alive = thread.is_alive()
        if not alive or time.monotonic() - last >= _MARKS_SECONDS:
            last = time.monotonic()
            for name in folder.names(marks, ".json"):
                if name not in seen:
                    seen.add(name)
                    work.progress.reported(Report.from_json(folder.read(f"{marks}/{name}")))
        work.progress.tick()
        if not alive:
            return
        thread.join(0.2)


def _cause(error: BaseException) -> str:
    """The line that says why, out of the traces of Java and of Python."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith("duramen.errors.")]
    return (ours or lines or [type(error).__name__])[0]


def use_same_python(options: Mapping[str, str]) -> None:
    """Have a local Spark run the Python that runs here: the first one on the path may not have Duramen."""
    if options.get("master", "local").startswith("local") and "PYSPARK_SUBMIT_ARGS" not in os.environ:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def _session(workers: int | None, options: Mapping[str, str]) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtra("spark", "the engine 'spark'") from error
    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    use_same_python(options)
    builder = SparkSession.builder.appName("duramen batch")
    for name, value in options.items():
        if name != "master" and not name.startswith("spark."):
            raise OptionError(f"Spark has no option {name!r}; use master, or a setting whose name begins with spark.")
        builder = builder.master(value) if name == "master" else builder.config(name, value)
    if "master" not in options and workers is not None:
        builder = builder.config("spark.cores.max", str(workers))
    return builder.getOrCreate()


def extract_frame(frame: Any, **choices: Any) -> Any:
    """Extract a Spark frame with a column of pages; accepts the keyword arguments of :func:`extract_table`."""
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    columns, carried = frame_columns(frame.schema.names, choices)
    made = [StructField(field.name, from_arrow_type(field.type)) for field in schema_of(columns)]
    own = [StructField(output, frame.schema[name].dataType) for name, output in carried.items()]
    schema = StructType([*made, *own])
    given = {"workers": 1, **choices}
    return frame.mapInArrow(lambda batches: extract_batches(batches, **given), schema)
