"""What each element inherits from its ancestors, in one pass over the tree: tags, roles, names, repetition, levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from duramen.tree import NAMING_ATTRIBUTES, Tree

_TOKEN = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")

TAG_GROUPS = (
    "nav", "header", "footer", "aside", "main", "article", "form", "ul ol menu dir", "li", "table", "figure",
    "figcaption", "blockquote", "pre code", "dl dd dt", "noscript", "details summary", "dialog", "#hidden",
)  # fmt: skip
"""Tags whose presence among a block's ancestors is a column each; ``#hidden`` stands for any hidden element."""

TAG_BITS: Mapping[str, int] = {name: 1 << bit for bit, names in enumerate(TAG_GROUPS) for name in names.split()}

_ROLES: Mapping[str, str] = {
    "navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "main": "main",
    "article": "article", "search": "search", "dialog": "dialog", "alertdialog": "dialog", "form": "form",
    "list": "ul", "listitem": "li", "heading": "h2",
}  # fmt: skip
ROLE_BITS: Mapping[str, int] = {role: TAG_BITS[tag] for role, tag in _ROLES.items() if tag in TAG_BITS}
HIDDEN = TAG_BITS["#hidden"]
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I | re.A)


@lru_cache(maxsize=20_000)
def tokens_of(names: str) -> tuple[str, ...]:
    """The words inside ``class`` and ``id`` values, lower-case: hyphens, underscores and camelCase part them.

    >>> tokens_of("articleBody post-content css-1q2w3e")
    ('article', 'body', 'post', 'content', 'css')
    """
    return tuple(dict.fromkeys(token.lower() for token in _TOKEN.findall(names[:400])))


def class_names(tree: Tree, i: int) -> str:
    """All names an author gave an element: class, id, role, microdata, test ids and label."""
    attrs = tree.attrs[i]
    names = f"{tree.cls[i]} {tree.ident[i]}"
    if attrs:
        for name in attrs:
            if name in NAMING_ATTRIBUTES:
                names += f" {tree.attr(i, name)}"
    return names


def is_hidden(tree: Tree, i: int) -> bool:
    """Whether an element says that it is not shown; evidence, not a veto, since scripts show it later."""
    attrs = tree.attrs[i]
    if "hidden" in attrs or attrs.get("aria-hidden") == "true":
        return True
    return _HIDDEN_STYLE.search(attrs.get("style", "")) is not None


def stated_bits(tree: Tree) -> list[tuple[int, int]]:
    """The bits of what elements state about themselves: their role, and that they are hidden."""
    found = [(i, bit) for i, role in tree.valued("role") if (bit := ROLE_BITS.get(role.lower(), 0))]
    found += [(i, HIDDEN) for i, style in tree.valued("style") if _HIDDEN_STYLE.search(style)]
    found += [(i, HIDDEN) for i, _ in tree.valued("hidden")]
    found += [(i, HIDDEN) for i, value in tree.valued("aria-hidden") if value == "true"]
    return found


@dataclass(frozen=True, slots=True)
class Lineage:
    """Parallel lists, one entry a node; entries of nodes without shown text mean nothing."""

    tags: list[int]
    """Bits of the tags among all ancestors, the element itself included."""
    own: list[float]
    """The log-odds of the element's own names."""
    low: list[float]
    high: list[float]
    total: list[float]
    """The lowest and highest on the way to the root, and their sum."""
    copies: list[int]
    """How many siblings share the element's tag and class: the mark of a template."""
    wider: list[int]
    """The nearest ancestor that holds more text: wrappers do not count as levels."""


def read_lineage(tree: Tree, odds: Mapping[str, float]) -> Lineage:
    """One pass over the elements that show text."""
    n = len(tree)
    tags = [0] * n
    own, low, high, total = [0.0] * n, [0.0] * n, [0.0] * n, [0.0] * n
    wider, copies = [0] * n, [0] * n
    keys: dict[int, tuple[int, str, str]] = {}
    counts: Counter[tuple[int, str, str]] = Counter()
    memo: dict[str, float] = {}
    stated: dict[int, int] = {}
    for i, bits in stated_bits(tree):
        stated[i] = stated.get(i, 0) | bits
    chars, end, parent, attrs, cls = tree.chars, tree.end, tree.parent, tree.attrs, tree.cls
    for i, name in enumerate(tree.tag):
        if not name:
            continue
        size = chars[end[i]] - chars[i]
        if not size:
            continue
        above = parent[i]
        mine = TAG_BITS.get(name, 0) | stated.get(i, 0)
        score = 0.0
        if attrs[i]:
            names = class_names(tree, i)
            known = memo.get(names)
            if known is None:
                found = [odds[t] for t in tokens_of(names) if t in odds]
                known = memo[names] = sum(found) / len(found) ** 0.5 if found else 0.0
            score = known
        own[i] = score
        key = keys[i] = (above, name, cls[i])
        counts[key] += 1
        if above >= 0:
            tags[i] = tags[above] | mine
            low[i] = low[above] if low[above] < score else score
            high[i] = high[above] if high[above] > score else score
            total[i] = total[above] + score
            wider[i] = above if chars[end[above]] - chars[above] > size else wider[above]
    for i, key in keys.items():
        copies[i] = counts[key]
    return Lineage(tags, own, low, high, total, copies, wider)
