"""Four published algorithms, each written from its description: votes for the judge, and strategies of their own.

Each takes a page and says of every text block whether it would keep it. They are language-independent where their
descriptions allow it, walk the page without recursion and cost time linear in its size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from duramen.find.classical.boilerpipe import boilerpipe
from duramen.find.classical.mce import mce
from duramen.page import Page

__all__ = ["STRATEGIES", "boilerpipe", "mce"]


def _readability(page: Page) -> list[bool]:
    # These two only propose a container to the judge; all of them is needed where they are chosen.
    from duramen.find.classical.readability import readability

    return readability(page)


def _stopwords(page: Page) -> list[bool]:
    from duramen.find.classical.stopwords import stopwords

    return stopwords(page)


STRATEGIES: Mapping[str, Callable[[Page], list[bool]]] = {
    "readability": _readability,
    "stopwords": _stopwords,
    "boilerpipe": boilerpipe,
    "mce": mce,
}
"""By the name a user chooses them with."""
