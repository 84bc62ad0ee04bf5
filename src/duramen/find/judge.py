"""The judge: a probability for every block, the page's type, and the choice with the best expected F1.

Two passes over the evidence. The first judges each block by itself; from it the page's type is read. The second sees
each block beside what the first made of its surroundings, so that containers and blocks correct each other.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from operator import mul
from typing import NamedTuple

from duramen.find.classical.boilerpipe import content_blocks
from duramen.find.evidence import NAMES, Evidence, column, columns, kind_row, second_table, table, trust_row
from duramen.find.hints import KINDS, Hints
from duramen.find.judge_model import Model as Model
from duramen.find.judge_model import shipped_model as shipped_model
from duramen.find.language import page_language
from duramen.find.odds import best_threshold
from duramen.find.page_type import settle_page_type
from duramen.find.reasons import Pass, changed, reasons
from duramen.find.structures import settle_structures
from duramen.model import Candidate, PageKind, PageType, Reason
from duramen.native import core
from duramen.options import Mode
from duramen.page import Page


class Judgement(NamedTuple):
    """What the judge made of a page."""

    probabilities: list[float]
    """Each block's probability of being content."""
    kind: PageKind
    judge: str
    """``learned`` or ``density``."""
    predict: Callable[[list[int]], float]
    """The F1 that is expected of keeping these blocks."""
    reasons: Callable[[], list[tuple[Reason, ...]]] = list
    """Per block the evidence for and against it; computed when called. Nothing where nothing was learned."""


def hints_of(page: Page, proposals: Sequence[Candidate], container: int | None) -> Hints:
    """What the page declares about itself, and what the tiers proposed, as evidence."""
    types = {value.lower() for value in page.structured.meta.get("og:type", ())}
    for item in page.structured.json_ld:
        found = item.get("@type")
        types.update(str(t).lower() for t in (found if isinstance(found, list) else [found]) if t)
    votes: dict[str, tuple[int, ...]] = {}
    for candidate in proposals:
        if candidate.nodes:
            votes.setdefault(candidate.tier, candidate.nodes)
    if container is not None:
        votes["density"] = (container,)
    return Hints(
        page.metadata.title or "",
        page.metadata.description or "",
        tuple(body for _, body in page.structured.bodies[:5]),
        page.url or "",
        frozenset(types),
        page.framework.id if page.framework else "",
        page_language(page),
        votes,
        {"boilerpipe": content_blocks(page)},
    )


def judge_blocks(page: Page, hints: Hints, model: Model) -> Judgement:
    """Both passes, and what adjusts their probabilities."""
    prior = model.type_prior(page.tree, hints)
    if not len(page.blocks):
        # Names and the address are all that an empty shell has.
        return Judgement([], _page_kind(_softmax(prior[: len(KINDS)])), "learned", lambda _: 0.0)
    evidence = table(page.tree, page.blocks, hints, model.lexicon)
    passes = both_passes(evidence, prior, model)
    kinds, judged = passes.kinds, passes.probabilities.tolist()
    share_alike(passes.probabilities, page, kinds)
    alike = passes.probabilities.tolist()
    copied = share_copies(alike, page.blocks.words, copies_in(page, evidence))
    in_best = column(passes.second, columns()["second"], "in_best")
    stricter = array("d", copied)
    core.lower_odds(stricter, stricter, sum(map(mul, kinds, _STRICTNESS)), in_best, _INSIDE)
    settled = settle_structures(stricter, page)

    def predict(kept: list[int]) -> float:
        return min(1.0, max(0.0, model.trust.score(trust_row(evidence, settled, kinds, kept))[0]))

    def why() -> list[tuple[Reason, ...]]:
        names = columns()
        found = reasons(
            Pass(model.first, names["first"], evidence.table), Pass(model.second, names["second"], passes.second)
        )
        found = changed(changed(found, "alike", judged, alike), "copy", alike, copied)
        found = changed(found, "strict", copied, stricter)
        return changed(found, "structure", stricter, settled)

    kind = settle_page_type(page, settled, _page_kind(kinds), kinds[KINDS.index("article")])
    return Judgement(settled, kind, "learned", predict, why)


class BothPasses(NamedTuple):
    probabilities: array[float]
    kinds: list[float]
    """The probability of each page type."""
    second: bytearray
    """The columns of the second pass."""


def both_passes(evidence: Evidence, prior: Sequence[float], model: Model) -> BothPasses:
    """The first pass, the page's type, and the second pass, which both count alike."""
    first = model.first.probabilities(evidence.table, evidence.blocks)
    kinds = _softmax(model.kind.score(kind_row(evidence, first, prior)))
    second = second_table(evidence, first, kinds)
    found = model.second.probabilities(second, evidence.blocks)
    core.lower_odds(first, found, 0.0, column(second, columns()["second"], "in_best"), 1.0)
    return BothPasses(found, kinds, second)


