"""The choice: every candidate is validated and weighed in one loop, which holds all fallback."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from duramen import dom
from duramen.find.copies import copies_among
from duramen.find.embedded import hydrated_candidates
from duramen.find.frameworks import row_of
from duramen.find.judge import Judgement, at_least, best_choice
from duramen.find.odds import expected_f1, expected_words
from duramen.find.remembered import RELIABLE
from duramen.find.removals import Mark
from duramen.find.rule_effects import removed_blocks, removed_from
from duramen.find.validate import validate
from duramen.model import Attempt, Candidate, Check, TierName
from duramen.native import core
from duramen.options import Mode
from duramen.page import TITLE_TAGS, Page, title_blocks
from duramen.tree import count_words

LIKELY = 0.3
"""A container's blocks below this probability are dropped with the judge's own."""
THIN = 80
"""With fewer words than this the page's own text is not taken for its content if it carries more as data."""
RICHER = 1.5
"""Data must have this many times the words of the page's own text to replace it: it has no links."""
SURE = 0.5
LEAD = 16
"""A lead outside a framework's content element must be this likely, and have so many words."""
COVERED = 0.5
"""With less of the judge's own choice in it a framework's element is that of an unknown version: half a page."""
DATA_F1 = 0.8
"""What is expected of content that the page carries as data: it is complete, but may be more than the article."""

FAILED = 0.35
"""What a failed check costs, in expected F1.

The limits are rules of thumb: they decide between candidates that are about as good, not against the judge.
"""

DOUBTED = 0.1
"""What is left of a tier's trust in a candidate that failed a check: it decides among such candidates only."""

WHOLE_PAGE = (0,)
"""The node that holds all others."""

TRUST: dict[TierName, float] = {
    "cache": 0.0,
    "site_rule": 0.5,
    "framework": 0.5,
    "structured": 0.0,
    "semantic": 0.0,
    "pattern": 0.0,
    "scoring": 0.0,
}
"""How much expected F1 the judge's own choice must be ahead by to beat a tier's candidate.

A remembered selector gets no bonus: with one of 0.03 it won more often, and the F1 of 151 pages fell by 0.002.
"""


def choose(
    page: Page, marks: Sequence[Mark], proposals: Sequence[Candidate], judgement: Judgement, mode: Mode
) -> Choice:
    """The candidate with the best expected F1 among the valid ones, and its blocks."""
    words, probabilities = page.blocks.words, judgement.probabilities
    own = best_choice(probabilities, words, "balanced")[0]
    # Both are all blocks above a threshold.
    likely = max(own, at_least(probabilities, LIKELY), key=len)
    scoring = Candidate("scoring", f"judge-{judgement.judge}", "blocks with the best expected F1")
    sure = _sure_removals(page, marks, judgement)
    denied = removed_blocks(page, proposals)
    counted = [0.0 if b in denied else p for b, p in enumerate(probabilities)] if denied else probabilities
    total = expected_words(counted, words)
    attempts: list[Attempt] = []
    best: Choice | None = None
    best_rank = -2.0

    def candidates() -> Iterator[Candidate]:
        yield from (c for c in proposals if not c.fragment)
        yield scoring
        yield from (c for c in proposals if c.fragment)
        if best is None or best.words < THIN:
            yield from hydrated_candidates(page.bodies_in_scripts())

    for candidate in candidates():
        gone = removed_from(page, candidate, sure)
        if candidate.fragment:
            size = count_words(dom.fragment(candidate.fragment).text)
            if size < THIN or (best is not None and size < RICHER * best.words):
                attempts.append(
                    Attempt(candidate, (), 0.0, f"the page's own text is preferred to {size} words of data")
                )
                continue
            attempts.append(Attempt(candidate, (), 0.0, "valid"))
            best = Choice(attempts, len(attempts) - 1, [], set(), size, DATA_F1)
            continue
        row = row_of(page, candidate)
        among: list[int] | None = None
        if candidate.tier in ("cache", "structured", "semantic", "pattern") or (row and row.many and not row.whole):
            among = likely
        elif candidate is scoring or (row and not row.whole):
            among = own
        nodes = WHOLE_PAGE if candidate is scoring else candidate.nodes
        kept = page.kept(nodes, gone, among)
        if row and not row.whole and not row.many:
            kept = sorted({*kept, *_lead(page, own, probabilities, page.blocks_in(nodes))})
        rule = page.rule if candidate.tier == "site_rule" else None
        checks = validate(page, kept, (row and row.kind) or judgement.kind.type, rule)
        if row:
            inside, rest = page.kept(nodes, gone, own), page.kept(WHOLE_PAGE, gone, own)
            share = sum(map(words.__getitem__, inside)) / max(1, sum(map(words.__getitem__, rest)))
            checks += (Check("covered", round(share, 3), COVERED, share >= COVERED),)
        score = expected_f1(counted, words, kept, total)
        failed = next((c for c in checks if not c.passed), None)
        outcome = f"failed: {failed.name} {failed.value:g} (limit {failed.limit:g})" if failed else "valid"
        on_trial = candidate.tier == "cache" and candidate.confidence <= RELIABLE
        attempts.append(Attempt(candidate, checks, round(score, 4), "on trial" if on_trial and not failed else outcome))
        if on_trial:
            continue
        trust = TRUST[candidate.tier]
        rank = score + DOUBTED * trust - FAILED if failed else score + trust
        if kept and rank > best_rank + 1e-9:
            best_rank = rank
            best = Choice(attempts, len(attempts) - 1, kept, gone, sum(map(words.__getitem__, kept)), 0.0)
    if best is None:
        return Choice(attempts, -1, [], set(), 0, 0.0)
    if mode != "balanced" and best.kept and best.tier not in ("site_rule", "framework"):
        leaning = page.kept(WHOLE_PAGE, best.gone, best_choice(probabilities, words, mode)[0])
        both = sorted({*best.kept}.intersection(leaning))
        best.kept = (both or best.kept) if mode == "precision" else sorted({*best.kept, *leaning})
    if mode != "recall" and best.tier != "site_rule":
        best.copies = copies_among(page, best.kept, judgement.kind.type)
        best.kept = [b for b in best.kept if b not in best.copies]
    best.settle(title_blocks(page, best.kept), judgement)
    return best


