"""MCE: the element with the most children that hold text, the most own text, nearest to the mean depth.

Written from the abstract of Salem, Toschev: *An Algorithmic Framework for Accurately Extracting Main Content from News
Websites* (Russian Digital Libraries Journal 28 (4), 2025, https://doi.org/10.26907/1562-5419-2025-28-4-931-942), which
is all that was at hand. It names three features and leaves open how they are measured and combined.
"""

from __future__ import annotations

from duramen.page import Page
from duramen.tree import Tree


def mce(page: Page) -> list[bool]:
    """Keep everything in the element that it chooses."""
    start, stop = page.range_of(mce_container(page.tree))
    return [False] * start + [True] * (stop - start) + [False] * (len(page.blocks) - stop)


def mce_container(tree: Tree) -> int:
    """The element that the paper's three features agree on most; all of the page where none has children.

    What the abstract says, and what was chosen where it is silent:

    1. *The maximum number of direct child elements containing text.* Block-level elements only: a bold word or a link
       inside a sentence is not a part of the page.
    2. *The maximum textual content without child elements containing text.* Read literally, an element's own text, this
       finds one long paragraph and never the element around many. So a child that holds text but no further element
       with text, a paragraph, counts as its parent's own text.
    3. *The closest position to the average node depth.* The mean over all block-level elements that hold text, each
       counting once.

    Each feature is brought to a scale of 0 to 1 on the page and the three are multiplied, since no weights are given: a
    menu with the most children does not win with little text, nor one long text alone. Nothing is cleaned inside the
    chosen element. Nothing depends on language. Text parted by line breaks instead of elements is not seen as children.
    """
    return max(0, tree.core.mce())
