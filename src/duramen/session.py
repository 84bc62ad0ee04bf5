"""Sessions fetch and extract URLs. A session owns its connections, caches and browser, and closes them all.

:class:`AsyncSession` does all the work; :class:`Session` runs one in a thread.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from duramen.browser.verdicts import (
    SCRIPTED,
    NoBrowser,
    RenderFailed,
    better,
    needs_browser,
    rendered,
    unrendered,
    with_note,
)
from duramen.errors import FetchError, InputError, MissingExtra, OptionError
from duramen.fetch.politeness import Deadline
from duramen.fetched import is_page, links_of, next_page_of, read_fetched
from duramen.model import Fetched
from duramen.options import FetchOptions, Options, takes_options
from duramen.result import Result

if TYPE_CHECKING:
    from duramen.browser.render import Renderer
    from duramen.fetch.discovery import Sitemap
    from duramen.fetch.feeds import Feed
    from duramen.fetch.url import Url
    from duramen.parts.links import Link
    from duramen.selector_cache import SelectorCache

_T = TypeVar("_T")
_P = ParamSpec("_P")
Pair = tuple[str, Result | FetchError]

_AHEAD = 8
"""URLs in the queue per running request: while some wait for one slow host, others can proceed."""


class AsyncSession:
    """Fetches and extracts pages in asynchronous programs: ``async with AsyncSession() as session``."""

    @takes_options("AsyncSession({})")
    def __init__(
        self,
        options: Options | None = None,
        fetch: FetchOptions | None = None,
        selectors: SelectorCache | None = None,
    ) -> None:
        self.options, self.fetch_options = _checked(options, fetch)
        self.selectors = selectors
        try:
            from duramen.fetch.client import Client
        except ImportError as error:
            raise MissingExtra("fetch", "fetching pages") from error
        self.is_closed = False
        # For DNS lookups, which may be slow, and the page cache.
        self._io = ThreadPoolExecutor(2 * self.fetch_options.concurrency, "duramen-io")
        # One thread, because the engine measures the CPU time of the process.
        self._engine = ThreadPoolExecutor(1, "duramen-engine")
        self._client = Client(self.fetch_options, self._io)
        self._renderer: Renderer | None = None
        if self.fetch_options.render == "always":
            self._browser()

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
            if self._renderer is not None:
                await self._renderer.aclose()
            await self._client.aclose()
        finally:
            self._io.shutdown(wait=False, cancel_futures=True)
            self._engine.shutdown(wait=False, cancel_futures=True)

    async def fetch(self, url: str, *, ignore_robots: bool = False) -> Fetched:
        """Fetch a URL, without extraction. Raises :class:`duramen.FetchError`."""
        async with self._deadline(url) as deadline:
            return await self._client.fetch(url, deadline, ignore_robots=ignore_robots)

    async def feeds(self, url: str) -> tuple[Feed, ...]:
        """The feeds of a page, with their items: itself, those that it names, or else one at a usual place."""
        from duramen.fetch.discovery import find_feeds

        return await find_feeds(url, self._fetch_any)

    async def sitemap(self, url: str, *, files: int = 50, urls: int = 50_000) -> Sitemap:
        """The pages that a site lists in the sitemaps of its robots.txt, or in ``/sitemap.xml``.

        ``url`` is any page of the site, or a sitemap. At most ``files`` sitemaps are read, and ``urls`` URLs are kept.
        """
        from duramen.fetch.discovery import find_sitemap
        from duramen.fetch.url import parse_url

        async with self._deadline(url) as deadline:
            named = await self._client.robots.sitemaps(parse_url(url), deadline)
        return await find_sitemap(url, named, self._fetch_any, self.fetch_options.max_bytes, files, urls)

    async def _fetch_any(self, url: str) -> Fetched:
        async with self._deadline(url) as deadline:
            return await self._client.fetch(url, deadline, any_type=True)

    async def links(self, url: str, *, navigation: bool = False) -> tuple[Link, ...]:
        """The links in a page's content; with ``navigation``, those around it. Each target once."""
        fetched, result = await self.read(url)
        return await self._compute(links_of, fetched, result, self.options, navigation)

    async def extract(self, url: str, *, ignore_robots: bool = False) -> Result:
        """Fetch a URL and extract its main content. Raises :class:`duramen.FetchError`."""
        return (await self.read(url, ignore_robots=ignore_robots))[1]

    async def read(
        self, url: str, *, options: Options | None = None, ignore_robots: bool = False, details: bool = False
    ) -> tuple[Fetched, Result]:
        """A page, rendered if necessary, and its content, including that of further pages with ``join_pages``.

        ``options`` replaces the session's. With ``details``, the trace's removals and blocks are computed at once.
        """
        options = options or self.options
        first, result = await self._read(url, options, ignore_robots, details)
        if not self.fetch_options.join_pages:
            return first, result
        from duramen.fetch.pages import join_results, unfinished

        fetched, results, seen = first, [result], {result.url or url}
        while len(results) <= self.fetch_options.join_pages:
            onward = await self._compute(next_page_of, fetched, options, seen)
            if onward is None:
                break
            try:
                fetched, later = await self._read(onward, options, ignore_robots)
            except FetchError as error:
                results[0] = unfinished(results[0], str(error))
                break
            results.append(later)
            seen |= {onward, fetched.url}
        return first, await self._compute(join_results, results)

    async def _read(
        self, url: str, options: Options, ignore_robots: bool, details: bool = False
    ) -> tuple[Fetched, Result]:
        """Fetch and extract one page."""
        async with self._deadline(url) as deadline:
            fetched = await self._client.fetch(url, deadline, ignore_robots=ignore_robots)

            async def extract(page: Fetched) -> Result:
                return await self._compute(read_fetched, page, options, self.selectors, details)

            with deadline.paused():
                result = await extract(fetched)
            wanted = self.fetch_options.render
            if wanted == "never" or fetched.content_type not in SCRIPTED or not is_page(fetched):
                return fetched, result
            if wanted == "always" or needs_browser(result, fetched.body):
                return await self._render(url, fetched, result, deadline, extract, ignore_robots, options.visible_only)
            return fetched, result

    async def extract_many(self, urls: Iterable[str], *, ignore_robots: bool = False) -> AsyncIterator[Pair]:
        """Each address with its result, or with what went wrong, as they come."""
        coming = _several(urls)
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

    def _browser(self) -> Renderer:
        if self._renderer is None:
            try:
                from duramen.browser.render import Renderer
            except ImportError as error:
                raise MissingExtra("render", "rendering pages") from error
            self._renderer = Renderer(self.fetch_options, self._client.connector, self._client.credentials)
        return self._renderer

    async def _render(
        self,
        url: str,
        fetched: Fetched,
        result: Result,
        deadline: Deadline,
        extract: Callable[[Fetched], Awaitable[Result]],
        ignore_robots: bool,
        visible_only: bool,
    ) -> tuple[Fetched, Result]:
        """The result after the page's scripts have run; if the browser fails, the result so far with a note."""

        async def may_visit(target: Url) -> None:
            await self._client.connector.resolve(target.host, target.port)
            if self.fetch_options.robots and not ignore_robots:
                await self._client.robots.check(target, deadline)

        try:
            browser = self._browser()
        except MissingExtra as error:
            return fetched, with_note(result, f"not rendered: {error}")
        left = deadline.left
        with deadline.paused():
            try:
                page = await browser.render(fetched, url.partition("#")[2], left, may_visit, visible_only)
            except NoBrowser as error:
                if self.fetch_options.render == "always":
                    raise OptionError(str(error)) from None
                return fetched, with_note(result, f"not rendered: {error}")
            except RenderFailed as error:
                return fetched, unrendered(result, str(error), self.fetch_options.render == "always")
            return page, rendered(better(result, await extract(page)), page.steps)

    async def _compute(self, work: Callable[..., _T], *arguments: object) -> _T:
        """Run CPU-bound work outside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._engine, work, *arguments)


def _blocking(
    method: Callable[Concatenate[AsyncSession, _P], Coroutine[Any, Any, _T]],
) -> Callable[Concatenate[Session, _P], _T]:
    """A blocking version of an asynchronous method, with its signature and docstring."""

    @wraps(method)
    def wait(self: Session, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return self._run(lambda: method(self._session, *args, **kwargs))

    return wait


class Session:
    """Fetches and extracts pages: ``with Session() as session``."""

    @takes_options("Session({})")
    def __init__(
        self,
        options: Options | None = None,
        fetch: FetchOptions | None = None,
        selectors: SelectorCache | None = None,
    ) -> None:
        self._session = AsyncSession(options, fetch, selectors)
        self._thread = _LoopThread()
        # Also runs when the session is garbage-collected, or the program ends.
        self._finish = weakref.finalize(self, _finish, self._session, self._thread)

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
        self._finish()

    fetch = _blocking(AsyncSession.fetch)
    feeds = _blocking(AsyncSession.feeds)
    sitemap = _blocking(AsyncSession.sitemap)
    links = _blocking(AsyncSession.links)
    extract = takes_options("Session({}).extract(url)")(_blocking(AsyncSession.extract))
    read = _blocking(AsyncSession.read)

    def extract_many(self, urls: Iterable[str], *, ignore_robots: bool = False) -> Iterator[Pair]:
        """Each address with its result, or with what went wrong, as they come."""
        coming = _several(urls)
        queue = _Queue(self._session, ignore_robots)
        try:
            while True:
                # URLs are read in the caller's thread, because the iterator may use a file or a database.
                batch = list(islice(coming, queue.room))
                pair = self._run(lambda batch=batch: queue.next(batch))  # type: ignore[misc]
                if pair is None:
                    return
                yield pair
        finally:
            if self._finish.alive:
                self._run(queue.stop)

    def _run(self, work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        if not self._finish.alive:
            raise InputError("this session is closed; open another")
        return self._thread.run(work)


class _LoopThread:
    """An event loop in its own thread, for callers that have none."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        # A daemon thread, so that a session that was not closed does not keep the program running.
        self._thread = threading.Thread(target=self._work, name="duramen-session", daemon=True)
        self._thread.start()
        self._ready.wait()

    def _work(self) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            self._loop.call_soon(self._ready.set)
            self._loop.run_forever()

    def run(self, work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """Run a coroutine in the thread; an interrupt of the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


def _finish(session: AsyncSession, thread: _LoopThread) -> None:
    try:
        thread.run(session.aclose)
    finally:
        thread.stop()


class _Queue:
    """URLs in progress."""

    def __init__(self, session: AsyncSession, ignore_robots: bool) -> None:
        self._session, self._ignore_robots = session, ignore_robots
        self._most = session.fetch_options.concurrency * _AHEAD
        self._tasks: set[asyncio.Task[Pair]] = set()
        self._done: list[Pair] = []

    @property
    def room(self) -> int:
        return max(0, self._most - len(self._tasks) - len(self._done))

    async def next(self, urls: Sequence[str]) -> Pair | None:
        """Start more URLs, and wait for the next one to finish; ``None`` if none is left."""
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


def _several(urls: Iterable[str]) -> Iterator[str]:
    if isinstance(urls, (str, bytes)):
        raise InputError("extract_many takes several URLs; write extract_many([url]), or extract(url) for one")
    return iter(urls)


def _checked(options: Options | None, fetch: FetchOptions | None) -> tuple[Options, FetchOptions]:
    if options is not None and not isinstance(options, Options):
        raise OptionError(f"options must be duramen.Options, not {type(options).__name__}")
    if fetch is not None and not isinstance(fetch, FetchOptions):
        raise OptionError(f"fetch must be duramen.FetchOptions, not {type(fetch).__name__}")
    return options or Options(), fetch or FetchOptions()
