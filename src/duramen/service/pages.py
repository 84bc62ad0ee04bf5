"""Pages from the network for the servers: one session for each way of rendering, opened when first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TypeVar

from duramen.fetched import is_explained
from duramen.model import Fetched, TraceDetails
from duramen.options import FetchOptions, Options, Rendering
from duramen.result import Result
from duramen.service.workers import Gate, Workers
from duramen.session import AsyncSession

_T = TypeVar("_T")


class WorkedSession(AsyncSession):
    """A session whose extraction is done by workers, which can be stopped; pages that wait for one are counted."""

    def __init__(self, fetch: FetchOptions, workers: Workers, gate: Gate) -> None:
        super().__init__(fetch=fetch)
        self._workers, self._gate = workers, gate

    async def _think(self, work: Callable[..., _T], *arguments: object) -> _T:
        with self._gate.hold() as count:
            count(sum(len(each.body) for each in arguments if isinstance(each, Fetched)))
            return await self._workers.run(_lean, work, *arguments)


def _lean(work: Callable[..., _T], *arguments: object) -> _T:
    """Work in another process. A result comes back without the page, which it remembers to tell of every block; a
    story that is told already comes along."""
    done = work(*arguments)
    if isinstance(done, Result) and not is_explained(done):
        return replace(done, trace=replace(done.trace, explain=TraceDetails))
    return done


class Pages:
    """All that a server fetches goes through here, by the rules the server was started with."""

    def __init__(self, options: FetchOptions, workers: Workers, gate: Gate) -> None:
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
        """The page at an address as it was sent. Raises :class:`duramen.FetchError`."""
        return await self._session(None).fetch(url)

    async def read(
        self,
        url: str,
        options: Options,
        render: Rendering | None = None,
        *,
        ignore_robots: bool = False,
        story: bool = False,
    ) -> tuple[Fetched, Result]:
        """The page at an address, rendered if it has to be, and its content. Raises :class:`duramen.FetchError`."""
        return await self._session(render).read(url, options=options, ignore_robots=ignore_robots, story=story)

    def _session(self, render: Rendering | None) -> AsyncSession:
        """A request may have a page rendered or not, unless the server never renders."""
        wanted = self.options.render if render is None or self.options.render == "never" else render
        if wanted not in self._sessions:
            self._sessions[wanted] = WorkedSession(replace(self.options, render=wanted), self.workers, self._gate)
        return self._sessions[wanted]
