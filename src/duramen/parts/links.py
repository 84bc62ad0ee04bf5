"""The links of the content."""

from __future__ import annotations

from dataclasses import dataclass, replace

from duramen.parts.outline import line_of, walk
from duramen.render.content import Content

__all__ = ["Link", "links_of"]


@dataclass(frozen=True, slots=True)
class Link:
    """An address that the content links to."""

    url: str
    """Absolute where the page's address is known."""
    text: str
    """The words of the first link to it that has any; of a linked image its alternative text."""
    title: str | None
    headings: tuple[str, ...]
    """The headings that the first link to it is under, outermost first."""
    count: int = 1
    """How often the content links to it."""


def links_of(html: str, page_url: str | None = None) -> tuple[Link, ...]:
    """The links of sanitized HTML that lead out of the page, each address once, in document order.

    >>> links_of('<h2>Oaks</h2><p><a href="https://example.org/q">Quercus</a>')
    (Link(url='https://example.org/q', text='Quercus', title=None, headings=('Oaks',), count=1),)
    """
    content = Content(html, b"")
    found: dict[str, Link] = {}
    here = f"{(page_url or '').partition('#')[0]}#"
    for at, name, headings in walk(content):
        if name != "a" or not (url := content.attribute(at, "href")) or url.startswith(("#", here)):
            continue
        known = found.get(url)
        text = line_of(content, at) if known is None or not known.text else ""
        if known is not None:
            found[url] = replace(known, text=known.text or text, count=known.count + 1)
        else:
            text = text or _alternative(content, at)
            found[url] = Link(url, text, content.attribute(at, "title") or None, headings)
    return tuple(found.values())


def _alternative(content: Content, at: int) -> str:
    images = (i for i in range(at + 1, content.ends[at]) if content.names[i] == "img")
    return next((alt for i in images if (alt := content.attribute(i, "alt"))), "")
