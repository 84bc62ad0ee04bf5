"""Pages from the network for the servers: one session per rendering mode, opened on first use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TypeVar

from duramen.fetch.discovery import Sitemap
from duramen.fetch.feeds import Feed
from duramen.fetched import is_explained
from duramen.model import Fetched, TraceDetails
from duramen.options import FetchOptions, Options, Rendering
from duramen.result import Result
from duramen.service.workers import LoadLimiter, Workers
from duramen.session import AsyncSession

_T = TypeVar("_T")


class WorkerSession(AsyncSession):
    """A session that extracts in workers, which can be stopped; pages that wait for a worker count as load."""

    def __init__(self, fetch: FetchOptions, workers: Workers, gate: LoadLimiter) -> None:
        super().__init__(fetch=fetch)
        self._workers, self._gate = workers, gate

    async def _compute(self, work: Callable[..., _T], *arguments: object) -> _T:
        with self._gate.hold() as count:
            count(sum(len(each.body) for each in arguments if isinstance(each, Fetched)))
            return await self._workers.run(_without_page, work, *arguments)


def _without_page(work: Callable[..., _T], *arguments: object) -> _T:
    """Runs in a worker: drop the page that a result keeps for explaining its blocks; details computed so far stay."""
    done = work(*arguments)
    if isinstance(done, Result) and not is_explained(done):
        return replace(done, trace=replace(done.trace, explain=TraceDetails))
    return done


class Pages:
    """Fetches every page for a server, with the options the server was started with."""

    def __init__(self, options: FetchOptions, workers: Workers, gate: LoadLimiter) -> None:
        self.options, self.workers, self._gate = options, workers, gate
        self._sessions: dict[Rendering, AsyncSession] = {}

    async def __aenter__(self) -> Pages:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            await session.aclose()

    async def fetch(self, url: str) -> Fetched:
        """The page at a URL as the server sent it. Raises :class:`duramen.FetchError`."""
        return await self._session(None).fetch(url)

    async def read(
        self,
        url: str,
        options: Options,
        render: Rendering | None = None,
        *,
        ignore_robots: bool = False,
        details: bool = False,
    ) -> tuple[Fetched, Result]:
        """The page at a URL, rendered if necessary, and its content. Raises :class:`duramen.FetchError`."""
        return await self._session(render).read(url, options=options, ignore_robots=ignore_robots, details=details)

    async def sitemap(self, url: str, files: int, urls: int) -> Sitemap:
        """The pages that a site lists in its sitemaps. Raises :class:`duramen.FetchError`."""
        return await self._session(None).sitemap(url, files=files, urls=urls)

    async def feeds(self, url: str) -> tuple[Feed, ...]:
        """The feeds of a page, with their items. Raises :class:`duramen.FetchError`."""
        return await self._session(None).feeds(url)

    def _session(self, render: Rendering | None) -> AsyncSession:
        """The session for a request's rendering mode; a server that never renders ignores the mode."""
        wanted = self.options.render if render is None or self.options.render == "never" else render
        if wanted not in self._sessions:
            self._sessions[wanted] = WorkerSession(replace(self.options, render=wanted), self.workers, self._gate)
        return self._sessions[wanted]
