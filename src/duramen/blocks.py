"""The page as a sequence of text blocks: runs of text that one block-level element shows without a break.

A block is the unit in which the judge decides. It knows its owner (the nearest block-level element), its text nodes and
its measures; what is around it is read from the :class:`~duramen.Tree`.
"""

from __future__ import annotations

from dataclasses import dataclass

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


def segment(tree: Tree) -> Blocks:
    """Cut the page's shown text into blocks."""
    return Blocks(*tree.core.segment())
