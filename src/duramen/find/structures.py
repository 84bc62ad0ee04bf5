"""Tables and lists are kept or dropped whole, a heading goes with what it heads, a note with what refers to it.

The judge looks at blocks one by one; a table that loses single cells, or a list its short items, is of no use.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import mul

from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.page import Page, letters
from duramen.tables import load
from duramen.tree import Tree

_MOST = 0.6
"""A structure with more than this share of the page's words is the page's layout."""
_SHORT = {"table": 15.0, "ul": 25.0, "ol": 25.0, "dl": 25.0}
"""Blocks of a data table or plain list are this short on average; longer ones are posts, cards or layout."""
_LINKED = 0.8
"""A list of lists that is nearly all links is one table of contents or one menu."""
_UNITS = {name: frozenset(row["classes"]) for name, row in load("units.toml").items()}
_CODE = {"pre": 1, "xmp": 1, "listing": 1, "code": 2}
"""Code, and how many blocks it has at least: one in a line of text is no unit of its own."""
_PROSE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "img", "picture", "iframe", "video", "blockquote", "dl"})
"""What code never holds: an element with one of these was left open, or is code in name only."""
_LEAST = {**dict.fromkeys(_SHORT, 3), "blockquote": 1, **_CODE}
"""Blocks that a structure has at least."""
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_TITLES = frozenset({"h1"})
_LEAST_TITLE = 12
"""Letters of a title that is no mere "Home" or "News"."""
_TRAILS = 0.9
"""A heading is a little less certain than the text below it, a code block than the text around it."""


def settle_structures(probabilities: array[float], page: Page) -> list[float]:
    """Give the blocks of each table and list one probability, and headings that of what follows them."""
    settled = probabilities.tolist()
    code = _settle_whole(settled, page, probabilities)
    titles = page.saying_title(page.headings(_TITLES))
    _settle_before_title(settled, page, titles)
    _settle_code(settled, code)
    _settle_headings(settled, page)
    _settle_imprint(settled, page, titles)
    _settle_notes(settled, page)
    _settle_forms(settled, page)
    return settled


def spans(
    page: Page, least: dict[str, int], longest: dict[str, float], probabilities: array[float]
) -> list[tuple[int, int, int, float, float]]:
    """The elements of some tags in which so many blocks begin, each with its range of blocks, their size and mass.

    The size is in words, each block being half a word more; the mass is what of it is probably content. Of the tags in
    ``longest`` only elements that are not the page's layout and whose blocks are no longer on average.
    """
    return page.tree.core.spans(least, longest, _MOST, probabilities)


def _settle_whole(settled: list[float], page: Page, probabilities: array[float]) -> list[tuple[int, int]]:
    """Tables, lists, code and embedded posts: all of their blocks or none; the ranges of blocks that are code."""
    tree = page.tree
    lists: list[int] | None = None
    prose: list[int] | None = None
    code: list[tuple[int, int]] = []
    done = code_done = 0
    listings = _listings(page, probabilities)
    for i, start, stop, size, mass in sorted(spans(page, _LEAST, _SHORT, probabilities) + listings):
        tag = tree.tag[i]
        is_whole = tag == "table"
        if tag in _CODE or tag not in _LEAST:
            if i < code_done:
                continue
            prose = tree.tagged(_PROSE) if prose is None else prose
            if _begins_inside(prose, tree, i):
                continue
            code.append((start, stop))
            code_done = tree.end[i]
            is_whole = stop - start > 1
        if tag == "blockquote" and i >= done:
            if not _UNITS["posts"].isdisjoint(tree.cls[i].split()):
                settled[start:stop] = [max(settled[start:stop])] * (stop - start)
            else:
                _settle_attribution(settled, page, i, start, stop)
        if i < done or tag == "blockquote":
            continue
        if not is_whole and tag in _SHORT:
            lists = tree.tagged(_SHORT.keys()) if lists is None else lists
            is_whole = tree.link_density(i) >= _LINKED or not _begins_inside(lists, tree, i)
        if is_whole:
            settled[start:stop] = [mass / size] * (stop - start)
            done = tree.end[i]
    return code


def _settle_attribution(settled: list[float], page: Page, i: int, start: int, stop: int) -> None:
    """Who said it goes where the quotation goes: a ``footer`` or ``cite`` in it or right behind it, or its caption."""
    tree, blocks = page.tree, page.blocks
    figure = tree.parent[i] if tree.tag[tree.parent[i]] == "figure" else -1
    for b in range(max(start + 1, stop - _SIGNED), min(stop + 1, len(blocks))):
        if blocks.words[b] > _SIGNATURE:
            continue
        node = tree.parent[blocks.first[b]]
        holder = i if b < stop else figure
        for _ in range(_SIGNED):
            outer = tree.parent[node]
            is_behind = b == stop and outer == tree.parent[i] and node == _element_behind(tree, i)
            if tree.tag[node] in _SIGNATURES and (is_behind or (holder >= 0 and tree.contains(holder, node))):
                settled[b] = max(settled[b], max(settled[start : min(b, stop)]))
                break
            if node <= 0:
                break
            node = outer


def _element_behind(tree: Tree, i: int) -> int:
    after = tree.end[i]
    while after < len(tree) and not tree.tag[after] and not tree.chars_in(after):
        after += 1
    return after


_SIGNATURES = frozenset({"footer", "cite", "figcaption"})
_SIGNATURE = 30
"""Words of an attribution at most."""
_SIGNED = 3
"""So many of a quotation's last blocks may name its source, and so deep the element may be that says so."""


