"""What is expected of blocks that are content with some probability."""

from __future__ import annotations

from collections.abc import Sequence

from duramen.native import core


def expected_words(probabilities: list[float], words: list[int]) -> float:
    """How much of a page is expected to be content: its words, and half a word for each block."""
    mass, chances, _ = core.expected(probabilities, words, range(len(words)))
    return mass + 0.5 * chances


def expected_f1(probabilities: list[float], words: list[int], kept: Sequence[int], total: float) -> float:
    """The F1 that is expected of keeping these blocks; ``total`` is :func:`expected_words`."""
    mass, chances, sizes = core.expected(probabilities, words, kept)
    size = sizes + 0.5 * len(kept) + total
    return 2 * (mass + 0.5 * chances) / size if size else 0.0


def best_threshold(probabilities: list[float], words: list[int]) -> tuple[float, float]:
    """The threshold from which on all blocks have the highest expected F1, and that F1."""
    total, reached, size = expected_words(probabilities, words), 0.0, 0.0
    best, threshold = -1.0, 0.0
    for b in sorted(range(len(words)), key=probabilities.__getitem__, reverse=True):
        probability, own = probabilities[b], words[b] + 0.5
        reached += probability * own
        size += own
        score = 2 * reached / (size + total)
        if score > best:
            best, threshold = score, probability
        elif 2 * probability <= best:
            break  # from here on each block lowers it
    return threshold, best
