"""The worker processes of one supervisor; a worker that dies is replaced."""

from __future__ import annotations

import contextlib
import selectors
import tempfile
from typing import IO

from duramen.batch.job import Job
from duramen.batch.process import WorkerProcess
from duramen.batch.tasks import WorkerDeath
from duramen.errors import BatchError

POLL_SECONDS = 0.05
MAX_CRASHES = 2
"""A page becomes a failure after this many crashes. A single crash may have another cause."""
MAX_FAILED_STARTS = 3
"""The run fails when this many workers in a row die before their first page, or while writing."""


class WorkerPool:
    """Starts, watches and replaces workers; the supervisor assigns their tasks."""

    def __init__(self, job: Job, size: int) -> None:
        self.job, self.size = job, size
        self.workers: list[WorkerProcess] = []
        self._past: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the pool
        self._selector = selectors.DefaultSelector()
        self._failed_starts = 0

    def grow(self, work: int) -> None:
        """Start workers until ``work`` of them are idle, or the pool has its full size."""
        idle = sum(worker.task is None for worker in self.workers)
        while len(self.workers) < self.size and idle < work:
            worker = WorkerProcess(self.job, self._log)
            self._selector.register(worker.connection, selectors.EVENT_READ, worker)
            self.workers.append(worker)
            idle += 1

    def idle(self) -> list[WorkerProcess]:
        return [worker for worker in self.workers if worker.ready and worker.task is None]

    @property
    def busy(self) -> bool:
        return any(worker.task is not None for worker in self.workers)

    def poll(self, seconds: float = POLL_SECONDS) -> list[WorkerProcess]:
        """Wait up to ``seconds`` for messages, return the workers that sent some, and check the limits of all."""
        heard = [key.data for key, _ in self._selector.select(seconds)]
        for worker in self.workers:
            worker.watch()
        return heard

    def reap(self, worker: WorkerProcess) -> tuple[int, WorkerDeath | None]:
        """Remove a dead worker: the item it worked on, and how it died; ``None`` if no item caused it."""
        activity, death = worker.end()
        self.remove(worker)
        on_item = activity.turn > 0 and activity.stage != "write"
        self._failed_starts = 0 if on_item else self._failed_starts + 1
        if self._failed_starts >= MAX_FAILED_STARTS:
            what = "while writing a part" if activity.turn else "before their first page"
            raise BatchError(f"workers die {what}: {death.message if death else ''}\n{self._worker_output()}")
        return activity.item, death if on_item else None

    def succeeded(self) -> None:
        self._failed_starts = 0

    def _worker_output(self) -> str:
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace").strip()[-2000:]

    def remove(self, worker: WorkerProcess) -> None:
        for past, new in zip(self._past, worker.slots.tallies(), strict=True):
            for name, count in new.items():
                past[name] = past.get(name, 0) + count
        self.workers.remove(worker)
        self._selector.unregister(worker.connection)
        worker.close()

    def tallies(self) -> tuple[dict[str, int], dict[str, int]]:
        """Verdicts and failure codes of all workers, including those that ended."""
        verdicts, codes = dict(self._past[0]), dict(self._past[1])
        for worker in self.workers:
            for total, new in zip((verdicts, codes), worker.slots.tallies(), strict=True):
                for name, count in new.items():
                    total[name] = total.get(name, 0) + count
        return verdicts, codes

    def close(self) -> None:
        for worker in list(self.workers):
            with contextlib.suppress(KeyError, OSError):
                self.remove(worker)
        self._selector.close()
        self._log.close()
