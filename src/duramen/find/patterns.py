"""The class-pattern tier: names that authors give to the element holding the content."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from duramen.model import Candidate
from duramen.page import Page
from duramen.tables import content_names, plain_name

_BEGINNING = 3


def find_patterns(page: Page) -> Iterator[Candidate]:
    """The best element of each row of ``patterns.toml`` that the page has."""
    tree = page.tree
    best: dict[int, tuple[int, int, str]] = {}
    named = {names: found for names in {*tree.cls, *tree.ident} if names and (found := _row_of(names))}
    for given in (tree.cls, tree.ident) if named else ():
        for i, names in enumerate(given):
            if names in named and i > tree.body:
                rank = named[names][0]
                weight = tree.chars_in(i) - 2 * tree.links_in(i)
                if weight > 0 and (rank not in best or (weight, -i) > (best[rank][0], -best[rank][1])):
                    best[rank] = (weight, i, names)
    for rank in sorted(best):
        _, node, chosen = best[rank]
        _, row, word = named[chosen]
        yield Candidate("pattern", f"pattern-{row}", f"named {word!r}", (node,), confidence=0.7 - 0.2 * rank)


def _row_of(names: str) -> tuple[int, str, str] | None:
    """The best row that any word of a class or id value matches: its rank, its id and the word."""
    table, beginnings = content_names(), _beginnings()
    found = [
        (*table[plain], word)
        for word in names.split()
        # Most words have nothing to do with content, and their beginning says so.
        if word[:_BEGINNING].lower().replace("_", "-") in beginnings and (plain := plain_name(word)) in table
    ]
    return min(found, default=None)


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(name[:_BEGINNING] for name in content_names())
