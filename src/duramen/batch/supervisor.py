"""The supervisor: gives shards to workers, one each, and sees that a page can only harm itself.

It reads no page and writes no row: workers do that and show what they are on. So it costs next to nothing, and its
death loses nothing either.
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

from duramen.batch.checkpoint import DONE, Report
from duramen.batch.crew import CRASHES, Crew
from duramen.batch.job import Job
from duramen.batch.process import WorkerProcess
from duramen.batch.shards import Shard
from duramen.batch.storage import Folder, scratch_folder
from duramen.batch.tasks import Fate, ShardTask, journal_folder
from duramen.errors import BatchError

GRACE_SECONDS = 5.0


class Stopped(Exception):
    """The run was asked to stop; everything that was finished is kept."""


class Supervisor:
    """Workers for one job; used as a context manager. ``stop`` may be set from a signal handler."""

    def __init__(self, job: Job, workers: int, on_look: Callable[[Supervisor], None] | None = None) -> None:
        self.job = job
        self.on_look = on_look
        self.stop = False
        self.crew = Crew(job, workers)
        self._poison = Poison(job)

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.crew.close()

    def run(self, shards: Iterable[Shard], survey: bool = False) -> Iterator[Report]:
        """Map every shard; gives a report as each is done."""
        waiting = deque(ShardTask(self.job, shard, {}, survey) for shard in shards)
        while waiting or self.crew.busy:
            for worker in self.crew.idle()[: len(waiting)]:
                self._give(worker, waiting.popleft())
            self.crew.grow(len(waiting))
            for worker in self.crew.look():
                yield from self._hear(worker, waiting)
            if self.stop:
                self._stop_workers()
                raise Stopped
            if self.on_look is not None:
                self.on_look(self)

    def _give(self, worker: WorkerProcess, task: ShardTask) -> None:
        worker.task = replace(task, condemned=self._poison.condemned(task))
        worker.send(worker.task)

    def _hear(self, worker: WorkerProcess, waiting: deque[ShardTask]) -> Iterator[Report]:
        task: ShardTask | None = worker.task
        message = worker.receive()
        if message is None:
            item, fate = self.crew.bury(worker)
            if task is not None:
                waiting.appendleft(task)
                if fate is not None:
                    self._poison.add(task, item, fate)
            return
        kind, content = message
        if kind == "ready":
            worker.ready = True
        elif kind == "done":
            worker.task = None
            self.crew.succeeded()
            yield content
        elif kind == "recycle" and task is not None:
            waiting.appendleft(task)
            self.crew.dismiss(worker)
        elif kind == "fatal":
            raise BatchError(content)

    def _stop_workers(self) -> None:
        """Let them finish their pages, but not for long: a journal does not mind a killed worker."""
        for worker in self.crew.workers:
            worker.send("stop")
        limit = time.monotonic() + GRACE_SECONDS
        while self.crew.workers and time.monotonic() < limit:
            for worker in self.crew.look():
                if worker.receive() is None:
                    self.crew.dismiss(worker)


class Poison:
    """The items that killed their workers, kept beside the journals: whoever takes the run up again knows them."""

    def __init__(self, job: Job) -> None:
        self.path = journal_folder(job) / "poison.jsonl"
        self.deaths: dict[tuple[bool, int, int], list[Fate]] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    self._remember(json.loads(line))

    def _remember(self, row: dict[str, Any]) -> None:
        fate = Fate(row["code"], row["stage"], row["message"])
        self.deaths.setdefault((row["survey"], row["shard"], row["item"]), []).append(fate)

    def add(self, task: ShardTask, item: int, fate: Fate) -> None:
        row: dict[str, Any] = {"survey": task.survey, "shard": task.shard.number, "item": item}
        row |= {"code": fate.code, "stage": fate.stage, "message": fate.message}
        self._remember(row)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def condemned(self, task: ShardTask) -> dict[int, Fate]:
        """The items of a shard that will not be tried again."""
        found: dict[int, Fate] = {}
        for (survey, shard, item), fates in self.deaths.items():
            if (survey, shard) == (task.survey, task.shard.number):
                final = next((fate for fate in fates if fate.code != "crash"), None)
                if final is not None or len(fates) >= CRASHES:
                    found[item] = final or fates[-1]
        return found


def map_shard(job: str, shard: str, survey: bool = False) -> str:
    """Map one shard under a supervisor of this process's own: what a cluster's engine calls. All are JSON.

    Called again for a shard that is done, as engines do after a node was lost, it only tells what was done.
    """
    wanted, piece = Job.from_json(job), Shard.from_json(shard)
    mark = f"{'run/survey' if survey else DONE}/{piece.part}.json"
    folder = Folder(wanted.output)
    if folder.exists(mark):
        return folder.read(mark).decode()
    supervisor = _own_supervisor(job)
    try:
        return next(supervisor.run([piece], survey)).to_json()
    except BaseException:
        # Its workers are in the middle of something; whoever tries again begins with new ones.
        _own_supervisor.cache_clear()
        supervisor.crew.close()
        raise


@lru_cache(maxsize=1)
def _own_supervisor(job: str) -> Supervisor:
    """Kept between shards, with its worker: starting one takes as long as some dozens of pages."""
    scratch = contextlib.ExitStack()
    atexit.register(scratch.close)
    return Supervisor(replace(Job.from_json(job), scratch=scratch.enter_context(scratch_folder())), 1)
