"""Options: defaults, refusals that say what to do, plain data in."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from duramen.errors import DuramenError, OptionError
from duramen.options import Limits, Options, Output


def test_defaults() -> None:
    options = Options()
    assert (options.mode, options.strategy, options.include_comments, options.encoding) == (
        "balanced",
        "auto",
        False,
        None,
    )
    assert options.output == Output() and options.limits == Limits()
    assert options.output.links and options.output.images
    assert not (options.output.keep_classes or options.output.nofollow or options.output.front_matter)


@pytest.mark.parametrize("value", [Options(), Output(), Limits()])
def test_frozen_and_hashable(value: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, "x")
    assert hash(value) == hash(type(value)())


@pytest.mark.parametrize(
    ("make", "values", "advice"),
    [
        (Options, {"mod": "recall"}, "did you mean 'mode'"),
        (Options, {"nofollow": True}, "available: mode, strategy"),
        (Output, {"no_follow": True}, "did you mean 'nofollow'"),
        (Limits, {"max_byte": 1}, "did you mean 'max_bytes'"),
    ],
)
def test_unknown_names_are_answered_with_the_right_one(make: type, values: dict[str, Any], advice: str) -> None:
    with pytest.raises(OptionError, match=advice):
        make(**values)


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        ({"mode": "fast"}, "mode must be one of 'precision', 'balanced', 'recall', not 'fast'"),
        ({"mode": None}, "mode must be one of"),
        ({"strategy": "magic"}, "strategy must be one of 'auto'"),
        ({"output": {"nofollow": True}}, "write Output"),
        ({"limits": 3}, "write Limits"),
    ],
)
def test_impossible_values_are_refused(values: dict[str, Any], advice: str) -> None:
    with pytest.raises(OptionError, match=advice):
        Options(**values)


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Limits)])
@pytest.mark.parametrize("value", [0, -1, "10", None, True])
def test_limits_are_numbers_above_zero(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"Limits\.{name} must be a number above 0"):
        Limits(**{name: value})


def test_option_errors_are_value_errors_of_ours() -> None:
    assert issubclass(OptionError, ValueError) and issubclass(OptionError, DuramenError)


def test_from_mapping() -> None:
    options = Options.from_mapping({"mode": "recall", "output": {"links": False}, "limits": {"seconds": 1}})
    assert options == Options(mode="recall", output=Output(links=False), limits=Limits(seconds=1))
    with pytest.raises(OptionError, match="did you mean 'links'"):
        Options.from_mapping({"output": {"link": False}})
