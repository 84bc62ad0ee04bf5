"""Phrases of a table that a text has."""

from __future__ import annotations

import pytest

from duramen.native import core


def test_phrases() -> None:
    phrases = ["turn on cookies", "訂閱", "oak", "a", ""]
    assert core.Phrases(phrases).within("please, turn on cookies\n訂閱 now") == ["turn on cookies", "訂閱", "a", ""]
    assert core.Phrases(phrases).within("Oxen") == [""]
    assert core.Phrases(["oak"]).within("") == [] == core.Phrases([]).within("oak")


def test_phrases_that_are_none() -> None:
    for given in (3, [3], ["\ud800"]):
        with pytest.raises((TypeError, UnicodeEncodeError)):
            core.Phrases(given)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        core.Phrases(["oak"]).within(3)  # type: ignore[arg-type]


def test_each_phrase_is_found_once() -> None:
    assert core.Phrases(["oak tree", "elm tree", "oak tree"]).within("elm tree, oak tree, oak tree") == [
        "oak tree",
        "elm tree",
    ]


def test_phrases_that_all_begin_alike_cost_no_more_than_they_may() -> None:
    phrases = core.Phrases([*(f"aaaaa{k}" for k in range(3000)), "oaken"])
    assert phrases.within("a" * 500 + " oaken") == ["oaken"]
    # Four million comparisons: what is left of a text that needs more is not read.
    assert phrases.within("a" * 5000 + " oaken") == []
