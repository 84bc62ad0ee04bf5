"""Deadlines, and scheduling of requests: limited concurrency, and one request at a time per host."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType

from duramen.errors import Timeout, TooSoon

_MOST_HOSTS = 10_000
"""Maximum of hosts in memory; hosts without waiting requests are removed first."""
MAX_RETRY_AFTER = 30.0
"""Maximum delay, in seconds, that one response may impose on a host whose pages wait for it."""
MAX_REFUSED = 3600.0
"""The same where pages do not wait, but are refused with the time that is left."""


class Deadline:
    """An ``async with`` block that raises :class:`Timeout` when time is up; waiting for a turn does not count."""

    def __init__(self, url: str, seconds: float) -> None:
        self.url = url
        self._seconds = seconds
        self._scope = asyncio.timeout(None)

    async def __aenter__(self) -> Deadline:
        await self._scope.__aenter__()
        self._scope.reschedule(asyncio.get_running_loop().time() + self._seconds)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._scope.__aexit__(kind, error, trace)
        except TimeoutError:
            what, advice = f"not done within {self._seconds:g} s", "raise the limit: timeout, --timeout"
            raise Timeout(self.url, what, advice) from None

    @property
    def left(self) -> float:
        """Seconds left; while the clock is paused, the full time."""
        when = self._scope.when()
        return self._seconds if when is None else max(0.0, when - asyncio.get_running_loop().time())

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause the clock; blocks may be nested."""
        if self._scope.when() is None:
            yield
            return
        left = self.left
        self._scope.reschedule(None)
        try:
            yield
        finally:
            with suppress(RuntimeError):  # left by an exception: the block has ended
                self._scope.reschedule(asyncio.get_running_loop().time() + left)


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ready: float = 0.0
    """When the next page may be requested."""
    waiting: int = 0


class RequestScheduler:
    """Limits concurrent requests, and spaces requests to the same host."""

    def __init__(self, concurrency: int, delay: float, max_wait: float | None = None) -> None:
        self.delay, self.max_wait = delay, max_wait
        self._slots = asyncio.Semaphore(concurrency)
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, deadline: Deadline, *, spaced: bool, delay: float = 0.0) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Pages are ``spaced`` from each other; their robots.txt and redirects are not."""
        place = self._place(host)
        loop = asyncio.get_running_loop()
        if spaced:
            # Every request ahead is followed by a pause.
            pauses = place.waiting * max(self.delay, delay)
            self.check_wait(deadline.url, max(0.0, place.ready - loop.time()) + pauses)
        place.waiting += 1
        try:
            with deadline.paused():
                await place.lock.acquire()
            try:
                with deadline.paused():
                    if spaced:
                        await asyncio.sleep(max(0.0, place.ready - loop.time()))
                    await self._slots.acquire()
                try:
                    yield
                finally:
                    self._slots.release()
                    place.ready = max(place.ready, loop.time() + max(self.delay, delay))
            finally:
                place.lock.release()
        finally:
            place.waiting -= 1

    def check_wait(self, url: str, seconds: float) -> None:
        """Raise if a wait is longer than allowed."""
        if self.max_wait is not None and seconds > self.max_wait:
            what = f"the rate limit of its host ends in {math.ceil(seconds)} s"
            raise TooSoon(url, what, f"try again in {math.ceil(seconds)} s", seconds)

    def delay_host(self, host: str, seconds: float) -> None:
        """Delay all further pages of a host, as after Retry-After."""
        most = MAX_RETRY_AFTER if self.max_wait is None else max(MAX_REFUSED, self.max_wait)
        until = asyncio.get_running_loop().time() + min(seconds, most)
        place = self._place(host)
        place.ready = max(place.ready, until)

    @asynccontextmanager
    async def slot(self, deadline: Deadline) -> AsyncIterator[None]:
        """A slot among the concurrent requests, without waiting for a host's turn."""
        with deadline.paused():
            await self._slots.acquire()
        try:
            yield
        finally:
            self._slots.release()

    def _place(self, host: str) -> _Host:
        if len(self._hosts) >= _MOST_HOSTS:
            now = asyncio.get_running_loop().time()
            self._hosts = {name: place for name, place in self._hosts.items() if place.waiting or place.ready > now}
        return self._hosts.setdefault(host, _Host())
