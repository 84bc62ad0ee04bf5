"""Tables and lists are kept or dropped whole, a heading goes with what it heads, a note with what refers to it.

The judge looks at blocks one by one; a table that loses single cells, or a list its short items, is of no use.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, islice
from operator import mul

from duramen.find.imprint import settle_forms, settle_imprint
from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.page import Page, letters
from duramen.tables import load, plain_name
from duramen.tree import NEVER_IN_CODE, Tree

_MOST = 0.6
"""A structure with more than this share of the page's words is the page's layout."""
_SHORT = {"table": 15.0, "ul": 25.0, "ol": 25.0, "dl": 25.0}
"""Blocks of a data table or plain list are this short on average; longer ones are posts, cards or layout."""
_LINKED = 0.8
"""A list of lists that is nearly all links is one table of contents or one menu."""
_UNITS = {name: frozenset(row["classes"]) for name, row in load("units.toml").items()}
_LISTING_TITLES = lazy_pattern("|".join(load("units.toml")["listing-titles"]["classes"]))
_CODE = {"pre": 1, "xmp": 1, "listing": 1, "code": 2}
"""Code, and how many blocks it has at least: one in a line of text is no unit of its own."""
_LEAST = {**dict.fromkeys(_SHORT, 3), "blockquote": 1, **_CODE}
"""Blocks that a structure has at least."""
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_TITLES = frozenset({"h1"})
_LEAST_TITLE = 12
"""Letters of a title that is no mere "Home" or "News"."""
_TRAILS = 0.9
"""A heading is a little less certain than the text below it, a note than the text that refers to it."""


def settle_structures(probabilities: array[float], page: Page) -> list[float]:
    """Give the blocks of each table and list one probability, and headings that of what follows them."""
    settled = probabilities.tolist()
    listings, boxes = _named(page.tree)
    code = _settle_whole(settled, page, listings)
    titles = page.saying_title(page.headings(_TITLES))
    _settle_before_title(settled, page, titles)
    _settle_code(settled, page, code, _BESIDE)
    _settle_boxes(settled, page, boxes)
    _settle_listing_titles(settled, page, code)
    _settle_formulas(settled, page)
    _settle_headings(settled, page)
    settle_imprint(settled, page, titles)
    _settle_notes(settled, page)
    settle_forms(settled, page)
    return settled


def spans(
    page: Page, least: dict[str, int], longest: dict[str, float], probabilities: Sequence[float]
) -> list[tuple[int, int, int, float, float]]:
    """The elements of some tags in which so many blocks begin, each with its range of blocks, their size and mass.

    The size is in words, each block being half a word more; the mass is what of it is probably content. Of the tags in
    ``longest`` only elements that are not the page's layout and whose blocks are no longer on average.
    """
    tree, words = page.tree, [n + 0.5 for n in page.blocks.words]
    sizes = list(accumulate(words, initial=0.0))
    masses = list(accumulate(map(mul, probabilities, words), initial=0.0))
    found: list[tuple[int, int, int, float, float]] = []
    for i in tree.tagged(least.keys()):
        start, stop = page.range_of(i)
        if stop - start < least[tree.tag[i]]:
            continue
        size, limit = sizes[stop] - sizes[start], longest.get(tree.tag[i])
        if limit is None or (size < _MOST * sizes[-1] and size / (stop - start) <= limit):
            found.append((i, start, stop, size, masses[stop] - masses[start]))
    return found


def _settle_whole(settled: list[float], page: Page, named: Sequence[int]) -> list[tuple[int, int]]:
    """Tables, lists, code and embedded posts: all of their blocks or none; the ranges of blocks that are code."""
    tree = page.tree
    lists: list[int] | None = None
    prose: list[int] | None = None
    code: list[tuple[int, int]] = []
    done = code_done = 0
    units = spans(page, _LEAST, _SHORT, settled) + _listings(page, named, settled)
    for i, start, stop, size, mass in sorted(units):
        tag = tree.tag[i]
        is_whole = tag == "table"
        if tag in _CODE or tag not in _LEAST:
            if i < code_done:
                continue
            prose = tree.tagged(NEVER_IN_CODE) if prose is None else prose
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
    home, before = tree.parent[i], start - 1
    is_named = before >= 0 and tree.tag[home] in _QUOTING and tree.contains(home, blocks.first[before])
    if is_named and blocks.words[before] <= _SIGNATURE:
        settled[before] = max(settled[before], max(settled[start:stop]))
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


_QUOTING = frozenset({"aside", "figure"})
"""What may hold a quotation and, before it, who said it (Discourse)."""
_SIGNATURES = frozenset({"footer", "cite", "figcaption"})
_SIGNATURE = 30
"""Words of an attribution at most."""
_SIGNED = 3
"""So many of a quotation's last blocks may name its source, and so deep the element may be that says so."""


