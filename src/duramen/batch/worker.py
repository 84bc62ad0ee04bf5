"""A worker: a process that extracts one page at a time; any page may crash it.

It starts with a socket and progress slots. Two kinds of tasks come in over the socket: whole shards, which the worker
reads, extracts and writes by itself, and single pages.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import mmap
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from duramen.batch.checkpoint import Report, commit_part
from duramen.batch.extractor import Extractor
from duramen.batch.filters import filters_of, reason_to_drop
from duramen.batch.job import Job
from duramen.batch.journal import DROP, FAILURE, ROW, SKIP, Journal, decode, encode
from duramen.batch.progress_slots import ProgressSlots
from duramen.batch.records import Damage, Failure, Item, Record, Skip
from duramen.batch.shards import Last, Shard
from duramen.batch.sources import place_after, read_shard
from duramen.batch.storage import Folder
from duramen.batch.tasks import ASSEMBLE, SURVEY, PageTask, ShardTask
from duramen.errors import BatchError, DuramenError

READ, EXTRACT, WRITE = range(3)
_HEADROOM = 1_000_000_000
"""Address space beyond the memory limit: threads and libraries reserve more than they use."""
_CHECK_EVERY = 200


class StopWork(Exception):
    """The supervisor requested a stop after this page."""


class Recycle(Exception):
    """The worker has processed its maximum of pages; a new one continues."""


class Worker:
    def __init__(self, connection: Connection, slots: ProgressSlots) -> None:
        self.connection, self.slots = connection, slots
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.stopping = False
        self.pages = 0
        self.extractor: Extractor | None = None

    def listen(self) -> None:
        """Receive messages, in a thread of its own; exits the process when the supervisor is gone."""
        while True:
            try:
                message = self.connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            if message == "stop":
                self.stopping = True
            self.inbox.put(message)

    def serve(self) -> None:
        """Process tasks until a stop message, or until the worker is due for replacement."""
        self.connection.send(("ready", None))
        while (task := self.inbox.get()) != "stop":
            try:
                if isinstance(task, ShardTask):
                    self.connection.send(("done", self.map_shard(task)))
                else:
                    self.connection.send(("page", self.map_page(task)))
            except StopWork:
                return
            except Recycle:
                self.connection.send(("recycle", None))
                return
            except (OSError, DuramenError) as error:
                self.connection.send(("fatal", _describe(error)))
                return

    def map_page(self, task: PageTask) -> Any:
        """Extract one page that was sent over the socket."""
        if self.extractor is None or self.extractor.job != task.job:
            self.extractor = Extractor(task.job)
        self.slots.begin(READ, 0, task.number)
        self.slots.begin(EXTRACT, 0, task.number)
        answer: Any = self.extractor.row(task.record) if task.as_row else self.extractor.outcome(task.record)
        self.slots.rest()
        return answer

    def map_shard(self, task: ShardTask) -> Report:
        """Process a shard until its part is written."""
        if task.shard.kind == "urls":
            # A browser would inherit the limit, and reserves far more memory than it uses.
            _limit_memory(None)
        if task.stage == ASSEMBLE:
            from duramen.batch.assembly import Assembler

            self.slots.rest(WRITE)
            with _fatal_errors(task.shard):
                return Assembler(Folder(task.job.output), task.job, task.shard).commit()
        journal = Journal(task.journal)
        try:
            work = _survey(task) if task.stage == SURVEY else Extraction(task.job, task.shard)
            if not self.pages:
                # What is loaded once, such as the model, need not be searched for garbage after every few pages.
                gc.freeze()
            read = journal.count + self._map_items(task, journal, work)
            self.slots.rest(WRITE)
            with _fatal_errors(task.shard):
                report: Report = work.commit(journal, read)
            journal.remove()
            return report
        finally:
            self.slots.rest()
            journal.close()

    def _map_items(self, task: ShardTask, journal: Journal, work: Any) -> int:
        """Process every item after the journal's last; returns how many there were."""
        slots, shard = self.slots, task.shard
        items: Iterator[Item] | None = None
        place = read = 0
        while True:
            number = journal.count
            slots.begin(READ, shard.number, number, place)
            death = task.poison.get(number)
            if death is not None and death.stage == "read":
                # It cannot even be read: skip it, and open its source again after it.
                item: Item | None = Damage(
                    death.message, "", None, shard.source, place_after(shard, _last(journal)), death.code
                )
                items = None
            else:
                items = items or read_shard(shard, task.job.reading, number, _last(journal))
                item = next(items, None)
            if item is None:
                return read
            read, place = read + 1, item.offset
            slots.begin(EXTRACT, shard.number, number, place)
            if death is not None and death.stage != "read":
                url, source = getattr(item, "url", None), getattr(item, "source", shard.source)
                failure = Failure(item.id, url, death.code, death.stage, death.message, source, place, number)
                kind, payload, label = FAILURE, encode(numbered_failure(failure, shard, number)), death.code
            else:
                kind, payload, label = work.frame(item, number)
            journal.append(kind, place, payload)
            slots.count(label, is_row=kind == ROW)
            self.pages += 1
            if self.stopping:
                raise StopWork
            if self.pages >= task.job.recycle or (self.pages % _CHECK_EVERY == 0 and _memory_is_high(task.job.memory)):
                raise Recycle


