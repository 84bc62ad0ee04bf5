"""Where pictures and players stay: they have no text to judge, and so stay where the text around them stays."""

from __future__ import annotations

from collections.abc import Sequence

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
        self.chars_in = blocks.kept_chars(tree, kept)
        self._nearest: dict[int, int] = {}

    def around(self, node: int) -> int:
        """The nearest element at or above a node that has kept text."""
        nearest, steps = self._nearest, []
        while node > 0 and node not in nearest:
            steps.append(node)
            if self.chars_in(node):
                nearest[node] = node
            else:
                node = self._tree.parent[node]
        found = nearest.get(node, node)
        nearest.update(dict.fromkeys(steps, found))
        return found

    def is_parted(self, node: int) -> bool:
        """Whether a node is after the last words that are kept, with others in between."""
        tree, last = self._tree, self.last
        return node > last and tree.parent[node] != tree.parent[last] and tree.chars[node] > tree.chars[last + 1]

    def fills(self, node: int, but: int = 0) -> bool:
        """Whether enough of an element's text is kept, of which so many characters do not count."""
        return self.chars_in(node) >= KEPT * max(1, self._tree.chars_in(node) - but)

    def is_around(self, picture: int) -> bool:
        """Whether the text around a picture is kept."""
        return not self.is_parted(picture) and self.fills(self.around(self._tree.parent[picture]))