def _begins_inside(nodes: Sequence[int], tree: Tree, i: int) -> bool:
    """Whether one of some nodes, which are in order, is inside an element."""
    at = bisect_right(nodes, i)
    return at < len(nodes) and nodes[at] < tree.end[i]


_LISTINGS = frozenset(map(plain_name, _UNITS["listings"]))
_BOXES = frozenset(map(plain_name, _UNITS["boxes"] | _UNITS["posts"]))


@cache
def _unit_words() -> core.Lookup:
    return core.Lookup(dict.fromkeys(_LISTINGS | _BOXES, 0.0))


def _named(tree: Tree) -> tuple[list[int], list[int]]:
    """The elements whose class says that they draw code line by line, and the callouts and embedded posts."""
    classes = [i for i, is_ident in tree.core.matching_words(_unit_words()) if not is_ident]
    names = [(i, set(map(plain_name, tree.cls[i].split()))) for i in classes]
    listings, boxes = ([i for i, own in names if not own.isdisjoint(wanted)] for wanted in (_LISTINGS, _BOXES))
    return listings, boxes


def _listings(
    page: Page, named: Sequence[int], probabilities: Sequence[float]
) -> list[tuple[int, int, int, float, float]]:
    """The outermost of the elements that are named so, as :func:`spans` has elements."""
    words, tree = page.blocks.words, page.tree
    found: list[tuple[int, int, int, float, float]] = []
    for i in tree.outermost(i for i in named if tree.tag[i] not in _LEAST):
        start, stop = page.range_of(i)
        if stop > start:
            sizes = [count + 0.5 for count in words[start:stop]]
            found.append((i, start, stop, sum(sizes), float(sum(map(mul, probabilities[start:stop], sizes)))))
    return found


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
        referring = {r for ident in idents if ident for r in links.get(ident, ()) if not i <= r < done}
        at = [bisect_right(page.blocks.first, r) - 1 for r in referring]
        if at and (stop - start) < _MOST * len(probabilities):
            likely = _TRAILS * sum(probabilities[max(0, b)] for b in at) / len(at)
            probabilities[start:stop] = [max(probability, likely) for probability in probabilities[start:stop]]


_DOUBTFUL = 0.15
_NEAR = 3
_BESIDE = 40
"""Characters that the frame of a listing may show besides: its title, the language, buttons."""


def _settle_code(probabilities: list[float], page: Page, code: Sequence[tuple[int, int]], beside: int) -> None:
    """Short code, of which words say little, is kept where the text before and after it is."""
    for start, stop in code:
        if start == 0 or probabilities[start] < _DOUBTFUL:
            continue
        around = _around(probabilities, page, start, stop, beside)
        probabilities[start:stop] = [max(probability, around) for probability in probabilities[start:stop]]


def _around(probabilities: list[float], page: Page, start: int, stop: int, beside: int) -> float:
    """How likely the text around some blocks is: before and after them, or before them in an element that they end.

    Their own frame may show a little beside them.
    """
    tree, chars = page.tree, page.blocks.chars
    most = sum(chars[start:stop]) + beside
    first, last = max(0, start - _NEAR), stop
    home = page.blocks.owner[start]
    begin, end = page.range_of(home)
    # A block has a character at least, so few blocks have to be counted.
    while home > 0 and (begin >= start or (end - begin <= most and sum(chars[begin:end]) <= most)):
        last = max(last, end)
        home = tree.parent[home]
        begin, end = page.range_of(home)
    if end <= last:
        return max(probabilities[max(begin, first) : start])
    return min(max(probabilities[first:start]), max(probabilities[stop : stop + _NEAR], default=0.0))


_TABLES = frozenset({"table"})
_FEW_LINKS = 0.3
"""More of a table of links may be a menu."""


def _settle_boxes(probabilities: list[float], page: Page, named: Sequence[int]) -> None:
    """A callout, an embedded post or a table, which has words of its own, is kept where the text around it is.

    Only after text in the same element, and before more of it: beside the text, such a box may be a notice of the site.
    A callout or post may be the last in it; a table there is as likely a list of other pages.
    """
    tree, blocks = page.tree, page.blocks
    tables = [i for i in tree.tagged(_TABLES) if tree.link_density(i) <= _FEW_LINKS]
    units: list[tuple[int, int]] = []
    for i in (*named, *tables):
        start, stop = page.range_of(i)
        home = tree.parent[i]
        while home > 0 and tree.chars_in(home) == tree.chars_in(i):
            home = tree.parent[home]
        if 0 < start < stop and tree.contains(home, blocks.first[start - 1]):
            is_last = page.range_of(home)[1] == stop
            if tree.tag[i] != "table" if is_last else tree.contains(home, blocks.first[stop]):
                units.append((start, stop))
    _settle_code(probabilities, page, units, 0)


