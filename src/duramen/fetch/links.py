"""The links of a page that are not in its content."""

from __future__ import annotations

from collections.abc import Iterable

from duramen.errors import FetchError
from duramen.fetch.url import Url, parse_url
from duramen.flatten import parse_tree
from duramen.page import Page
from duramen.parts.links import Link
from duramen.tree import Tree

MOST_LINKS = 5_000
LONGEST_LABEL = 200
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml")


def navigation_links(page: Page, content: Iterable[Link]) -> tuple[Link, ...]:
    """The links of a page that its content does not have: menus, footers, related pages."""
    base = page.base_url or page.url or ""
    known = {target.href for link in content if (target := _target(link.url, base))}
    return tuple(link for link in _links(page.tree, base, page.url or base) if link.url not in known)


def feed_links(html: str, url: str) -> tuple[str, ...]:
    """The feeds that a page names in its head, in its order."""
    tree = parse_tree(html)
    found: dict[str, None] = {}
    for node in tree.select("link[rel~=alternate][href]"):
        kind = tree.attrs[node].get("type", "").partition(";")[0].strip().lower()
        if kind in _FEED_TYPES and (target := _target(tree.attrs[node]["href"], url)):
            found[target.href] = None
    return tuple(found)


def _links(tree: Tree, base: str, here: str) -> tuple[Link, ...]:
    own = _target(here, here)
    found: dict[str, str] = {}
    for node in tree.select("a[href]"):
        target = _target(tree.attrs[node]["href"], base)
        if target is None or (own is not None and target.href == own.href):
            continue
        label = (
            " ".join(tree.text_in(node).split())[:LONGEST_LABEL] or tree.attrs[node].get("title", "")[:LONGEST_LABEL]
        )
        if len(found) < MOST_LINKS or target.href in found:
            found[target.href] = found.get(target.href) or label
    return tuple(Link(url, text, None, ()) for url, text in found.items())


def _target(href: str, base: str) -> Url | None:
    try:
        return parse_url(href, parse_url(base))
    except FetchError:
        return None
