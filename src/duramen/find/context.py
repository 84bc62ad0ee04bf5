"""The second look: each block beside what the first look made of its surroundings, and the page's type read from it."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.find.evidence import LEVELS, NAMES, Evidence, Matrix
from duramen.find.hints import KINDS
from duramen.native import core

_KIND_COLUMNS = (
    "link_density", "siblings_most", "log_chars", "in_table", "in_li", "in_article", "in_noscript", "money", "date",
    "sentence_end", "group_size", "question", "tokens_sum", "vote_semantic", "heading_age",
)  # fmt: skip

_KIND_ROWS = tuple(NAMES.index(name) for name in _KIND_COLUMNS)
_OWNER_ROW = NAMES.index("owner")
_OWNERS = ((1, 1), (2, 2), (3, 4), (5, 5), (6, 9), (10, 11), (13, 13))
"""Paragraphs, list items, cells, boxes, headings, definitions and code, by the codes of their owners."""
CONTENT = (_KIND_ROWS, _OWNER_ROW, _OWNERS)
"""What is summed up of the page's content."""

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
"""What :func:`fill_context` tells of each block."""


def kind_row(evidence: Evidence, chance: Any, leaning: Any) -> NDArray[np.float32]:
    """The features of the page's type: the page as a whole, its content as the first look sees it, and its names.

    ``leaning`` is what the page's names (:func:`kind_marks`) say about its type, a score per type.
    """
    chance = np.asarray(chance, dtype=np.float64)
    measure = _content_sums if core is None else core.content_sums
    sums = measure(evidence.columns, chance, *CONTENT)
    return np.fromiter((*evidence.page.values(), *sums, *leaning), dtype=np.float32)


def _content_sums(
    columns: Matrix, chance: Any, rows: Sequence[int], owner_row: int, owners: Sequence[tuple[int, int]]
) -> tuple[float, ...]:
    """What the chances say is content: its best F1, its share of the page, its size, and the means and kinds in it."""
    words = columns[0] + 0.5
    mass = chance * words
    total = float(mass.sum()) + 1e-6
    order = np.argsort(-chance, kind="stable")
    gain = 2 * np.cumsum(mass[order]) / (np.cumsum(words[order]) + total)
    # Not by @: the threads that a matrix product may wake cost more than it.
    shares = (columns[list(rows)] * mass).sum(axis=1) / total
    by_owner = np.bincount(columns[owner_row].astype(np.int64), weights=mass, minlength=owners[-1][1] + 1)
    return (
        float(gain.max()),
        total / float(words.sum()),
        float(np.mean(chance > 0.5)),
        log1p(total),
        *shares.tolist(),
        *(float(by_owner[low : high + 1].sum()) / total for low, high in owners),
    )


def fill_context(rows: Matrix, evidence: Evidence, chance: Any, kind: Any) -> None:
    """The rows of :data:`CONTEXT`: the first look's opinion of each block's neighbours, containers, template, heading.

    ``chance`` is the first look's probability per block, ``kind`` the page type's probabilities.
    """
    chance = np.asarray(chance, dtype=np.float32)
    if core is None:
        _fill_context(rows, evidence, chance, kind)
    else:
        kind = np.asarray(kind, dtype=np.float64)
        around = (evidence.start, evidence.stop, evidence.group, evidence.heading)
        core.context(rows, evidence.words, chance, kind, *around)


def _fill_context(rows: Matrix, evidence: Evidence, chance: Matrix, kind: Any) -> None:
    n = len(evidence.words)
    words = (evidence.words + 0.5).astype(np.float64)
    mass = chance * words
    mass_sum, word_sum, likely_sum = sums = np.zeros((3, n + 1))
    np.cumsum([mass, words, chance > 0.5], axis=1, out=sums[:, 1:])
    expected = float(mass_sum[-1])

    # The block itself and those beside it.
    padded = np.zeros(n + 6, dtype=np.float32)
    padded[3:-3] = chance
    rows[0] = chance
    for row, offset in enumerate((-3, -2, -1, 1, 2, 3), start=1):
        rows[row] = padded[3 + offset : 3 + offset + n]
    position = np.arange(n)
    low = np.maximum(position - _HALVES, 0)
    high = np.minimum(position + _HALVES + 1, n)
    rows[7:13:2] = (mass_sum[high] - mass_sum[low]) / (word_sum[high] - word_sum[low])
    rows[8:13:2] = (likely_sum[high] - likely_sum[low]) / (high - low)

    # The containers around it, level by level.
    start = evidence.start.T
    stop = np.maximum(evidence.stop.T, start + 1)
    inside = mass_sum[stop] - mass_sum[start]
    size = word_sum[stop] - word_sum[start]
    score = 2 * inside / (size + expected + 1e-6)
    rows[13:37:4] = inside / size
    rows[14:37:4] = (likely_sum[stop] - likely_sum[start]) / (stop - start)
    rows[15:37:4] = score
    rows[16:37:4] = inside / (expected + 1e-6)

    # The container that would be the best answer if the answer had to be one container.
    best_level, best_block = np.unravel_index(int(np.argmax(score)), score.shape)
    best_start, best_stop = int(start[best_level, best_block]), int(evidence.stop[best_block, best_level])
    rows[37] = 0.0
    rows[37, best_start:best_stop] = 1.0
    rows[38] = score.max()
    rows[39] = np.minimum(position - best_start, 0) + np.maximum(position - best_stop + 1, 0)

    # Its template, and its heading: a heading belongs to what it heads, other blocks to their heading.
    group = evidence.group
    rows[40] = (np.bincount(group, weights=mass) / np.bincount(group, weights=words))[group]
    section = evidence.heading + 1
    headed = np.bincount(section, weights=mass, minlength=n + 1)[1 : n + 1]
    rows[41] = headed / np.maximum(np.bincount(section, weights=words, minlength=n + 1)[1 : n + 1], 0.5)
    rows[42] = np.where(evidence.heading >= 0, chance[evidence.heading], 0.5)

    # The page.
    order = np.argsort(-chance, kind="stable")
    gain = 2 * np.cumsum(mass[order]) / (np.cumsum(words[order]) + expected + 1e-6)
    page = [
        gain.max(),
        expected / word_sum[-1],
        likely_sum[-1] / n,
        (mass * (1 - chance)).sum() / (expected + 1e-6),
        *kind,
    ]
    rows[43:] = np.array(page, dtype=np.float32)[:, None]


_HALVES = np.array([[2], [5], [12]])
"""How far to each side the windows of 5, 11 and 25 blocks reach."""
