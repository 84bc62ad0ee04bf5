"""The density scorer: link, text and paragraph density with Readability-style propagation.

It gives every block a probability of being content without any learning, and proposes one container. The learned judge
uses its proposal as one vote among others; alone it is the strategy ``density``.
"""

from __future__ import annotations

from math import exp, log1p

from duramen.page import Page

_PARAGRAPHS = frozenset(
    {"p", "pre", "td", "blockquote", "li", "dd", "div", "section", "article", "body", "th", "figcaption"}
)
_LEAVES = frozenset({"p", "li", "td", "dd", "blockquote", "pre"})
"""Paragraphs that pass their score on to their parent."""
_STRONG = frozenset({"h1", "h2", "h3", "h4", "p", "pre", "blockquote"})
_TRAITS = {tag: (tag in _PARAGRAPHS) | (tag in _LEAVES) << 1 for tag in _PARAGRAPHS | _LEAVES}
"""These sets for the compiled core: bits by tag."""
_COMMAS = ",，、،;；"
_SHARE = (1.0, 0.5, 0.33, 0.25)
"""How much of a paragraph's score its parent, grandparent and further ancestors get."""
_SIBLING = 0.25
"""A container is widened when what is beside it scores at least this share of it."""


def best_container(page: Page, removed: set[int]) -> int | None:
    """The highest-scoring container, widened while its surroundings hold much more of the same.

    Each paragraph scores for its length, its commas and its freedom from links, and passes it on upwards.
    """
    marked = bytearray(len(page.blocks))
    for b in removed:
        marked[b] = 1
    found = page.tree.core.density(marked, _TRAITS, _SHARE, _SIBLING, _COMMAS)
    return found if found >= 0 else None


def density_probabilities(page: Page, removed: set[int]) -> list[float]:
    """A probability per block, by its container, length and links."""
    tree, blocks = page.tree, page.blocks
    container = best_container(page, removed)
    start, stop = page.range_of(container) if container is not None else (0, 0)
    found: list[float] = []
    for b, (owner, size, links, words) in enumerate(
        zip(blocks.owner, blocks.chars, blocks.links, blocks.words, strict=True)
    ):
        x = 0.9 * log1p(words) - 3.5 * links / max(1, size) + (1.2 if start <= b < stop else -3.8)
        if tree.tag[owner] in _STRONG:
            x += 0.8
        if b in removed:
            x -= 4.0
        found.append(1 / (1 + exp(-x)))
    return found
