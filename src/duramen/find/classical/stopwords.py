"""Stopwords: paragraphs score by the function words in them, as in Goose and Newspaper3k.

Written from the descriptions of Goose (Gravity Labs, 2011; https://github.com/GravityLabs/goose/wiki) and Newspaper3k
(https://newspaper.readthedocs.io), and from specification 000 §2.4. Function words are counted in the page's own
language and script (:mod:`duramen.function_words`); where the language is unknown, a third of a text's words stand for
them, as in average prose.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import mul

from duramen.blocks import Blocks
from duramen.find.classical.containers import stopword_scores
from duramen.find.classical.measures import blocks_before, running
from duramen.find.language import page_language
from duramen.function_words import measure
from duramen.page import Page
from duramen.tree import BLOCK_TAGS, Tree

_KEPT_SHORT = frozenset({"p", "td", "ul", "ol", "blockquote", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6"})


def stopwords(page: Page) -> list[bool]:
    """Keep the element whose paragraphs have the most function words, less its children that have few.

    Paragraphs that are mostly links do not count. Those that follow other prose are boosted, the first ones most (50,
    25, 16 …); those in the last quarter of the page are punished by the square of how far down they are. A paragraph's
    score goes to its parent, half of it to its grandparent.
    """
    tree, blocks = page.tree, page.blocks
    before = blocks_before(tree, blocks)
    language = page_language(page)
    if language:
        count = measure(language)
        found = [int(count(text)[0]) for text in blocks.text]
    else:
        found = [words // 3 for words in blocks.words]
    top, shown, scores, _ = stopword_scores(tree, blocks.words, found)
    found = list(map(mul, found, shown))
    totals = _Totals(tree, blocks)
    kept = [False] * len(blocks)
    if top < 0:
        return kept
    if before[tree.end[top]] - before[top] == 1:
        kept[before[top]] = True
    function_words = running(found)
    floor = 0.08 * scores[top]
    for node in tree.children(top):
        low, high = before[node], before[tree.end[node]]
        if low == high:
            continue
        name = tree.tag[node]
        if name in BLOCK_TAGS and name != "p" and not (high - low == 1 and name == "div"):
            if totals.mostly_links(low, high):
                continue
            if (
                name not in _KEPT_SHORT
                and max(scores.get(node, 0.0), function_words[high] - function_words[low]) < floor
            ):
                continue
        kept[low:high] = shown[low:high]
    _add_earlier(page, top, before, found, totals, kept)
    return kept


class _Totals:
    """Running totals of characters, of linked characters and of links."""

    def __init__(self, tree: Tree, blocks: Blocks) -> None:
        places = tree.tagged({"a"})
        inside = [
            bisect_right(places, last) - bisect_left(places, first)
            for first, last in zip(blocks.first, blocks.last, strict=True)
        ]
        self.chars = running(blocks.chars)
        self.linked = running(blocks.links)
        # A link that begins before its block's first text node is one more.
        self.count = running(count + (linked > 0) for count, linked in zip(inside, blocks.links, strict=True))

    def mostly_links(self, low: int, high: int) -> bool:
        """Goose's measure: the share of linked text times the number of links is 1 or more."""
        chars = self.chars[high] - self.chars[low]
        linked = self.linked[high] - self.linked[low]
        return chars > 0 and linked / chars * (self.count[high] - self.count[low]) >= 1


def _add_earlier(
    page: Page, top: int, before: Sequence[int], found: Sequence[int], totals: _Totals, kept: list[bool]
) -> None:
    """Paragraphs before the best element, beside it, that have nearly as many function words as its own."""
    tree, owner = page.tree, page.blocks.owner
    if top <= tree.body:
        return
    low, high = before[top], before[tree.end[top]]
    own = [found[b] for b in range(low, high) if kept[b] and found[b] > 2]
    floor = max(2.0, 0.3 * sum(own) / len(own)) if own else 2.0
    for b in range(before[tree.parent[top]], low):
        if tree.tag[owner[b]] == "p" and found[b] > floor and not totals.mostly_links(b, b + 1):
            kept[b] = True
