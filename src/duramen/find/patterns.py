"""The class-pattern tier: names that authors give to the element holding the content."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.model import Candidate
from duramen.page import Page
from duramen.tables import content_names, plain_name


def find_patterns(page: Page) -> Iterator[Candidate]:
    """The best element of each row of ``patterns.toml`` that the page has."""
    tree = page.tree
    names = content_names()
    best: dict[int, tuple[int, int, str]] = {}
    rows: dict[int, str] = {}
    for i, attrs in enumerate(tree.attrs):
        if not attrs or i <= tree.body:
            continue
        for word in (*tree.cls[i].split(), tree.ident[i]):
            found = names.get(plain_name(word)) if word else None
            if found is None:
                continue
            rank, row = found
            weight = tree.chars_in(i) - 2 * tree.links_in(i)
            if weight > 0 and (rank not in best or weight > best[rank][0]):
                best[rank] = (weight, i, word)
                rows[rank] = row
    for rank in sorted(best):
        _, node, word = best[rank]
        yield Candidate("pattern", f"pattern-{rows[rank]}", f"named {word!r}", (node,), confidence=0.7 - 0.2 * rank)
