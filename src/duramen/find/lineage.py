"""What elements say of themselves: that they are not shown, and their roles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

from duramen.lazy_pattern import lazy_pattern
from duramen.tree import Tree

_HIDDEN_STYLE = lazy_pattern(r"display\s*:\s*none|visibility\s*:\s*hidden", re.A)


def hidden_nodes(tree: Tree) -> set[int]:
    """The elements that say that they are not shown; evidence, not a veto, since scripts show them later."""
    found = {i for i, _ in tree.valued("hidden")}
    found.update(i for i, value in tree.valued("aria-hidden") if value == "true")
    for i, style in tree.valued("style"):
        lowered = style.lower()
        if ("none" in lowered or "hidden" in lowered) and _HIDDEN_STYLE.search(lowered):
            found.add(i)
    return found


def stated_bits(tree: Tree, roles: Mapping[str, int], hidden: Set[int], hidden_bit: int) -> dict[int, int]:
    """The bits of each element's role, and one for those that are hidden, for the compiled core."""
    found = dict.fromkeys(hidden, hidden_bit)
    for i, value in tree.valued("role"):
        if role := roles.get(value.lower()):
            found[i] = found.get(i, 0) | role
    return found
