"""The links of the content."""

from __future__ import annotations

from dataclasses import dataclass, replace

from duramen.parts.outline import alternative, line_of, walk
from duramen.render.content import Content

__all__ = ["Link", "links_of"]


@dataclass(frozen=True, slots=True)
class Link:
    """An address that the content links to."""

    url: str
    """Absolute where the page's address is known."""
    text: str
    """The words of the first link to it that has any; else the alternative text of a linked image."""
    title: str | None
    """That of the first link that has one."""
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
    worded: set[str] = set()
    here = f"{(page_url or '').partition('#')[0]}#"
    for at, name, headings in walk(content):
        if name != "a" or not (url := content.attribute(at, "href")) or url.startswith(("#", here)):
            continue
        known = found.get(url) or Link(url, "", None, headings, 0)
        title = known.title or content.attribute(at, "title") or None
        text = known.text if url in worded else line_of(content, at)
        if text:
            worded.add(url)
        text = text or known.text or alternative(content, at)
        found[url] = replace(known, text=text, title=title, count=known.count + 1)
    return tuple(found.values())