def _page_kind(kinds: Sequence[float]) -> PageKind:
    best = max(range(len(kinds)), key=kinds.__getitem__)
    return PageKind(KINDS[best], round(kinds[best], 3))


_STRICT: Mapping[PageType, float] = {"article": 0.6, "forum": 0.8, "product": 1.0}
_STRICTNESS = [_STRICT.get(kind, 0.0) for kind in KINDS]
"""By how much, in log-odds, the probabilities of blocks outside the best single container are lowered, by page type.

Blocks of a page are right or wrong together, which the expected F1 of a choice does not know. Where the doubtful ones
come in long runs outside the content (comments, teasers, reviews), being stricter pays; where the content is many
containers, as on a listing or a service page, it does not. Swept on out-of-fold word F1 of wcxb-dev.
"""
_INSIDE = 0.4
"""How much of that holds inside the container: more costs headings and code, less leaves captions and teasers in."""


_LEVELS, _ALIKE, _LONGEST = 8, 3, 40.0
"""Blocks are made alike if so many elements around each are; so many of them, of so few words, are parts of records."""
_TOGETHER = 0.5


def share_alike(probabilities: array[float], page: Page, kinds: Sequence[float]) -> None:
    """Bring what is made alike together: the titles, prices or dates of all records are content, or none are.

    Posts of a forum differ in being the content or an answer to leave out, so less there.
    """
    by = _TOGETHER * (1 - kinds[KINDS.index("forum")])
    page.tree.core.share_alike(probabilities, _LEVELS, _ALIKE, _LONGEST, by)


COPY_WORDS = 4
_COPY_ALONE = 20
"""A text shown twice counts as one copy too many if its neighbours are copies as well, or if it is this long."""


def copies_in(page: Page, evidence: Evidence) -> list[list[int]]:
    """The blocks of each text of :data:`COPY_WORDS` or more that is in several places, each with its own container."""
    tree, blocks = page.tree, page.blocks
    by_text: defaultdict[str, list[int]] = defaultdict(list)
    copies = column(evidence.table, NAMES, "copies").tolist()
    for b in [b for b, shown in enumerate(copies) if shown > 1 and blocks.words[b] >= COPY_WORDS]:
        by_text[blocks.text[b]].append(b)
    several = [members for members in by_text.values() if len(members) > 1]
    return [members for members in several if len({tree.parent[blocks.owner[b]] for b in members}) == len(members)]


def share_copies(probabilities: list[float], words: Sequence[int], repeated: Sequence[Sequence[int]]) -> list[float]:
    """Keep a text that the page shows in several places (for phones, for printing) as often as expected, not more.

    The likeliest copy gets the probabilities of all, so that no text is kept twice for being half likely each time.
    ``repeated`` is what :func:`copies_in` finds.
    """
    copied = {b for members in repeated for b in members}
    shared = list(probabilities)
    for members in repeated:
        several = [b for b in members if words[b] >= _COPY_ALONE or b - 1 in copied or b + 1 in copied]
        if len(several) > 1:
            left = sum([probabilities[b] for b in several])
            for b in sorted(several, key=probabilities.__getitem__, reverse=True):
                shared[b] = min(0.99, max(0.0, left))
                left -= 1
    return shared


def _softmax(x: Sequence[float]) -> list[float]:
    most = max(x)
    powers = [exp(value - most) for value in x]
    total = 0.0
    for power in powers:  # sum() rounds otherwise from Python 3.12 on
        total += power
    return [power / total for power in powers]


_SHIFT: dict[Mode, float] = {"precision": 1.0, "balanced": 0.0, "recall": -1.0}
"""By how much, in log-odds, the threshold of the best choice is shifted."""


def best_choice(probabilities: list[float], words: list[int], mode: Mode) -> tuple[list[int], float]:
    """The blocks whose expected F1 is highest: all above a threshold, which is half the F1 that can be reached."""
    if not probabilities:
        return [], 0.0
    threshold, score = best_threshold(probabilities, words)
    if _SHIFT[mode]:
        odds = log(max(threshold, 1e-6) / max(1 - threshold, 1e-6)) + _SHIFT[mode]
        threshold = min(1 / (1 + exp(-odds)), max(probabilities))
    return at_least(probabilities, threshold), score


def at_least(probabilities: Sequence[float], least: float) -> list[int]:
    """The blocks that are so likely."""
    return [b for b, probability in enumerate(probabilities) if probability >= least]
