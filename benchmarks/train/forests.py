"""LightGBM's trees as the arrays of a model file (``duramen.find.judge_model.Forest``)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

MAX_LEAVES = 32
EXPLAINED = ("first", "second")
"""The forests whose reasons are shown: only these need to know how many rows came to each leaf."""


class Test(NamedTuple):
    feature: int
    threshold: float
    """In single precision, and so that single-precision values are parted as the double threshold parts them."""
    tree: int
    left: tuple[int, int]
    """The first leaf of the left branch, and the one after its last."""


def forest_arrays(name: str, trees: Sequence[Mapping[str, Any]], boosters: int = 1) -> dict[str, array[Any]]:
    """Dumped trees (``tree_structure``) as arrays; so many boosters share the forest, which is their mean."""
    tests: list[Test] = []
    leaves: list[list[tuple[float, int]]] = []
    for number, root in enumerate(trees):
        own, ends = flat_tree(number, root)
        tests += own
        leaves.append(ends)
    tests.sort(key=lambda test: (test.feature, test.threshold))
    width = max(map(len, leaves))
    values = np.zeros((len(trees), width), dtype=np.float32)
    counts = np.zeros((len(trees), width), dtype=np.uint32)
    for number, ends in enumerate(leaves):
        values[number, : len(ends)], counts[number, : len(ends)] = zip(*ends, strict=True)
    parts: dict[str, array[Any]] = {
        "features": array("H", [test.feature for test in tests]),
        "thresholds": array("f", [test.threshold for test in tests]),
        "trees": array("H", [test.tree for test in tests]),
        "left": array("B", [leaf for test in tests for leaf in test.left]),
        "values": array("f", (values / np.float32(boosters)).ravel().tolist()),
        "size": array("H", [len(trees)]),
    }
    if name in EXPLAINED:
        parts["counts"] = array("I", counts.ravel().tolist())
    return {f"{name}.{part}": numbers for part, numbers in parts.items()}


def flat_tree(number: int, root: Mapping[str, Any]) -> tuple[list[Test], list[tuple[float, int]]]:
    """The tests of a tree, and its leaves from left to right: their value, and how many rows came to them."""
    tests: list[Test] = []
    leaves: list[tuple[float, int]] = []
    stack: list[tuple[Mapping[str, Any], int]] = [(root, -1)]
    while stack:
        node, test = stack.pop()
        if test >= 0:
            # Everything numbered since the test was met is its left branch.
            tests[test] = tests[test]._replace(left=(tests[test].left[0], len(leaves)))
        if "leaf_value" in node:
            leaves.append((node["leaf_value"], node.get("leaf_count", 1)))
            continue
        tests.append(Test(int(node["split_feature"]), _single(node["threshold"]), number, (len(leaves), 0)))
        stack.append((node["right_child"], len(tests) - 1))
        stack.append((node["left_child"], -1))
    if len(leaves) > MAX_LEAVES:
        raise ValueError(f"tree {number} has too many leaves; train with num_leaves of at most {MAX_LEAVES}")
    return tests, leaves


def _single(threshold: float) -> float:
    single = np.float32(threshold)
    # Compared as doubles: numpy would round the threshold first.
    return float(np.nextafter(single, np.float32(-np.inf)) if float(single) > threshold else single)
