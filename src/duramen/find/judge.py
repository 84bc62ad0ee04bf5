"""The judge: a chance for every block, the page's type, and the choice with the best expected F1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duramen.model import PageKind
from duramen.options import Mode


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge made of a page."""

    chances: list[float]
    kind: PageKind
    judge: str
    """``learned`` or ``density``."""


_LEANING: dict[Mode, float] = {"precision": 0.7, "balanced": 1.0, "recall": 1.45}


def expected_f1(chances: Sequence[float], words: Sequence[int], kept: Sequence[int]) -> float:
    """The F1 to be expected of keeping these blocks, if the chances are right."""
    total = sum(p * (w + 0.5) for p, w in zip(chances, words, strict=True))
    right = sum(chances[b] * (words[b] + 0.5) for b in kept)
    size = sum(words[b] + 0.5 for b in kept)
    return 2 * right / (size + total) if size + total else 0.0


def best_choice(chances: Sequence[float], words: Sequence[int], mode: Mode) -> tuple[list[int], float]:
    """The blocks whose expected F1 is highest: all above a threshold, which is half the F1 that can be reached."""
    order = sorted(range(len(chances)), key=lambda b: (-chances[b], b))
    total = sum(p * (w + 0.5) for p, w in zip(chances, words, strict=True))
    right = size = best = 0.0
    threshold = 1.0
    for b in order:
        right += chances[b] * (words[b] + 0.5)
        size += words[b] + 0.5
        score = 2 * right / (size + total)
        if score > best:
            best, threshold = score, chances[b]
    threshold = min(threshold, 0.95) if mode == "balanced" else min(0.95, best / 2 / _LEANING[mode])
    return [b for b, p in enumerate(chances) if p >= threshold], best
