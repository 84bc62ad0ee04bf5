"""The pages an agent reads: fetched or sent, extracted in workers, and kept for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace

from anyio import Lock

from duramen.agents.documents import Document, Documents, document_of
from duramen.agents.zero_width import strip_zero_width
from duramen.model import Fetched, Metadata
from duramen.options import Options, Rendering
from duramen.pipeline import extract
from duramen.read.decode import decode
from duramen.safe_values import strip_invisible
from duramen.service.pages import Pages

LONGEST_RAW = 4_000_000
"""Maximum of characters kept of a page's source."""


class Library:
    """Shared by all clients of a server. Requests cannot change its settings."""

    def __init__(self, pages: Pages, options: Options) -> None:
        self.pages, self.workers = pages, pages.workers
        self.options = replace(options, visible_only=True)
        self.documents = Documents()
        self._locks: dict[Hashable, Lock] = {}

    async def warm_up(self) -> None:
        """Start a worker, so that the first page does not wait for it."""
        await self.workers.warm_up(extract_document, "<p>ready</p>", None, self.options)

    async def read_html(self, html: str, url: str | None) -> Document:
        """Read a page from its HTML."""
        return self.documents.add(await self.workers.run(extract_document, html, url, self.options))

    async def read_url(
        self, url: str, *, raw: bool = False, render: Rendering = "auto", again: bool = False, by_user: bool = False
    ) -> Document:
        """Read the page at a URL. ``again`` accepts a stored document of any age, for its further parts."""

        async def fetch_and_read() -> Document:
            if raw:
                return await self.workers.run(read_source, await self.pages.fetch(url), self.options)
            _, result = await self.pages.read(url, self.options, render, ignore_robots=by_user)
            return await self.workers.run(document_of, result)

        return await self._once((url, raw, render), again, fetch_and_read)

    async def _once(self, key: Hashable, again: bool, read: Callable[[], Awaitable[Document]]) -> Document:
        """Share one download among concurrent requests for the same page."""
        lock = self._locks.setdefault(key, Lock())
        try:
            async with lock:
                known = self.documents.cached(key, any_age=again)
                return known or self.documents.add(await read(), key)
        finally:
            if not lock.locked() and not lock.statistics().tasks_waiting:
                self._locks.pop(key, None)


def extract_document(html: str, url: str | None, options: Options) -> Document:
    """Runs in a worker: extract HTML that was sent."""
    return document_of(extract(html, url, options))


def read_source(fetched: Fetched, options: Options) -> Document:
    """The page's source as text, never as a page to display."""
    text = decode(fetched.body, options.encoding, fetched.charset)[0]
    visible, hidden = strip_invisible(text[:LONGEST_RAW])
    visible, zero_width = strip_zero_width(visible)
    cut = (f"the source was cut off after {LONGEST_RAW:,} characters",) if len(text) > LONGEST_RAW else ()
    return Document(
        url=fetched.url,
        metadata=Metadata(),
        page_type="service",
        page_type_confidence=0.0,
        tier=None,
        verdict="partial",
        score=0.0,
        reasons=("raw: this is the page's source, nothing was extracted",),
        warnings=cut,
        bodies={"raw": visible},
        invisible_characters=hidden + zero_width,
    )
