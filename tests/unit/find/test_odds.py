"""Probabilities and their odds, and what is expected of blocks."""

from __future__ import annotations

from array import array
from itertools import pairwise
from math import exp

import pytest

from duramen.find.hints import KINDS
from duramen.find.judge import _STRICTNESS
from duramen.find.odds import best_threshold, expected_f1, expected_words
from duramen.native import core


def test_types_with_long_runs_of_doubt_are_judged_more_strictly() -> None:
    probabilities = [0.0, 0.02, 0.5, 0.97, 1.0]
    lower, inside = array("d", probabilities), array("d", probabilities)
    core.lower_odds(lower, lower, 0.5, array("f", [0.0] * 5), 0.4)
    core.lower_odds(inside, inside, 0.5, array("f", [1.0] * 5), 0.4)
    assert all(a < b for a, b in pairwise(lower)) and lower[0] >= 0
    assert lower[2] == pytest.approx(1 / (1 + exp(0.5))) and inside[2] == pytest.approx(1 / (1 + exp(0.2)))
    assert all(
        out < within < before for out, within, before in zip(lower[1:4], inside[1:4], probabilities[1:4], strict=True)
    )
    assert len(_STRICTNESS) == len(KINDS) and min(_STRICTNESS) >= 0


def test_both_passes_count_alike() -> None:
    one, other = array("d", [0.5, 0.9, 0.0, 1.0]), array("d", [0.5, 0.1, 0.0, 0.5])
    core.lower_odds(one, other, 0.0, array("f", [1.0] * 4), 1.0)
    assert other.tolist() == pytest.approx([0.5, 0.5, 1e-5, 0.996847], rel=1e-4)


@pytest.mark.parametrize(("one", "best"), [([0.5], [0.0, 0.0]), ([0.5, 0.5], [0.0])])
def test_probabilities_of_other_blocks_are_refused(one: list[float], best: list[float]) -> None:
    with pytest.raises(ValueError, match="same blocks"):
        core.lower_odds(array("d", one), array("d", [0.5, 0.5]), 0.5, array("f", best), 0.4)


def test_what_is_expected_of_a_run_of_blocks() -> None:
    assert core.expected([0.5, 0.25, 1.0], [10, 4, 3], range(2)) == (6.0, 0.75, 14)
    assert core.expected([0.5, 0.25, 1.0], [10, 4, 3], [2, 0]) == (8.0, 1.5, 13)
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match="no such block"):
            core.expected([0.5, 0.25, 1.0], [10, 4, 3], [0, wrong])
    assert expected_words([0.5, 0.25, 1.0], [10, 4, 3]) == 9.0 + 0.5 * 1.75
    assert expected_f1([0.5], [1], [], 0.0) == 0.0


def test_the_best_threshold_is_that_of_the_highest_expected_f1() -> None:
    threshold, score = best_threshold([0.9, 0.2, 0.8], [10, 30, 10])
    assert threshold == 0.8 and score == pytest.approx(2 * 17.85 / (21 + 23.95))
    assert best_threshold([0.0], [3]) == (0.0, 0.0)
