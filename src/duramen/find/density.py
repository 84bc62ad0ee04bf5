"""The density scorer: link, text and paragraph density with Readability-style propagation.

It gives every block a probability of being content without any learning, and proposes one container. The learned judge
uses its proposal as one vote among others; alone it is the strategy ``density``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import exp, fsum, log1p

from duramen.page import Page
from duramen.tree import Tree

_PARAGRAPHS = frozenset(
    {"p", "pre", "td", "blockquote", "li", "dd", "div", "section", "article", "body", "th", "figcaption"}
)
_LEAVES = frozenset({"p", "li", "td", "dd", "blockquote", "pre"})
"""Paragraphs that pass their score on to their parent."""
_STRONG = frozenset({"h1", "h2", "h3", "h4", "p", "pre", "blockquote"})
_COMMAS = ",，、،;；"
_SHARE = (1.0, 0.5, 0.33, 0.25)
"""How much of a paragraph's score its parent, grandparent and further ancestors get."""
_SIBLING = 0.25
"""A container is widened when what is beside it scores at least this share of it."""
_LINKED = 0.5
"""It is not widened to one that is more links than this."""
_SHORTEST = 25
"""Characters of a paragraph that scores."""
_READ = 2000
"""Characters of it in which commas are counted."""


def best_container(page: Page, removed: set[int]) -> int | None:
    """The highest-scoring container, widened while its surroundings hold much more of the same.

    Each paragraph scores for its length, its commas and its freedom from links, and passes it on upwards.
    """
    tree, (owners, links) = page.tree, (page.blocks.owner, page.blocks.links)
    parent = tree.parent
    paragraphs: defaultdict[int, float] = defaultdict(float)
    long = [(b, size) for b, size in enumerate(page.blocks.chars) if size >= _SHORTEST and b not in removed]
    for (b, size), commas in zip(long, tree.core.counted([b for b, _ in long], _COMMAS, _READ), strict=True):
        node = owners[b]
        if (tag := tree.tag[node]) in _PARAGRAPHS:
            score = (1 + commas + (size / 100 if size < 300 else 3)) * (1 - links[b] / size)
            paragraphs[parent[node] if tag in _LEAVES else node] += score
    scores: defaultdict[int, float] = defaultdict(float)
    for node, score in paragraphs.items():
        for share in _SHARE:
            if node <= 0:
                break
            scores[node] += share * score
            node = parent[node]
    best, most = None, -1.0
    for own, i in sorted(zip(scores.values(), scores, strict=True), reverse=True):
        if own < most:
            break
        if (score := _without_links(tree, scores, i)) > most:
            best, most = i, score
    return _widened(tree, scores, best, most) if best is not None else None


def _without_links(tree: Tree, scores: Mapping[int, float], i: int) -> float:
    return scores[i] * (1 - tree.link_density(i)) if i in scores else 0.0


def _widened(tree: Tree, scores: Mapping[int, float], best: int, score: float) -> int:
    while True:
        above = tree.parent[best]
        siblings = [child for child in tree.children(above) if child != best] if above > 0 else []
        beside = fsum([_without_links(tree, scores, child) for child in siblings])
        if not siblings or beside < _SIBLING * score or tree.link_density(above) > _LINKED:
            return best
        best, score = above, max(_without_links(tree, scores, above), beside)


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
