"""The page as a sequence of text blocks: runs of text that one block-level element shows without a break.

A block is the unit in which the judge decides. It knows its owner (the nearest block-level element), its text nodes and
its measures; what is around it is read from the :class:`~duramen.Tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate

from duramen.tree import Tree


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Blocks:
    """Parallel lists, one entry a block, in document order."""

    owner: list[int]
    first: list[int]
    """The block's first text node."""
    last: list[int]
    """Its last text node (inclusive)."""
    text: list[str]
    chars: list[int]
    links: list[int]
    """Characters inside links."""
    words: list[int]

    def __len__(self) -> int:
        return len(self.owner)

    def kept_chars(self, tree: Tree, kept: Iterable[int]) -> Callable[[int], int]:
        """A function that counts the characters of kept blocks that begin in an element."""
        sizes = [0] * len(self)
        for b in kept:
            sizes[b] = self.chars[b]
        before = list(accumulate(sizes, initial=0))

        def count(node: int) -> int:
            start, stop = tree.core.range_of(node)
            return before[stop] - before[start]

        return count


def segment(tree: Tree) -> Blocks:
    """Cut the page's shown text into blocks."""
    return Blocks(*tree.core.segment())
