"""Where the learned evidence on a page's type is weak, one signed or dated text is an article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from duramen.model import PageKind
from duramen.page import Page

_WEAK = 0.5
"""A less probable type is a guess: on small pages with few names there is little to tell it by."""
_NEARLY = 0.5
"""An article must be at least this probable, as a share of the most probable type."""
_LIKELY = 0.5
_ONE_TEXT = 0.8
"""So much of the likely words are paragraphs of one container; forums, listings and products are in several."""


def settle_page_type(page: Page, probabilities: Sequence[float], kind: PageKind, article: float) -> PageKind:
    """The page's type, given the most probable one and how probable an article is."""
    if kind.type == "article" or kind.confidence >= _WEAK or article < _NEARLY * kind.confidence:
        return kind
    if not (page.metadata.published or page.metadata.authors):
        return kind
    tree, owner, words = page.tree, page.blocks.owner, page.blocks.words
    likely = [b for b, probability in enumerate(probabilities) if probability >= _LIKELY]
    paragraphs: Counter[int] = Counter()
    for b in likely:
        if tree.tag[owner[b]] == "p":
            paragraphs[tree.parent[owner[b]]] += words[b]
    if not paragraphs or max(paragraphs.values()) < _ONE_TEXT * sum(words[b] for b in likely):
        return kind
    return PageKind("article", round(article, 3), ("one text with an author or a date",))
