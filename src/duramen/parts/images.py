"""The images of the content."""

from __future__ import annotations

from dataclasses import dataclass

from duramen.parts.outline import line_of, walk
from duramen.render.content import Content

__all__ = ["Image", "images_of"]


@dataclass(frozen=True, slots=True)
class Image:
    """An image that the content shows."""

    url: str
    """Absolute where the page's address is known."""
    alt: str
    caption: str
    title: str | None
    width: int | None
    height: int | None
    """As the page states them, in pixels."""
    headings: tuple[str, ...]
    """The headings that it is under, outermost first."""


def images_of(html: str) -> tuple[Image, ...]:
    """The images of sanitized HTML, each address once, in document order.

    >>> image, = images_of('<figure><img src="https://example.org/q.png" alt="A leaf"><figcaption>Red oak</figure>')
    >>> image.alt, image.caption
    ('A leaf', 'Red oak')
    """
    content = Content(html, b"")
    found: dict[str, Image] = {}
    captions: list[tuple[int, str]] = []
    for at, name, headings in walk(content):
        while captions and captions[-1][0] < at:
            captions.pop()
        if name == "figure":
            captions.append((content.ends[at], _caption(content, at)))
        elif name == "img" and (url := content.attribute(at, "src")):
            # Where a page shows an image again it may say more of it.
            known = found.get(url) or Image(url, "", "", None, None, None, headings)
            found[url] = Image(
                url,
                known.alt or content.attribute(at, "alt") or "",
                known.caption or (captions[-1][1] if captions else ""),
                known.title or content.attribute(at, "title") or None,
                known.width or _pixels(content.attribute(at, "width")),
                known.height or _pixels(content.attribute(at, "height")),
                known.headings,
            )
    return tuple(found.values())


def _caption(content: Content, figure: int) -> str:
    """The caption of a figure, not of one inside it."""
    return next((line_of(content, i) for i in content.children(figure) if content.names[i] == "figcaption"), "")


def _pixels(value: str | None) -> int | None:
    return int(value) if value and value.isdecimal() and len(value) <= 6 else None
