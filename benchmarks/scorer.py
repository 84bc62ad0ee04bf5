"""The scorer of the benchmarks: figures of one extractor on one corpus, from its text and, where it gives it, its HTML.

What is compared, and how, is in ``duramen.evaluation.scoring``, which ``duramen eval`` uses as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from duramen.evaluation.scoring import PARTS, harmonic, overlap, plain_text, shingles, structure, words


class Tally:
    """Counts page after page; ``summary`` gives the means."""

    def __init__(self) -> None:
        self.words: list[tuple[float, float, float]] = []
        self.shingles: list[tuple[float, float]] = []
        self.parts: dict[str, list[float]] = defaultdict(list)
        self.kinds: dict[str, list[float]] = defaultdict(list)
        self.snippets: Counter[str] = Counter()
        self.cpu, self.fails = 0.0, 0
        self.pages: list[tuple[float | None, str, str | None, str | None]] = []
        """Score, id, kind and URL of each page."""

    def add(self, record: Mapping[str, Any], text: str, html: str | None, cpu: float) -> None:
        """Score a page against its record in ``truth.jsonl``."""
        self.cpu += cpu
        score = None
        reference = record.get("text") or (plain_text(record["html_truth"]) if record.get("html_truth") else "")
        if reference:
            precision, recall = overlap(words(text), words(reference))
            score = harmonic(precision, recall)
            self.words.append((precision, recall, score))
            self.kinds[record.get("kind", "?")].append(score)
        if record.get("text"):
            self.shingles.append(overlap(shingles(text), shingles(record["text"])))
        share = self._add_snippets(record, text)
        if record.get("html_truth"):
            got = structure(html or "")
            for part, want in structure(record["html_truth"]).items():
                if want:
                    self.parts[part].append((got[part] & want).total() / want.total())
        self.pages.append((share if score is None else score, record["id"], record.get("kind"), record.get("url")))

    def _add_snippets(self, record: Mapping[str, Any], text: str) -> float | None:
        """Count the snippets of a page; the share of right ones."""
        # If there is a reference text, its snippets were typed by annotators, so case is ignored.
        fold = str.lower if record.get("text") else str
        where = fold(text)
        found = [fold(snippet) in where for snippet in record.get("with", ())]
        kept = [fold(snippet) in where for snippet in record.get("without", ())]
        self.snippets.update("tp" if one else "fn" for one in found)
        self.snippets.update("fp" if one else "tn" for one in kept)
        return (sum(found) + len(kept) - sum(kept)) / (len(found) + len(kept)) if found or kept else None

    def summary(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "pages": len(self.pages),
            "ms": 1e3 * self.cpu / max(1, len(self.pages)),
            "fail": self.fails,
        }
        if self.words:
            precision, recall, score = zip(*self.words, strict=True)
            out |= {"P": _mean(precision), "R": _mean(recall), "F1": _mean(score)}
        if self.shingles:
            out["shingle"] = harmonic(*(_mean(side) for side in zip(*self.shingles, strict=True)))
        if count := self.snippets:
            precise = count["tp"] / max(1, count["tp"] + count["fp"])
            recalled = count["tp"] / max(1, count["tp"] + count["fn"])
            clean = count["tn"] / max(1, count["tn"] + count["fp"])
            out |= {"with": recalled, "without": clean, "snippetF1": harmonic(precise, recalled)}
        out |= {part: _mean(self.parts[part]) for part in PARTS if self.parts[part]}
        out["kinds"] = {kind: _mean(scores) for kind, scores in sorted(self.kinds.items())}
        return out


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
