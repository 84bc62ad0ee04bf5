"""The pages an agent reads: fetched or sent, extracted in workers, and kept for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace
from urllib.parse import urlsplit

from anyio import Lock

from duramen.agents.documents import NO_URL, Document, Documents, document_of, list_document
from duramen.agents.passages import Search, find_passages
from duramen.errors import FetchError, UnsupportedContent
from duramen.fetch.discovery import Sitemap
from duramen.fetch.feeds import Feed
from duramen.fetch.links import navigation_links
from duramen.fetched import links_of
from duramen.model import Fetched, Metadata
from duramen.options import Options, Rendering
from duramen.pipeline import page_of, run
from duramen.read.decode import decode
from duramen.result import Result
from duramen.safe_values import strip_invisible
from duramen.service.pages import Pages
from duramen.zero_width import strip_zero_width

MOST_SITEMAPS = 8
MOST_URLS = 5_000
MOST_ITEMS = 20
"""Items of each feed that a site map lists."""
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
            fetched, result = await self.pages.read(url, self.options, render, ignore_robots=by_user)
            return await self.workers.run(fetched_document, fetched, result, self.options)

        return await self._once((url, raw, render), again, fetch_and_read)

    async def site_map(self, url: str) -> Document:
        """What a site lists of itself: its feeds, and the pages in its sitemaps."""

        async def find_and_read() -> Document:
            sitemap = await self.pages.sitemap(url, MOST_SITEMAPS, MOST_URLS)
            try:
                feeds, failed = await self.pages.feeds(url), ""
            except FetchError as error:
                feeds, failed = (), f"feeds were not searched: {error.what}"
            warnings = tuple(" ".join(line.split())[:300] for line in (*sitemap.limits, failed) if line)
            return list_document(url, f"What {urlsplit(url).hostname} lists", _as_markdown(sitemap, feeds), warnings)

        return await self._once(("site_map", url), False, find_and_read)

    async def find(self, document: Document, query: str, most: int) -> Search:
        """The passages of a document around some words."""
        return await self.workers.run(find_passages, document.bodies["markdown"], document.sections, query, most)

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
    result = run(html, url, options)
    page = page_of(html, url or NO_URL, options)
    return document_of(result, navigation_links(page, result.links))


def fetched_document(fetched: Fetched, result: Result, options: Options) -> Document:
    """Runs in a worker: a result, with the links of its page."""
    return document_of(result, links_of(fetched, result, options, navigation=True))


def _as_markdown(sitemap: Sitemap, feeds: tuple[Feed, ...]) -> str:
    """Feeds with their latest items, and all pages, as sections of Markdown."""
    lines: list[str] = []
    for feed in feeds:
        lines += [
            f"## Feed: {' '.join(feed.title.split()) or feed.url}",
            "",
            f"{feed.url}, {len(feed.items)} items:",
            "",
        ]
        lines += [_entry(item.url, item.title, item.published) for item in feed.items[:MOST_ITEMS] if item.url] + [""]
    if sitemap.entries:
        files = ", ".join(sitemap.files[:5]) + (" …" if len(sitemap.files) > 5 else "")
        lines += ["## Pages", "", f"{len(sitemap.entries)} pages in {files}:", ""]
        lines += [_entry(entry.url, "", entry.modified) for entry in sitemap.entries]
    return "\n".join(lines)


def _entry(url: str, title: str, date: str) -> str:
    label = " ".join(title.split())[:200]
    return f"- {f'{label}: ' if label else ''}{url}{f' ({date[:25]})' if date else ''}"


def read_source(fetched: Fetched, options: Options) -> Document:
    """The page's source as text, never as a page to display."""
    if fetched.body.startswith(b"%PDF-"):
        raise UnsupportedContent(fetched.url, "a PDF file is not text", "call fetch without raw")
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
