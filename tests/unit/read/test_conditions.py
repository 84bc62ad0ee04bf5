"""What at-rules demand, for readers at a desk and on a phone."""

from __future__ import annotations

import pytest

from duramen.read.conditions import SCREENS, Containers, is_met
from duramen.read.style_sheets import Condition

NONE = Containers(False, frozenset(), {})


@pytest.mark.parametrize(
    ("query", "desk", "phone"),
    [
        ("", True, True),
        ("screen", True, True),
        ("all", True, True),
        ("print", False, False),
        ("not print", True, True),
        ("not screen", False, False),
        ("only screen", True, True),
        ("print, screen", True, True),
        ("(min-width: 1280px)", True, False),
        ("(min-width: 1281px)", False, False),
        ("(max-width: 390px)", False, True),
        ("(max-width: 389px)", False, False),
        ("(min-height: 844px)", False, True),
        ("(width: 1280px)", True, False),
        ("(width >= 1280px)", True, False),
        ("(width > 1280px)", False, False),
        ("(width < 391px)", False, True),
        ("(300px < width <= 390px)", False, True),
        ("(width = 390px)", False, True),
        ("(390px <= width)", True, True),
        ("screen and (min-width: 600px)", True, False),
        ("print and (min-width: 600px)", False, False),
        ("(min-width: 600px) and (max-width: 900px)", False, False),
        ("(max-width: 600px) or (min-width: 900px)", True, True),
        ("not (min-width: 600px)", False, True),
        ("not ((min-width: 600px) or print)", False, False),
        ("(min-width: 40em)", True, False),
        ("(min-width: calc(40em + 1px))", True, False),
        ("(orientation: landscape)", True, False),
        ("(orientation: portrait)", False, True),
        ("(min-aspect-ratio: 1/1)", True, False),
        ("(aspect-ratio: 8/5)", True, False),
        ("(min-resolution: 2dppx)", False, False),
        ("(max-resolution: 96dpi)", True, True),
        ("(min-resolution: 1x)", True, True),
        ("(-webkit-min-device-pixel-ratio: 2)", False, False),
        ("(-webkit-max-device-pixel-ratio: 1)", True, True),
        ("(hover: hover)", True, True),
        ("(hover: none)", False, False),
        ("(hover)", True, True),
        ("(prefers-color-scheme: dark)", False, False),
        ("(prefers-color-scheme: light)", True, True),
        ("(prefers-reduced-motion)", False, False),
        ("(prefers-reduced-motion: no-preference)", True, True),
        ("(color)", True, True),
        ("(min-color: 9)", False, False),
        ("(grid)", False, False),
        ("(scripting: enabled)", True, True),
        ("(unknown: 1px)", False, False),
        ("not (unknown: 1px)", False, False),
        ("(unknown) or (color)", True, True),
        ("(unknown) and (color)", False, False),
        ("(width: oak)", False, False),
    ],
)
def test_media(query: str, desk: bool, phone: bool) -> None:
    at_desk, on_phone, _ = SCREENS
    assert [is_met(Condition("media", query), screen, NONE) for screen in (at_desk, on_phone)] == [desk, phone]


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("(display: grid)", True),
        ("(display: oak)", False),
        ("(oak: grid)", False),
        ("not (oak: grid)", True),
        ("(--x: 1)", True),
        ("(display: grid) and (oak: 1px)", False),
        ("(display: grid) or (oak: 1px)", True),
        ("(backdrop-filter: blur(1px))", True),
        ("(display:)", False),
        ("font-tech(color-COLRv1)", True),
        ("selector(:focus-visible)", True),
    ],
)
def test_supports(test: str, found: bool) -> None:
    assert is_met(Condition("supports", test), SCREENS[0], NONE) == found


def test_other_rules_have_no_condition() -> None:
    assert is_met(Condition("layer", "oak"), SCREENS[0], NONE)


FIXED = (
    "prefers-color-scheme: light; prefers-reduced-motion: no-preference; prefers-contrast: no-preference;"
    " prefers-reduced-transparency: no-preference; prefers-reduced-data: no-preference; hover: hover; any-hover: hover;"
    " pointer: fine; any-pointer: fine; scripting: enabled; update: fast; display-mode: browser; forced-colors: none;"
    " overflow-block: scroll; overflow-inline: scroll; dynamic-range: standard;"
    " color-gamut: srgb; grid: 0; monochrome: 0"
)
OFF = ("no-preference", "none", "0")


@pytest.mark.parametrize("feature", FIXED.split(";"))
def test_features_that_no_window_changes(feature: str) -> None:
    name, value = feature.strip().split(": ")
    tests = f"({name}: {value})", f"({name}: x)", f"({name})"
    found = [is_met(Condition("media", test), SCREENS[0], NONE) for test in tests]
    assert found == [True, False, value not in OFF]