def _begins_inside(nodes: Sequence[int], tree: Tree, i: int) -> bool:
    """Whether one of some nodes, which are in order, is inside an element."""
    at = bisect_right(nodes, i)
    return at < len(nodes) and nodes[at] < tree.end[i]


@cache
def _listing_words() -> core.Lookup:
    return core.Lookup(dict.fromkeys(_UNITS["listings"], 0.0))


def _listings(page: Page, probabilities: array[float]) -> list[tuple[int, int, int, float, float]]:
    """The outermost elements whose class says that they draw code line by line, as :func:`spans` has elements."""
    words, tree = page.blocks.words, page.tree
    found: list[tuple[int, int, int, float, float]] = []
    done = 0
    for i, is_ident in tree.core.matching_words(_listing_words()):
        if is_ident or i < done or tree.tag[i] in _LEAST:
            continue
        done = tree.end[i]
        start, stop = page.range_of(i)
        if stop > start:
            sizes = [count + 0.5 for count in words[start:stop]]
            found.append((i, start, stop, sum(sizes), float(sum(map(mul, probabilities[start:stop], sizes)))))
    return found


_IMPRINT = 0.2
"""What is left of the probability of a date below the title and of a list of tags: they are the page's metadata."""
_BELOW = 3
_FILED = lazy_pattern(r"/(?:tags?|categor(?:y|ies)|topics?)/[^/?#]+/?$", re.I)


def _settle_imprint(probabilities: list[float], page: Page, titles: Sequence[int]) -> None:
    """A date that stands alone below the title, and a list of nothing but links to tags."""
    tree, blocks = page.tree, page.blocks
    for b in titles[:2]:
        for below in range(b + 1, min(b + 1 + _BELOW, len(blocks))):
            holder = tree.parent[blocks.first[below]]
            if tree.tag[holder] == "time" and blocks.last[below] < tree.end[holder]:
                probabilities[below] *= _IMPRINT
    for i in _lists_of_tags(tree):
        start, stop = page.range_of(i)
        probabilities[start:stop] = [probability * _IMPRINT for probability in probabilities[start:stop]]


def _lists_of_tags(tree: Tree) -> Iterator[int]:
    """Lists that are nearly all links, and these to tags, and are not long."""
    ends, chars, links = tree.end, tree.chars, tree.links
    anchors = tree.tagged(_ANCHORS)
    for i in tree.tagged(_LISTS):
        end = ends[i]
        if end - i <= _LONGEST and links[end] - links[i] >= _ALL_LINKS * (chars[end] - chars[i]):
            inside = anchors[bisect_left(anchors, i) : bisect_left(anchors, end)]
            if any(tree.parent[tree.parent[a]] == i for a in inside) and _lead_to_tags(tree, inside):
                yield i


def _lead_to_tags(tree: Tree, anchors: Iterable[int]) -> bool:
    return all(_FILED.search(tree.attr(a, "href")[-200:]) for a in anchors)


_ALL_LINKS = 0.95
_LISTS = frozenset({"ul", "ol"})
_ANCHORS = frozenset({"a"})
_LONGEST = 400
"""Nodes of a list of tags; looking into longer ones would cost the square of lists in lists."""


_NOTES = frozenset({"doc-footnote", "doc-endnote", "doc-endnotes"})


