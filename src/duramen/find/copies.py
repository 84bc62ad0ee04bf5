"""What a page shows several times is content once: for phones and for desks, cut short and in full, quoted in a reply.

Copies are found by their shingles, runs of a few words, since a copy is rarely the same letter for letter. Not every
repetition is a copy: offers on one page have the same terms, steps of two guides the same words. Such blocks are made
alike and stand among others that differ; a copy is made differently, or a whole run of blocks comes again.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice

from duramen.find.lineage import hidden_nodes
from duramen.model import PageType
from duramen.native import core
from duramen.page import Page

LONG = 12
"""Words of a text that is compared by its shingles; a shorter one is a copy if it is the same."""
LEAST = 8
"""Words of a copy: shorter texts come again by themselves."""
CUT_SHORT = ("…", "...")
OWN = 2
"""Shingles of its own that a text may have that is cut short: it ends within a word."""
VERY_LONG = 100
SHARE = 0.85
"""A very long text is a copy if so much of it is elsewhere, and so is one that is not shown."""
RUN = 3
RUN_WORDS = 15
"""Blocks that come again one after the other, and their words, are a copy however they are made."""
LOOKED_AT = 8
"""How many earlier places of a text are compared: more would cost the square of a text that is everywhere."""
NEAR = 12
"""How many elements around a block are looked at; what is farther out is the page's layout."""
ALIKE = 4
"""Two blocks are made alike if so many elements around each have the same tags and classes."""
REPEATING: PageType = "documentation"
"""Pages that say the same again on purpose: options, warnings, steps."""
REPLYING: PageType = "forum"
"""Pages on which a quotation repeats what is above it; where it matters, 25 of 35 annotators leave it out."""
_WHOLE = frozenset({"pre", "code", "table"})
"""What loses no part of itself."""


def copies_among(page: Page, kept: Sequence[int], kind: PageType) -> frozenset[int]:
    """Those of the blocks that say again what others of them say."""
    sources = _said_before(page, kept)
    if not sources:
        return frozenset()
    not_shown = hidden_nodes(page.tree)
    hidden = {b for b in {*sources.values()} if not not_shown.isdisjoint(_around(page, b))}
    if hidden:
        # Of two copies the one that is shown stays.
        sources = _said_before(page, sorted(kept, key=lambda b: (b in hidden, b)), hidden)
    repeating = kind == REPEATING
    copies = set() if repeating else _repeated_runs(page, kept)
    copies.update(b for b, source in sources.items() if _is_copy(page, b, source, repeating, kind == REPLYING))
    return frozenset(copies)


def _said_before(page: Page, kept: Sequence[int], hidden: Set[int] = frozenset()) -> dict[int, int]:
    """The blocks whose text another has said before them in this order, and the other."""
    texts, words = page.blocks.text, page.blocks.words
    found: dict[int, int] = {}
    first: dict[str, int] = {}
    for b in kept:
        if LEAST <= words[b] < LONG and (source := first.setdefault(texts[b].lower(), b)) != b:
            found[b] = source
    long = [b for b in kept if words[b] >= LONG]
    for at, earlier, same, every in core.copied([texts[b] for b in long]):
        b = long[at]
        own = every - same - (OWN if texts[b].endswith(CUT_SHORT) else 0)
        if own <= 0 or ((b in hidden or words[b] >= VERY_LONG) and same >= SHARE * every):
            found[b] = long[earlier]
    return found


def _repeated_runs(page: Page, kept: Sequence[int]) -> set[int]:
    """The blocks of each run that comes again, from its second time on."""
    texts, words = [page.blocks.text[b] for b in kept], page.blocks.words
    copies: set[int] = set()
    places: dict[str, list[int]] = {}
    at = 0
    while at < len(texts):
        earlier = places.setdefault(texts[at], [])
        run = max([_run(texts, place, at) for place in earlier[:LOOKED_AT]]) if earlier else 0
        if run >= RUN and sum(words[b] for b in kept[at : at + run]) >= RUN_WORDS:
            copies.update(kept[at : at + run])
            at += run
        else:
            earlier.append(at)
            at += 1
    return copies


def _run(texts: Sequence[str], earlier: int, later: int) -> int:
    """How many texts from two places on are the same; the first place's do not reach into the second's."""
    length = 0
    while later + length < len(texts) and earlier + length < later and texts[earlier + length] == texts[later + length]:
        length += 1
    return length


def _is_copy(page: Page, b: int, source: int, repeating: bool, replying: bool) -> bool:
    """Whether one of two blocks that say the same is only a copy of the other."""
    around = _around(page, b)
    tags = {page.tree.tag[i] for i in around}
    if not tags.isdisjoint(_WHOLE):
        return False
    if "blockquote" in tags:
        return replying
    return not repeating and _making(page, around) != _making(page, _around(page, source))


def _around(page: Page, b: int) -> list[int]:
    """The element that a block belongs to, and those near around it."""
    owner = page.blocks.owner[b]
    return [owner, *islice(page.tree.ancestors(owner), NEAR)]


def _making(page: Page, around: Sequence[int]) -> list[tuple[str, str]]:
    return [(page.tree.tag[i], page.tree.cls[i]) for i in around[:ALIKE]]
