"""Numbers, lengths, angles and times as CSS writes and calculates them."""

from __future__ import annotations

import math

import pytest

from duramen.read.style_values import Basis, calculated, calls, length, number, parts, seconds, turns

BASIS = Basis(font=20.0, root=10.0, width=1000.0, height=500.0, percent=400.0)


@pytest.mark.parametrize(
    ("text", "pixels"),
    [
        ("0", 0),
        ("7px", 7),
        ("-7PX", None),
        ("3pt", 4),
        ("1pc", 16),
        ("1in", 96),
        ("2.54cm", 96),
        ("25.4mm", 96),
        ("101.6q", 96),
        ("50%", 200),
        ("2em", 40),
        ("2lh", 40),
        ("2ic", 40),
        ("2ex", 20),
        ("2ch", 20),
        ("2cap", 20),
        ("2rem", 20),
        ("2rlh", 20),
        ("2rex", 20),
        ("2rch", 20),
        ("10vw", 100),
        ("10vi", 100),
        ("10vh", 50),
        ("10vb", 50),
        ("10vmin", 50),
        ("10vmax", 100),
        ("10svw", 100),
        ("10lvh", 50),
        ("10dvh", 50),
        ("10cqw", 100),
        ("10cqh", 50),
        ("10cqi", 100),
        ("7", None),
        ("7s", None),
        ("7ms", None),
        ("auto", None),
        ("", None),
        ("7x", None),
        ("7 px", None),
        ("calc(1px + 2px)", 3),
        ("calc(10px - 2px - 3px)", 5),
        ("calc(1px + 2 * 3px)", 7),
        ("calc(12px / 2 / 3)", 2),
        ("calc((1px + 2px) * 3)", 9),
        ("calc(50% - 1em)", 180),
        ("calc(1px + 2px", 3),
        ("calc(1px +)", None),
        ("calc(1px / 0)", None),
        ("calc(1px 2px)", None),
        ("-webkit-calc(1px + 1px)", 2),
        ("-moz-calc(1px + 1px)", 2),
        ("min(3px, 1px, 2px)", 1),
        ("max(3px, 1px, 2px)", 3),
        ("clamp(1px, 5px, 3px)", 3),
        ("clamp(2px, 1px, 3px)", 2),
        ("clamp(1px, 2px, 3px)", 2),
        ("abs(-3px)", 3),
        ("round(7px, 5px)", 5),
        ("mod(7px, 5px)", 2),
        ("rem(-7px, 5px)", -2),
        ("hypot(3px, 4px)", 5),
        ("no(3px)", None),
        ("1px 2px", None),
        ("1px+2px", None),
    ],
)
def test_lengths(text: str, pixels: float | None) -> None:
    found = length(text, BASIS)
    assert found == (None if pixels is None else pytest.approx(pixels))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        ("-.5", -0.5),
        ("50%", 0.5),
        ("1e2", 100),
        ("1px", None),
        ("calc(1 / 4)", 0.25),
        ("pow(2, 3)", 8),
        ("sqrt(9)", 3),
        ("exp(0)", 1),
        ("log(1)", 0),
        ("sign(-3)", -1),
        ("sign(0)", 0),
        ("sin(90deg)", 1),
        ("cos(180deg)", -1),
        ("tan(45deg)", 1),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    found = number(text)
    assert found == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("text", "value"), [("90deg", 0.25), ("100grad", 0.25), (f"{math.pi}rad", 0.5), ("2turn", 2.0), ("50%", None)]
)
def test_angles(text: str, value: float | None) -> None:
    found = turns(text)
    assert found == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(("text", "value"), [("2s", 2.0), ("250ms", 0.25), ("2", None), ("xs", None)])
def test_times(text: str, value: float | None) -> None:
    assert seconds(text) == value


def test_formulas_have_bounds() -> None:
    assert calculated(f"{'(' * 32}1{')' * 32}", BASIS) == calculated(f"{'calc(' * 32}1{')' * 32}", BASIS) == 1
    assert calculated(f"{'calc(' * 33}1{')' * 33}", BASIS) is None
    assert calculated(f"calc(1{' + 1' * 98})", BASIS) == 99
    assert calculated(f"calc(1{' + 1' * 100})", BASIS) is None


@pytest.mark.parametrize(
    ("text", "separator", "found"),
    [
        ("a b", " ", ("a", "b")),
        ("  a   b(c d) ", " ", ("a", "b(c d)")),
        ("a, b(c, d)", ",", ("a", "b(c, d)")),
        ("a,,b", ",", ("a", "", "b")),
        ("a / b", "/", ("a", "b")),
        ("a) b", " ", ("a)", "b")),
        ("", " ", ()),
        ("", ",", ("",)),
    ],
)
def test_parts(text: str, separator: str, found: tuple[str, ...]) -> None:
    assert parts(text, separator) == found


def test_calls() -> None:
    assert calls("scale(0) translate(1px, 2px)") == (("scale", ("0",)), ("translate", ("1px", "2px")))
    assert calls("none") == calls("scale(0) none") == calls("") == ()
    assert calls("circle(1px at 2px)") == (("circle", ("1px", "at", "2px")),)
