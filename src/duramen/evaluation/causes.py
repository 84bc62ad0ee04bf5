"""Why the pages of a category that misses its target fail, field by field, by evidence in the page itself.

``truth``: the annotated value is not in the page. ``page``: the content is not in the HTML, or something is in its way.
``us``: all else; the value is there, and was not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property

from duramen.corpus import Corpus, Truth
from duramen.evaluation.figures import Group, is_right
from duramen.evaluation.scoring import PageScore, harmonic, overlap, plain_text, words
from duramen.evaluation.shown import ShownPage, squeezed
from duramen.flatten import parse_tree
from duramen.options import Options
from duramen.read.reader import read_source
from duramen.tables import load

TRUTH, PAGE, US = "truth", "page", "us"
_BETWEEN = re.compile(r"(?<!\s)\s*(?:[,;&/|、]|\band\b|\bund\b|\bet\b)\s*")
_BEFORE = re.compile(r"^(?:by|von|par|por)\s+", re.I)


@dataclass(frozen=True, slots=True)
class Miss:
    """A field of a page that a category requires, and that is wrong."""

    category: str
    id: str
    url: str | None
    field: str
    blame: str
    why: str
    got: str
    want: str


def misses_of(
    corpus: Corpus, scores: Iterable[PageScore], groups: Sequence[Group], threshold: float
) -> tuple[Miss, ...]:
    """Every field that is wrong on the pages of the categories that miss their target, in the order of the corpus."""
    asked = {group.id: group.asks for group in groups if _is_missed(group)}
    found: list[Miss] = []
    for score in scores:
        wrong = [name for name in asked.get(score.category, ()) if is_right(score, threshold)[name] is False]
        if wrong:
            page = _Evidence(corpus, corpus.truths[score.id], score)
            for name in wrong:
                blame, why = page.content(threshold) if name == "content" else page.metadata(name)
                want = "" if name == "content" else getattr(page.truth, name)
                got = score.got.get(name, "")
                found.append(Miss(score.category, score.id, score.url, name, blame, why, got[:200], want[:200]))
    return tuple(found)


def _is_missed(group: Group) -> bool:
    return group.target is not None and group.success is not None and group.success < group.target


class _Evidence:
    """A page that was scored, and what can be found in it."""

    def __init__(self, corpus: Corpus, truth: Truth, score: PageScore) -> None:
        self.truth, self._corpus, self._score = truth, corpus, score

    @cached_property
    def _shown(self) -> ShownPage | None:
        options = Options()
        try:
            source = read_source(self._corpus.page(self.truth.id, options.limits.max_bytes), options)
        except OSError:
            return None
        return ShownPage(parse_tree(source.text, source.max_nodes), self.truth.url)

    def metadata(self, name: str) -> tuple[str, str]:
        """Who is to blame for a wrong title, author or date."""
        shown, want = self._shown, getattr(self.truth, name)
        if shown is None or self._score.failure:
            return US, self._score.failure or "the page cannot be read"
        if name == "date":
            if any(shown.has_day(day) for day in _days_around(want)):
                return US, "the day is in the page"
            return TRUTH, "no text, attribute or address of the page has the numbers of this day"
        parts = [want] if name == "title" else [_BEFORE.sub("", part) for part in _BETWEEN.split(want)]
        parts = [part for part in parts if squeezed(part)]
        if any(shown.has_text(part) for part in parts):
            return US, f"the {name} is in the page's text"
        data = squeezed(shown.data)
        if any(squeezed(part) in data for part in parts):
            return US, f"the {name} is in the page's data"
        return TRUTH, f"neither the page's text nor its data have this {name}"

    def content(self, threshold: float) -> tuple[str, str]:
        """Who is to blame for content that is wrong."""
        score, shown = self._score, self._shown
        if shown is None or score.failure:
            return US, score.failure or "the page cannot be read"
        reference = self.truth.text or (plain_text(self.truth.html) if self.truth.html else "")
        if not reference:
            lost = [text for text in self.truth.wanted if not shown.has_text(text)]
            if lost:
                return TRUTH, f"{len(lost)} of {len(self.truth.wanted)} wanted snippets are not in the page's text"
            return US, f"{score.snippets[1]} wanted snippets are missing, {score.snippets[2]} unwanted ones are kept"
        wanted = words(reference)
        there = _best(words(shown.text), wanted)
        if there >= threshold:
            return US, f"precision {score.precision or 0:.2f}, recall {score.recall or 0:.2f}"
        if obstacle := next((reason for reason in score.reasons if reason.partition(":")[0] in _obstacles()), ""):
            return PAGE, obstacle
        if _best(words(shown.text) + words(shown.data), wanted) >= threshold:
            return PAGE, f"an F1 of at most {there:.2f} can be made of the text; the rest is in scripts or hidden"
        return TRUTH, f"an F1 of at most {there:.2f} can be made of all words of the page"


@cache
def _obstacles() -> frozenset[str]:
    """The codes of what may be in the way of the content, in the reasons of a verdict."""
    return frozenset(row["reason"] for row in load("obstacles.toml")["row"])


def _best(there: Counter[str], wanted: Counter[str]) -> float:
    """The F1 of an extraction that keeps all words that are wanted, and no other."""
    return harmonic(1.0, overlap(there, wanted)[1])


def _days_around(day: str) -> list[str]:
    """A day, and those before and after it, which it is in other time zones."""
    try:
        middle = date.fromisoformat(day[:10])
    except ValueError:
        return []
    return [(middle + timedelta(days=days)).isoformat() for days in (-1, 0, 1)]
