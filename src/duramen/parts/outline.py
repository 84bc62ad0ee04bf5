"""The content's elements in order, each with the headings that it is under."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.lazy_pattern import lazy_pattern
from duramen.render.content import Content
from duramen.tree import BLOCK_TAGS

__all__ = ["LEVELS", "Headings", "alternative", "line_of", "walk"]

LEVELS = {f"h{level}": level for level in range(1, 7)}
_SPACE = lazy_pattern(r"\s+")
_APART = BLOCK_TAGS | {"br"} | {f"/{tag}" for tag in BLOCK_TAGS}
_SILENT = frozenset({"rt", "rp"})
"""Readings above characters are not part of a name."""


class Headings:
    """The headings that are open: each ends where another of its level, or of a higher one, begins."""

    def __init__(self) -> None:
        self.path: tuple[str, ...] = ()
        self._levels: list[int] = []

    def begin(self, level: int, text: str) -> None:
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        self.path = (*self.path[: len(self._levels)], text)
        self._levels.append(level)


def walk(content: Content) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """The start tags: place, name and heading path. A heading is under itself."""
    headings = Headings()
    for at, name in enumerate(content.names):
        if not name or name[0] == "/":
            continue
        if (level := LEVELS.get(name)) and (text := line_of(content, at)):
            headings.begin(level, text)
        yield at, name, headings.path


def line_of(content: Content, at: int) -> str:
    """The text of an element on one line: blocks and line breaks are spaces."""
    names, values, end = content.names, content.values, content.ends[at]
    parts: list[str] = []
    i = at + 1
    while i < end:
        name = names[i]
        if not name:
            parts.append(values[i])
        elif name in _APART:
            parts.append(" ")
        elif name in _SILENT:
            i = content.ends[i]
        i += 1
    return _SPACE.sub(" ", "".join(parts)).strip()


def alternative(content: Content, at: int) -> str:
    """What the first picture in an element that has words for it says in its place."""
    images = (i for i in range(at + 1, content.ends[at]) if content.names[i] == "img")
    return next((alt for i in images if (alt := content.attribute(i, "alt"))), "")
