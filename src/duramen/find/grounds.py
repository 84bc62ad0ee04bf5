"""Why a block has its chance: by how much each kind of evidence moved it, in words. Computed only when asked for.

A tree's path from root to leaf is told step by step: each test moves the mean of the training rows that are still
possible, and the column it looks at is credited with the move. Columns that tell the same thing share a row of
``evidence.toml``, which has the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duramen.find.forest import Forest
from duramen.model import Ground
from duramen.tables import load

_FACTOR = 2.0
"""The second look's trust in the first is handed on to the first look's evidence at most this many times over."""
_LEAST = 0.05
"""What moves the log-odds by less is not told."""
MOST_BLOCKS = 2_000
"""Blocks of a page whose grounds are told, the first ones: half a second's work."""


def effects(forest: Forest, columns: NDArray[np.float32]) -> NDArray[np.float64]:
    """(rows, features): by how much each feature moved each row's score away from the mean of the training data."""
    paths = _path_effects(forest, len(columns))
    moved = np.zeros((columns.shape[1], len(columns)))
    for path, leaf in zip(paths, forest.leaves(columns), strict=True):
        moved += path[leaf]
    return moved


def _path_effects(forest: Forest, features: int) -> NDArray[np.float32]:
    """(trees, leaves, features): what the tests on the way to each leaf are credited with."""
    trees, leaves = forest.values.shape
    result = np.zeros((trees, leaves, features), dtype=np.float32)
    tests: list[list[tuple[int, int, int]]] = [[] for _ in range(trees)]
    for feature, _, tree, mask in forest.tests:
        left = ~mask & 0xFFFFFFFF
        start = (left & -left).bit_length() - 1
        tests[tree].append((start, -left.bit_length(), feature))
    for t, found in enumerate(tests):
        size = list(accumulate(forest.counts[t].tolist(), initial=0.0))
        mass = list(accumulate((forest.counts[t] * forest.values[t]).tolist(), initial=0.0))

        def mean(start: int, stop: int, size: list[float] = size, mass: list[float] = mass) -> float:
            return (mass[stop] - mass[start]) / max(size[stop] - size[start], 1.0)

        # A branch comes before the branches inside it, so the tests are met as in a walk through the tree.
        open_until = [len(found) + 1]
        for start, negative, feature in sorted(found):
            middle = -negative
            while open_until[-1] <= start:
                open_until.pop()
            stop = open_until[-1]
            here = mean(start, stop)
            result[t, start:middle, feature] += mean(start, middle) - here
            result[t, middle:stop, feature] += mean(middle, stop) - here
            open_until.append(middle)
    return result


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of ``evidence.toml``."""

    id: str
    columns: tuple[str, ...]
    phrase: str
    absent: str
    against: str

    def tell(self, value: float, weight: float) -> str:
        """The row's words for a value of its first column, and for what the row moved."""
        if self.against and weight < 0:
            return self.against
        if self.absent and value <= 0:
            return self.absent
        return self.phrase.format(
            share=f"{100 * value:.0f} %", number=f"{value:.0f}", log=f"{np.expm1(min(value, 50.0)):.0f}"
        )


@cache
def rows() -> tuple[_Row, ...]:
    """How evidence is put into words."""
    return tuple(
        _Row(row["id"], tuple(row["columns"]), row["phrase"], row.get("absent", ""), row.get("against", ""))
        for row in load("evidence.toml")["row"]
    )


def grounds(
    looks: Sequence[tuple[Forest, Sequence[str], NDArray[np.float32]]],
) -> list[tuple[Ground, ...]]:
    """Per block what moved its chance, in log-odds. ``looks`` are the first and the second: forest, names, columns.

    Nothing is told of blocks after the first :data:`MOST_BLOCKS`.
    """
    (one, names, columns), (other, context, seen) = looks
    untold = max(0, columns.shape[1] - MOST_BLOCKS)
    columns, seen = columns[:, :MOST_BLOCKS], seen[:, :MOST_BLOCKS]
    first, second = effects(one, columns), effects(other, seen)
    # What the second look makes of the first's opinion is, as far as it goes, the first look's evidence.
    itself = context.index("chance")
    total = first.sum(axis=1)
    factor = np.divide(second[:, itself], total, out=np.zeros_like(total), where=np.abs(total) > 0.1)
    factor = np.clip(factor, 0.0, _FACTOR)
    second[:, itself] -= factor * total
    first *= 1 + factor[:, None]
    values = dict(zip((*context, *names), (*seen, *columns), strict=True))
    weights: dict[str, NDArray[np.float64]] = {}
    for look, moved in ((names, first), (context, second)):
        for name, column in zip(look, moved.T, strict=True):
            weights[name] = weights.get(name, 0.0) + column / 2
    told = [row for row in rows() if row.columns]
    weight = np.array([np.sum([weights[name] for name in row.columns], axis=0) for row in told])
    found = [
        tuple(
            Ground(row.id, row.tell(float(values[row.columns[0]][b]), moved), round(float(moved), 2))
            for row, moved in zip(told, weight[:, b], strict=True)
            if abs(moved) >= _LEAST
        )
        for b in range(len(total))
    ]
    return found + [()] * untold


def changed(
    told: Sequence[tuple[Ground, ...]], row_id: str, before: ArrayLike, after: ArrayLike
) -> list[tuple[Ground, ...]]:
    """The grounds, and beside them a step that changed the chances after both looks."""
    row = next(row for row in rows() if row.id == row_id)
    odds = [np.log(p / (1 - p)) for p in (np.clip(np.asarray(chances), 0.001, 0.999) for chances in (before, after))]
    moved = odds[1] - odds[0]
    return [
        (*found, Ground(row.id, row.phrase, round(float(by), 2))) if abs(by) >= _LEAST else found
        for found, by in zip(told, moved, strict=True)
    ]
