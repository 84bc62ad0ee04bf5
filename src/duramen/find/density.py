"""The density scorer: link, text and paragraph density with Readability-style propagation.

It gives every block a chance of being content without any learning, and proposes one container. The learned judge uses
its proposal as one vote among others; alone it is the strategy ``density``.
"""

from __future__ import annotations

import math
import re

from duramen.page import Page

_COMMAS = re.compile(r"[,，、،;；]")
_PARAGRAPHS = frozenset(
    {"p", "pre", "td", "blockquote", "li", "dd", "div", "section", "article", "body", "th", "figcaption"}
)
_LEAVES = frozenset({"p", "li", "td", "dd", "blockquote", "pre"})
"""Paragraphs that pass their score on to their parent."""
_STRONG = frozenset({"h1", "h2", "h3", "h4", "p", "pre", "blockquote"})
_TRAITS = {
    tag: (tag in _PARAGRAPHS) | (tag in _LEAVES) << 1 | (tag in _STRONG) << 2 for tag in _PARAGRAPHS | _LEAVES | _STRONG
}
"""These sets for the compiled core: bits by tag."""
_SHARE = (1.0, 0.5, 0.33, 0.25)
"""How much of a paragraph's score its parent, grandparent and further ancestors get."""
_SIBLING = 0.25
"""A container is widened when what stands beside it scores at least this share of it."""


def container_scores(page: Page, removed: set[int]) -> dict[int, float]:
    """Each paragraph scores for its length, its commas and its freedom from links, and passes it on upwards."""
    tree, blocks = page.tree, page.blocks
    scores: dict[int, float] = {}
    for b, owner in enumerate(blocks.owner):
        size = blocks.chars[b]
        if size < 25 or tree.tag[owner] not in _PARAGRAPHS or b in removed:
            continue
        text = blocks.text[b]
        score = (1 + len(_COMMAS.findall(text[:2000])) + min(size / 100, 3)) * (1 - blocks.links[b] / size)
        node = tree.parent[owner] if tree.tag[owner] in _LEAVES else owner
        for share in _SHARE:
            if node <= 0:
                break
            scores[node] = scores.get(node, 0.0) + share * score
            node = tree.parent[node]
    return {node: score * (1 - tree.link_density(node)) for node, score in scores.items()}


def best_container(page: Page, removed: set[int]) -> int | None:
    """The highest-scoring container, widened while its surroundings hold much more of the same."""
    tree = page.tree
    if tree.core is not None:
        return _by_core(page, removed, is_all=False)[1]
    scores = container_scores(page, removed)
    if not scores:
        return None
    best = max(scores, key=lambda node: (scores[node], node))
    while True:
        above = tree.parent[best]
        beside = [scores.get(child, 0.0) for child in tree.children(above) if child != best] if above > 0 else []
        if not beside or sum(beside) < _SIBLING * scores[best] or tree.link_density(above) > 0.5:
            return best
        best = above
        scores.setdefault(best, 0.0)
        scores[best] = max(scores[best], sum(beside))


def density_chances(page: Page, removed: set[int]) -> tuple[list[float], int | None]:
    """A chance per block, and the container it rests on."""
    tree, blocks = page.tree, page.blocks
    if tree.core is not None:
        return _by_core(page, removed, is_all=True)
    container = best_container(page, removed)
    chances: list[float] = []
    for b in range(len(blocks)):
        size = max(1, blocks.chars[b])
        density = blocks.links[b] / size
        inside = container is not None and tree.contains(container, blocks.first[b])
        x = -2.2 + (3.4 if inside else 0.0) + 0.9 * math.log1p(blocks.words[b]) - 3.5 * density
        if tree.tag[blocks.owner[b]] in _STRONG:
            x += 0.8
        if b in removed:
            x -= 4.0
        if not inside:
            x -= 1.6
        chances.append(1 / (1 + math.exp(-x)))
    return chances, container


def _by_core(page: Page, removed: set[int], *, is_all: bool) -> tuple[list[float], int | None]:
    """The same; without chances if only the container is wanted."""
    marked = bytearray(len(page.blocks))
    for b in removed:
        marked[b] = 1
    return page.tree.core.density(marked, _TRAITS, _SHARE, _SIBLING, is_all)  # type: ignore[no-any-return]