def _lead(page: Page, own: Sequence[int], probabilities: Sequence[float], blocks: set[int]) -> set[int]:
    """What the judge is sure of between the title and a framework's content element: themes set the lead there."""
    first = min(blocks, default=0)
    title = page.saying_title(b for b in page.headings(TITLE_TAGS) if b < first)
    between = range(title[-1] + 1, first) if title else ()
    said = {b for b in own if b in between and probabilities[b] > SURE and page.blocks.words[b] >= LEAD}
    return {b for b in said if not any(page.tree.tag[i] == "figure" for i in page.tree.ancestors(page.blocks.owner[b]))}


@dataclass
class Choice:
    """The winner of the loop, while it runs and after."""

    attempts: list[Attempt]
    index: int
    kept: list[int]
    """Blocks, in order."""
    gone: set[int]
    words: int
    expected: float
    copies: frozenset[int] = frozenset()
    """Blocks that were left out for saying again what others say."""

    def settle(self, title: set[int], judgement: Judgement) -> None:
        """Take the title's own heading out, unless there is nothing else; say who won, and what is expected of it."""
        self.kept = [b for b in self.kept if b not in title] or self.kept
        for i, attempt in enumerate(self.attempts):
            if i == self.index:
                self.attempts[i] = _with_outcome(attempt, "won")
            elif attempt.outcome == "valid":
                self.attempts[i] = _with_outcome(attempt, _why_lost(attempt, self.attempts[self.index]))
        if self.kept:
            self.expected = judgement.predict(self.kept)

    def fail(self, why: str) -> None:
        """The winner turned out to be nothing."""
        if self.index >= 0:
            self.attempts[self.index] = _with_outcome(self.attempts[self.index], f"failed: {why}")

    @property
    def winner(self) -> Candidate | None:
        return self.attempts[self.index].candidate if self.index >= 0 else None

    @property
    def tier(self) -> TierName | None:
        return self.winner.tier if self.winner is not None else None


def _why_lost(attempt: Attempt, winner: Attempt) -> str:
    """Why a valid attempt did not win, for the trace."""
    ours, theirs = attempt.candidate, winner.candidate
    if theirs.fragment:
        return "lost: the page's data holds more text"
    if attempt.score < winner.score:
        return "lost: lower score"
    if TRUST[theirs.tier] > TRUST[ours.tier]:
        return f"lost: {theirs.tier.replace('_', ' ')} is trusted more"
    return "lost: not better than the one before it"


def _with_outcome(attempt: Attempt, outcome: str) -> Attempt:
    return Attempt(attempt.candidate, attempt.checks, attempt.score, outcome)


_CERTAIN = 0.6
_MUCH = 0.3


def _sure_removals(page: Page, marks: Sequence[Mark], judgement: Judgement) -> set[int]:
    """The nodes of sure rows, except where the judge is certain of a region or finds much of the content in it.

    What firm rows and the user's own filter lists name goes also where the judge is certain.
    """
    probabilities, words = judgement.probabilities, page.blocks.words
    total, _, _ = core.expected(probabilities, words, range(len(words)))
    gone: set[int] = set()
    for mark in marks:
        if not mark.sure or mark.rescued:
            continue
        inside, _, size = core.expected(probabilities, words, range(*page.range_of(mark.node)))
        certain = inside > _CERTAIN * size and not mark.firm
        if not certain and inside <= _MUCH * total:
            gone.add(mark.node)
    return gone
