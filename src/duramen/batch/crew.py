"""A crew: the workers of one supervisor, replaced as they die."""

from __future__ import annotations

import contextlib
import selectors
import tempfile
from typing import IO

from duramen.batch.job import Job
from duramen.batch.process import WorkerProcess
from duramen.batch.tasks import Fate
from duramen.errors import BatchError

LOOK_SECONDS = 0.05
CRASHES = 2
"""A page is condemned when its worker has crashed on it so often. Once may be anybody's fault."""
FALSE_STARTS = 3
"""Workers that may die in a row before their first page or while writing, before the run gives up."""


class Crew:
    """Starts, watches and buries workers; what they work on is for a supervisor to say."""

    def __init__(self, job: Job, size: int) -> None:
        self.job, self.size = job, size
        self.workers: list[WorkerProcess] = []
        self._past: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the crew
        self._selector = selectors.DefaultSelector()
        self._false_starts = 0

    def grow(self, work: int) -> None:
        """Start workers until there are enough for so many tasks, or the crew is complete."""
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

    def look(self, seconds: float = LOOK_SECONDS) -> list[WorkerProcess]:
        """The workers that have something to say, after a moment at most. All are watched."""
        heard = [key.data for key, _ in self._selector.select(seconds)]
        for worker in self.workers:
            worker.watch()
        return heard

    def bury(self, worker: WorkerProcess) -> tuple[int, Fate | None]:
        """A worker has died: the item it died of, and how. No fate if no item is to blame."""
        sight, fate = worker.end()
        self.dismiss(worker)
        on_item = sight.turn > 0 and sight.stage != "write"
        self._false_starts = 0 if on_item else self._false_starts + 1
        if self._false_starts >= FALSE_STARTS:
            what = "while writing a part" if sight.turn else "before their first page"
            raise BatchError(f"workers die {what}: {fate.message if fate else ''}\n{self._last_words()}")
        return sight.item, fate if on_item else None

    def succeeded(self) -> None:
        self._false_starts = 0

    def _last_words(self) -> str:
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace").strip()[-2000:]

    def dismiss(self, worker: WorkerProcess) -> None:
        for past, new in zip(self._past, worker.board.tallies(), strict=True):
            for name, count in new.items():
                past[name] = past.get(name, 0) + count
        self.workers.remove(worker)
        self._selector.unregister(worker.connection)
        worker.close()

    def tallies(self) -> tuple[dict[str, int], dict[str, int]]:
        """Verdicts and failure codes of all workers, past and present."""
        verdicts, codes = dict(self._past[0]), dict(self._past[1])
        for worker in self.workers:
            for total, new in zip((verdicts, codes), worker.board.tallies(), strict=True):
                for name, count in new.items():
                    total[name] = total.get(name, 0) + count
        return verdicts, codes

    def close(self) -> None:
        for worker in list(self.workers):
            with contextlib.suppress(KeyError, OSError):
                self.dismiss(worker)
        self._selector.close()
        self._log.close()
