"""The supervisor: assigns shards to workers, one each, and makes sure that a bad page only fails itself.

It reads no page and writes no row: the workers do that and publish their progress. So it costs almost no CPU, and
nothing is lost when it is killed.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from duramen.batch.checkpoint import Report
from duramen.batch.job import Job
from duramen.batch.process import WorkerProcess
from duramen.batch.shards import Shard
from duramen.batch.storage import Folder, scratch_folder
from duramen.batch.tasks import EXTRACT, MARKS, SURVEY, ShardTask, WorkerDeath, journal_folder
from duramen.batch.worker_pool import MAX_CRASHES, WorkerPool
from duramen.errors import BatchError

GRACE_SECONDS = 5.0


class Stopped(Exception):
    """The user stopped the run; everything that was finished is kept."""


class Supervisor:
    """Workers for one job; used as a context manager. ``stop.requested`` may be set from a signal handler."""

    def __init__(
        self, job: Job, workers: int, on_poll: Callable[[Supervisor], None] | None = None, stop: Any = None
    ) -> None:
        self.job = job
        self.on_poll = on_poll
        self.stop = stop
        self.pool = WorkerPool(job, workers)
        self._poison = PoisonItems(job)

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.close()

    def run(self, shards: Iterable[Shard], stage: str = EXTRACT) -> Iterator[Report]:
        """Process every shard; yields a report when each is done."""
        waiting = deque(ShardTask(self.job, shard, {}, stage) for shard in shards)
        while waiting or self.pool.busy:
            for worker in self.pool.idle()[: len(waiting)]:
                self._assign(worker, waiting.popleft())
            self.pool.grow(len(waiting))
            for worker in self.pool.poll():
                yield from self._handle_message(worker, waiting)
            if self.stop is not None and self.stop.requested:
                self._stop_workers()
                raise Stopped
            if self.on_poll is not None:
                self.on_poll(self)

    def _assign(self, worker: WorkerProcess, task: ShardTask) -> None:
        worker.task = replace(task, poison=self._poison.in_shard(task))
        worker.send(worker.task)

    def _handle_message(self, worker: WorkerProcess, waiting: deque[ShardTask]) -> Iterator[Report]:
        task: ShardTask | None = worker.task
        message = worker.receive()
        if message is None:
            item, death = self.pool.reap(worker)
            if task is not None:
                waiting.appendleft(task)
                if death is not None:
                    self._poison.add(task, item, death)
            return
        kind, content = message
        if kind == "ready":
            worker.ready = True
        elif kind == "done":
            worker.task = None
            self.pool.succeeded()
            yield content
        elif kind == "recycle" and task is not None:
            waiting.appendleft(task)
            self.pool.remove(worker)
        elif kind == "fatal":
            raise BatchError(content)

    def _stop_workers(self) -> None:
        """Let workers finish their pages for a short time; killing them later is safe, as each has a journal."""
        for worker in self.pool.workers:
            worker.send("stop")
        limit = time.monotonic() + GRACE_SECONDS
        while self.pool.workers and time.monotonic() < limit:
            for worker in self.pool.poll():
                if worker.receive() is None:
                    self.pool.remove(worker)


class PoisonItems:
    """The items that killed their workers, stored next to the journals for the time when the run is resumed."""

    def __init__(self, job: Job) -> None:
        self.path = journal_folder(job) / "poison.jsonl"
        self.deaths: dict[tuple[bool, int, int], list[WorkerDeath]] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    self._remember(json.loads(line))

    def _remember(self, row: dict[str, Any]) -> None:
        death = WorkerDeath(row["code"], row["stage"], row["message"])
        self.deaths.setdefault((row["survey"], row["shard"], row["item"]), []).append(death)

    def add(self, task: ShardTask, item: int, death: WorkerDeath) -> None:
        row: dict[str, Any] = {"survey": task.stage == SURVEY, "shard": task.shard.number, "item": item}
        row |= {"code": death.code, "stage": death.stage, "message": death.message}
        self._remember(row)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def in_shard(self, task: ShardTask) -> dict[int, WorkerDeath]:
        """The items of a shard that are not tried again."""
        found: dict[int, WorkerDeath] = {}
        for (survey, shard, item), deaths in self.deaths.items():
            if (survey, shard) == (task.stage == SURVEY, task.shard.number):
                final = next((death for death in deaths if death.code != "crash"), None)
                if final is not None or len(deaths) >= MAX_CRASHES:
                    found[item] = final or deaths[-1]
        return found


def map_shard(job: str, shard: str, stage: str = EXTRACT) -> str:
    """Process one shard with a supervisor in this process; called by cluster engines. Arguments and result are JSON.

    For a shard that is already done, as when an engine retries after losing a node, it returns the stored report.
    """
    wanted, piece = Job.from_json(job), Shard.from_json(shard)
    mark = f"{MARKS[stage]}/{piece.part}.json"
    folder = Folder(wanted.output)
    if folder.exists(mark):
        return folder.read(mark).decode()
    supervisor = _own_supervisor(job)
    try:
        return next(supervisor.run([piece], stage)).to_json()
    except BaseException:
        # Its workers are in the middle of a task; a retry needs new ones.
        _own_supervisor.cache_clear()
        supervisor.pool.close()
        raise


@lru_cache(maxsize=1)
def _own_supervisor(job: str) -> Supervisor:
    """Kept between shards, with its worker: starting one takes as long as dozens of pages."""
    scratch = contextlib.ExitStack()
    atexit.register(scratch.close)
    return Supervisor(replace(Job.from_json(job), scratch=scratch.enter_context(scratch_folder())), 1)
