"""The class-pattern tier: names that authors give to the element holding the content."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from duramen.model import Candidate
from duramen.native import core
from duramen.page import Page
from duramen.tables import content_names, plain_name


def find_patterns(page: Page) -> Iterator[Candidate]:
    """The best element of each row of ``patterns.toml`` that the page has."""
    best: dict[int, tuple[int, int, str, str]] = {}
    tree = page.tree
    for node, is_ident in tree.core.matching_words(_lookup()):
        # A linked character takes away what another adds.
        weight = tree.chars_in(node) - 2 * tree.links_in(node)
        if weight > 0 and (found := _row_of((tree.ident if is_ident else tree.cls)[node])) is not None:
            rank, row, word = found
            if rank not in best or (weight, -node) > (best[rank][0], -best[rank][1]):
                best[rank] = (weight, node, row, word)
    for rank in sorted(best):
        _, node, row, word = best[rank]
        yield Candidate("pattern", f"pattern-{row}", f"named {word!r}", (node,), confidence=0.7 - 0.2 * rank)


@lru_cache(maxsize=20_000)
def _row_of(names: str) -> tuple[int, str, str] | None:
    """The best row that any word of a class or id value matches: its rank, its id and the word."""
    table = content_names()
    found = [(*table[plain], word) for word in names.split() if (plain := plain_name(word)) in table]
    return min(found, default=None)


@cache
def _lookup() -> core.Lookup:
    """The names of content, for the compiled core."""
    return core.Lookup(dict.fromkeys(content_names(), 0.0))
