"""The compiled part of Readability and of the stopwords: the element that each chooses, before it is cleaned.

The choices are votes for the judge; the strategies clean them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence, Set
from functools import cache
from typing import NamedTuple, TypeAlias

from duramen.blocks import Blocks
from duramen.find.classical.measures import COMMAS
from duramen.find.lineage import hidden_nodes, stated_bits
from duramen.native import core
from duramen.tables import row_words
from duramen.tree import Tree

_NAMES = (
    "readability-unlikely",
    "readability-maybe",
    "readability-positive",
    "readability-negative",
    "stopwords-naughty",
    "readability-share",
)
"""The rows of names, in the order of their bits in the core."""
UNLIKELY_ROLES = frozenset({"menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"})
NEVER_UNLIKELY = frozenset({"html", "body", "a", "article", "main", "table", "tbody", "tr", "td", "pre", "code"})
PARAGRAPHS = frozenset({"p", "div", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6"})
DIVISIONS = frozenset({"div", "section"})
"""Loose text in one of these, beside other blocks, is a paragraph of its own; text that fills it makes it one."""
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BASE = {"div": 5, "article": 5, "main": 5, "section": 5, "pre": 3, "td": 3, "blockquote": 3}
BASE |= dict.fromkeys(("address", "ol", "ul", "dl", "dd", "dt", "li", "form"), -3)
BASE |= dict.fromkeys((*HEADINGS, "th"), -5)
NAUGHTY_TAGS = frozenset({"nav", "footer", "aside", "form", "menu"})
NEVER_NAUGHTY = frozenset({"html", "body", "main", "article"})
SCORED = frozenset({"p", "pre", "td", "blockquote", "div", "article", "section", "main"})

Shares: TypeAlias = "bytes | memoryview[float] | array[float]"
"""Of function words, a block, in single precision; quoted, since only Python 3.14 can subscript ``memoryview``."""


class Scored(NamedTuple):
    """What an algorithm made of a page before it cleans."""

    top: int
    """The element it chooses, -1 for none."""
    shown: list[bool]
    """By block, whether the algorithm looked at it."""
    scores: dict[int, float]
    names: bytes
    """A byte a node, for :func:`weight` and :func:`is_share`."""

    def weight(self, i: int) -> int:
        """25 points for or against a class, 25 for or against an id."""
        return 25 * ((self.names[i] & 7) - 2)

    def is_share(self, i: int) -> bool:
        return bool(self.names[i] & 8)


def containers(tree: Tree, shares: Shares, hidden: Set[int]) -> tuple[int, int]:
    """Readability's container, by its first, strictest reading, and that of the stopwords; -1 for none.

    Of each block its share of function words is needed.
    """
    return tree.core.containers(_tables(), shares, COMMAS, _stated(tree, hidden))


def readability_scores(tree: Tree, blocks: Blocks, *, strip: bool, weigh: bool) -> Scored:
    """With ``strip`` elements of unlikely names are not looked at; with ``weigh`` names count."""
    return _scored(tree, bytes(4 * len(blocks)), 0, strip, weigh)


def stopword_scores(tree: Tree, words: Sequence[int], found: Sequence[int]) -> Scored:
    """Given the words and the function words of each block."""
    # Half a word more: what is left of a share in single precision is rounded down to the number again.
    shares = array("f", [(n + 0.5) / max(1, size) for n, size in zip(found, words, strict=True)])
    return _scored(tree, shares, 1)


def _scored(tree: Tree, shares: Shares, which: int, strip: bool = True, weigh: bool = True) -> Scored:
    stated = _stated(tree, hidden_nodes(tree))
    top, shown, scores, names = tree.core.containers(_tables(), shares, COMMAS, stated, which, strip, weigh)
    return Scored(top, [bool(show) for show in shown], scores, names)


def _stated(tree: Tree, hidden: Set[int]) -> dict[int, int]:
    return stated_bits(tree, dict.fromkeys(UNLIKELY_ROLES, 1), hidden, 2)


@cache
def _tables() -> tuple[core.Lookup, dict[str, int], dict[str, int]]:
    """The algorithms' sets for the compiled core: bits by name and by tag."""
    names = [frozenset(row_words("finding.toml", row)) for row in _NAMES]
    tags = (
        PARAGRAPHS, NEVER_UNLIKELY, NAUGHTY_TAGS, NEVER_NAUGHTY,
        SCORED, DIVISIONS, frozenset({"p"}),
    )  # fmt: skip
    # Parts of a name are parted by spaces there.
    words = {word.replace("-", " "): bits for word, bits in _bits(*names).items()}
    return core.Lookup(words), _bits(*tags), BASE


def _bits(*sets: Set[str]) -> dict[str, int]:
    return {word: sum((word in words) << bit for bit, words in enumerate(sets)) for word in set().union(*sets)}
