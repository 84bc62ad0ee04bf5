"""Elements of a page that repeat one shape: posts of a thread, items of a listing, comments.

Elements are alike if they, and the two elements around each, have the same tag and the same class words but for those
that number or single out. So the cards of a grid are one group although each row is an element of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.tables import row_words
from duramen.tree import Tree

__all__ = ["Group", "groups_in", "shape_of"]

_ALIKE = frozenset(
    "article blockquote dd details div dl dt fieldset figure form h2 h3 h4 h5 h6 header li p section table tbody td tr"
    " a span main aside".split()
)
_NUMBERED = lazy_pattern(r"\d")
_SINGLING = frozenset(row_words("finding.toml", "singling"))
"""Class words that tell one of like elements from the others."""
_MOST_NODES = 60_000
_LEAST_CHARS = 2


class Group(NamedTuple):
    """Elements of one shape, in document order, none inside another."""

    members: tuple[int, ...]
    chars: int
    """Shown characters of all."""


@lru_cache(maxsize=20_000)
def shape_of(tag: str, names: str) -> tuple[str, ...]:
    """What like elements have in common: the tag and the class words, without those that number or single out.

    >>> shape_of("li", "post even post-4711 type-a")
    ('li', 'post', 'type-a')
    """
    words = [word for word in names.lower().split()[:40] if word not in _SINGLING and not _NUMBERED.search(word)]
    return (tag, *sorted(set(words)))


def groups_in(tree: Tree, within: int = 0) -> list[Group]:
    """All groups of at least two elements, in the order of their first members."""
    shapes: dict[int, tuple[str, ...]] = {}
    found: dict[tuple[int, tuple[str, ...], tuple[str, ...], tuple[str, ...]], list[int]] = {}
    parent, tag, cls, depth, chars, end = tree.parent, tree.tag, tree.cls, tree.depth, tree.chars, tree.end

    def shape(i: int) -> tuple[str, ...]:
        if i < 0:
            return ()
        known = shapes.get(i)
        if known is None:
            known = shapes[i] = shape_of(tag[i], cls[i])
        return known

    for i in range(within, min(end[within], within + _MOST_NODES)):
        if (tag[i] in _ALIKE or "-" in tag[i]) and chars[end[i]] - chars[i] >= _LEAST_CHARS:
            outer = parent[i]
            key = (depth[i], shape(i), shape(outer), shape(parent[outer]) if outer >= 0 else ())
            found.setdefault(key, []).append(i)
    return [
        Group(tuple(nodes), sum(chars[end[i]] - chars[i] for i in nodes)) for nodes in found.values() if len(nodes) > 1
    ]
