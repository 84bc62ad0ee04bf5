"""Readability: paragraphs score for their containers, the best container is cleaned.

Written from the descriptions of Arc90's Readability (2009) and of Mozilla's Readability, which Firefox's reader view
uses (https://github.com/mozilla/readability), and from specification 000 §2.3. Differences: names match at token
boundaries, commas of all scripts count, and paragraphs are Duramen's text blocks, which makes the wrapping of loose
text in ``<p>`` unnecessary.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from operator import add, mul, sub
from typing import NamedTuple

from duramen.blocks import Blocks
from duramen.find.classical.measures import blocks_before, commas, elements_with_blocks, named, running
from duramen.find.lineage import is_hidden
from duramen.page import Page
from duramen.tree import Tree

UNLIKELY = frozenset(
    (
        "ad ads adbox advert advertisement agegate banner breadcrumb breadcrumbs combx comment comments community"
        " cookie cookies disqus extra foot footer gdpr header legends menu nav navbar navigation newsletter pager"
        " pagination popup related remark replies rss shoutbox sidebar skyscraper social sponsor sponsored subscribe"
        " supplemental widget yom"
    ).split()
)
MAYBE = frozenset("article body column content main shadow and maincontent articlebody bodytext mathjax".split())
POSITIVE = frozenset(
    (
        "article articlebody articletext blog body bodytext content contents entry hentry main maincontent page"
        " pagination post postbody postcontent story storybody text"
    ).split()
)
NEGATIVE = frozenset(
    (
        "ad banner combx comment comments com contact foot footer footnote gdpr hid hidden masthead media meta outbrain"
        " promo promos related scroll share shopping shoutbox sidebar skyscraper sponsor sponsored taboola tags tool"
        " widget widgets"
    ).split()
)
_is_share = named(frozenset("share sharedaddy sharing".split()))
_is_unlikely, _is_maybe, _is_positive, _is_negative = map(named, (UNLIKELY, MAYBE, POSITIVE, NEGATIVE))
UNLIKELY_ROLES = frozenset({"menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"})
NEVER_UNLIKELY = frozenset({"html", "body", "a", "article", "main", "table", "tbody", "tr", "td", "pre", "code"})
PARAGRAPHS = frozenset({"p", "div", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6"})
DIVISIONS = frozenset({"div", "section"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BASE = {"div": 5, "article": 5, "main": 5, "section": 5, "pre": 3, "td": 3, "blockquote": 3}
BASE |= dict.fromkeys(("address", "ol", "ul", "dl", "dd", "dt", "li", "form"), -3)
BASE |= dict.fromkeys((*_HEADINGS, "th"), -5)
_LEVELS = (1.0, 1 / 2, 1 / 6, 1 / 9, 1 / 12)
"""What the parent, the grandparent and the ancestors above get of a paragraph's score."""
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


@lru_cache(maxsize=20_000)
def _weight(cls: str, ident: str) -> int:
    """25 points for or against a class, 25 for or against an id."""
    total = 0
    for names in (cls, ident):
        if names:
            total += 25 * _is_positive(names) - 25 * _is_negative(names)
    return total


@lru_cache(maxsize=20_000)
def _unlikely(cls: str, ident: str) -> bool:
    return (_is_unlikely(cls) or _is_unlikely(ident)) and not (_is_maybe(cls) or _is_maybe(ident))


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


def container(tree: Tree, blocks: Blocks) -> int:
    """The best container on the first, strictest reading, before anything is cleaned: the algorithm's vote."""
    reader = _Reader(tree, blocks, "")
    shown = reader.count_shown(strip=True)
    return reader.top(reader.scores(shown, weigh=True))


