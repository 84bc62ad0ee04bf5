"""The cache tier: selectors that served this site before; and the selector that would find this content again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Candidate, Remembered
from duramen.page import Page
from duramen.tables import plain_name, row_words
from duramen.tree import Tree

RELIABLE = 0.8
"""A selector is tried only when it served on more than this share of a site's pages."""
MOST = 0.9
"""The element that a selector is made for holds at least this share of the content's words."""
PURE = 0.5
"""And of its own words at least this share is content."""

_STABLE = lazy_pattern(r"[A-Za-z][A-Za-z_-]*[A-Za-z0-9]")
_HASH = lazy_pattern(r"[a-z]\d+[a-z]|\d{3}|\d[a-z]\d|[a-z][A-Z][a-z]?[A-Z]")
_STATES = lazy_pattern(rf"(?:^|[-_])(?:{'|'.join(row_words('finding.toml', 'state'))})(?:$|[-_])")
_GRID = lazy_pattern(rf"(?:{'|'.join(row_words('finding.toml', 'grid'))})(?:-[\w]{{1,4}})*\d*", re.I)
_MARKED = row_words("finding.toml", "naming-attribute")
_STEPS = 4


def find_remembered(page: Page, remembered: Iterable[Remembered]) -> Iterator[Candidate]:
    """What each remembered selector finds on this page."""
    for entry in remembered:
        nodes = page.tree.speaking_outermost(page.tree.selected(entry.selector))
        if nodes:
            evidence = f"{entry.selector}: {entry.evidence}"
            yield Candidate("cache", rule_id_of(entry.selector), evidence, tuple(nodes), confidence=entry.rate)


def rule_id_of(selector: str) -> str:
    return f"cache:{selector}"


def selector_of(page: Page, kept: Sequence[int]) -> str:
    """A selector of stable names for the element that holds the kept blocks; empty when there is none."""
    node = container_of(page, kept)
    return stable_selector(page.tree, node) if node >= 0 else ""


def container_of(page: Page, kept: Sequence[int]) -> int:
    """The smallest element that holds nearly all kept words and not much else, or -1."""
    words = page.blocks.words
    inside = set(kept)
    mass = list(accumulate((w if b in inside else 0 for b, w in enumerate(words)), initial=0))
    total = mass[-1]
    if not total:
        return -1

    def kept_in(i: int) -> int:
        start, stop = page.range_of(i)
        return mass[stop] - mass[start]

    node = page.tree.body
    while True:
        below = (i for i in page.tree.children(node) if page.tree.tag[i])
        inner = next((i for i in below if kept_in(i) >= MOST * total), -1)
        if inner < 0:
            break
        node = inner
    pure = kept_in(node) >= PURE * max(1, page.tree.words_in(node))
    return node if pure and node != page.tree.body else -1


def stable_selector(tree: Tree, node: int) -> str:
    """The shortest selector of names that a site keeps, which finds this element alone.

    Hashed classes, numbers of posts, states and grid columns are no such names.
    """
    below = ""
    for step, i in enumerate((node, *tree.ancestors(node))):
        if step > _STEPS or tree.tag[i] in ("body", "html"):
            break
        for own in own_names(tree, i):
            selector = f"{own}{below}"
            if tree.selected(selector) == [node]:
                return selector
        below = f" > {tree.tag[i]}{below}"
    return ""


def own_names(tree: Tree, i: int) -> Iterator[str]:
    """Selectors of one element by its own stable names; others may match too."""
    tag = tree.tag[i]
    if is_stable(tree.ident[i]):
        yield f"{tag}#{tree.ident[i]}"
    for name in _MARKED:
        value = tree.attr(i, name)
        if is_stable(value):
            yield f'{tag}[{name}="{value}"]'
    words = [word for word in tree.cls[i].split() if is_stable(word) and not _GRID.fullmatch(word)][:6]
    yield from (f"{tag}.{word}" for word in words)
    yield from (f"{tag}.{one}.{two}" for one, two in combinations(words, 2))
    if tag in ("main", "article"):
        yield tag


def is_stable(name: str) -> bool:
    """Whether a class or id looks like a name that a person chose for every page of a site.

    >>> [is_stable(n) for n in ("story-body", "css-1q2w3e", "sc-gZhRl", "e1qksbhf0", "post-48213", "is-open", "main2")]
    [True, False, False, False, False, False, True]
    """
    if not 3 <= len(name) <= 60 or not _STABLE.fullmatch(name) or _HASH.search(name) or _STATES.search(name.lower()):
        return False
    return plain_name(name) == name.lower().replace("_", "-")
