"""Aggregated scores: averages, success by category and page type, accuracy of verdicts, worst pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from duramen.evaluation.categories import FIELDS, categories, category
from duramen.evaluation.scoring import PARTS, PageScore, harmonic

CONTENT_RIGHT = 0.8
"""The default F1 (or share of snippets) from which on content counts as right."""
VERDICTS = ("good", "partial", "poor", "empty")
STEPS = 50


@dataclass(frozen=True, slots=True)
class Group:
    """The pages of one category, type or verdict."""

    id: str
    name: str
    pages: int
    score: float | None
    """Mean word F1; if no page has a reference text, the mean share of right snippets."""
    success: float | None
    """Share of pages on which everything that the category requires is right."""
    right: Mapping[str, float | None]
    """Share of pages with the right title, content, author and date, each among the pages where it is known."""
    asks: tuple[str, ...] = ()
    target: float | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """The data of a report."""

    made: Mapping[str, Any]
    """The corpus, engine, rules, model and options."""
    threshold: float
    pages: int
    failures: int
    overall: Mapping[str, float]
    categories: tuple[Group, ...]
    kinds: tuple[Group, ...]
    verdicts: tuple[Group, ...]
    curve: tuple[tuple[float, float], ...]
    """The share of pages that reach each score."""
    worst: tuple[PageScore, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def figures_of(
    made: Mapping[str, Any], scores: Sequence[PageScore], threshold: float = CONTENT_RIGHT, worst: int = 20
) -> Figures:
    judged = sorted((s for s in scores if s.score is not None), key=_worst_first)
    reached = [s.score for s in judged if s.score is not None]
    steps = [i / STEPS for i in range(STEPS + 1)]
    return Figures(
        made=made,
        threshold=threshold,
        pages=len(scores),
        failures=sum(s.failure is not None for s in scores),
        overall=_overall(scores),
        categories=_by_category(scores, threshold),
        kinds=_by_kind(scores, threshold),
        verdicts=tuple(
            _group(name, name, [s for s in scores if s.verdict == name], threshold, ("content",)) for name in VERDICTS
        ),
        curve=tuple((step, sum(r >= step for r in reached) / len(reached)) for step in steps) if reached else (),
        worst=tuple(judged[:worst]),
    )


def _worst_first(score: PageScore) -> tuple[float, str]:
    return score.score or 0.0, score.id


def _overall(scores: Sequence[PageScore]) -> dict[str, float]:
    """Averages over pages, with the names used in ``benchmarks/floors.json``."""
    out: dict[str, float] = {}
    with_words = [s for s in scores if s.precision is not None]
    if with_words:
        out["P"] = _mean(s.precision for s in with_words)
        out["R"] = _mean(s.recall for s in with_words)
        out["F1"] = _mean(s.score for s in with_words)
    shingled = [s.shingles for s in scores if s.shingles is not None]
    if shingled:
        out["shingle"] = harmonic(fmean(p for p, _ in shingled), fmean(r for _, r in shingled))
    found, missing, kept, left_out = (sum(s.snippets[i] for s in scores) for i in range(4))
    if found + missing + kept + left_out:
        recall = found / max(1, found + missing)
        out["with"] = recall
        out["without"] = left_out / max(1, left_out + kept)
        out["snippetF1"] = harmonic(found / max(1, found + kept), recall)
    for part in PARTS:
        if any(part in s.parts for s in scores):
            out[part] = fmean(s.parts[part] for s in scores if part in s.parts)
    return out


def _mean(values: Iterable[float | None]) -> float:
    return fmean(value for value in values if value is not None)


def _by_category(scores: Sequence[PageScore], threshold: float) -> tuple[Group, ...]:
    order = [row.id for row in categories()]
    ids = sorted({s.category for s in scores}, key=lambda id: (order.index(id) if id in order else len(order), id))
    rows = [category(id) for id in ids]
    return tuple(
        _group(row.id, row.name, [s for s in scores if s.category == row.id], threshold, row.asks, row.target)
        for row in rows
    )


def _by_kind(scores: Sequence[PageScore], threshold: float) -> tuple[Group, ...]:
    kinds = sorted({s.kind for s in scores if s.kind})
    return tuple(_group(kind, kind, [s for s in scores if s.kind == kind], threshold, ("content",)) for kind in kinds)


def _group(
    id: str,
    name: str,
    scores: Sequence[PageScore],
    threshold: float,
    asks: tuple[str, ...],
    target: float | None = None,
) -> Group:
    answers = [is_right(s, threshold) for s in scores]
    judged = [known for answer in answers if (known := [answer[f] for f in asks if answer[f] is not None])]
    # Snippets are a coarser measure than words, so the two are not averaged together.
    whole = [s for s in scores if s.precision is not None] or scores
    reached = [s.score for s in whole if s.score is not None]
    return Group(
        id=id,
        name=name,
        pages=len(scores),
        score=fmean(reached) if reached else None,
        success=sum(all(known) for known in judged) / len(judged) if judged else None,
        right={f: _share([answer[f] for answer in answers]) for f in FIELDS},
        asks=asks,
        target=target,
    )


def is_right(score: PageScore, threshold: float) -> dict[str, bool | None]:
    """Whether title, content, author and date of a page are right; ``None`` for what is not annotated."""
    content = None if score.score is None else score.score >= threshold
    return {"title": score.title, "content": content, "author": score.author, "date": score.date}


def _share(answers: Sequence[bool | None]) -> float | None:
    known = [answer for answer in answers if answer is not None]
    return sum(known) / len(known) if known else None
