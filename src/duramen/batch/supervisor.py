"""The supervisor: gives shards to workers, one each, and sees that a page can only harm itself.

It reads no page and writes no row: workers do that and show what they are on. So it costs next to nothing, and its
death loses nothing either.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from duramen.batch.checkpoint import Report
from duramen.batch.job import Job
from duramen.batch.process import WorkerProcess
from duramen.batch.shards import Shard
from duramen.batch.tasks import Fate, ShardTask, journal_folder
from duramen.errors import BatchError

LOOK_SECONDS = 0.05
GRACE_SECONDS = 5.0
CRASHES = 2
"""A page is condemned when its worker has crashed on it so often. Once may be anybody's fault."""
FALSE_STARTS = 3
"""Workers that may die in a row before their first page or while writing, before the run gives up."""


class Stopped(Exception):
    """The run was asked to stop; everything that was finished is kept."""


class Supervisor:
    """Workers for one job; used as a context manager. ``stop`` may be set from a signal handler."""

    def __init__(self, job: Job, workers: int, on_look: Callable[[Supervisor], None] | None = None) -> None:
        self.job, self.wanted = job, workers
        self.on_look = on_look
        self.stop = False
        self.workers: list[WorkerProcess] = []
        self.past_verdicts: dict[str, int] = {}
        self.past_codes: dict[str, int] = {}
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the supervisor
        self._selector = selectors.DefaultSelector()
        self._poison = Poison(job)
        self._false_starts = 0

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, shards: Iterable[Shard], survey: bool = False) -> Iterator[Report]:
        """Map every shard; gives a report as each is done."""
        waiting = deque(ShardTask(self.job, shard, {}, survey) for shard in shards)
        while waiting or any(worker.task is not None for worker in self.workers):
            self._fill(waiting)
            for worker in self._look():
                yield from self._hear(worker, waiting)
            if self.stop:
                self._stop_workers()
                raise Stopped
            if self.on_look is not None:
                self.on_look(self)

    def _fill(self, waiting: deque[ShardTask]) -> None:
        """Work for every idle worker, and workers for all work."""
        for worker in self.workers:
            if waiting and worker.ready and worker.task is None:
                self._give(worker, waiting.popleft())
        idle = sum(worker.task is None for worker in self.workers)
        while len(self.workers) < self.wanted and idle < len(waiting):
            worker = WorkerProcess(self.job, self._log)
            self._selector.register(worker.connection, selectors.EVENT_READ, worker)
            self.workers.append(worker)
            idle += 1

    def _give(self, worker: WorkerProcess, task: ShardTask) -> None:
        condemned = self._poison.condemned(task)
        worker.task = ShardTask(task.job, task.shard, condemned, task.survey)
        worker.send(worker.task)

    def _look(self) -> list[WorkerProcess]:
        """The workers that have something to say, after a moment at most. All are watched."""
        heard = [key.data for key, _ in self._selector.select(LOOK_SECONDS)]
        for worker in self.workers:
            worker.watch()
        return heard

    def _hear(self, worker: WorkerProcess, waiting: deque[ShardTask]) -> Iterator[Report]:
        message = worker.receive()
        if message is None:
            self._bury(worker, waiting)
            return
        kind, content = message
        if kind == "ready":
            worker.ready = True
        elif kind == "done":
            worker.task, self._false_starts = None, 0
            yield content
        elif kind == "recycle":
            waiting.appendleft(worker.task)
            worker.task, self._false_starts = None, 0
            self._dismiss(worker)
        elif kind == "fatal":
            raise BatchError(content)

    def _bury(self, worker: WorkerProcess, waiting: deque[ShardTask]) -> None:
        """A worker has died: find out of what, and let another take its shard."""
        sight, fate = worker.end()
        task: ShardTask | None = worker.task
        if task is not None:
            waiting.appendleft(task)
            if fate is not None and sight.turn and sight.stage != "write":
                self._poison.add(task, sight.item, fate)
        self._dismiss(worker)
        self._false_starts = 0 if sight.turn and sight.stage != "write" else self._false_starts + 1
        if self._false_starts >= FALSE_STARTS:
            what = "while writing a part" if sight.turn else "before their first page"
            raise BatchError(f"workers die {what}: {fate.message if fate else ''}\n{self._last_words()}")

    def _last_words(self) -> str:
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace").strip()[-2000:]

    def _dismiss(self, worker: WorkerProcess) -> None:
        verdicts, codes = worker.board.tallies()
        for past, new in ((self.past_verdicts, verdicts), (self.past_codes, codes)):
            for name, count in new.items():
                past[name] = past.get(name, 0) + count
        self.workers.remove(worker)
        self._selector.unregister(worker.connection)
        worker.close()

    def _stop_workers(self) -> None:
        """Let them finish their pages, but not for long: a journal does not mind a killed worker."""
        for worker in self.workers:
            worker.send("stop")
        limit = time.monotonic() + GRACE_SECONDS
        while self.workers and time.monotonic() < limit:
            for key, _ in self._selector.select(LOOK_SECONDS):
                if key.data.receive() is None:
                    self._dismiss(key.data)

    def tallies(self) -> tuple[dict[str, int], dict[str, int]]:
        """Verdicts and failure codes of this run so far."""
        verdicts, codes = dict(self.past_verdicts), dict(self.past_codes)
        for worker in self.workers:
            for total, new in zip((verdicts, codes), worker.board.tallies(), strict=True):
                for name, count in new.items():
                    total[name] = total.get(name, 0) + count
        return verdicts, codes

    def close(self) -> None:
        for worker in list(self.workers):
            with contextlib.suppress(KeyError, OSError):
                self._dismiss(worker)
        self._selector.close()
        self._log.close()


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
