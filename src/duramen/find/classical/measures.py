"""What the classical algorithms have in common: which blocks an element holds, and sums over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from sys import maxsize

from duramen.blocks import Blocks
from duramen.tree import Tree

COMMAS = ",，、،﹐︐︑⹁⸴⸲"
"""Commas of any script."""


def blocks_before(tree: Tree, blocks: Blocks) -> list[int]:
    """Per node, how many blocks begin before it: node *i* holds the blocks ``before[i] .. before[end[i]]``."""
    begins = [0] * (len(tree) + 1)
    for first in blocks.first:
        begins[first + 1] += 1
    return list(accumulate(begins))


def elements_with_blocks(tree: Tree, before: Sequence[int]) -> list[int]:
    """The elements in which a block begins, in document order."""
    # A text node is its own end: only elements hold something that begins after them.
    return [i for i, end in enumerate(tree.end) if end > i + 1 and before[end] > before[i]]


def running(values: Iterable[int]) -> list[int]:
    """Running totals, one entry more than values."""
    return list(accumulate(values, initial=0))


def commas(tree: Tree, blocks: Blocks) -> list[int]:
    """How many commas each block has."""
    return tree.core.counted(list(range(len(blocks))), COMMAS, maxsize)
