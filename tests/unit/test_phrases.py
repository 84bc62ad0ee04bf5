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
