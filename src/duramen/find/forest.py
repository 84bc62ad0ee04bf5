"""Gradient-boosted trees on numpy alone, by bit masks (QuickScorer: Lucchese et al., SIGIR 2015).

Every leaf of a tree is a bit. A test that sends a row to the right rules out the leaves of its left branch; what is
Every leaf of a tree is a bit. A test that sends a row to the right rules out the leaves of its left branch; what is
answers all of them, and the masks they leave are looked up, not computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        self.classes = int(arrays[f"{prefix}_classes"])
        self._steps: list[tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        order = np.lexsort((threshold, feature))
        feature, threshold, tree, mask = feature[order], threshold[order], tree[order], mask[order]
        for f in np.unique(feature):
            mine = feature == f
            used, position = np.unique(tree[mine], return_inverse=True)
            masks = np.full((int(mine.sum()) + 1, len(used)), 0xFFFFFFFF, dtype=np.uint32)
            for k, (column, bits) in enumerate(zip(position, mask[mine], strict=True), start=1):
                masks[k] = masks[k - 1]
                masks[k, column] &= bits
            self._steps.append((int(f), threshold[mine], used, np.ascontiguousarray(masks.T)))
        self._tests = list(zip(feature.tolist(), threshold.tolist(), tree.tolist(), mask.tolist(), strict=True))

    @property
    def features(self) -> frozenset[int]:
        """Columns that any test looks at."""
        return frozenset(step[0] for step in self._steps)

    def scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        """Raw scores, (rows, classes), of a table given as (features, rows)."""
        rows, trees = columns.shape[1], len(self.values)
        alive = np.full((trees, rows), 0xFFFFFFFF, dtype=np.uint32)
        for f, thresholds, used, masks in self._steps:
            passed = np.searchsorted(thresholds, columns[f], side="left")
            alive[used] &= masks[:, passed]
        lowest = (alive & (~alive + np.uint32(1))).astype(np.float64)
        leaf = np.frexp(lowest)[1] - 1
        found = self.values[np.arange(trees)[:, None], leaf]
        return np.stack([found[c :: self.classes].sum(axis=0, dtype=np.float64) for c in range(self.classes)], axis=1)

    def score_one(self, row: NDArray[np.float32]) -> NDArray[np.float64]:
        """Raw scores per class of a single row: without arrays, which pay only for many rows."""
        values = row.tolist()
        alive = [0xFFFFFFFF] * len(self.values)
        for f, threshold, tree, mask in self._tests:
            if values[f] > threshold:
                alive[tree] &= mask
        leaves = [(bits & -bits).bit_length() - 1 for bits in alive]
        found = self.values[np.arange(len(leaves)), leaves].astype(np.float64)
        return found.reshape(-1, self.classes).sum(axis=0)  # type: ignore[no-any-return]


def flatten_trees(trees: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """LightGBM's dumped trees (``tree_structure``) as the arrays of :class:`Forest`."""
    feature: list[int] = []
    threshold: list[float] = []
    tree: list[int] = []
    mask: list[int] = []
    values = np.zeros((len(trees), MAX_LEAVES), dtype=np.float32)
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
    }
