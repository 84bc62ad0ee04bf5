"""Ray: every shard is a task that runs our own supervisor.

The supervisor handles pages that kill their worker: Ray sees no crash. Ray handles lost nodes: their shards are
processed again elsewhere, a bounded number of times, and give the same files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from duramen.batch.checkpoint import Report
from duramen.batch.engines.shipping import map_shipped, ship
from duramen.batch.supervisor import Stopped
from duramen.errors import BatchError, MissingExtra, OptionError

if TYPE_CHECKING:
    from duramen.batch.run import Work

RETRIES = 5
AHEAD = 4
"""Tasks that are submitted for each one that can run, so that a free core never waits."""
_INIT, _TASK = ("address", "namespace", "runtime_env"), ("num_cpus", "memory", "resources", "scheduling_strategy")


def map_shards(work: Work) -> None:
    """Process shards on the cluster that is connected or that ``address`` or RAY_ADDRESS names, or on a local one."""
    from duramen.batch.run import stopping_by_signal

    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "the engine 'ray'") from error
    options = _options(work.options)
    if not ray.is_initialized():
        given = {name: value for name, value in options.items() if name in _INIT}
        ray.init(log_to_driver=False, logging_level="ERROR", **given)
    needs = {"num_cpus": 1} | {name: value for name, value in options.items() if name in _TASK}
    task = ray.remote(max_retries=RETRIES, **needs)(map_shipped)
    shipment = ray.put(ship(work.job))
    waiting = [shard.to_json() for shard in reversed(work.shards)]
    running: list[Any] = []
    try:
        with stopping_by_signal(work.stop):
            while waiting or running:
                most = work.workers or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while waiting and len(running) < most:
                    running.append(task.remote(shipment, waiting.pop(), work.stage))
                ready, running = ray.wait(running, timeout=0.5)
                for text in ray.get(ready):
                    work.progress.reported(Report.from_json(text))
                work.progress.tick()
                if work.stop.requested:
                    raise Stopped
    except ray.exceptions.RayError as error:
        if work.stop.requested:
            raise Stopped from None
        raise BatchError(f"Ray gave up: {_cause(error)}") from error
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        work.progress.end()


def _options(given: Mapping[str, str]) -> dict[str, Any]:
    """The options with their types: numbers and objects are written as JSON."""
    unknown = [name for name in given if name not in (*_INIT, *_TASK)]
    if unknown:
        raise OptionError(f"Ray has no option {unknown[0]!r} here; use {', '.join((*_INIT, *_TASK))}")
    return {name: _value(text) for name, text in given.items()}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _cause(error: Exception) -> str:
    cause = getattr(error, "cause", None)
    lines = [line for line in str(cause or error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


class ExtractTable:
    """Extracts a dataset that contains the pages: ``ds.map_batches(ExtractTable, batch_format="pyarrow")``."""

    def __init__(self, **choices: Any) -> None:
        from duramen.batch.frames import TableExtractor, job_of

        self._extractor = TableExtractor(job_of(**choices), 1)

    def __call__(self, batch: Any) -> Any:
        return self._extractor.table(batch)
