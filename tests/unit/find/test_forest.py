"""The bit-mask forest gives exactly what walking each tree from its root gives."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest
from benchmarks.train.forests import MAX_LEAVES, forest_arrays
from numpy.typing import NDArray

from duramen.find.judge_model import Forest
from duramen.native import core

Node = dict[str, Any]


def leaf(value: float) -> Node:
    return {"leaf_value": value}


def split(feature: int, threshold: float, left: Node, right: Node) -> Node:
    return {"split_feature": feature, "threshold": threshold, "left_child": left, "right_child": right}


def grow(rng: np.random.Generator, leaves: int, features: int, thresholds: NDArray[np.float64]) -> Node:
    """A tree of any shape with this many leaves."""
    if leaves == 1:
        return leaf(float(np.float32(rng.normal())))
    left = int(rng.integers(1, leaves))
    return split(
        int(rng.integers(features)),
        float(rng.choice(thresholds)),
        grow(rng, left, features, thresholds),
        grow(rng, leaves - left, features, thresholds),
    )


def walk(tree: Node, row: NDArray[np.float32]) -> float:
    """Down from the root: to the left when the value is at most the threshold."""
    while "leaf_value" not in tree:
        goes_left = float(row[tree["split_feature"]]) <= tree["threshold"]
        tree = tree["left_child"] if goes_left else tree["right_child"]
    return float(tree["leaf_value"])


def forest_of(trees: list[Node], classes: int = 1) -> Forest:
    return Forest(forest_arrays("first", trees), "first", classes)


def scores_of(forest: Forest, columns: NDArray[np.float32], classes: int = 1) -> NDArray[np.float64]:
    """Raw scores, (rows, classes), of a table given as (features, rows)."""
    found = np.empty((columns.shape[1], classes))
    forest._core.scores(np.ascontiguousarray(columns).data, found.data)
    return found


def walked(trees: list[Node], columns: NDArray[np.float32], classes: int) -> NDArray[np.float64]:
    rows = columns.T
    return np.array([[sum(walk(tree, row) for tree in trees[c::classes]) for c in range(classes)] for row in rows])


@pytest.mark.parametrize("seed", range(25))
def test_equals_a_walk_from_the_root(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features, classes = int(rng.integers(1, 12)), int(rng.choice([1, 1, 3, 7]))
    # Few thresholds, so that rows often stand exactly on one, and several tests share one.
    thresholds = np.round(rng.normal(size=int(rng.integers(1, 20))), 1).astype(np.float32).astype(np.float64)
    trees = [
        grow(rng, int(rng.integers(1, MAX_LEAVES + 1)), features, thresholds)
        for _ in range(classes * int(rng.integers(1, 12)))
    ]
    columns = np.where(
        rng.random((features, 60)) < 0.4, rng.choice(thresholds, (features, 60)), rng.normal(size=(features, 60))
    ).astype(np.float32)
    forest = forest_of(trees, classes)
    scores = walked(trees, columns, classes)
    np.testing.assert_allclose(scores_of(forest, columns, classes), scores, rtol=0, atol=1e-6)
    for row, own in zip(columns.T[:5], scores, strict=False):
        np.testing.assert_allclose(forest.score(array("f", row.tolist())), own, rtol=0, atol=1e-6)


@pytest.mark.parametrize("rows", [1, 2, 7, 8, 9, 31, 33, 64, 100, 129, 256, 257, 600])
@pytest.mark.parametrize("leaves", [6, 16, 20, MAX_LEAVES])
def test_any_number_of_rows_and_leaves(rows: int, leaves: int) -> None:
    rng = np.random.default_rng(rows * leaves)
    trees = [grow(rng, leaves, 5, rng.normal(size=40)) for _ in range(6)]
    columns = rng.normal(size=(5, rows)).astype(np.float32)
    columns[3] = columns[3, 0]
    for classes in (1, 3):
        scores = scores_of(forest_of(trees, classes), columns, classes)
        np.testing.assert_allclose(scores, walked(trees, columns, classes), rtol=0, atol=1e-6)


def test_as_many_thresholds_as_the_core_can_count() -> None:
    trees = [split(0, float(k), leaf(0.0), leaf(1.0)) for k in range(255)]
    columns = np.arange(-3, 300, dtype=np.float32)[None, :] - 0.5
    np.testing.assert_array_equal(scores_of(forest_of(trees), columns), walked(trees, columns, 1))
    with pytest.raises(ValueError, match="max_bin of at most 255"):
        forest_of([*trees, split(0, 255.0, leaf(0.0), leaf(1.0))])


def test_a_row_on_the_threshold_goes_left() -> None:
    forest = forest_of([split(0, 0.5, leaf(1.0), leaf(2.0))])
    scores = scores_of(forest, np.array([[0.4, 0.5, 0.6, -np.inf, np.inf]], dtype=np.float32))
    assert scores[:, 0].tolist() == [1.0, 1.0, 2.0, 1.0, 2.0]


def test_chains_to_the_left_and_to_the_right_with_all_leaves() -> None:
    left: Node = leaf(0.0)
    right: Node = leaf(float(MAX_LEAVES - 1))
    for k in range(1, MAX_LEAVES):
        left = split(0, float(k), left, leaf(float(k)))
        right = split(0, float(MAX_LEAVES - 1 - k), leaf(float(MAX_LEAVES - 1 - k)), right)
    columns = np.linspace(-2, MAX_LEAVES + 2, 200, dtype=np.float32)[None, :]
    for tree in (left, right):
        np.testing.assert_array_equal(scores_of(forest_of([tree]), columns), walked([tree], columns, 1))


def test_single_leaf_and_no_rows() -> None:
    forest = forest_of([leaf(1.5), leaf(2.0)])
    assert scores_of(forest, np.zeros((3, 2), dtype=np.float32)).tolist() == [[3.5], [3.5]]
    assert scores_of(forest, np.zeros((3, 0), dtype=np.float32)).shape == (0, 1)
    assert forest.score(array("f")) == [3.5]


def test_a_threshold_parts_single_values_as_the_double_one_does() -> None:
    between = 0.1 + 1e-10  # above the single that is nearest to it
    forest = forest_of([split(0, between, leaf(1.0), leaf(2.0))])
    values = np.nextafter(np.float32(0.1), np.array([-1, 0.1, 1], dtype=np.float32))
    assert scores_of(forest, values[None, :])[:, 0].tolist() == [1.0 if v <= between else 2.0 for v in values.tolist()]


def test_too_many_leaves_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="num_leaves of at most 32"):
        forest_arrays("first", [grow(rng, MAX_LEAVES + 1, 3, np.array([0.0]))])


def test_classes_take_turns() -> None:
    forest = forest_of([leaf(1.0), leaf(10.0), leaf(2.0), leaf(20.0)], classes=2)
    assert scores_of(forest, np.zeros((1, 1), np.float32), 2).tolist() == [[3.0, 30.0]]


def test_boosters_share_a_forest() -> None:
    arrays = forest_arrays("first", [leaf(1.0), leaf(3.0)], boosters=2)
    assert Forest(arrays, "first").score(array("f")) == [2.0]


GOOD: dict[str, Any] = {
    "features": array("H", [0, 2]),
    "thresholds": array("f", [0.5, 0.5]),
    "trees": array("H", [0, 0]),
    "left": array("B", [0, 1, 1, 2]),
    "values": array("f", [1.0, 2.0, 3.0]),
    "trees_of": 1,
    "classes": 1,
}


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ({"features": array("H", [2, 0])}, "not sorted"),
        ({"features": array("H", [0, 0]), "thresholds": array("f", [0.6, 0.5])}, "not sorted"),
        ({"features": array("H", [0])}, "belong together"),
        ({"thresholds": array("f", [0.5, float("nan")])}, "no number"),
        ({"trees": array("H", [0, 1])}, "no tree"),
        ({"left": array("B", [0, 1, 2, 2])}, "left branch"),
        ({"left": array("B", [0, 1, 0, 32])}, "left branch"),
        ({"left": array("B", [0, 1, 0])}, "belong together"),
        ({"values": array("f", [0.0] * 33)}, "belong together"),
        ({"classes": 0}, "belong together"),
        ({"classes": 2}, "belong together"),
        ({"trees_of": -1}, "belong together"),
        ({"trees_of": 70_000, "values": array("f", [0.0] * 70_000)}, "too many trees"),
    ],
)
def test_damaged_trees_are_refused(damage: dict[str, Any], fault: str) -> None:
    core.Forest(*GOOD.values())
    with pytest.raises(ValueError, match=fault):
        core.Forest(*(GOOD | damage).values())


def test_tables_without_the_columns_are_refused() -> None:
    forest = core.Forest(*GOOD.values())
    with pytest.raises(ValueError, match="columns"):
        forest.scores(array("f", [0.0, 0.0]), array("d", [0.0]))
    with pytest.raises(ValueError, match="columns"):
        forest.scores(array("f", [0.0] * 4), array("d", [0.0] * 2))
    with pytest.raises(ValueError, match="columns"):
        forest.scores(array("f", [0.0] * 7), array("d", [0.0] * 2))
