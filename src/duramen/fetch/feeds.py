"""Feeds: RSS, Atom and JSON Feed as a list of items."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from html import escape
from typing import Any

from duramen.errors import FetchError
from duramen.fetch.document_page import document_page
from duramen.fetch.url import parse_url
from duramen.fetch.xml_reader import XmlElement
from duramen.flatten import parse_tree

MOST_ITEMS = 2_000
LONGEST_SUMMARY = 500
ROOTS = frozenset({"rss", "feed", "rdf"})
"""The root elements of feeds."""


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry of a feed."""

    url: str
    """Absolute; empty if the item has none."""
    title: str
    published: str = ""
    """As ISO 8601 where it could be read, otherwise as it is written."""
    author: str = ""
    summary: str = ""
    """Plain text, at most 500 characters."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed and its items, in its order."""

    url: str
    title: str
    items: tuple[FeedItem, ...]
    description: str = ""
    language: str = ""
    limits: tuple[str, ...] = ()
    """What a limit or a fault left out."""


def is_feed(root: XmlElement) -> bool:
    """Whether XML is a feed; RDF may also be any other data."""
    return root.name in ROOTS and (root.name != "rdf" or root.first("channel", "item") is not None)


def xml_feed(root: XmlElement, url: str, fault: str = "") -> Feed:
    """A feed in RSS (any version) or Atom."""
    about = root.first("channel") or root
    # In RSS 1.0, items are beside the channel.
    entries = [*about.all("item", "entry"), *(root.all("item") if about is not root else ())]
    limits = [fault] if fault else []
    if len(entries) > MOST_ITEMS:
        limits.append(f"items after the first {MOST_ITEMS:,} were left out")
    return Feed(
        url,
        _plain(about.text_of("title")),
        tuple(_xml_item(entry, url) for entry in entries[:MOST_ITEMS]),
        _plain(about.text_of("description", "subtitle")),
        about.text_of("language") or root.attributes.get("lang", ""),
        tuple(limits),
    )


def _xml_item(entry: XmlElement, base: str) -> FeedItem:
    links = {
        link.attributes.get("rel", "alternate"): link.attributes.get("href") or link.text for link in entry.all("link")
    }
    guid = entry.first("guid")
    is_link = guid is not None and guid.attributes.get("ispermalink", "true") != "false"
    link = (
        links.get("alternate") or next(iter(links.values()), "") or (guid.text if guid is not None and is_link else "")
    )
    enclosure = entry.first("enclosure")
    if not link and enclosure is not None:
        link = enclosure.attributes.get("url", "")
    author = entry.first("author", "creator")
    return FeedItem(
        _absolute(link, base),
        _plain(entry.text_of("title")),
        _date(entry.text_of("published", "pubdate", "date", "issued", "updated", "modified")),
        _plain(author.text_of("name") or author.text) if author is not None else "",
        _short(_plain(entry.text_of("summary", "description", "encoded", "content"))),
    )


def json_feed(data: Mapping[str, Any], url: str) -> Feed:
    """A JSON Feed."""
    found = data.get("items")
    entries = [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []

    def text(of: Mapping[str, Any], *names: str) -> str:
        return next((value for name in names if isinstance(value := of.get(name), str) and value), "")

    def item(entry: Mapping[str, Any]) -> FeedItem:
        authors = entry.get("authors") if isinstance(entry.get("authors"), list) else [entry.get("author")]
        names = [text(author, "name") for author in authors or () if isinstance(author, dict)]
        summary = text(entry, "summary", "content_text") or _plain(text(entry, "content_html"))
        link = text(entry, "url", "external_url")
        date = _date(text(entry, "date_published", "date_modified"))
        return FeedItem(
            _absolute(link, url), text(entry, "title"), date, ", ".join(filter(None, names)), _short(summary)
        )

    limits = (f"items after the first {MOST_ITEMS:,} were left out",) if len(entries) > MOST_ITEMS else ()
    items = tuple(map(item, entries[:MOST_ITEMS]))
    return Feed(url, text(data, "title"), items, text(data, "description"), text(data, "language"), limits)


def is_json_feed(text: str) -> bool:
    return "https://jsonfeed.org/version/" in text[:2_000].replace("\\/", "/")


def read_json_feed(text: str, url: str) -> Feed | None:
    """The JSON Feed in a text, if it is one."""
    try:
        data = json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return None
    return json_feed(data, url) if isinstance(data, dict) else None


def feed_page(feed: Feed) -> str:
    """A feed as a page with a list: each item with its link, date, author and summary."""
    lines = []
    for item in feed.items:
        name = escape(item.title or item.url or "(no title)")
        head = f'<a href="{escape(item.url)}">{name}</a>' if item.url else name
        facts = ", ".join(fact for fact in (item.published, item.author) if fact)
        summary = f"<br>{escape(item.summary)}" if item.summary and item.summary != item.title else ""
        lines.append(f"<li>{head}{f' ({escape(facts)})' if facts else ''}{summary}</li>")
    about = f"<p>{escape(feed.description)}</p>" if feed.description else ""
    body = f"{about}<ul>{''.join(lines)}</ul>"
    return document_page(body, feed.title, {"description": feed.description}, feed.language)


def _plain(text: str) -> str:
    """The words of a text that may be HTML, on one line."""
    if "<" in text or "&" in text:
        tree = parse_tree(text[:50_000])
        text = tree.text_in(0)
    return " ".join(text.split())


def _short(text: str) -> str:
    if len(text) <= LONGEST_SUMMARY:
        return text
    return f"{text[:LONGEST_SUMMARY].rpartition(' ')[0] or text[:LONGEST_SUMMARY]} …"


def _absolute(link: str, base: str) -> str:
    try:
        return parse_url(link.strip(), parse_url(base)).href if link.strip() else ""
    except FetchError:
        return ""


def _date(text: str) -> str:
    """A date of RFC 822 as ISO 8601; others as they are.

    >>> _date("Wed, 04 Mar 2026 10:00:00 GMT"), _date("2026-03-04T10:00:00Z")
    ('2026-03-04T10:00:00+00:00', '2026-03-04T10:00:00Z')
    """
    text = " ".join(text.split())[:60]
    try:
        return parsedate_to_datetime(text).isoformat()
    except (TypeError, ValueError):
        return text
