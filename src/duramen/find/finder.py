"""The finding stage: tiers propose, the judge gives every block a probability, and the choice takes the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from duramen.budget import Budget
from duramen.find.choice import Choice, choose
from duramen.find.classical import STRATEGIES
from duramen.find.density import best_container, density_probabilities
from duramen.find.embedded import find_embedded
from duramen.find.frameworks import find_framework
from duramen.find.judge import Judgement, Model, hints_of, judge_blocks, shipped_model
from duramen.find.odds import expected_f1, expected_words
from duramen.find.patterns import find_patterns
from duramen.find.reasons import changed
from duramen.find.remembered import find_remembered
from duramen.find.removals import Mark, mark_removals
from duramen.find.rule_effects import apply_rule_page_type, renamed
from duramen.find.semantic import find_semantic
from duramen.find.site_rules import find_site_rule
from duramen.model import Candidate, Hidden, PageKind, Reason, Remembered
from duramen.options import Options
from duramen.page import Page

Tier = Callable[[Page], Iterable[Candidate]]

TIERS: tuple[Tier, ...] = (find_site_rule, find_framework, find_embedded, find_semantic, find_patterns)
"""In order of trust; the scoring tier, the judge's own choice, comes last."""

COMMENTS = "comments"
"""The removal row whose nodes are readers' comments."""


class Search(NamedTuple):
    """What finding depends on, besides the page."""

    options: Options
    model: Model | None = None
    """A model to judge with in place of the shipped one."""
    remembered: tuple[Remembered, ...] = ()
    """Selectors that served the site before."""


class Judged(NamedTuple):
    """A page's blocks, judged: what the choice is made from."""

    hidden: Hidden
    marks: tuple[Mark, ...]
    proposals: tuple[Candidate, ...]
    judgement: Judgement


class Found(NamedTuple):
    """The content, as blocks of the page or as a fragment that the page carries as data."""

    choice: Choice
    kind: PageKind
    judge: str
    hidden: Hidden
    """What the caller's filter lists hide."""
    renamed: Mapping[int, str]
    """Elements that the winning site rule writes under another name."""
    search: Search
    """What was searched by: less than was asked for where there was no time."""
    limits: tuple[str, ...]

    @property
    def kept(self) -> Sequence[int]:
        return self.choice.kept

    @property
    def gone(self) -> set[int]:
        return self.choice.gone

    @property
    def expected(self) -> float:
        return self.choice.expected

    @property
    def winner(self) -> Candidate | None:
        return self.choice.winner

    @property
    def fragment(self) -> str:
        return self.winner.fragment if self.winner is not None else ""


def find_content(
    page: Page,
    search: Search,
    budget: Budget,
    repeated: Callable[[Sequence[str]], Sequence[float]] | None = None,
) -> Found:
    """The best candidate.

    ``repeated`` returns, for the texts of blocks, the share of the site's other pages that have each.
    """
    limits: tuple[str, ...] = ()
    if search.options.strategy == "auto" and budget.is_half_spent():
        limits = ("half the time was used up by reading: judged by density alone",)
        search = search._replace(options=replace(search.options, strategy="density"))
    judged = judge_page(page, search)
    judgement = judged.judgement
    if repeated is not None:
        judgement = _without_repeated(judgement, repeated(page.blocks.text))
    choice = choose(page, judged.marks, judged.proposals, judgement, search.options.mode)
    names = renamed(page, choice.winner)
    return Found(choice, judgement.kind, judgement.judge, judged.hidden, names, search, limits)


def judge_page(page: Page, search: Search) -> Judged:
    """Mark what removal rows name, let the tiers propose, and give every block a probability."""
    options = search.options
    hidden = _hidden(page, options.filter_lists)
    marks = mark_removals(page.tree, hidden.nodes)
    # A classical algorithm is measured alone: no other tier helps it.
    tiers = () if options.strategy in STRATEGIES else TIERS
    remembered = find_remembered(page, search.remembered) if options.strategy == "auto" else ()
    proposals = (*remembered, *(candidate for tier in tiers for candidate in tier(page)))
    judgement = apply_rule_page_type(page, proposals, _judgement(page, marks, proposals, search))
    return Judged(hidden, marks, proposals, judgement)


def _hidden(page: Page, lists: Sequence[str]) -> Hidden:
    if not lists:
        return Hidden({}, [], [])
    # Few callers have filter lists, and reading them takes some code.
    from duramen.filter_list import hide

    return hide(page.tree, page.url, lists)


def _judgement(page: Page, marks: Sequence[Mark], proposals: Sequence[Candidate], search: Search) -> Judgement:
    options = search.options
    if options.strategy in STRATEGIES:
        kept = STRATEGIES[options.strategy](page)
        return _unlearned(page, [0.95 if wanted else 0.05 for wanted in kept], options.strategy)
    removed = page.blocks_in([m.node for m in marks if not m.rescued])
    if options.strategy == "density" or len(page.blocks) > Budget.blocks_in(page.tree.chars[-1]):
        return _unlearned(page, density_probabilities(page, removed), "density")
    hints = hints_of(page, proposals, best_container(page, removed))
    judgement = judge_blocks(page, hints, search.model or shipped_model())
    return _with_comments(page, marks, judgement, options.include_comments)


def _with_comments(page: Page, marks: Sequence[Mark], judgement: Judgement, wanted: bool) -> Judgement:
    """Comments are a forum's content; elsewhere they are kept only on request, however much text they are."""
    inside = page.blocks_in([m.node for m in marks if m.rule_id == COMMENTS])
    if not inside or judgement.kind.type == "forum":
        return judgement
    probabilities = list(judgement.probabilities)
    for b in inside:
        if wanted:
            probabilities[b] = max(probabilities[b], 0.8) if page.blocks.words[b] >= 5 else probabilities[b]
        elif judgement.kind.type == "article":
            probabilities[b] *= 0.2
    return _changed(judgement, "comments", probabilities)


def _without_repeated(judgement: Judgement, shares: Sequence[float]) -> Judgement:
    """Text that the site's other pages have too is hardly this page's content."""
    probabilities = [
        probability * (1 - share) for probability, share in zip(judgement.probabilities, shares, strict=True)
    ]
    return _changed(judgement, "repeated", probabilities)


def _changed(judgement: Judgement, why: str, probabilities: list[float]) -> Judgement:
    def reasons() -> list[tuple[Reason, ...]]:
        return changed(judgement.reasons(), why, judgement.probabilities, probabilities)

    return judgement._replace(probabilities=probabilities, reasons=reasons)


def _unlearned(page: Page, probabilities: list[float], name: str) -> Judgement:
    words = page.blocks.words
    total = expected_words(probabilities, words)
    return Judgement(
        probabilities, PageKind("article", 0.5), name, lambda kept: expected_f1(probabilities, words, kept, total)
    )
