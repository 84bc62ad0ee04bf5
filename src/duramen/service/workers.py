"""Extraction in separate processes: the event loop stays free, and a page that takes too long is stopped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar, TypeVarTuple

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from duramen.errors import DuramenError

_T = TypeVar("_T")
_Args = TypeVarTuple("_Args")


class OverloadedError(DuramenError):
    """The limit on concurrent work is reached; try again later."""


class TooSlowError(DuramenError):
    """The page exceeded its time limit; its worker was stopped."""


class WorkerLostError(DuramenError):
    """The page's worker process died, most likely because it ran out of memory."""


class LoadLimiter:
    """Limits concurrent requests and bytes. Requests over the limit are refused before their bodies are read."""

    def __init__(self, size: int, requests: int = sys.maxsize) -> None:
        self.requests, self.size = requests, size
        self.inside = self.held = 0

    def check(self) -> None:
        """Raise if the limit on requests is reached."""
        if self.inside >= self.requests:
            raise OverloadedError(f"{self.inside} requests are in progress, which is the limit; try again in a moment")

    @contextmanager
    def enter(self) -> Iterator[None]:
        self.check()
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    @contextmanager
    def hold(self) -> Iterator[Callable[[int], None]]:
        """Count bytes while they are in memory: call the yielded function with the size of each piece."""
        mine = 0

        def count(size: int) -> None:
            nonlocal mine
            if self.held + size > self.size:
                raise OverloadedError(
                    "the pages in progress use all the memory reserved for them; try again in a moment"
                )
            self.held += size
            mine += size

        try:
            yield count
        finally:
            self.held -= mine


class Workers:
    """At most ``count`` processes, each with ``seconds`` for one page. A cancelled call stops its process."""

    def __init__(self, count: int | None = None, seconds: float = 30.0) -> None:
        self.count = count or min(4, os.cpu_count() or 1)
        self.seconds = seconds
        self._limiter: CapacityLimiter | None = None

    async def warm_up(self, function: Callable[[*_Args], object], *args: *_Args) -> None:
        """Start a worker ahead of the first request, without time limit; a failure to start is ignored."""
        with suppress(BrokenWorkerProcess):
            await to_process.run_sync(function, *args, cancellable=True, limiter=self._limit())

    async def run(self, function: Callable[[*_Args], _T], *args: *_Args) -> _T:
        """Call a module-level function with picklable arguments in a worker process."""
        try:
            with fail_after(self.seconds):
                return await to_process.run_sync(function, *args, cancellable=True, limiter=self._limit())
        except TimeoutError:
            raise TooSlowError(f"the page took longer than {self.seconds:g} s") from None
        except BrokenWorkerProcess:
            raise WorkerLostError("the worker process of this page died; the page may need too much memory") from None

    def _limit(self) -> CapacityLimiter:
        if self._limiter is None:
            self._limiter = CapacityLimiter(self.count)
        return self._limiter
