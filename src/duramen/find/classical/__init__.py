"""Four published algorithms, each written from its description: votes for the judge, and strategies of their own.

Each takes a page and says of every text block whether it would keep it. They are language-independent where their
descriptions allow it, walk the page without recursion and cost time linear in its size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from duramen.find.classical.boilerpipe import boilerpipe
from duramen.find.classical.mce import mce
from duramen.find.classical.readability import readability
from duramen.find.classical.stopwords import stopwords
from duramen.page import Page

__all__ = ["STRATEGIES", "boilerpipe", "mce", "readability", "stopwords"]

STRATEGIES: Mapping[str, Callable[[Page], list[bool]]] = {
    "readability": readability,
    "stopwords": stopwords,
    "boilerpipe": boilerpipe,
    "mce": mce,
}
"""By the name a user chooses them with."""
