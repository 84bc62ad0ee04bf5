"""The class-pattern tier: names that authors give to the element holding the content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from duramen.model import Candidate
from duramen.native import core
from duramen.page import Page
from duramen.tables import content_names, plain_name
from duramen.tree import Tree


def find_patterns(page: Page) -> Iterator[Candidate]:
    """The best element of each row of ``patterns.toml`` that the page has."""
    tree = page.tree
    best: dict[int, tuple[int, int, str, str]] = {}
    for i, (rank, row, word) in _named(tree):
        weight = tree.chars_in(i) - 2 * tree.links_in(i)
        if weight > 0 and (rank not in best or (weight, -i) > (best[rank][0], -best[rank][1])):
            best[rank] = (weight, i, row, word)
    for rank in sorted(best):
        _, node, row, word = best[rank]
        yield Candidate("pattern", f"pattern-{row}", f"named {word!r}", (node,), confidence=0.7 - 0.2 * rank)


def _named(tree: Tree) -> Iterator[tuple[int, tuple[int, str, str]]]:
    """Elements of the body whose class or id has a name of content, and the best row that it is in."""
    if tree.core is not None:
        given: Iterable[tuple[int, str]] = (
            (i, (tree.ident if is_ident else tree.cls)[i]) for i, is_ident in tree.core.matching_words(_lookup())
        )
    else:
        given = (pair for names in (tree.cls, tree.ident) for pair in enumerate(names))
    for i, names in given:
        if names and i > tree.body and (found := _row_of(names)) is not None:
            yield i, found


@lru_cache(maxsize=20_000)
def _row_of(names: str) -> tuple[int, str, str] | None:
    """The best row that any word of a class or id value matches: its rank, its id and the word."""
    table = content_names()
    found = [(*table[plain], word) for word in names.split() if (plain := plain_name(word)) in table]
    return min(found, default=None)


@cache
def _lookup() -> Any:
    """The names of content, for the compiled core."""
    return core.Lookup(dict.fromkeys(content_names(), 0.0))
