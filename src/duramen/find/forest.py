"""Gradient-boosted trees on numpy alone, by bit masks (QuickScorer: Lucchese et al., SIGIR 2015).

Every leaf of a tree is a bit. A test that sends a row to the right rules out the leaves of its left branch; what is
lowest of the rest is the row's leaf. Tests on one feature are sorted by threshold, so that one search in a sorted list
answers all of them, and the masks they leave are looked up, not computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.native import core

MAX_LEAVES = 32


class Forest:
    """Trees given as flat arrays: per test its feature, threshold, tree and mask; per tree its leaves' values."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
        feature = arrays[f"{prefix}_feature"]
        threshold = arrays[f"{prefix}_threshold"]
        tree = arrays[f"{prefix}_tree"]
        mask = arrays[f"{prefix}_mask"]
        self.values: NDArray[np.float32] = arrays[f"{prefix}_values"]
        """(trees, leaves)"""
        self.counts: NDArray[np.float32] = arrays[f"{prefix}_counts"]
        """How many rows of the training data came to each leaf."""
        self.classes = int(arrays[f"{prefix}_classes"])
        # Half the memory moved where all trees fit into 16 bits.
        cleared = np.bitwise_or.reduce(~mask.astype(np.uint32)) if len(mask) else 0
        # The last leaf of a tree is never ruled out by a mask: with bit 15 free there are at most 16.
        self._bits = np.uint16 if int(cleared) < 1 << 15 else np.uint32
        self._full = int(np.iinfo(self._bits).max)
        order = np.lexsort((threshold, feature))
        feature, threshold, tree, mask = self._sorted = feature[order], threshold[order], tree[order], mask[order]
        self.core: Any = None
        """The same trees in the compiled core."""
        if core is not None:
            # Leaves that no tree has would only lie between those that are looked up.
            leaves = int(np.flatnonzero(self.counts.any(axis=0)).max(initial=0)) + 1
            self.core = core.Forest(
                feature.astype(np.int32), _as_single(threshold), tree.astype(np.int32), mask.astype(np.uint32),
                np.ascontiguousarray(self.values[:, :leaves], dtype=np.float32), len(self.values), self.classes,
            )  # fmt: skip

    @property
    def features(self) -> frozenset[int]:
        """Columns that any test looks at."""
        return frozenset(self._sorted[0].tolist())

    @cached_property
    def tests(self) -> list[tuple[int, float, int, int]]:
        """Feature, threshold, tree and mask of every test."""
        return list(zip(*(part.tolist() for part in self._sorted), strict=True))

    @cached_property
    def _steps(self) -> list[tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """By feature: its thresholds, the trees that ask for it, and the masks that so many passed thresholds leave.

        The compiled core does without, so it is made when first needed.
        """
        steps: list[tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        feature, threshold, tree, mask = self._sorted
        for f in np.unique(feature):
            mine = feature == f
            used, position = np.unique(tree[mine], return_inverse=True)
            masks = np.full((int(mine.sum()) + 1, len(used)), self._full, dtype=self._bits)
            for k, (column, bits) in enumerate(zip(position, mask[mine], strict=True), start=1):
                masks[k] = masks[k - 1]
                masks[k, column] &= self._bits(int(bits) & self._full)
            steps.append((int(f), _as_single(threshold[mine]), used, np.ascontiguousarray(masks.T)))
        return steps

    def scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        """Raw scores, (rows, classes), of a table given as (features, rows)."""
        if self.core is not None:
            found = np.empty((columns.shape[1], self.classes), dtype=np.float64)
            self.core.scores(np.ascontiguousarray(columns, dtype=np.float32), columns.shape[1], found)
            return found
        return self._scores(columns)

    def leaves(self, columns: NDArray[np.float32]) -> NDArray[np.int32]:
        """The leaf, (trees, rows), that each row of a table given as (features, rows) comes to."""
        rows, trees = columns.shape[1], len(self.values)
        alive = np.full((trees, rows), self._full, dtype=self._bits)
        for f, thresholds, used, masks in self._steps:
            passed = thresholds.searchsorted(columns[f])
            alive[used] &= masks.take(passed, axis=1)
        lowest = (alive & (~alive + self._bits(1))).astype(np.float32)
        return np.frexp(lowest)[1] - 1  # type: ignore[no-any-return]

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        found = self.values[np.arange(len(self.values))[:, None], self.leaves(columns)]
        return np.stack([found[c :: self.classes].sum(axis=0, dtype=np.float64) for c in range(self.classes)], axis=1)

    def score_one(self, row: NDArray[np.float32]) -> Sequence[float]:
        """Raw scores per class of a single row: without arrays, which pay only for many rows."""
        if self.core is not None:
            return self.core.score(row)  # type: ignore[no-any-return]
        values = row.tolist()
        alive = [0xFFFFFFFF] * len(self.values)
        for f, threshold, tree, mask in self.tests:
            if values[f] > threshold:
                alive[tree] &= mask
        leaves = [(bits & -bits).bit_length() - 1 for bits in alive]
        found = self.values[np.arange(len(leaves)), leaves].astype(np.float64)
        return found.reshape(-1, self.classes).sum(axis=0).tolist()  # type: ignore[no-any-return]


def _as_single(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Thresholds in single precision that part single-precision values as the double ones do."""
    single = thresholds.astype(np.float32)
    above = single > thresholds
    single[above] = np.nextafter(single[above], np.float32(-np.inf))
    return single


def flatten_trees(trees: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """LightGBM's dumped trees (``tree_structure``) as the arrays of :class:`Forest`."""
    feature: list[int] = []
    threshold: list[float] = []
    tree: list[int] = []
    mask: list[int] = []
    values = np.zeros((len(trees), MAX_LEAVES), dtype=np.float32)
    counts = np.zeros((len(trees), MAX_LEAVES), dtype=np.float32)
    for t, root in enumerate(trees):
        leaves = 0
        stack: list[tuple[Mapping[str, Any], int]] = [(root, -1)]
        opened: list[tuple[int, int]] = []
        while stack:
            node, test = stack.pop()
            if test >= 0:
                # Everything numbered since the test was met is its left branch.
                began = opened[test][0]
                mask[opened[test][1]] = 0xFFFFFFFF & ~(((1 << leaves) - 1) & ~((1 << began) - 1))
            if "leaf_value" in node:
                if leaves >= MAX_LEAVES:
                    raise ValueError(f"tree {t} has too many leaves; train with num_leaves of at most {MAX_LEAVES}")
                values[t, leaves] = node["leaf_value"]
                counts[t, leaves] = node.get("leaf_count", 1)
                leaves += 1
                continue
            feature.append(int(node["split_feature"]))
            threshold.append(float(node["threshold"]))
            tree.append(t)
            mask.append(0)
            opened.append((leaves, len(mask) - 1))
            stack.append((node["right_child"], len(opened) - 1))
            stack.append((node["left_child"], -1))
    return {
        "feature": np.array(feature, dtype=np.int32),
        "threshold": np.array(threshold, dtype=np.float64),
        "tree": np.array(tree, dtype=np.int32),
        "mask": np.array(mask, dtype=np.uint32),
        "values": values,
        "counts": counts,
    }
