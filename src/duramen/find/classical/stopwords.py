"""Stopwords: paragraphs score by the function words in them, as in Goose and Newspaper3k.

Written from the descriptions of Goose (Gravity Labs, 2011; https://github.com/GravityLabs/goose/wiki) and Newspaper3k
(https://newspaper.readthedocs.io), and from specification 000 §2.4. Function words are counted in the page's own
language and script (:mod:`duramen.function_words`); where the language is unknown, a third of a text's words stand for
them, as in average prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from duramen.blocks import Blocks
from duramen.find.classical.measures import blocks_before, elements_with_blocks, named, running
from duramen.find.language import page_language
from duramen.function_words import measure
from duramen.page import Page
from duramen.tree import BLOCK_TAGS, Tree

NAUGHTY = frozenset(
    "author breadcrumb breadcrumbs caption combx comment comments contact cookie cookies foot footer footnote menu"
    " menucontainer meta nav navbar navigation newsletter popup related replies retweet scroll share share-tools"
    " sharing shoutbox side sidebar social socialnetworking sponsor sponsored subscribe tags timestamp"
    " utility-bar".split()
)
_is_naughty = named(NAUGHTY)
NAUGHTY_TAGS = frozenset({"nav", "footer", "aside", "form", "menu"})
NEVER_NAUGHTY = frozenset({"html", "body", "main", "article"})
SCORED = frozenset({"p", "pre", "td", "blockquote", "div", "article", "section", "main"})
_KEPT_SHORT = frozenset({"p", "td", "ul", "ol", "blockquote", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6"})
_NEAR = 3
"""A paragraph is boosted when a wordy one stands at most this many blocks before it."""


def stopwords(page: Page) -> list[bool]:
    """Keep the element whose paragraphs have the most function words, less its children that have few.

    Paragraphs that are mostly links do not count. Those that follow other prose are boosted, the first ones most (50,
    25, 16 …); those in the last quarter of the page are punished by the square of how far down they are. A paragraph's
    score goes to its parent, half of it to its grandparent.
    """
    tree, blocks = page.tree, page.blocks
    before = blocks_before(tree, blocks)
    shown = _shown(tree, blocks, before)
    language = page_language(page)
    count = measure(language)
    if language:
        found = [int(count(text)[0]) if show else 0 for text, show in zip(blocks.text, shown, strict=True)]
    else:
        found = [words // 3 if show else 0 for words, show in zip(blocks.words, shown, strict=True)]
    totals = _Totals(tree, blocks)
    scores = _scores(tree, blocks, found, totals)
    kept = [False] * len(blocks)
    if not scores:
        return kept
    top = _best(scores)
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


def container(tree: Tree, blocks: Blocks, shares: Sequence[float]) -> int:
    """The element that is kept, before anything in it is dropped: the algorithm's vote; -1 for none.

    ``shares`` is how much of each block's text is function words.
    """
    shown = _shown(tree, blocks, blocks_before(tree, blocks))
    sizes = zip(shares, blocks.words, shown, strict=True)
    found = [int(share * words) if show else 0 for share, words, show in sizes]
    scores = _scores(tree, blocks, found, _Totals(tree, blocks))
    return _best(scores) if scores else -1


def _best(scores: Mapping[int, float]) -> int:
    return max(scores, key=lambda node: (scores[node], -node))


class _Totals:
    """Running totals of characters, of linked characters and of links."""

    def __init__(self, tree: Tree, blocks: Blocks) -> None:
        places = np.array([i for i, name in enumerate(tree.tag) if name == "a"], dtype=np.int64)
        inside = np.searchsorted(places, blocks.last, "right") - np.searchsorted(places, blocks.first)
        self.chars = running(blocks.chars)
        self.linked = running(blocks.links)
        # A link that begins before its block's first text node is one more.
        self.count = running(count + (linked > 0) for count, linked in zip(inside.tolist(), blocks.links, strict=True))

    def mostly_links(self, low: int, high: int) -> bool:
        """Goose's measure: the share of linked text times the number of links is 1 or more."""
        chars = self.chars[high] - self.chars[low]
        linked = self.linked[high] - self.linked[low]
        return chars > 0 and linked / chars * (self.count[high] - self.count[low]) >= 1


def _shown(tree: Tree, blocks: Blocks, before: Sequence[int]) -> list[bool]:
    """Blocks outside the elements whose tag or name speaks of navigation, comments and the like."""
    shown = [True] * len(blocks)
    stop = 0
    for i in elements_with_blocks(tree, before):
        name = tree.tag[i]
        if i < stop or name in NEVER_NAUGHTY:
            continue
        naughty = name in NAUGHTY_TAGS
        if not naughty and tree.attrs[i]:
            naughty = _is_naughty(tree.cls[i]) or _is_naughty(tree.ident[i])
        # ASP pages put everything into one form, and a name that covers most of the page cannot mean what it says.
        if naughty and 2 * tree.chars_in(i) < tree.chars[-1]:
            low, high = before[i], before[tree.end[i]]
            shown[low:high] = [False] * (high - low)
            stop = tree.end[i]
    return shown


def _scores(tree: Tree, blocks: Blocks, found: Sequence[int], totals: _Totals) -> dict[int, float]:
    wordy = [
        b
        for b, owner in enumerate(blocks.owner)
        if found[b] > 2 and tree.tag[owner] in SCORED and not totals.mostly_links(b, b + 1)
    ]
    scores: dict[int, float] = {}
    boosts = 0
    punished = len(wordy) * 0.25
    last_prose = -_NEAR - 1
    for place, b in enumerate(wordy):
        boost = 0.0
        if b - last_prose <= _NEAR:
            boosts += 1
            boost = 50 / boosts
        if found[b] > 5:
            last_prose = b
        left = len(wordy) - place
        if len(wordy) > 15 and left <= punished:
            boost = -((punished - left) ** 2)
            if boost < -40:
                boost = 5.0
        owner = blocks.owner[b]
        # Loose text beside other blocks belongs to its element; text that fills its element belongs to the parent.
        loose = tree.tag[owner] != "p" and tree.chars_in(owner) > blocks.chars[b]
        node = owner if loose else tree.parent[owner]
        for share in (1.0, 0.5):
            if node <= 0:
                break
            scores[node] = scores.get(node, 0.0) + share * (found[b] + boost)
            node = tree.parent[node]
    return scores


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
