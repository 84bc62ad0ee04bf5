"""Colours as CSS writes them (https://www.w3.org/TR/css-color-5/), as red, green, blue and opacity."""

from __future__ import annotations

import pytest

from duramen.read.colours import BLACK, CLEAR, WHITE, Colour, colour, colours_in, contrast, distance, old_colour


def bytes_of(found: Colour | None) -> tuple[int, ...] | None:
    """From 0 to 255, with the opacity in hundredths."""
    return found and (*(round(255 * part) for part in found[:3]), round(100 * found.alpha))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("white", (255, 255, 255, 100)),
        ("rebeccapurple", (102, 51, 153, 100)),
        ("transparent", (0, 0, 0, 0)),
        ("#f80", (255, 136, 0, 100)),
        ("#f808", (255, 136, 0, 53)),
        ("#ff8800", (255, 136, 0, 100)),
        ("#ff880080", (255, 136, 0, 50)),
        ("#ff880", None),
        ("#ff88000", None),
        ("#ff8800800", None),
        ("#ggg", None),
        ("rgb(255, 136, 0)", (255, 136, 0, 100)),
        ("rgba(255, 136, 0, 0.5)", (255, 136, 0, 50)),
        ("rgb(255 136 0 / 50%)", (255, 136, 0, 50)),
        ("rgb(100% 50% none)", (255, 128, 0, 100)),
        ("rgb(300 -20 0 / 2)", (255, 0, 0, 100)),
        ("rgb(1 2)", None),
        ("rgb(a b c)", None),
        ("rgb(1 2 3 / x)", None),
        ("hsl(0, 100%, 50%)", (255, 0, 0, 100)),
        ("hsl(120 100% 25%)", (0, 128, 0, 100)),
        ("hsla(240deg, 100%, 50%, 0.25)", (0, 0, 255, 25)),
        ("hsl(0.5turn 50% 50%)", (64, 191, 191, 100)),
        ("hsl(60 100 50)", (255, 255, 0, 100)),
        ("hsl(none none 50%)", (128, 128, 128, 100)),
        ("hwb(0 0% 0%)", (255, 0, 0, 100)),
        ("hwb(120 20% 40%)", (51, 153, 51, 100)),
        ("hwb(0 60% 60%)", (128, 128, 128, 100)),
        ("lab(100% 0 0)", (255, 255, 255, 100)),
        ("lab(0 0 0)", (0, 0, 0, 100)),
        ("lab(50 0 0)", (119, 119, 119, 100)),
        ("lab(5 0 0)", (17, 17, 17, 100)),
        ("lab(54.29 80.8 69.89)", (255, 0, 0, 100)),
        ("lch(29.57 131.2 301.36)", (0, 0, 255, 100)),
        ("lch(50% 0 0 / 50%)", (119, 119, 119, 50)),
        ("oklab(1 0 0)", (255, 255, 255, 100)),
        ("oklab(50% 0 0)", (99, 99, 99, 100)),
        ("oklab(0.628 0.2249 0.1258)", (255, 0, 0, 100)),
        ("oklch(0.452 0.3132 264.05)", (0, 0, 255, 100)),
        ("oklch(0.8664 73.7% 142.5)", (0, 255, 0, 100)),
        ("color(srgb 1 0.5 0)", (255, 128, 0, 100)),
        ("color(srgb 100% 50% 0% / 0.5)", (255, 128, 0, 50)),
        ("color(srgb-linear 1 0.2140 0)", (255, 127, 0, 100)),
        ("color(srgb 1 0)", None),
        ("light-dark(white, black)", (255, 255, 255, 100)),
        ("rgb(from red r g b)", (255, 0, 0, 100)),
        ("rgb(from red r g b / 50%)", (255, 0, 0, 50)),
        ("rgb(from red g 128 r)", (0, 128, 255, 100)),
        ("hsl(from red h s l)", (255, 0, 0, 100)),
        ("hsl(from red h s 50%)", (255, 0, 0, 100)),
        ("oklch(from red l c h / 0.5)", (255, 0, 0, 50)),
        ("rgb(from nothing r g b)", None),
        ("color-mix(in srgb, white, black)", (128, 128, 128, 100)),
        ("color-mix(in srgb, white 25%, black)", (64, 64, 64, 100)),
        ("color-mix(in srgb, white, black 25%)", (191, 191, 191, 100)),
        ("color-mix(in srgb, white 20%, black 20%)", (128, 128, 128, 40)),
        ("color-mix(in srgb, red, transparent)", (255, 0, 0, 50)),
        ("color-mix(in srgb, nothing 0%, red)", (255, 0, 0, 100)),
        ("color-mix(in srgb, transparent, transparent)", (0, 0, 0, 0)),
        ("color-mix(in srgb, white 0%, black 0%)", None),
        ("color-mix(in srgb, white)", None),
        ("color-mix(white, black, red)", None),
        ("currentcolor", None),
        ("url(a.png)", None),
        ("red blue", None),
        ("", None),
    ],
)
def test_colours(text: str, found: tuple[int, ...] | None) -> None:
    assert bytes_of(colour(text)) == found


def test_colours_inside_each_other_have_a_bound() -> None:
    text = "red"
    for _ in range(4):
        text = f"light-dark({text}, black)"
    assert colour(text.replace("light-dark(red, black)", "red", 1)) is not None
    assert colour(f"light-dark({text}, black)") is None


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("red", (255, 0, 0, 100)),
        (" Red ", (255, 0, 0, 100)),
        ("#f80", (255, 136, 0, 100)),
        ("f80", (15, 8, 0, 100)),
        ("ff8800", (255, 136, 0, 100)),
        ("#ff8800", (255, 136, 0, 100)),
        ("chucknorris", (192, 0, 0, 100)),
        ("transparent", None),
        ("", None),
    ],
)
def test_colours_of_old_attributes(value: str, found: tuple[int, ...] | None) -> None:
    assert bytes_of(old_colour(value)) == found


def test_long_digits_lose_their_common_zeros() -> None:
    # Four digits a channel, of which the first is 0 in all: 00ff, 00aa, 0011.
    assert bytes_of(old_colour("00ff00aa0011")) == (255, 170, 17, 100)
    assert bytes_of(old_colour("f0ff00aa0011")) == (240, 0, 0, 100)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        (WHITE, BLACK, 21.0),
        (BLACK, WHITE, 21.0),
        (Colour(1, 0, 0), WHITE, 3.998),
        (Colour(0.2, 0.2, 0.2), BLACK, 1.662),
    ],
)
def test_contrast(one: Colour, other: Colour, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.001)


def test_distance_and_painting_over() -> None:
    assert distance(Colour(1, 0.5, 0), Colour(0.9, 0.1, 0)) == pytest.approx(0.4)
    assert Colour(1, 0.5, 0, 0.5).over(Colour(0, 0.5, 1)) == Colour(0.5, 0.5, 0.5)
    assert CLEAR.over(WHITE) == WHITE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("red", [Colour(1, 0, 0)]),
        ("linear-gradient(90deg, white, black 50%)", [WHITE, BLACK]),
        ("radial-gradient(circle, white 10%, black)", [WHITE, BLACK]),
        ("linear-gradient(var(--x), white)", []),
        ("linear-gradient(white, currentcolor)", []),
        ("url(a.png)", []),
        ("none", []),
    ],
)
def test_colours_of_a_value(text: str, found: list[Colour]) -> None:
    assert colours_in(text) == found
