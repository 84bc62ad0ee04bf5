"""Sitemaps: the URLs that a site lists for search engines, https://www.sitemaps.org/protocol.html."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from duramen.errors import FetchError
from duramen.fetch.document_page import document_page
from duramen.fetch.url import parse_url
from duramen.fetch.xml_reader import XmlElement

ROOTS = frozenset({"urlset", "sitemapindex"})
"""The root elements of sitemaps."""
MOST_ENTRIES = 50_000
"""The protocol's limit for one file."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page that a sitemap lists."""

    url: str
    modified: str = ""
    """As the sitemap writes it: a date, perhaps with a time."""


@dataclass(frozen=True, slots=True)
class SitemapFile:
    """What one sitemap lists: pages, or other sitemaps."""

    entries: tuple[SitemapEntry, ...]
    sitemaps: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


def xml_sitemap(root: XmlElement, url: str, fault: str = "") -> SitemapFile:
    """A sitemap, or an index of sitemaps. URLs are absolute; those that are none are left out."""
    found: list[SitemapEntry] = []
    limits = [fault] if fault else []
    for element in root.all("url", "sitemap"):
        if len(found) >= MOST_ENTRIES:
            limits.append(f"URLs after the first {MOST_ENTRIES:,} were left out")
            break
        try:
            found.append(
                SitemapEntry(parse_url(element.text_of("loc"), parse_url(url)).href, element.text_of("lastmod"))
            )
        except FetchError:
            continue
    if root.name == "sitemapindex":
        return SitemapFile((), tuple(entry.url for entry in found), tuple(limits))
    return SitemapFile(tuple(found), (), tuple(limits))


def text_sitemap(text: str) -> SitemapFile:
    """A sitemap in plain text: one URL per line."""
    found: list[SitemapEntry] = []
    for line in text.splitlines()[:MOST_ENTRIES]:
        try:
            found.append(SitemapEntry(parse_url(line).href))
        except FetchError:
            continue
    return SitemapFile(tuple(found))


def sitemap_page(sitemap: SitemapFile) -> str:
    """A sitemap as a page with a list."""
    entries = sitemap.entries or tuple(SitemapEntry(url) for url in sitemap.sitemaps)
    lines = [
        f'<li><a href="{escape(entry.url)}">{escape(entry.url)}</a>'
        f"{f' ({escape(entry.modified)})' if entry.modified else ''}</li>"
        for entry in entries
    ]
    return document_page(f"<ul>{''.join(lines)}</ul>", "Sitemap")
