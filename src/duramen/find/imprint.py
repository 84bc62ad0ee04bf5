"""What is about the page rather than of it: a date below the title, a list of tags, the labels of a form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page
from duramen.tables import row_words
from duramen.tree import Tree

__all__ = ["settle_forms", "settle_imprint"]

_IMPRINT = 0.2
"""What is left of the probability of a date below the title and of a list of tags: they are the page's metadata."""
_BELOW = 3
_FILED = lazy_pattern(rf"/(?:{'|'.join(row_words('finding.toml', 'filed'))})/[^/?#]+/?$", re.I)


def settle_imprint(probabilities: list[float], page: Page, titles: Sequence[int]) -> None:
    """A date alone below the title, and a list of nothing but links to tags."""
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
            first = bisect_left(anchors, i)
            # Most lists of links are menus: their first link tells.
            if first == len(anchors) or anchors[first] >= end or not _leads_to_tag(tree, anchors[first]):
                continue
            inside = anchors[first : bisect_left(anchors, end)]
            if any(tree.parent[tree.parent[a]] == i for a in inside) and all(_leads_to_tag(tree, a) for a in inside):
                yield i


def _leads_to_tag(tree: Tree, anchor: int) -> bool:
    return _FILED.search(tree.attr(anchor, "href")[-200:]) is not None


_ALL_LINKS = 0.95
_LISTS = frozenset({"ul", "ol"})
_ANCHORS = frozenset({"a"})
_LONGEST = 400
"""Nodes of a list of tags; looking into longer ones would cost the square of lists in lists."""


_FORMS = frozenset({"form"})
_FIELDS = frozenset({"input", "textarea", "select"})
_NOT_FILLED = frozenset({"hidden", "submit", "button", "image", "reset", "checkbox", "radio"})
_FORM = 60
"""Words of a form that only asks: labels, choices and messages. Some systems wrap the whole page into one."""


_LABELS = frozenset({"label"})
_CHOICE = 12
"""Words of what a reader may choose; cards that can be chosen have more."""


def settle_forms(probabilities: list[float], page: Page) -> None:
    """The labels and messages of a form that asks for something are no content, nor are choices outside of forms."""
    tree = page.tree
    for label in tree.tagged(_LABELS):
        if tree.words_in(label) <= _CHOICE:
            inputs = (j for j in range(label + 1, tree.end[label]) if tree.tag[j] == "input")
            if any(tree.attr(j, "type").lower() == "radio" for j in inputs):
                start, stop = page.range_of(label)
                if sum(page.blocks.words[start:stop]) > _FORM:
                    continue
                probabilities[start:stop] = [probability * _IMPRINT for probability in probabilities[start:stop]]
    forms = [i for i in tree.tagged(_FORMS) if tree.words_in(i) <= _FORM]
    fields = tree.tagged(_FIELDS) if forms else []
    for i in forms:
        inside = fields[bisect_left(fields, i) : bisect_left(fields, tree.end[i])]
        if any(tree.tag[j] != "input" or tree.attr(j, "type").lower() not in _NOT_FILLED for j in inside):
            start, stop = page.range_of(i)
            probabilities[start:stop] = [probability * _IMPRINT for probability in probabilities[start:stop]]
