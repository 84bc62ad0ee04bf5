"""A worker: a process that works one page at a time, and may die of any of them.

It is given a socket and a board. Two kinds of work come in over the socket: whole shards, which the worker reads,
extracts and writes by itself, and single pages.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import mmap
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from duramen.batch.board import Board
from duramen.batch.checkpoint import Report, commit_part
from duramen.batch.extractor import Extractor, encode
from duramen.batch.job import Job
from duramen.batch.journal import FAILURE, ROW, SKIP, Journal
from duramen.batch.records import Damage, Failure, Item, Skip
from duramen.batch.shards import Last, Shard
from duramen.batch.sources import place_after, read_shard
from duramen.batch.storage import Folder
from duramen.batch.tasks import PageTask, ShardTask
from duramen.errors import DuramenError

READ, EXTRACT, WRITE = range(3)
_HEADROOM = 1_000_000_000
"""Address space beyond the memory limit: threads and libraries reserve more than they use."""
_CHECK_EVERY = 200


class StopWork(Exception):
    """The supervisor asked to stop after this page."""


class Recycle(Exception):
    """The worker has served long enough; its successor goes on."""


class Worker:
    def __init__(self, connection: Connection, board: Board) -> None:
        self.connection, self.board = connection, board
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.stopping = False
        self.pages = 0
        self.extractor: Extractor | None = None

    def listen(self) -> None:
        """Runs in a thread of its own: when the supervisor is gone, so is the worker."""
        while True:
            try:
                message = self.connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            if message == "stop":
                self.stopping = True
            self.inbox.put(message)

    def serve(self) -> None:
        """Work until told to stop, or until it is time for a successor."""
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
        """One page that came over the socket."""
        if self.extractor is None or self.extractor.job != task.job:
            self.extractor = Extractor(task.job)
        self.board.begin(READ, 0, task.number)
        self.board.begin(EXTRACT, 0, task.number)
        answer: Any = self.extractor.row(task.record) if task.as_row else self.extractor.outcome(task.record)
        self.board.rest()
        return answer

    def map_shard(self, task: ShardTask) -> Report:
        """Work on a shard until its part is written."""
        if task.shard.kind == "urls":
            # A browser inherits the limit, and reserves far more than it uses.
            _limit_memory(None)
        journal = Journal(task.journal)
        try:
            work = _survey(task) if task.survey else Extraction(task.job, task.shard)
            read = journal.count + self._map_items(task, journal, work)
            self.board.rest(WRITE)
            report: Report = work.commit(journal, read)
            journal.remove()
            return report
        finally:
            self.board.rest()
            journal.close()

    def _map_items(self, task: ShardTask, journal: Journal, work: Any) -> int:
        """Every item behind the journal's last: how many there were."""
        board, shard = self.board, task.shard
        items: Iterator[Item] | None = None
        place = read = 0
        while True:
            number = journal.count
            board.begin(READ, shard.number, number, place)
            fate = task.condemned.get(number)
            if fate is not None and fate.stage == "read":
                # It cannot even be read: it is passed by, and its source opened again behind it.
                item: Item | None = Damage(
                    fate.message, "", None, shard.path, place_after(shard, _last(journal)), fate.code
                )
                items = None
            else:
                items = items or read_shard(shard, task.job.reading, number, _last(journal))
                item = next(items, None)
            if item is None:
                return read
            read, place = read + 1, item.offset
            board.begin(EXTRACT, shard.number, number, place)
            if fate is not None and fate.stage != "read":
                failure = Failure(
                    item.id, getattr(item, "url", None), fate.code, fate.stage, fate.message, shard.path, place
                )
                kind, payload, label = FAILURE, encode(failure), fate.code
            else:
                kind, payload, label = work.frame(item)
            journal.append(kind, place, payload)
            board.count(label, is_row=kind == ROW)
            self.pages += 1
            if self.stopping:
                raise StopWork
            if self.pages >= task.job.recycle or (self.pages % _CHECK_EVERY == 0 and _is_fat(task.job.memory)):
                raise Recycle


class Extraction:
    """What is done with each item of a shard, and with the whole of it."""

    def __init__(self, job: Job, shard: Shard) -> None:
        self.job, self.shard = job, shard
        self.extractor = Extractor(job, repeated_blocks(job))

    def frame(self, item: Item) -> tuple[int, bytes, str]:
        """The item as the journal keeps it: kind, content, and the verdict or failure code to count."""
        if isinstance(item, Skip):
            return SKIP, encode({"id": item.id, "reason": item.reason}), "skipped"
        answer = failed(item) if isinstance(item, Damage) else self.extractor.row(item)
        if isinstance(answer, Failure):
            return FAILURE, encode(answer), answer.code
        return ROW, encode(answer), answer["verdict"]

    def commit(self, journal: Journal, read: int) -> Report:
        self.extractor.close()
        return commit_part(Folder(self.job.output), self.job, self.shard, journal, read)


def failed(item: Damage) -> Failure:
    return Failure(item.id, item.url, item.code, "read", item.message[:2000], item.source, item.offset)


def repeated_blocks(job: Job) -> Any:
    """What a survey found to repeat on the pages of each host, if the job had one made."""
    if not job.boilerplate:
        return None
    from duramen.batch.boilerplate import RepeatedBlocks

    return RepeatedBlocks.load(Folder(job.output))


def _survey(task: ShardTask) -> Any:
    from duramen.batch.boilerplate import Survey

    return Survey(task.job, task.shard)


def _last(journal: Journal) -> Last | None:
    frame = journal.last
    if frame is None:
        return None
    data = frame.payload
    return Last(frame.offset, json.loads(data).get("id") or "" if data.startswith(b"{") else "")


def _is_fat(limit: int) -> bool:
    """Whether the process holds more than half its limit between pages."""
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
    """A page that asks for far too much at once gets a MemoryError; the supervisor sees to one that grows."""
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
    """On Linux the kernel ends the worker with its supervisor, even if the worker is stuck in foreign code."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main() -> None:
    socket, board, parent, memory = map(int, sys.argv[1:5])
    _die_with_parent()
    if os.getppid() != parent:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    faulthandler.enable()
    # What an extractor prints must not get between the messages; the socket is a descriptor of its own.
    os.dup2(2, 1)
    worker = Worker(Connection(socket), Board(board))
    threading.Thread(target=worker.listen, daemon=True).start()
    _limit_memory(memory)
    worker.serve()
    # Not a return: a library's thread or exit handler must not keep the worker.
    sys.stderr.flush()
    os._exit(0)
