"""Scores one page against its annotation.

Words are compared as multisets, so order does not count: precision is the share of extracted words that are in the
reference, recall the share of reference words that were extracted. Shingles of four words also measure order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from duramen.corpus import Truth
from duramen.dom import Element, Text, fragment
from duramen.evaluation.categories import category_of
from duramen.result import Result

_WORD = re.compile(r"\w+")
_SHINGLE = 4
SAME = 0.8
"""Word F1 from which a title or a byline counts as the same."""
SHOWN = 3
"""Maximum of missing or unwanted snippets kept for the report."""
PARTS = {
    "links": ("a",),
    "heads": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "code": ("pre",),
    "cells": ("td", "th"),
}
"""Structural elements compared with the content's HTML."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """The score of one page. Fields without an annotation are ``None``."""

    id: str
    url: str | None
    kind: str
    category: str
    score: float | None = None
    """Word F1; if there are only snippets, the share of right ones."""
    precision: float | None = None
    recall: float | None = None
    shingles: tuple[float, float] | None = None
    """Precision and recall of four words in a row."""
    snippets: tuple[int, int, int, int] = (0, 0, 0, 0)
    """True positives, false negatives, false positives and true negatives among the snippets."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Share of links, headings, code blocks and table cells that were kept."""
    title: bool | None = None
    author: bool | None = None
    date: bool | None = None
    verdict: str = ""
    expected: float | None = None
    """The F1 that Duramen expected."""
    page_type: str = ""
    tier: str | None = None
    failure: str | None = None
    missing: tuple[str, ...] = ()
    rubbish: tuple[str, ...] = ()
    got: Mapping[str, str] = field(default_factory=dict)
    """The title, author and date that were read."""
    reasons: tuple[str, ...] = ()
    """The reasons of the verdict."""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PageScore:
        pairs = ("shingles", "snippets", "missing", "rubbish", "reasons")
        return cls(**data | {name: tuple(data[name]) for name in pairs if data[name] is not None})


def score_page(truth: Truth, result: Result | None, failure: str | None = None) -> PageScore:
    """Score a page; a failed page counts as empty."""
    text, html = (result.text, result.html) if result else ("", "")
    reference = truth.text or (plain_text(truth.html) if truth.html else "")
    precision = recall = score = shingled = None
    if reference:
        precision, recall = overlap(words(text), words(reference))
        score = harmonic(precision, recall)
    if truth.text:
        shingled = overlap(shingles(text), shingles(truth.text))
    # If there is a reference text, its snippets were typed by annotators, so case is ignored.
    fold = str.lower if truth.text else str
    where = fold(text)
    found = [fold(snippet) in where for snippet in truth.wanted]
    kept = [fold(snippet) in where for snippet in truth.unwanted]
    if score is None and (found or kept):
        score = (sum(found) + len(kept) - sum(kept)) / (len(found) + len(kept))
    metadata = result.metadata if result else None
    return PageScore(
        id=truth.id,
        url=truth.url,
        kind=truth.kind,
        category=category_of(truth),
        score=score,
        precision=precision,
        recall=recall,
        shingles=shingled,
        snippets=(sum(found), len(found) - sum(found), sum(kept), len(kept) - sum(kept)),
        parts=_parts_kept(html, truth.html) if truth.html else {},
        title=same(metadata.title if metadata else None, truth.title),
        author=same(metadata.author if metadata else None, truth.author),
        date=same_day(metadata.published if metadata else None, truth.date),
        verdict=result.quality.verdict if result else "",
        expected=round(result.quality.score, 4) if result else None,
        page_type=result.page_type if result else "",
        tier=result.tier if result else None,
        failure=failure,
        missing=_first(truth.wanted, [not one for one in found]),
        rubbish=_first(truth.unwanted, kept),
        got={
            "title": (metadata.title if metadata else None) or "",
            "author": (metadata.author if metadata else None) or "",
            "date": (metadata.published if metadata else None) or "",
        },
        reasons=result.quality.reasons if result else (),
    )


def overlap(got: Counter[Any], want: Counter[Any]) -> tuple[float, float]:
    """Precision and recall of one multiset against another."""
    if not want:
        return (0.0 if got else 1.0), 1.0
    if not got:
        return 0.0, 0.0
    shared = (got & want).total()
    return shared / got.total(), shared / want.total()


def harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def shingles(text: str) -> Counter[tuple[str, ...]]:
    found = _WORD.findall(text)
    if not found:
        return Counter()
    return Counter(tuple(found[i : i + _SHINGLE]) for i in range(max(1, len(found) - _SHINGLE + 1)))


def same(got: str | None, want: str) -> bool | None:
    """Whether a title or byline matches: nearly the same words, or one contains the other.

    >>> same("Ines Halvorsen", "By Ines Halvorsen"), same("Rings | The Almanac", "Rings"), same("Ines", "Mira Oduya")
    (True, True, False)
    """
    if not want:
        return None
    one, other = _WORD.findall((got or "").lower()), _WORD.findall(want.lower())
    if not one:
        return False
    inside, around = sorted((f" {' '.join(one)} ", f" {' '.join(other)} "), key=len)
    return inside in around or harmonic(*overlap(Counter(one), Counter(other))) >= SAME


def same_day(got: str | None, want: str) -> bool | None:
    """Whether a date matches. It may be a day off, because of time zones.

    >>> same_day("2026-03-14T23:30:00-05:00", "2026-03-15"), same_day("2026", "2026-03-15"), same_day("2026-03-15", "")
    (True, False, None)
    """
    if not want:
        return None
    try:
        return abs(date.fromisoformat((got or "")[:10]) - date.fromisoformat(want[:10])) <= timedelta(days=1)
    except ValueError:
        return False


def plain_text(html: str) -> str:
    """The text of reference HTML, with spaces between elements, so that words never join."""
    return "\n".join(node.data for node in fragment(html).descendants if isinstance(node, Text))


def structure(html: str) -> dict[str, Counter[str]]:
    """Links, headings, code blocks and table cells of HTML, each by its text without white space."""
    found: dict[str, Counter[str]] = {part: Counter() for part in PARTS}
    if html:
        part_of = {tag: part for part, tags in PARTS.items() for tag in tags}
        for node in fragment(html).descendants:
            if isinstance(node, Element) and (part := part_of.get(node.tag)):
                text = "".join("".join(n.data for n in node.descendants if isinstance(n, Text)).split()).lower()
                if text and (part != "links" or node.attrs.get("href")):
                    found[part][text] += 1
    return found


def _parts_kept(html: str, reference: str) -> dict[str, float]:
    got = structure(html)
    return {part: (got[part] & want).total() / want.total() for part, want in structure(reference).items() if want}


def _first(snippets: tuple[str, ...], chosen: list[bool]) -> tuple[str, ...]:
    return tuple(text[:200] for text, is_chosen in zip(snippets, chosen, strict=True) if is_chosen)[:SHOWN]