class Extraction:
    """A worker's task on the items of a shard during extraction."""

    def __init__(self, job: Job, shard: Shard) -> None:
        self.job, self.shard = job, shard
        self.extractor = Extractor(job, repeated_blocks(job))
        self.filters = filters_of(job.keep, job.drop)

    def frame(self, item: Item, number: int) -> tuple[int, bytes, str]:
        """The item as the journal stores it: kind, content, and the verdict or failure code to count."""
        if isinstance(item, Skip):
            return SKIP, encode({"id": item.id, "reason": item.reason}), "skipped"
        answer = failed(item) if isinstance(item, Damage) else self.extractor.row(item)
        if isinstance(answer, Failure):
            return FAILURE, encode(numbered_failure(answer, self.shard, number)), answer.code
        carried = item.carried if isinstance(item, Record) else b""
        if reason := reason_to_drop(answer, self.filters):
            row = answer if self.job.dropped else {"id": item.id}
            return DROP, encode(row | {"dropped_for": reason}, carried if self.job.dropped else b""), "filtered"
        return ROW, encode(answer, carried), answer["verdict"]

    def commit(self, journal: Journal, read: int) -> Report:
        self.extractor.close()
        return commit_part(Folder(self.job.output), self.job, self.shard, journal, read)


def numbered_failure(failure: Failure, shard: Shard, number: int) -> Failure:
    """The failure with the number of its item in the shard where it happened first."""
    return replace(failure, item=shard.only[number][0] if shard.only else number)


def failed(item: Damage) -> Failure:
    return Failure(item.id, item.url, item.code, "read", item.message[:2000], item.source, item.offset)


def repeated_blocks(job: Job) -> Any:
    """The blocks that the survey found to repeat on each host's pages, if the job has a survey."""
    if not job.boilerplate:
        return None
    from duramen.batch.boilerplate import RepeatedBlocks

    return RepeatedBlocks.load(Folder(job.output))


@contextlib.contextmanager
def _fatal_errors(shard: Shard) -> Iterator[None]:
    """Whatever is wrong when a part is written, no page is to blame, and trying again does not help."""
    try:
        yield
    except (OSError, DuramenError):
        raise
    except Exception as error:
        raise BatchError(f"{shard.part} cannot be written: {type(error).__name__}: {error}") from error


def _survey(task: ShardTask) -> Any:
    from duramen.batch.boilerplate import Survey

    return Survey(task.job, task.shard)


def _last(journal: Journal) -> Last | None:
    frame = journal.last
    if frame is None:
        return None
    data = frame.payload
    return Last(frame.offset, decode(data).get("id") or "" if data.startswith(b"{") else "")


def _memory_is_high(limit: int) -> bool:
    """Whether the process uses more than half its limit between pages."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except OSError:
        return False
    return pages * mmap.PAGESIZE > limit // 2


def _describe(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _limit_memory(limit: int | None) -> None:
    """Make one huge allocation raise MemoryError; the supervisor kills a worker that grows slowly."""
    try:
        import resource
    except ImportError:  # Windows
        return
    try:
        if limit is None:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            return
        used = int(Path("/proc/self/statm").read_bytes().split()[0]) * mmap.PAGESIZE
        resource.setrlimit(resource.RLIMIT_AS, (used + limit + _HEADROOM, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        return


def _die_with_parent() -> None:
    """On Linux, have the kernel kill the worker with its supervisor, even if it is stuck in foreign code."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main() -> None:
    socket, slots, parent, memory = map(int, sys.argv[1:5])
    _die_with_parent()
    if os.getppid() != parent:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    faulthandler.enable()
    # An extractor's prints go to stderr; messages use a socket of their own.
    os.dup2(2, 1)
    worker = Worker(Connection(socket), ProgressSlots(slots))
    threading.Thread(target=worker.listen, daemon=True).start()
    _limit_memory(memory)
    worker.serve()
    # Not a return: a library's thread or exit handler must not keep the process alive.
    sys.stderr.flush()
    os._exit(0)
