"""A session turns addresses into results. It owns connections, caches and the browser, and leaves nothing behind.

All work is done by :class:`AsyncSession`; :class:`Session` runs one in a thread of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from duramen.errors import FetchError, InputError, MissingExtra, OptionError
from duramen.fetch.politeness import Deadline
from duramen.model import Fetched
from duramen.options import FetchOptions, Options
from duramen.pipeline import run
from duramen.read.decode import decode
from duramen.result import Result

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

_T = TypeVar("_T")
Pair = tuple[str, Result | FetchError]

_AHEAD = 8
"""For each request under way so many addresses wait for their host's turn: one slow host does not hold up the rest."""


class AsyncSession:
    """Pages from the network, for asynchronous programs; used as ``async with AsyncSession() as session``."""

    def __init__(self, options: Options | None = None, fetch: FetchOptions | None = None) -> None:
        self.options, self.fetch_options = _checked(options, fetch)
        try:
            from duramen.fetch.client import Client
        except ImportError as error:
            raise MissingExtra("fetch", "fetching pages") from error
        self.is_closed = False
        self._io = ThreadPoolExecutor(self.fetch_options.concurrency, "duramen-io")
        # One thread, since the engine measures its time by the process.
        self._engine = ThreadPoolExecutor(1, "duramen-engine")
        self._client = Client(self.fetch_options, self._io)

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every connection, thread and browser. Closing twice does no harm."""
        self.is_closed = True
        try:
            await self._client.aclose()
        finally:
            self._io.shutdown(wait=False, cancel_futures=True)
            self._engine.shutdown(wait=False, cancel_futures=True)

    async def fetch(self, url: str, *, ignore_robots: bool = False) -> Fetched:
        """The page at an address, as the server sent it. Raises :class:`duramen.FetchError`."""
        async with self._deadline(url) as deadline:
            return await self._client.fetch(url, deadline, ignore_robots=ignore_robots)

    async def extract(self, url: str, *, ignore_robots: bool = False) -> Result:
        """The main content of the page at an address. Raises :class:`duramen.FetchError` when there is no page."""
        async with self._deadline(url) as deadline:
            fetched = await self._client.fetch(url, deadline, ignore_robots=ignore_robots)
            return await self._read(fetched, deadline)

    async def extract_many(self, urls: Iterable[str], *, ignore_robots: bool = False) -> AsyncIterator[Pair]:
        """Each address with its result, or with what went wrong, as they come."""
        coming = iter(urls)
        queue = _Queue(self, ignore_robots)
        try:
            while pair := await queue.next(list(islice(coming, queue.room))):
                yield pair
        finally:
            await queue.stop()

    def _deadline(self, url: str) -> Deadline:
        if not isinstance(url, str):
            raise InputError(f"url must be a str, not {type(url).__name__}; write str(url)")
        if self.is_closed:
            raise InputError("this session is closed; open another")
        return Deadline(url, self.fetch_options.timeout)

    async def _read(self, fetched: Fetched, deadline: Deadline) -> Result:
        with deadline.paused():
            return await asyncio.get_running_loop().run_in_executor(self._engine, read_fetched, fetched, self.options)


class Session:
    """Pages from the network; used as ``with Session() as session``."""

    def __init__(self, options: Options | None = None, fetch: FetchOptions | None = None) -> None:
        self._session = AsyncSession(options, fetch)
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None

    @property
    def options(self) -> Options:
        return self._session.options

    @property
    def fetch_options(self) -> FetchOptions:
        return self._session.fetch_options

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection, thread and browser. Closing twice does no harm."""
        if not self._session.is_closed:
            try:
                self._run(self._session.aclose)
            finally:
                self._portal = None
                self._stack.close()

    def fetch(self, url: str, *, ignore_robots: bool = False) -> Fetched:
        """The page at an address, as the server sent it. Raises :class:`duramen.FetchError`."""
        return self._run(lambda: self._session.fetch(url, ignore_robots=ignore_robots))

    def extract(self, url: str, *, ignore_robots: bool = False) -> Result:
        """The main content of the page at an address. Raises :class:`duramen.FetchError` when there is no page."""
        return self._run(lambda: self._session.extract(url, ignore_robots=ignore_robots))

    def extract_many(self, urls: Iterable[str], *, ignore_robots: bool = False) -> Iterator[Pair]:
        """Each address with its result, or with what went wrong, as they come."""
        coming = iter(urls)
        queue = _Queue(self._session, ignore_robots)
        try:
            while True:
                # Addresses are taken in the caller's thread, where they may come from a file or a database.
                batch = list(islice(coming, queue.room))
                pair = self._run(lambda batch=batch: queue.next(batch))  # type: ignore[misc]
                if pair is None:
                    return
                yield pair
        finally:
            self._run(queue.stop)

    def _run(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Do work in the session's own thread; whoever interrupts the caller stops it there."""
        if self._portal is None:
            if self._session.is_closed:
                raise InputError("this session is closed; open another")
            from anyio.from_thread import start_blocking_portal

            self._portal = self._stack.enter_context(start_blocking_portal(name="duramen-session"))
        future = self._portal.start_task_soon(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


class _Queue:
    """Addresses under way."""

    def __init__(self, session: AsyncSession, ignore_robots: bool) -> None:
        self._session, self._ignore_robots = session, ignore_robots
        self._most = session.fetch_options.concurrency * _AHEAD
        self._tasks: set[asyncio.Task[Pair]] = set()
        self._done: list[Pair] = []

    @property
    def room(self) -> int:
        return max(0, self._most - len(self._tasks) - len(self._done))

    async def next(self, urls: Sequence[str]) -> Pair | None:
        """Begin with more addresses, and wait for any to be done; nothing when none is left."""
        self._tasks |= {asyncio.create_task(self._one(url)) for url in urls}
        if not self._done and self._tasks:
            done, self._tasks = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            self._done = [task.result() for task in done]
        return self._done.pop() if self._done else None

    async def _one(self, url: str) -> Pair:
        try:
            return url, await self._session.extract(url, ignore_robots=self._ignore_robots)
        except FetchError as error:
            return url, error

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def read_fetched(fetched: Fetched, options: Options) -> Result:
    """The content of a page that was fetched; the trace begins with how it was."""
    from duramen.fetch.content import is_markdown

    html: str | bytes = fetched.body
    steps = fetched.steps
    if is_markdown(fetched.headers, fetched.body):
        from duramen.fetch.markdown import markdown_page

        html = markdown_page(decode(fetched.body, options.encoding, fetched.headers.get("content-type"))[0])
        steps += ("the site offers the page as Markdown",)
    result = run(html, fetched.url, options, content_type=None if fetched.rendered else fetched.charset)
    return replace(result, trace=replace(result.trace, steps=(*steps, *result.trace.steps)))


def _checked(options: Options | None, fetch: FetchOptions | None) -> tuple[Options, FetchOptions]:
    if options is not None and not isinstance(options, Options):
        raise OptionError(f"options must be duramen.Options, not {type(options).__name__}")
    if fetch is not None and not isinstance(fetch, FetchOptions):
        raise OptionError(f"fetch must be duramen.FetchOptions, not {type(fetch).__name__}")
    return options or Options(), fetch or FetchOptions()