class _Reader:
    """The measures of a page that do not change between readings."""

    def __init__(self, tree: Tree, blocks: Blocks, title: str) -> None:
        self.tree, self.blocks = tree, blocks
        self.title = _plain(title)
        self.before = blocks_before(tree, blocks)
        self.commas = [commas(text) for text in blocks.text]
        self.paragraph = [tree.tag[owner] in PARAGRAPHS for owner in blocks.owner]
        self.headings = [
            size if tree.tag[owner] in _HEADINGS else 0 for owner, size in zip(blocks.owner, blocks.chars, strict=True)
        ]
        self.elements = elements_with_blocks(tree, self.before)
        self.places: dict[str, list[int]] = {kind: [] for kind in set(_COUNTED.values())}
        for i, name in enumerate(tree.tag):
            if name in _COUNTED:
                self.places[_COUNTED[name]].append(i)

    def within(self, totals: list[int], i: int) -> int:
        """A running total over blocks, inside node *i*."""
        return totals[self.before[self.tree.end[i]]] - totals[self.before[i]]

    def count(self, name: str, i: int) -> int:
        """How many elements of a kind stand inside node *i*."""
        places = self.places[name]
        return bisect_left(places, self.tree.end[i]) - bisect_right(places, i)

    def read(self, strip: bool, weigh: bool, clean: bool) -> list[bool]:
        shown = self.count_shown(strip)
        scores = self.scores(shown, weigh)
        top = self.top(scores)
        kept = [False] * len(self.blocks)
        for node in self._with_siblings(top, scores):
            low, high = self.before[node], self.before[self.tree.end[node]]
            kept[low:high] = shown[low:high]
            for gone in self._cleaned(node, weigh, clean):
                low, high = self.before[gone], self.before[self.tree.end[gone]]
                kept[low:high] = [False] * (high - low)
        return kept

    def count_shown(self, strip: bool) -> list[bool]:
        """Which blocks are shown, and running totals over these."""
        blocks = self.blocks
        shown = self._shown(strip)
        self.chars, self.links, self.comma_count, self.paragraph_count, self.heading_chars = (
            running(map(mul, values, shown))
            for values in (blocks.chars, blocks.links, self.commas, self.paragraph, self.headings)
        )
        return shown

    def density(self, i: int) -> float:
        """The share of a node's text that is inside links."""
        chars = self.within(self.chars, i)
        return self.within(self.links, i) / chars if chars else 0.0

    def _shown(self, strip: bool) -> list[bool]:
        """Blocks that are neither hidden nor inside an element whose name or role makes it an unlikely candidate."""
        tree, blocks, before = self.tree, self.blocks, self.before
        shown = [True] * len(blocks)
        stop = 0
        for i in self.elements:
            attrs = tree.attrs[i]
            if i < stop or not attrs:
                continue
            unlikely = False
            if strip and tree.tag[i] not in NEVER_UNLIKELY:
                unlikely = attrs.get("role", "").lower() in UNLIKELY_ROLES or _unlikely(tree.cls[i], tree.ident[i])
            if unlikely or (i != tree.body and is_hidden(tree, i)):
                low, high = before[i], before[tree.end[i]]
                shown[low:high] = [False] * (high - low)
                stop = tree.end[i]
        return shown

    def scores(self, shown: list[bool], weigh: bool) -> dict[int, float]:
        """Each paragraph's score, passed on to its ancestors and scaled by their freedom from links."""
        tree, blocks = self.tree, self.blocks
        scores: dict[int, float] = {}
        for b, owner in enumerate(blocks.owner):
            size = blocks.chars[b]
            if size < 25 or not shown[b] or not self.paragraph[b]:
                continue
            score = 2 + self.commas[b] + min(size // 100, 3)
            # Loose text beside other blocks is a paragraph of its own; text that fills its element makes it one.
            node = owner if _is_loose(tree, owner, size) else tree.parent[owner]
            for share in _LEVELS:
                if node <= 0:
                    break
                if node not in scores:
                    scores[node] = BASE.get(tree.tag[node], 0)
                    if weigh:
                        scores[node] += _weight(tree.cls[node], tree.ident[node])
                scores[node] += share * score
                node = tree.parent[node]
        return {node: score * (1 - self.density(node)) for node, score in scores.items()}

    def top(self, scores: dict[int, float]) -> int:
        """The best container, or the ancestor that three good ones share, moved up while the score does not fall."""
        tree = self.tree
        if not scores:
            return tree.body
        ranked = sorted(scores, key=lambda node: (-scores[node], node))[:5]
        top = ranked[0]
        if scores[top] <= 0:
            return tree.body
        rivals = [set(tree.ancestors(node)) for node in ranked[1:] if scores[node] >= 0.75 * scores[top]]
        if len(rivals) >= 3:
            for above in tree.ancestors(top):
                if above <= tree.body:
                    break
                if sum(above in rival for rival in rivals) >= 3:
                    top = above
                    break
        last = scores.get(top, 0.0)
        floor = last / 3
        for above in tree.ancestors(top):
            if above <= tree.body:
                break
            if above not in scores:
                continue
            if scores[above] < floor:
                break
            if scores[above] > last:
                top = above
                break
            last = scores[above]
        # An only child has no siblings to look at: its parent may.
        while tree.parent[top] > tree.body and self._is_only_child(top):
            top = tree.parent[top]
        return top

    def _is_only_child(self, i: int) -> bool:
        return self.within(self.chars, i) == self.within(self.chars, self.tree.parent[i])

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

    def _cleaned(self, top: int, weigh: bool, clean: bool) -> list[int]:
        """What is taken out of a chosen node again. Inner elements are judged first; outer ones count what is left."""
        tree = self.tree
        tags, ends = tree.tag, tree.end
        gone: list[int] = []
        inner: list[tuple[int, _Counts]] = []
        inside = self.elements[bisect_right(self.elements, top) : bisect_left(self.elements, ends[top])]
        for i in reversed(inside):
            name = tags[i]
            remove = name in _ALWAYS_CLEANED
            if name in _HEADINGS:
                remove = weigh and _weight(tree.cls[i], tree.ident[i]) < 0
                remove = remove or (bool(self.title) and name in ("h1", "h2") and _plain(tree.text_in(i)) == self.title)
            elif tree.cls[i] and _is_share(tree.cls[i]) and self.within(self.chars, i) < 500:
                remove = True
            if not remove and not (clean and name in _CONDITIONAL):
                continue
            counts = self._counts(i)
            lost = _NOTHING
            while inner and inner[-1][0] < ends[i]:
                lost = _added(lost, inner.pop()[1])
            if remove or self._fails(i, _less(counts, lost), weigh):
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

    def _fails(self, i: int, counts: _Counts, weigh: bool) -> bool:
        """Conditional cleaning: few commas, and more links, images, list items or fields than paragraphs bear."""
        tree = self.tree
        weight = _weight(tree.cls[i], tree.ident[i]) if weigh else 0
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


def _is_loose(tree: Tree, owner: int, size: int) -> bool:
    """Whether an element has other text beside a block of this size."""
    return tree.tag[owner] in DIVISIONS and tree.chars_in(owner) > size


def _ends_sentence(text: str) -> bool:
    return text.endswith((".", "。", "!", "?", "！", "？", "؟", "।")) or ". " in text or "。" in text


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _added(a: _Counts, b: _Counts) -> _Counts:
    return _Counts(*map(add, a, b))


def _less(a: _Counts, b: _Counts) -> _Counts:
    return a if b is _NOTHING else _Counts(*map(sub, a, b))
