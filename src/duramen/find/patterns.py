"""The class-pattern tier: names that authors give to the element holding the content."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.model import Candidate
from duramen.page import Page
from duramen.tables import content_names, plain_name


def find_patterns(page: Page) -> Iterator[Candidate]:
    """The best element of each row of ``patterns.toml`` that the page has."""
    tree = page.tree
    best: dict[int, tuple[int, int, str]] = {}
    memo: dict[str, tuple[int, str, str] | None] = {"": None}
    for i, attrs in enumerate(tree.attrs):
        if not attrs or i <= tree.body:
            continue
        for names in (tree.cls[i], tree.ident[i]):
            if names not in memo:
                memo[names] = _row_of(names)
            found = memo[names]
            if found is None:
                continue
            rank = found[0]
            weight = tree.chars_in(i) - 2 * tree.links_in(i)
            if weight > 0 and (rank not in best or weight > best[rank][0]):
                best[rank] = (weight, i, names)
    for rank in sorted(best):
        _, node, names = best[rank]
        _, row, word = _row_of(names) or (rank, "", names)
        yield Candidate("pattern", f"pattern-{row}", f"named {word!r}", (node,), confidence=0.7 - 0.2 * rank)


def _row_of(names: str) -> tuple[int, str, str] | None:
    """The best row that any word of a class or id value matches: its rank, its id and the word."""
    table = content_names()
    found = [(*table[plain_name(word)], word) for word in names.split() if plain_name(word) in table]
    return min(found, default=None)
