"""The pages an agent reads: fetched or given, extracted off the event loop, and kept for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace

from anyio import Lock

from duramen.agents.documents import Document, Documents, document_of
from duramen.agents.unseen import strip_unseen
from duramen.model import Fetched, Metadata
from duramen.options import Options, Rendering
from duramen.pipeline import extract
from duramen.read.decode import decode
from duramen.safe_values import strip_invisible
from duramen.service.pages import Pages

LONGEST_RAW = 4_000_000
"""Characters of a page's source that are kept."""


class Library:
    """One for all clients of a server. What it is given is what no request can change."""

    def __init__(self, pages: Pages, options: Options) -> None:
        self.pages, self.workers = pages, pages.workers
        self.options = replace(options, visible_only=True)
        self.documents = Documents()
        self._locks: dict[Hashable, Lock] = {}

    async def warm_up(self) -> None:
        """The first page should not wait for a worker to start."""
        await self.workers.warm_up(read_given, "<p>ready</p>", None, self.options)

    async def read_html(self, html: str, url: str | None) -> Document:
        """A page that is given."""
        return self.documents.add(await self.workers.run(read_given, html, url, self.options))

    async def read_url(
        self, url: str, *, raw: bool = False, render: Rendering = "auto", again: bool = False, by_user: bool = False
    ) -> Document:
        """The page at an address. ``again`` takes what is known of it at any age, for further parts of it."""

        async def fetch_and_read() -> Document:
            if raw:
                return await self.workers.run(read_source, await self.pages.fetch(url), self.options)
            _, result = await self.pages.read(url, self.options, render, ignore_robots=by_user)
            return await self.workers.run(document_of, result)

        return await self._once((url, raw, render), again, fetch_and_read)

    async def _once(self, key: Hashable, again: bool, read: Callable[[], Awaitable[Document]]) -> Document:
        """Ask the network once for what several ask for at the same time."""
        lock = self._locks.setdefault(key, Lock())
        try:
            async with lock:
                known = self.documents.asked(key, any_age=again)
                return known or self.documents.add(await read(), key)
        finally:
            if not lock.locked() and not lock.statistics().tasks_waiting:
                self._locks.pop(key, None)


def read_given(html: str, url: str | None, options: Options) -> Document:
    """What a worker does with HTML that was given."""
    return document_of(extract(html, url, options))


def read_source(fetched: Fetched, options: Options) -> Document:
    """The page as it was sent: to look at as text, never to be shown as a page."""
    text = decode(fetched.body, options.encoding, fetched.charset)[0]
    visible, hidden = strip_invisible(text[:LONGEST_RAW])
    visible, unseen = strip_unseen(visible)
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
        invisible_characters=hidden + unseen,
    )