_CELL_WITHIN = 4
"""So many elements above a formula is the table that only sets it beside its number."""


def _settle_formulas(probabilities: list[float], page: Page) -> None:
    """A formula that is a paragraph of its own, of which words say nothing, is kept where the text around it is."""
    tree = page.tree
    for formula, display in tree.stated("math", ("display",)):
        if display != "block":
            continue
        unit = formula
        for above in islice(tree.ancestors(formula), _CELL_WITHIN):
            if tree.tag[above] == "table" and 2 * tree.chars_in(formula) >= tree.chars_in(above):
                unit = above
        start, stop = page.range_of(unit)
        if 0 < start < stop:
            around = _around(probabilities, page, start, stop, 0)
            likely = max(*probabilities[start:stop], _TRAILS * around)
            probabilities[start:stop] = [likely] * (stop - start)


_TITLE_WORDS = 12
"""Words of a listing's title at most: most are the name of a file."""
_FRAME_WITHIN = 5
"""So many elements above a title is what holds it and its listing."""


def _settle_listing_titles(probabilities: list[float], page: Page, code: Sequence[tuple[int, int]]) -> None:
    """The title above a listing, in a frame that holds nothing else, goes where the listing goes."""
    tree, blocks = page.tree, page.blocks
    for start, stop in code:
        title = start - 1
        if title < 0 or stop <= start or blocks.words[title] > _TITLE_WORDS:
            continue
        frame, named = tree.parent[blocks.first[title]], False
        for _ in range(_FRAME_WITHIN):
            if frame <= 0 or tree.contains(frame, blocks.first[start]):
                break
            named = named or tree.tag[frame] == "figcaption" or _names_title(tree.cls[frame])
            frame = tree.parent[frame]
        shown = sum(blocks.chars[title:stop])
        if named and tree.contains(frame, blocks.first[start]) and tree.chars_in(frame) <= shown + _BESIDE:
            probabilities[title] = max(probabilities[title], max(probabilities[start:stop]))


def _names_title(names: str) -> bool:
    return any(_LISTING_TITLES.fullmatch(name) for name in names.lower().split())


_ABOVE = 0.2
"""What is left of the probability of a block before the page's title: that is teasers, notices, other posts."""
_ENOUGH = 50.0
_SHARE = 0.3
"""The title counts as the content's beginning if so many words may be expected below it, and so many for one above."""


def _settle_before_title(probabilities: list[float], page: Page, titles: Sequence[int]) -> None:
    """Where the only ``<h1>`` that says the page's title is, the content begins."""
    if len(titles) != 1 or len(letters(page.metadata.title or "")) < _LEAST_TITLE:
        return
    first = titles[0]
    above, below = _mass(probabilities, page, 0, first), _mass(probabilities, page, first, len(probabilities))
    if below >= _ENOUGH and below >= _SHARE * above:
        probabilities[:first] = [probability * _ABOVE for probability in probabilities[:first]]


def _mass(probabilities: list[float], page: Page, start: int, stop: int) -> float:
    """How many words of some blocks may be expected to be content."""
    return core.expected(probabilities, page.blocks.words, range(start, stop))[0]


_WRAPPED = 3
"""So many elements may hold a heading and nothing else."""
_UNSURE = 0.6
"""What such a heading is raised to at most: a removal row that names its wrapper still takes it out."""


def _settle_headings(probabilities: list[float], page: Page) -> None:
    """What is below a heading in the same container, at most one level deeper, is what it heads."""
    tree, blocks = page.tree, page.blocks
    for b in reversed(page.headings(_HEADINGS)):
        if b + 1 == len(blocks) or probabilities[b] >= _TRAILS * probabilities[b + 1]:
            continue
        if blocks.links[b] * 2 <= blocks.chars[b]:
            home, most = tree.parent[blocks.owner[b]], 1.0
            for around in islice(tree.ancestors(blocks.owner[b]), _WRAPPED):
                if tree.chars_in(around) > blocks.chars[b]:
                    # What holds most of the page has other parts than the one that follows.
                    if around != home and tree.chars_in(around) < _MOST * tree.chars_in(0):
                        home, most = around, _UNSURE
                    break
            if home >= 0 and tree.contains(home, blocks.owner[b + 1]):
                probabilities[b] = max(probabilities[b], min(most, _TRAILS * probabilities[b + 1]))
