"""Where pictures and players stay: they have no text to judge, and so stay where the text around them stays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from duramen.blocks import Blocks
from duramen.tree import Tree

KEPT = 0.5
"""A picture stays where at least this share of the text around it does."""


class KeptText:
    """The text that is kept of a page."""

    def __init__(self, tree: Tree, blocks: Blocks, kept: Sequence[int]) -> None:
        self._tree = tree
        self.last = blocks.last[kept[-1]]
        """The last text that is kept."""
        self._first = [blocks.first[b] for b in kept]
        self._before = list(accumulate([blocks.chars[b] for b in kept], initial=0))
        self._filled: dict[int, bool] = {}

    def chars_in(self, node: int) -> int:
        """The characters of kept blocks that begin in an element."""
        start = bisect_left(self._first, node)
        return self._before[bisect_left(self._first, self._tree.end[node], start)] - self._before[start]

    def around(self, node: int) -> int:
        """The nearest element at or above a node that has kept text."""
        at, (parent, end) = bisect_left(self._first, node), (self._tree.parent, self._tree.end)
        before = self._first[at - 1] if at else -1
        after = self._first[at] if at < len(self._first) else len(self._tree)
        while node > before and node > 0 and end[node] <= after:
            node = parent[node]
        return node

    def is_parted(self, node: int) -> bool:
        """Whether a node is after the last words that are kept, with others in between."""
        tree, last = self._tree, self.last
        return node > last and tree.parent[node] != tree.parent[last] and tree.chars[node] > tree.chars[last + 1]

    def fills(self, node: int, but: int = 0) -> bool:
        """Whether enough of an element's text is kept, of which so many characters do not count."""
        return self.chars_in(node) >= KEPT * max(1, self._tree.chars_in(node) - but)

    def is_around(self, picture: int) -> bool:
        """Whether the text around a picture is kept."""
        if self.is_parted(picture):
            return False
        around = self.around(self._tree.parent[picture])
        if around not in self._filled:
            self._filled[around] = self.fills(around)
        return self._filled[around]
