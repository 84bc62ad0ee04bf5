"""Pages from the network for the servers: one session for each way of rendering, opened when first needed."""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType

from duramen.model import Fetched
from duramen.options import FetchOptions, Rendering
from duramen.session import AsyncSession


class Pages:
    """All that a server fetches goes through here, by the rules the server was started with."""

    def __init__(self, options: FetchOptions | None = None) -> None:
        self.options = options or FetchOptions()
        self._sessions: dict[Rendering, AsyncSession] = {}

    async def __aenter__(self) -> Pages:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            await session.aclose()

    async def fetch(self, url: str, render: Rendering | None = None, *, ignore_robots: bool = False) -> Fetched:
        """The page at an address. Raises :class:`duramen.FetchError`."""
        wanted = self._allowed(render)
        if wanted not in self._sessions:
            self._sessions[wanted] = AsyncSession(fetch=replace(self.options, render=wanted))
        return await self._sessions[wanted].fetch(url, ignore_robots=ignore_robots)

    def _allowed(self, render: Rendering | None) -> Rendering:
        """A request may ask for less than the server does by itself, and for more unless the server never renders."""
        return self.options.render if render is None or self.options.render == "never" else render
