"""What a site lists of itself: feeds, and sitemaps with the indexes that name them. Every list is bounded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from duramen.errors import FetchError, HttpStatus, TooSoon, UnsupportedContent
from duramen.fetch.content import kind_of
from duramen.fetch.feeds import Feed, is_feed, is_json_feed, read_json_feed, xml_feed
from duramen.fetch.links import feed_links
from duramen.fetch.sitemaps import ROOTS, SitemapEntry, SitemapFile, text_sitemap, xml_sitemap
from duramen.fetch.unpack import Body
from duramen.fetch.url import parse_url, same_site
from duramen.fetch.xml_reader import XmlError, read_xml
from duramen.model import Fetched
from duramen.read.decode import decode

MOST_FEEDS = 5
MOST_FILES = 50
MOST_URLS = 50_000
COMMON_FEEDS = ("/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml")
"""Where sites have a feed that their pages do not name."""

Fetch = Callable[[str], Awaitable[Fetched]]


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages that a site lists in its sitemaps."""

    entries: tuple[SitemapEntry, ...]
    """Each URL once, of this site only."""
    files: tuple[str, ...]
    """The sitemaps that were read."""
    limits: tuple[str, ...] = ()
    """What was left out, or could not be read."""


async def find_feeds(url: str, fetch: Fetch, most: int = MOST_FEEDS) -> tuple[Feed, ...]:
    """The feeds of a page: itself, those that it names, or else one at a usual place."""
    start = await fetch(url)
    if (own := read_feed(start)) is not None:
        return (own,)
    if kind_of(start.url, start.headers, start.body) != "page":
        return ()
    named = feed_links(_text(start), start.url)
    found: list[Feed] = []
    for address in named[:most] or (parse_url(path, parse_url(start.url)).href for path in COMMON_FEEDS):
        try:
            feed = read_feed(await fetch(address))
        except FetchError:
            continue
        if feed is not None:
            found.append(feed)
            if not named:
                break
    return tuple(found)


def read_feed(fetched: Fetched) -> Feed | None:
    """The feed in a response, if it is one."""
    text = _text(fetched)
    if is_json_feed(text):
        return read_json_feed(text, fetched.url)
    if kind_of(fetched.url, fetched.headers, fetched.body) != "xml":
        return None
    try:
        root, fault = read_xml(text)
    except XmlError:
        return None
    return xml_feed(root, fetched.url, fault) if is_feed(root) else None


async def find_sitemap(
    url: str, named: tuple[str, ...], fetch: Fetch, max_bytes: int, files: int = MOST_FILES, urls: int = MOST_URLS
) -> Sitemap:
    """The pages in the sitemaps that robots.txt names, or in ``/sitemap.xml``; ``url`` may also be a sitemap."""
    here = parse_url(url)
    is_sitemap = here.target.partition("?")[0].endswith((".xml", ".xml.gz", ".txt"))
    waiting = [url] if is_sitemap else list(named) or [parse_url("/sitemap.xml", here).href]
    found: dict[str, SitemapEntry] = {}
    read: list[str] = []
    limits: list[str] = []
    seen = set(waiting)
    while waiting:
        address = waiting.pop(0)
        if len(read) >= files or len(found) >= urls:
            limits.append(
                f"{len(waiting) + 1} further sitemaps were not read: the limit is {files} files, {urls:,} URLs"
            )
            break
        try:
            part = read_sitemap(await fetch(address), max_bytes)
        except HttpStatus as error:
            # A site without a sitemap is no fault, unless it named one.
            if named or is_sitemap or error.status not in (404, 410):
                limits.append(f"{address}: {error.what}")
            continue
        except FetchError as error:
            if isinstance(error, TooSoon) and not read:
                raise  # nothing is known yet, and the caller can come back
            limits.append(f"{address}: {error.what}")
            continue
        read.append(address)
        limits += [f"{address}: {limit}" for limit in part.limits]
        for entry in part.entries:
            if len(found) < urls and same_site(parse_url(entry.url), here):
                found.setdefault(entry.url, entry)
        # An index may name itself, or a file on another site.
        further = [one for one in part.sitemaps if one not in seen and same_site(parse_url(one), here)]
        seen.update(further)
        waiting += further
    return Sitemap(tuple(found.values()), tuple(read), tuple(limits))


def read_sitemap(fetched: Fetched, max_bytes: int) -> SitemapFile:
    """What a response lists; it may be compressed. Raises ``UnsupportedContent`` if it is no sitemap."""
    body = fetched.body
    if body.startswith(b"\x1f\x8b"):
        unpacked = Body(fetched.url, "gzip", max_bytes)
        unpacked.feed(body)
        body = unpacked.content()
    text = decode(body, None, fetched.charset)[0]
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        try:
            root, fault = read_xml(text)
        except XmlError as error:
            raise UnsupportedContent(fetched.url, f"this sitemap cannot be read: {error}", "check the URL") from None
        if root.name in ROOTS:
            return xml_sitemap(root, fetched.url, fault)
        if is_feed(root):
            items = xml_feed(root, fetched.url, fault).items
            return SitemapFile(tuple(SitemapEntry(item.url, item.published) for item in items if item.url))
    else:
        listed = text_sitemap(text)
        if listed.entries:
            return listed
    raise UnsupportedContent(fetched.url, "this is no sitemap", "check the URL")


def _text(fetched: Fetched) -> str:
    return decode(fetched.body, None, fetched.charset)[0]
