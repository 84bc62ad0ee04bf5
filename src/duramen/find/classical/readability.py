"""Readability: paragraphs score for their containers, the best container is cleaned.

Written from the descriptions of Arc90's Readability (2009) and of Mozilla's Readability, which Firefox's reader view
uses (https://github.com/mozilla/readability), and from specification 000 §2.3. Differences: names match at token
boundaries, commas of all scripts count, and paragraphs are Duramen's text blocks, which makes the wrapping of loose
text in ``<p>`` unnecessary.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import add, mul, sub
from typing import NamedTuple

from duramen.blocks import Blocks
from duramen.find.classical.containers import HEADINGS, PARAGRAPHS, readability_scores
from duramen.find.classical.measures import blocks_before, commas, elements_with_blocks, running
from duramen.page import Page
from duramen.tree import Tree

_CONDITIONAL = frozenset({"form", "fieldset", "table", "ul", "ol", "div", "section"})
_ALWAYS_CLEANED = frozenset({"footer", "aside", "nav"})
_COUNTED = {"img": "img", "li": "li", "input": "input", "table": "table", "tr": "tr"}
_COUNTED |= dict.fromkeys(("object", "embed", "iframe"), "embed")
_COUNTED |= dict.fromkeys(("caption", "col", "colgroup", "tfoot", "thead", "th"), "head")
"""Elements that conditional cleaning counts, and as what."""
_ENOUGH = 500
"""With fewer characters the page is read again, less strictly."""


class _Counts(NamedTuple):
    """What conditional cleaning weighs inside one element."""

    chars: int = 0
    links: int = 0
    commas: int = 0
    paragraphs: int = 0
    heading: int = 0
    images: int = 0
    items: int = 0
    fields: int = 0
    embeds: int = 0


_NOTHING = _Counts()


def readability(page: Page) -> list[bool]:
    """Keep the best container, the siblings that go with it, less what looks like an interface inside.

    The page is read up to four times, each time less strict (unlikely names not stripped, names not weighed, nothing
    cleaned), until 500 characters are found; failing that, the longest reading counts.
    """
    best: list[bool] = [False] * len(page.blocks)
    longest = 0
    reader = _Reader(page.tree, page.blocks, page.metadata.title or "")
    for strip, weigh, clean in ((True, True, True), (False, True, True), (False, False, True), (False, False, False)):
        kept = reader.read(strip, weigh, clean)
        size = sum(chars for chars, keep in zip(page.blocks.chars, kept, strict=True) if keep)
        if size > longest:
            best, longest = kept, size
        if longest >= _ENOUGH:
            break
    return best


class _Reader:
    """The measures of a page that do not change between readings."""

    def __init__(self, tree: Tree, blocks: Blocks, title: str) -> None:
        self.tree, self.blocks = tree, blocks
        self.title = _plain(title)
        self.before = blocks_before(tree, blocks)
        self.commas = commas(tree, blocks)
        self.paragraph = [tree.tag[owner] in PARAGRAPHS for owner in blocks.owner]
        self.headings = [
            size if tree.tag[owner] in HEADINGS else 0 for owner, size in zip(blocks.owner, blocks.chars, strict=True)
        ]
        self.elements = elements_with_blocks(tree, self.before)
        self.places: dict[str, list[int]] = {kind: [] for kind in set(_COUNTED.values())}
        for i in tree.tagged(_COUNTED.keys()):
            self.places[_COUNTED[tree.tag[i]]].append(i)

    def within(self, totals: list[int], i: int) -> int:
        """A running total over blocks, inside node *i*."""
        return totals[self.before[self.tree.end[i]]] - totals[self.before[i]]

    def count(self, name: str, i: int) -> int:
        """How many elements of a kind stand inside node *i*."""
        places = self.places[name]
        return bisect_left(places, self.tree.end[i]) - bisect_right(places, i)

    def read(self, strip: bool, weigh: bool, clean: bool) -> list[bool]:
        self.scored = scored = readability_scores(self.tree, self.blocks, strip=strip, weigh=weigh)
        self.weigh, self.clean = weigh, clean
        self._sum_shown()
        kept = [False] * len(self.blocks)
        for node in self._with_siblings(scored.top, scored.scores):
            low, high = self.before[node], self.before[self.tree.end[node]]
            kept[low:high] = scored.shown[low:high]
            for gone in self._cleaned(node):
                low, high = self.before[gone], self.before[self.tree.end[gone]]
                kept[low:high] = [False] * (high - low)
        return kept

    def _sum_shown(self) -> None:
        """Running totals over the blocks that are looked at."""
        blocks = self.blocks
        self.chars, self.links, self.comma_count, self.paragraph_count, self.heading_chars = (
            running(map(mul, values, self.scored.shown))
            for values in (blocks.chars, blocks.links, self.commas, self.paragraph, self.headings)
        )

    def weight(self, i: int) -> int:
        return self.scored.weight(i) if self.weigh else 0

    def density(self, i: int) -> float:
        """The share of a node's text that is inside links."""
        chars = self.within(self.chars, i)
        return self.within(self.links, i) / chars if chars else 0.0

    def _with_siblings(self, top: int, scores: dict[int, float]) -> list[int]:
        """The top candidate and what beside it scores well enough or reads like a paragraph."""
        tree = self.tree
        if top <= tree.body:
            return [top]
        best = scores.get(top, 0.0)
        floor = max(10.0, 0.2 * best)
        chosen: list[int] = []
        for node in tree.children(tree.parent[top]):
            if node == top:
                chosen.append(node)
                continue
            size = self.within(self.chars, node)
            if not size:
                continue
            bonus = 0.2 * best if tree.cls[node] and tree.cls[node] == tree.cls[top] else 0.0
            if node in scores and scores[node] + bonus >= floor:
                chosen.append(node)
            elif tree.tag[node] in ("p", ""):
                density = self.density(node)
                if density < 0.25 if size > 80 else not density and _ends_sentence(tree.text_in(node)):
                    chosen.append(node)
        return chosen

    def _cleaned(self, top: int) -> list[int]:
        """What is taken out of a chosen node again. Inner elements are judged first; outer ones count what is left."""
        tree = self.tree
        tags, ends = tree.tag, tree.end
        gone: list[int] = []
        inner: list[tuple[int, _Counts]] = []
        inside = self.elements[bisect_right(self.elements, top) : bisect_left(self.elements, ends[top])]
        for i in reversed(inside):
            name = tags[i]
            remove = name in _ALWAYS_CLEANED
            if name in HEADINGS:
                remove = self.weight(i) < 0
                remove = remove or (bool(self.title) and name in ("h1", "h2") and _plain(tree.text_in(i)) == self.title)
            elif self.scored.is_share(i) and self.within(self.chars, i) < 500:
                remove = True
            if not remove and not (self.clean and name in _CONDITIONAL):
                continue
            counts = self._counts(i)
            lost = _NOTHING
            while inner and inner[-1][0] < ends[i]:
                lost = _added(lost, inner.pop()[1])
            if remove or self._fails(i, _less(counts, lost)):
                gone.append(i)
                lost = counts
            if lost is not _NOTHING:
                inner.append((i, lost))
        return gone

    def _counts(self, i: int) -> _Counts:
        return _Counts(
            self.within(self.chars, i),
            self.within(self.links, i),
            self.within(self.comma_count, i),
            self.within(self.paragraph_count, i),
            self.within(self.heading_chars, i),
            self.count("img", i),
            self.count("li", i),
            self.count("input", i),
            self.count("embed", i),
        )

    def _fails(self, i: int, counts: _Counts) -> bool:
        """Conditional cleaning: few commas, and more links, images, list items or fields than paragraphs bear."""
        tree = self.tree
        weight = self.weight(i)
        if weight < 0:
            return True
        chars, links, comma, paragraphs, heading, images, items, fields, embeds = counts
        if comma >= 10:
            return False
        name = tree.tag[i]
        if name == "table" and self._is_data(i):
            return False
        above = tree.parent[i]
        if tree.tag[above] in ("figure", "td", "th", "code", "pre"):
            return False
        density = links / chars if chars else 0.0
        is_list = name in ("ul", "ol")
        return (
            (images > 1 and paragraphs / images < 0.5)
            or (not is_list and items - 100 > paragraphs)
            or fields > paragraphs // 3
            or (not is_list and heading < 0.9 * chars and chars < 25 and (images == 0 or images > 2) and density > 0)
            or (not is_list and weight < 25 and density > 0.2)
            or (weight >= 25 and density > 0.5)
            or (is_list and density > 0.5)
            or (embeds == 1 and chars < 75)
            or embeds > 1
        )

    def _is_data(self, i: int) -> bool:
        """A table of data rather than of layout: it has headings, or many rows, and no table inside."""
        if self.count("table", i):
            return False
        return self.count("head", i) > 0 or self.count("tr", i) >= 10


def _ends_sentence(text: str) -> bool:
    return text.endswith((".", "。", "!", "?", "！", "？", "؟", "।")) or ". " in text or "。" in text


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _added(a: _Counts, b: _Counts) -> _Counts:
    return _Counts(*map(add, a, b))


def _less(a: _Counts, b: _Counts) -> _Counts:
    return a if b is _NOTHING else _Counts(*map(sub, a, b))
