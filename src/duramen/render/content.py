"""Sanitized HTML as flat lists, which a renderer walks in one plain loop: no objects for nodes, no recursion."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from sys import intern
from typing import Any

from duramen.dom import named_characters
from duramen.native import core

__all__ = ["Content"]

_VERBATIM = (intern("pre"), intern("data-math"))
"""Tags and attributes of elements whose text keeps its white space. All other text arrives folded: white space as
single spaces, and without characters of no width, which break words for a search."""


class Content:
    """Parsed HTML: the entry ``i`` of each list belongs to the same start tag, end tag or text, in document order."""

    __slots__ = ("ends", "names", "values")

    names: list[str]
    """``"p"`` for a start tag, ``"/p"`` for an end tag, ``""`` for text. Empty elements (``br``) have no end tag."""
    values: list[Any]
    """The attributes of a start tag by name; the characters of a text."""
    ends: list[int]
    """The place of an element's end tag; of an empty element its own place; of an end tag 0. Of a text 1 if it holds
    one of the special characters that were given, else 0."""

    def __init__(self, html: str, special: bytes) -> None:
        self.names, self.values, self.ends = core.flat_content(html, named_characters(), _VERBATIM, special)

    def attribute(self, at: int, name: str) -> str | None:
        attributes: Mapping[str, str] = self.values[at]
        return attributes.get(name)

    def text(self, at: int) -> str:
        """All text inside an element."""
        names, values = self.names, self.values
        return "".join(values[i] for i in range(at + 1, self.ends[at]) if not names[i])

    def inside(self, at: int) -> list[str]:
        """The names of all entries inside an element."""
        return self.names[at + 1 : self.ends[at]]

    def holds(self, at: int, tags: Collection[str]) -> bool:
        """Whether an element of one of these tags is inside another."""
        return not frozenset(tags).isdisjoint(self.inside(at))

    def children(self, at: int) -> Iterator[int]:
        """The places of the elements directly inside an element."""
        names, ends = self.names, self.ends
        i, end = at + 1, ends[at]
        while i < end:
            if names[i]:
                yield i
                i = ends[i]
            i += 1

    def code(self, at: int) -> str:
        """The characters of a code block, unchanged but for line ends; ``<br>`` counts as one."""
        names, values = self.names, self.values
        inside = range(at + 1, self.ends[at])
        text = "".join("\n" if names[i] == "br" else values[i] for i in inside if names[i] in ("", "br"))
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