def _settle_notes(probabilities: list[float], page: Page) -> None:
    """Footnotes, wherever the page puts them, are as likely as the text that refers to them."""
    tree = page.tree
    notes = {i for i, role in tree.valued("role") if role in _NOTES}
    classes = tree.core.classes()
    if "footnote" in " ".join(classes):
        notes.update(tree.classed({names for names in classes if "footnote" in names}))
    if not notes:
        return
    links: dict[str, list[int]] = {}
    for i, href in tree.valued("href"):
        if href.startswith("#"):
            links.setdefault(href[1:], []).append(i)
    done = 0
    for i in sorted(notes):
        start, stop = page.range_of(i)
        if i < done or stop == start:
            continue
        done = tree.end[i]
        idents = dict.fromkeys(tree.ident[i:done])
        told = {r for ident in idents if ident for r in links.get(ident, ()) if not i <= r < done}
        at = [bisect_right(page.blocks.first, r) - 1 for r in told]
        if at and (stop - start) < _MOST * len(probabilities):
            likely = _TRAILS * sum(probabilities[max(0, b)] for b in at) / len(at)
            probabilities[start:stop] = [max(probability, likely) for probability in probabilities[start:stop]]


_FORMS = frozenset({"form"})
_FIELDS = frozenset({"input", "textarea", "select"})
_NOT_FILLED = frozenset({"hidden", "submit", "button", "image", "reset", "checkbox", "radio"})
_FORM = 60
"""Words of a form that only asks: labels, choices and messages. Some systems wrap the whole page into one."""


def _settle_forms(probabilities: list[float], page: Page) -> None:
    """The labels and messages of a form that asks for something are no content."""
    tree = page.tree
    forms = [i for i in tree.tagged(_FORMS) if tree.words_in(i) <= _FORM]
    fields = tree.tagged(_FIELDS) if forms else []
    for i in forms:
        inside = fields[bisect_left(fields, i) : bisect_left(fields, tree.end[i])]
        if any(tree.tag[j] != "input" or tree.attr(j, "type").lower() not in _NOT_FILLED for j in inside):
            start, stop = page.range_of(i)
            probabilities[start:stop] = [probability * _IMPRINT for probability in probabilities[start:stop]]


_DOUBTFUL = 0.15
_NEAR = 3


def _settle_code(probabilities: list[float], code: Sequence[tuple[int, int]]) -> None:
    """Short code, of which words say little, is kept where the text before and after it is."""
    for start, stop in code:
        if start > 0 and stop < len(probabilities) and probabilities[start] >= _DOUBTFUL:
            around = min(max(probabilities[max(0, start - _NEAR) : start]), max(probabilities[stop : stop + _NEAR]))
            probabilities[start:stop] = [
                max(probability, _TRAILS * around) for probability in probabilities[start:stop]
            ]


_ABOVE = 0.2
"""What is left of the probability of a block before the page's title: that is teasers, notices, other posts."""
_ENOUGH = 50.0
_SHARE = 0.3
"""The title counts as the content's beginning if so many words may be expected below it, and so many for one above."""


def _settle_before_title(probabilities: list[float], page: Page, titles: Sequence[int]) -> None:
    """Where the only ``<h1>`` that says the page's title stands, the content begins."""
    if len(titles) != 1 or len(letters(page.metadata.title or "")) < _LEAST_TITLE:
        return
    first = titles[0]
    above, below = _mass(probabilities, page, 0, first), _mass(probabilities, page, first, len(probabilities))
    if below >= _ENOUGH and below >= _SHARE * above:
        probabilities[:first] = [probability * _ABOVE for probability in probabilities[:first]]


def _mass(probabilities: list[float], page: Page, start: int, stop: int) -> float:
    """How many words of some blocks may be expected to be content."""
    return core.expected(probabilities, page.blocks.words, start, stop)[0]


def _settle_headings(probabilities: list[float], page: Page) -> None:
    """What is below a heading in the same container, at most one level deeper, is what it heads."""
    tree, blocks = page.tree, page.blocks
    for b in reversed(page.headings(_HEADINGS)):
        if b + 1 < len(blocks) and blocks.links[b] * 2 <= blocks.chars[b]:
            home = tree.parent[blocks.owner[b]]
            if home >= 0 and tree.contains(home, blocks.owner[b + 1]):
                probabilities[b] = max(probabilities[b], _TRAILS * probabilities[b + 1])
