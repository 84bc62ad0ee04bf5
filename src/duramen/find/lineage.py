"""Whether an element says that it is not shown."""

from __future__ import annotations

import re

from duramen.lazy_pattern import lazy_pattern
from duramen.tree import Tree

_HIDDEN_STYLE = lazy_pattern(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I | re.A)


def is_hidden(tree: Tree, i: int) -> bool:
    """Whether an element says that it is not shown; evidence, not a veto, since scripts show it later."""
    attrs = tree.attrs[i]
    if "hidden" in attrs or attrs.get("aria-hidden") == "true":
        return True
    return _HIDDEN_STYLE.search(attrs.get("style", "")) is not None
