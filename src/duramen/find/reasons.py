"""Why a block has its probability: by how much each kind of evidence moved it, in words. Computed only on request.

On a row's path through a tree, each test moves the mean of the training rows that are still possible, and the column
that the test looks at is credited with the move. Columns that say the same thing share a row of ``evidence.toml``,
which has the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import expm1, log
from operator import mul
from typing import Any, NamedTuple

from duramen.find.judge_model import Forest
from duramen.model import Reason
from duramen.tables import load

_FACTOR = 2.0
"""The second pass's trust in the first is handed on to the first pass's evidence at most this many times over."""
_LEAST = 0.05
"""What moves the log-odds by less is left out."""
MOST_BLOCKS = 2_000
"""Blocks of a page that have reasons, the first ones: a second's work."""


class Pass(NamedTuple):
    """A forest, and the table it was given."""

    forest: Forest
    names: Sequence[str]
    table: bytearray

    def rows(self) -> list[list[float]]:
        """The columns of each block, of the first :data:`MOST_BLOCKS`."""
        entries = memoryview(self.table).cast("f")
        blocks = len(entries) // len(self.names)
        some = [entries[at : at + min(blocks, MOST_BLOCKS)].tolist() for at in range(0, len(entries), blocks)]
        return list(map(list, zip(*some, strict=True)))


Node = tuple[int, float, float, Any, float, Any]
"""A test: its column and threshold; what going left moves, and the test there; the same for the right."""


@lru_cache(maxsize=4)
def trees_of(forest: Forest) -> list[Node | None]:
    """The first test of each tree, None for a tree that has none."""
    leaves = len(forest.values) // forest.size
    tests: list[list[tuple[int, int, int, float]]] = [[] for _ in range(forest.size)]
    for k, tree in enumerate(forest.trees):
        start, middle = forest.left[2 * k : 2 * k + 2]
        tests[tree].append((start, -middle, forest.features[k], forest.thresholds[k]))
    found: list[Node | None] = []
    for tree, own in enumerate(tests):
        counts = forest.counts[tree * leaves : (tree + 1) * leaves]
        values = forest.values[tree * leaves : (tree + 1) * leaves]
        found.append(_tree_of(sorted(own), list(accumulate(counts, initial=0)), _running(counts, values)))
    return found


def _running(counts: Sequence[float], values: Sequence[float]) -> list[float]:
    return list(accumulate(map(mul, counts, values), initial=0.0))


def _tree_of(tests: list[tuple[int, int, int, float]], size: list[int], mass: list[float]) -> Node | None:
    """A tree, given its tests as a walk meets them: each with the leaves from ``start`` to ``middle`` on its left."""

    def mean(start: int, stop: int) -> float:
        return (mass[stop] - mass[start]) / max(size[stop] - size[start], 1)

    # A test's leaves end where those of the last test end that has it on its left, or with the tree.
    stops: list[int] = []
    open_until = [len(tests) + 1]
    for start, negative, _, _ in tests:
        while open_until[-1] <= start:
            open_until.pop()
        stops.append(open_until[-1])
        open_until.append(-negative)
    made: dict[tuple[int, int], Node] = {}
    for (start, negative, column, threshold), stop in zip(reversed(tests), reversed(stops), strict=True):
        middle, here = -negative, mean(start, stop)
        left, right = (start, middle), (middle, stop)
        moves = mean(*left) - here, mean(*right) - here
        made[start, stop] = (column, threshold, moves[0], made.get(left), moves[1], made.get(right))
    return made.get((0, len(tests) + 1))


def effects(forest: Forest, rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """By row and column: by how much the column moved the row's score away from the mean of the training data."""
    trees = trees_of(forest)
    found = []
    for row in rows:
        moved = [0.0] * len(row)
        for node in trees:
            while node is not None:
                column, threshold, by_left, left, by_right, right = node
                if row[column] <= threshold:
                    moved[column] += by_left
                    node = left
                else:
                    moved[column] += by_right
                    node = right
        found.append(moved)
    return found


class _Row(NamedTuple):
    """A row of ``evidence.toml``."""

    id: str
    columns: tuple[str, ...]
    phrase: str
    absent: str
    against: str

    def words(self, value: float, weight: float) -> str:
        """The row's words for a value of its first column, and for what the row moved."""
        if self.against and weight < 0:
            return self.against
        if self.absent and value <= 0:
            return self.absent
        return self.phrase.format(
            share=f"{100 * value:.0f} %", number=f"{value:.0f}", log=f"{expm1(min(value, 50.0)):.0f}"
        )


@cache
def rows() -> tuple[_Row, ...]:
    """How evidence is put into words."""
    return tuple(
        _Row(row["id"], tuple(row["columns"]), row["phrase"], row.get("absent", ""), row.get("against", ""))
        for row in load("evidence.toml")["row"]
    )


def reasons(first: Pass, second: Pass) -> list[tuple[Reason, ...]]:
    """Per block what moved its probability, in log-odds; nothing for blocks after the first :data:`MOST_BLOCKS`."""
    blocks = len(first.table) // 4 // len(first.names)
    own, seen = first.rows(), second.rows()
    itself = second.names.index("probability")
    at = [_places(row, first.names, second.names) for row in rows() if row.columns]
    found = []
    moved = zip(own, effects(first.forest, own), seen, effects(second.forest, seen), strict=True)
    for values, by_first, context, by_second in moved:
        # What the second pass makes of the first's opinion is, as far as it goes, the first pass's evidence.
        total = sum(by_first)
        factor = min(_FACTOR, max(0.0, by_second[itself] / total)) if abs(total) > 0.1 else 0.0
        by_second[itself] -= factor * total
        own_reasons = []
        for row, in_first, in_second, value_at in at:
            weight = (1 + factor) * sum([by_first[k] for k in in_first]) + sum([by_second[k] for k in in_second])
            if abs(weight) / 2 >= _LEAST:
                value = values[value_at] if value_at >= 0 else context[~value_at]
                own_reasons.append(Reason(row.id, row.words(value, weight), round(weight / 2, 2)))
        found.append(tuple(own_reasons))
    return found + [()] * (blocks - len(found))


def _places(row: _Row, first: Sequence[str], second: Sequence[str]) -> tuple[_Row, list[int], list[int], int]:
    """Where the columns of a row are in both passes, and where its value is: in the second if below zero."""
    in_first, in_second = ([names.index(name) for name in row.columns if name in names] for names in (first, second))
    leading = row.columns[0]
    return row, in_first, in_second, first.index(leading) if leading in first else ~second.index(leading)


def changed(
    reasons_by_block: Sequence[tuple[Reason, ...]], row_id: str, before: Sequence[float], after: Sequence[float]
) -> list[tuple[Reason, ...]]:
    """The reasons, and beside them a step that changed the probabilities after both passes."""
    row = next(row for row in rows() if row.id == row_id)
    moves = [_odds(new) - _odds(old) for old, new in zip(before, after, strict=True)]
    return [
        (*found, Reason(row.id, row.phrase, round(by, 2))) if abs(by) >= _LEAST else found
        for found, by in zip(reasons_by_block, moves, strict=True)
    ]


def _odds(probability: float) -> float:
    clipped = min(0.999, max(0.001, probability))
    return log(clipped / (1 - clipped))
