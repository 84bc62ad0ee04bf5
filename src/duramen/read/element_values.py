"""The values of properties that are written on elements, for microdata and RDFa: addresses in full, and text."""

from __future__ import annotations

import re
from functools import cached_property

from duramen.lazy_pattern import lazy_pattern
from duramen.tree import Tree
from duramen.urls import joined

__all__ = ["AT_LEAST", "MAX_ITEMS", "MAX_NAMES", "MAX_VALUES", "TIMES", "ElementValues", "TooMuchError"]

MAX_ITEMS = 2_000
MAX_VALUES = 200
MAX_NAMES = 50
"""Names that one element may have."""
TIMES = 8
AT_LEAST = 100_000
"""Values may repeat the page's characters, and items its elements and each other, so many times over, or so often."""
_SCHEME = lazy_pattern(r"[a-z][a-z0-9+.-]*:", re.I | re.A)


class TooMuchError(Exception):
    """What the page says of itself is many times the page."""


class ElementValues:
    """Reads values from a page's elements, and refuses to copy its text many times over."""

    def __init__(self, tree: Tree, base_url: str | None) -> None:
        self._tree, self._stated_base = tree, base_url or ""
        self._copied = 0
        self._most = AT_LEAST

    @cached_property
    def _base(self) -> str:
        """The page's; empty when it is no address, to which nothing can be joined."""
        base = self._stated_base
        return base if base and joined("/-_-", base) != base else ""

    def address(self, written: str) -> str:
        """An address in full, if the page's own is known."""
        written = written.strip()
        full = written if not written or _SCHEME.match(written) or not self._base else joined(written, self._base)
        self._count(len(full))
        return full

    def text(self, i: int) -> str:
        """All text in an element, shown or not; white space alone between elements is one space."""
        tree = self._tree
        start, stop = i + 1, tree.end[i]
        self._count(stop - start)
        if stop - start == 1:
            text = tree.text[start]
        else:
            parts = zip(tree.gap[start:stop], tree.text[start:stop], strict=True)
            text = "".join([f" {part}" if gap else part for gap, part in parts])
        self._count(len(text))
        return text

    def _count(self, size: int) -> None:
        """Raise :class:`TooMuchError` once more nodes and characters were read than a page may say of itself."""
        self._copied += size
        if self._copied > self._most:
            self._most = TIMES * sum(map(len, self._tree.text)) + AT_LEAST
            if self._copied > self._most:
                raise TooMuchError
