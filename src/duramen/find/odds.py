"""What is expected of blocks that are content with some probability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul


def expected(probabilities: Sequence[float], words: Sequence[int], start: int, stop: int) -> tuple[float, float, int]:
    """How many words of a run of blocks are expected to be content, how many blocks, and all their words."""
    some, sizes = probabilities[start:stop], words[start:stop]
    return sum(map(mul, some, sizes)), sum(some), sum(sizes)


def expected_words(probabilities: Sequence[float], words: Sequence[int]) -> float:
    """How much of a page is expected to be content: its words, and half a word for each block."""
    mass: float = sum(map(mul, probabilities, words))
    return mass + 0.5 * sum(probabilities)


def expected_f1(probabilities: Sequence[float], words: Sequence[int], kept: Iterable[int], total: float) -> float:
    """The F1 that is expected of keeping these blocks; ``total`` is :func:`expected_words`."""
    kept = list(kept)
    chances, sizes = [probabilities[b] for b in kept], [words[b] for b in kept]
    size = sum(sizes) + 0.5 * len(kept) + total
    return 2 * (sum(map(mul, chances, sizes)) + 0.5 * sum(chances)) / size if size else 0.0


def best_threshold(probabilities: Sequence[float], words: Sequence[int]) -> tuple[float, float]:
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
