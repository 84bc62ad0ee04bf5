"""Maps an iterator of pages to an iterator of results, in worker processes that a page may crash."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any

from duramen.batch.job import Job
from duramen.batch.process import WorkerProcess
from duramen.batch.records import Failure, Record
from duramen.batch.run import default_workers
from duramen.batch.tasks import PageTask
from duramen.batch.worker_pool import MAX_CRASHES, WorkerPool
from duramen.errors import BatchError, InputError
from duramen.options import Options
from duramen.result import Result

AHEAD = 32
"""The number of pages per worker that may be finished ahead of a slow one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one page: a result, or a failure."""

    id: str
    url: str | None
    result: Result | None
    failure: Failure | None


def extract_many(
    pages: Iterable[Any],
    *,
    options: Options | None = None,
    content: tuple[str, ...] = ("text",),
    workers: int | None = None,
    deadline: float = 60.0,
    memory: int = 2_000_000_000,
    extractor: str = "",
) -> Iterator[Outcome]:
    """Extract pages in parallel; outcomes come in the order of the pages, one for each.

    A page is HTML as ``str`` or ``bytes``, a pair of HTML and URL, a mapping with ``html`` and perhaps ``url`` and
    ``id``, or a :class:`Record`. A page that hangs, crashes or exhausts its worker only fails itself.
    ``content`` is rendered by the workers; the other formats of a result are rendered when they are read.
    """
    job = Job(
        output="", content=content, options=options or Options(), deadline=deadline, memory=memory, extractor=extractor
    )
    most = len(pages) if isinstance(pages, Sized) else sys.maxsize
    with PageSupervisor(job, max(1, min(workers or default_workers(), most))) as supervisor:
        for record, answer in supervisor.run(as_records(pages)):
            if isinstance(answer, Failure):
                yield Outcome(record.id, record.url, None, answer)
            else:
                yield Outcome(record.id, record.url, answer, None)


def as_records(pages: Iterable[Any]) -> Iterator[Record]:
    for number, page in enumerate(pages):
        yield _as_record(page, str(number))


def _as_record(page: Any, number: str) -> Record:
    if isinstance(page, Record):
        return page
    if isinstance(page, (str, bytes)):
        return Record(number, page)
    if isinstance(page, tuple) and len(page) == 2 and isinstance(page[0], (str, bytes)):
        return Record(number, page[0], page[1])
    if isinstance(page, Mapping) and isinstance(page.get("html"), (str, bytes)):
        id_ = page.get("id")
        return Record(number if id_ is None else str(id_), page["html"], page.get("url"))
    raise InputError(
        f"page {number} is a {type(page).__name__}; pass HTML, a pair (html, url), or a mapping with 'html' and 'url'"
    )


class PageSupervisor:
    """Sends pages to workers, one at a time each. The caller's iterator is read as fast as pages are finished."""

    def __init__(self, job: Job, workers: int, as_row: bool = False) -> None:
        self.job, self.as_row = job, as_row
        self.pool = WorkerPool(job, workers)

    def __enter__(self) -> PageSupervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.close()

    def run(self, records: Iterator[Record]) -> Iterator[tuple[Record, Any]]:
        """Each record with its result or failure, in order."""
        window = AHEAD * self.pool.size
        again: deque[PageTask] = deque()
        crashes: dict[int, int] = {}
        answers: dict[int, tuple[Record, Any]] = {}
        sent = yielded = 0
        more = True
        while more or again or self.pool.busy or answers:
            self.pool.grow(self.pool.size if more else len(again))
            for worker in self.pool.idle():
                if again:
                    task = again.popleft()
                elif more and sent - yielded < window:
                    record = next(records, None)
                    if record is None:
                        more = False
                        break
                    task, sent = PageTask(self.job, sent, record, self.as_row), sent + 1
                else:
                    break
                worker.task = task
                worker.send(task)
            if self.pool.busy or not self.pool.idle():
                for worker in self.pool.poll():
                    self._handle_message(worker, again, crashes, answers)
            while yielded in answers:
                yield answers.pop(yielded)
                yielded += 1

    def _handle_message(
        self,
        worker: WorkerProcess,
        again: deque[PageTask],
        crashes: dict[int, int],
        answers: dict[int, tuple[Record, Any]],
    ) -> None:
        task: PageTask | None = worker.task
        message = worker.receive()
        if message is None:
            _, death = self.pool.reap(worker)
            if task is None:
                return
            if death is not None:
                crashes[task.number] = crashes.get(task.number, 0) + 1
            if death is not None and (death.code != "crash" or crashes[task.number] >= MAX_CRASHES):
                record = task.record
                failure = Failure(record.id, record.url, death.code, death.stage, death.message)
                answers[task.number] = record, failure
            else:
                again.appendleft(task)
            return
        kind, content = message
        if kind == "ready":
            worker.ready = True
        elif kind == "fatal":
            raise BatchError(content)
        elif kind == "page" and task is not None:
            worker.task = None
            self.pool.succeeded()
            answers[task.number] = task.record, content
