"""What the classical algorithms have in common: sums over a subtree's blocks, and names at token boundaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np

from duramen.blocks import Blocks
from duramen.tables import split_names
from duramen.tree import Tree

_OTHER_COMMAS = "，、،﹐︐︑⹁⸴⸲"


def blocks_before(tree: Tree, blocks: Blocks) -> list[int]:
    """Per node, how many blocks begin before it: node *i* holds the blocks ``before[i] .. before[end[i]]``."""
    numbers = np.searchsorted(np.array(blocks.first, dtype=np.int64), np.arange(len(tree) + 1))
    found: list[int] = numbers.tolist()
    return found


def elements_with_blocks(tree: Tree, before: Sequence[int]) -> list[int]:
    """The elements in which a block begins, in document order."""
    ends = np.array(tree.end, dtype=np.int64)
    numbers = np.array(before, dtype=np.int64)
    # A text node is its own end: only elements hold something that begins after them.
    found: list[int] = np.flatnonzero((numbers[ends] > numbers[:-1]) & (ends > np.arange(1, len(ends) + 1))).tolist()
    return found


def running(values: Iterable[int]) -> list[int]:
    """Running totals, one entry more than values."""
    return list(accumulate(values, initial=0))


def commas(text: str) -> int:
    """Commas of any script.

    >>> commas("one, two"), commas("一、二，三"), commas("واحد، اثنان")
    (1, 2, 1)
    """
    count = text.count(",")
    return count if text.isascii() else count + sum(map(text.count, _OTHER_COMMAS))


def named(words: Set[str]) -> Callable[[str], bool]:
    """A test whether a ``class`` or ``id`` value has one of these words, whole: ``ad`` is not in ``header``.

    A word with hyphens is several parts in a row. Two parts written as one (``maincontent``) are found if listed so.

    >>> is_comment = named({"comment", "comments", "user-reply"})
    >>> is_comment("post-comments"), is_comment("userReply"), is_comment("commentary")
    (True, True, False)
    """
    rows = {tuple(word.split("-")) for word in words}
    singles = {row[0] for row in rows if len(row) == 1}
    pairs = {row for row in rows if len(row) == 2}

    def found(names: str) -> bool:
        for parts in split_names(names):
            if not singles.isdisjoint(parts):
                return True
            if pairs and not pairs.isdisjoint(pairwise(parts)):
                return True
        return False

    return lru_cache(maxsize=20_000)(found)
