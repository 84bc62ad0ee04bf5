"""The second look: each block beside what the first look made of its surroundings, and the page's type read from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.find.evidence import LEVELS, Evidence, Matrix, shift
from duramen.find.hints import KINDS

_KIND_COLUMNS = (
    "link_density", "siblings_most", "log_chars", "in_table", "in_li", "in_article", "in_noscript", "money", "date",
    "sentence_end", "group_size", "question", "tokens_sum", "vote_semantic", "heading_age",
)  # fmt: skip


CONTEXT = (
    "chance",
    *(f"chance{offset:+d}" for offset in (-3, -2, -1, 1, 2, 3)),
    *(f"{name}_{width}" for width in (5, 11, 25) for name in ("near_chance", "near_likely")),
    *(
        f"{name}_{level}"
        for level in range(LEVELS)
        for name in ("inside_chance", "inside_likely", "inside_f1", "inside_share")
    ),
    "in_best", "best_f1", "best_distance", "group_chance", "headed_chance", "heading_chance", "page_f1", "page_chance",
    "page_likely", "page_doubt",
    *(f"kind_{kind}" for kind in KINDS),
)  # fmt: skip
"""The columns of :func:`context`."""


def kind_row(evidence: Evidence, chance: Any, leaning: Any) -> NDArray[np.float32]:
    """The features of the page's type: the page as a whole, its content as the first look sees it, and its names.

    ``leaning`` is what the page's names (:func:`kind_marks`) say about its type, a score per type.
    """
    words = evidence.words + 0.5
    mass = np.asarray(chance) * words
    total = float(mass.sum()) + 1e-6
    order = np.argsort(-np.asarray(chance), kind="stable")
    gain = 2 * np.cumsum(mass[order]) / (np.cumsum(words[order]) + total)
    column = {name: evidence.columns[evidence.names.index(name)] for name in (*_KIND_COLUMNS, "owner")}
    row = list(evidence.page.values())
    row += [
        float(gain.max()),
        total / float(words.sum()),
        float(np.mean(np.asarray(chance) > 0.5)),
        float(np.log1p(total)),
    ]
    row += [float((column[name] * mass).sum() / total) for name in _KIND_COLUMNS]
    for low, high in ((1, 1), (2, 2), (3, 4), (5, 5), (6, 9), (10, 11), (13, 13)):
        row.append(float((((column["owner"] >= low) & (column["owner"] <= high)) * mass).sum() / total))
    return np.array([*row, *leaning], dtype=np.float32)


def context(evidence: Evidence, chance: Any, kind: Any) -> Matrix:
    """Further columns for each block: the first look's opinion of its neighbours, containers, template and heading.

    ``chance`` is the first look's probability per block, ``kind`` the page type's probabilities.
    """
    words = evidence.words + 0.5
    n = len(words)
    chance = np.asarray(chance, dtype=np.float32)
    mass = chance * words
    mass_sum = np.concatenate(([0.0], np.cumsum(mass)))
    word_sum = np.concatenate(([0.0], np.cumsum(words)))
    likely_sum = np.concatenate(([0.0], np.cumsum(chance > 0.5)))
    expected = float(mass_sum[-1])
    columns: list[Any] = [chance]
    columns.extend(shift(chance, offset) for offset in (-3, -2, -1, 1, 2, 3))
    for width in (5, 11, 25):
        half = width // 2
        low, high = np.maximum(np.arange(n) - half, 0), np.minimum(np.arange(n) + half + 1, n)
        columns.append((mass_sum[high] - mass_sum[low]) / (word_sum[high] - word_sum[low]))
        columns.append((likely_sum[high] - likely_sum[low]) / (high - low))
    for step in range(LEVELS):
        start, stop = evidence.start[:, step], np.maximum(evidence.stop[:, step], evidence.start[:, step] + 1)
        inside = mass_sum[stop] - mass_sum[start]
        size = word_sum[stop] - word_sum[start]
        columns.append(inside / size)
        columns.append((likely_sum[stop] - likely_sum[start]) / (stop - start))
        columns.append(2 * inside / (size + expected + 1e-6))
        columns.append(inside / (expected + 1e-6))
    # The container that would be the best answer if the answer had to be one container.
    score = np.stack([columns[-2 - 4 * (LEVELS - 1 - k)] for k in range(LEVELS)], axis=1)
    best_block, best_level = np.unravel_index(int(np.argmax(score)), score.shape)
    best_start, best_stop = evidence.start[best_block, best_level], evidence.stop[best_block, best_level]
    inside_best = np.zeros(n, dtype=np.float32)
    inside_best[best_start:best_stop] = 1.0
    columns.append(inside_best)
    columns.append(np.full(n, float(score.max()), dtype=np.float32))
    position = np.arange(n)
    columns.append(
        np.where(
            position < best_start, position - best_start, np.where(position >= best_stop, position - best_stop + 1, 0)
        )
    )
    group_mass = np.bincount(evidence.group, weights=mass)
    group_words = np.bincount(evidence.group, weights=words)
    columns.append((group_mass / group_words)[evidence.group])
    # A heading belongs to what it heads: its section's mean, and for other blocks the heading's own chance.
    section = np.maximum(evidence.heading, -1) + 1
    section_mass = np.bincount(section, weights=mass, minlength=n + 1)
    section_words = np.bincount(section, weights=words, minlength=n + 1)
    headed = section_mass[1:] / np.maximum(section_words[1:], 0.5)
    columns.append(headed[:n])
    columns.append(np.where(evidence.heading >= 0, chance[evidence.heading], 0.5))
    order = np.argsort(-chance, kind="stable")
    gain = 2 * np.cumsum(mass[order]) / (np.cumsum(words[order]) + expected + 1e-6)
    columns.append(np.full(n, float(gain.max()), dtype=np.float32))
    columns.append(np.full(n, expected / float(word_sum[-1]), dtype=np.float32))
    columns.append(np.full(n, float(np.mean(chance > 0.5)), dtype=np.float32))
    columns.append(np.full(n, float((mass * (1 - chance)).sum() / (expected + 1e-6)), dtype=np.float32))
    columns.extend(np.full(n, value, dtype=np.float32) for value in kind)
    return np.stack(columns, dtype=np.float32, casting="unsafe")
