"""Colours in style sheets and old attributes, and whether one can be read on another."""

from __future__ import annotations

import math
from collections.abc import Iterable
from colorsys import rgb_to_hls
from functools import cache, lru_cache
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.read.style_values import calls, number, parts, turns
from duramen.tables import load

_HEX = lazy_pattern("#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_CHANNEL = lazy_pattern(r"(?<![\w.-])[a-z]+(?![\w(-])")
"""A word in the terms of a colour that is made from another."""
_MOST_NESTED = 4


class Colour(NamedTuple):
    """Red, green, blue and opacity, each from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    def over(self, other: Colour) -> Colour:
        """This colour painted over an opaque one."""
        mixed = (a * self.alpha + b * (1 - self.alpha) for a, b in zip(self[:3], other[:3], strict=True))
        return Colour(*mixed)

    @property
    def luminance(self) -> float:
        red, green, blue = (_linear(part) for part in self[:3])
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue


NEAR = 0.1
"""Parts of two colours that differ by less make letters of one unreadable on the other."""
WHITE, BLACK, CLEAR = Colour(1, 1, 1), Colour(0, 0, 0), Colour(0, 0, 0, 0)


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two opaque colours (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), from 1 to 21.

    >>> round(contrast(WHITE, BLACK), 1), contrast(WHITE, WHITE)
    (21.0, 1.0)
    """
    low, high = sorted((one.luminance, other.luminance))
    return (high + 0.05) / (low + 0.05)


def distance(one: Colour, other: Colour) -> float:
    """The largest difference of a part: red on green of the same brightness can be read."""
    return max(abs(a - b) for a, b in zip(one[:3], other[:3], strict=True))


@cache
def _names() -> dict[str, Colour]:
    return {name: _of_hex(f"#{digits}") for name, digits in load("hiding.toml")["colours"].items()}


@lru_cache(maxsize=4096)
def colour(text: str, depth: int = 0) -> Colour | None:
    """A colour; ``None`` for what is none, or is not known here.

    >>> colour("rgb(255 0 0 / 50%)"), colour("nonsense")
    (Colour(red=1.0, green=0.0, blue=0.0, alpha=0.5), None)
    """
    name: str = "light-dark"
    given: tuple[str, ...] = (text,)
    while name == "light-dark" and given:
        text, depth = given[0], depth + 1
        if text == "transparent":
            return CLEAR
        if text in _names():
            return _names()[text]
        if text.startswith("#"):
            return _of_hex(text) if _HEX.fullmatch(text) else None
        called = calls(text)
        if len(called) != 1 or depth > _MOST_NESTED:
            return None
        name, given = called[0]
    if name == "color-mix":
        return _mixed(given, depth)
    if name == "contrast-color":
        return _contrasting(" ".join(given), depth)
    if given and given[0].startswith("from"):
        given = _without_base(name, " ".join(given), depth)
    channels, alpha = _channels(given, 4 + (name == "color"))
    if len(channels) < 3 or alpha is None:
        return None
    return _of_function(name, channels, min(max(alpha, 0.0), 1.0))


def old_colour(value: str) -> Colour | None:
    """The colour of an attribute such as ``bgcolor``: with or without ``#``, and with anything else in it."""
    value = value.strip().lower()
    if not value or value == "transparent":
        return None
    if found := _names().get(value):
        return found
    if len(value) == 4 and _HEX.fullmatch(value):
        return _of_hex(value)
    digits = "".join(c if c in "0123456789abcdef" else "0" for c in value.removeprefix("#")[:128])
    size = max(1, math.ceil(len(digits) / 3))
    digits = digits.ljust(3 * size, "0")
    channels = [digits[k * size : (k + 1) * size][-8:] for k in range(3)]
    while len(channels[0]) > 2 and all(part[0] == "0" for part in channels):
        channels = [part[1:] for part in channels]
    return Colour(*(int(part[:2], 16) / 255 for part in channels))


def _of_hex(text: str) -> Colour:
    digits = text[1:]
    if len(digits) < 6:
        digits = "".join(c + c for c in digits)
    values = [int(digits[k : k + 2], 16) / 255 for k in range(0, len(digits), 2)]
    return Colour(*values)


def _contrasting(text: str, depth: int) -> Colour | None:
    one = colour(text, depth)
    return one and max(WHITE, BLACK, key=lambda other: contrast(one, other))


def _without_base(name: str, text: str, depth: int) -> tuple[str, ...]:
    """The arguments of a colour that is made ``from`` another, with numbers instead of its channels."""
    words = parts(text)
    base = colour(words[1], depth + 1) if len(words) > 4 else None
    if base is None:
        return ()
    at = 2 + (name == "color")
    space = words[2] if at == 3 else name
    known = {word: f"{value:.9f}" for word, value in (*_channels_in(space, base), ("alpha", base.alpha))}
    given = [_CHANNEL.sub(lambda found: known.get(found[0], found[0]), word) for word in words[at:]]
    if "/" not in "".join(given):
        given += ["/", known["alpha"]]
    return (*words[2:at], *given)


def _channels_in(space: str, base: Colour) -> Iterable[tuple[str, float]]:
    """The channels of a colour by their names, as numbers."""
    rgb = base[:3]
    if space in ("rgb", "rgba"):
        return zip("rgb", (255 * part for part in rgb), strict=True)
    hue, light, saturation = rgb_to_hls(*rgb)
    if space in ("hsl", "hsla"):
        return zip("hsl", (360 * hue, 100 * saturation, 100 * light), strict=True)
    if space == "hwb":
        return zip("hwb", (360 * hue, 100 * min(rgb), 100 * (1 - max(rgb))), strict=True)
    linear = tuple(_linear(part) for part in rgb)
    if space == "srgb-linear":
        return zip("rgb", linear, strict=True)
    if space not in ("lab", "lch", "oklab", "oklch"):
        return zip("rgb", rgb, strict=True)
    light, a, b = _in_oklab(*linear) if space.startswith("ok") else _in_lab(*linear)
    if space.endswith("ch"):
        return zip("lch", (light, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360), strict=True)
    return zip("lab", (light, a, b), strict=True)


def _channels(given: tuple[str, ...], takes: int) -> tuple[list[str], float | None]:
    """The parts of a colour function, and its opacity."""
    flat = [part for one in given for part in parts(one)]
    joined = " ".join(flat)
    if "/" in joined:
        before, _, after = joined.partition("/")
        return list(parts(before.strip())), _part(after.strip(), 1.0)
    if len(flat) == takes:
        return flat[:-1], _part(flat[-1], 1.0)
    return flat, 1.0


def _part(text: str, whole: float) -> float | None:
    """A channel: ``none`` is 0, 100 % are the whole."""
    if text == "none":
        return 0.0
    value = number(text)
    return value * whole if value is not None and "%" in text else value


def _of_function(name: str, channels: list[str], alpha: float) -> Colour | None:
    if name == "color":
        values = [_part(text, 1.0) for text in channels[1:4]]
        red, green, blue = (values + [None] * 3)[:3]
        if red is None or green is None or blue is None:
            return None
        if channels[0].startswith("xyz"):
            return _clamped(_of_xyz(red, green, blue, is_d50=channels[0] == "xyz-d50"), alpha)
        return _clamped(
            (_encoded(red), _encoded(green), _encoded(blue)) if channels[0] == "srgb-linear" else (red, green, blue),
            alpha,
        )
    if name in ("rgb", "rgba"):
        parsed = [_part(text, 255.0) for text in channels[:3]]
        return None if None in parsed else _clamped(tuple((v or 0) / 255 for v in parsed), alpha)
    if name in ("hsl", "hsla", "hwb"):
        hue = _hue(channels[0])
        one, two = (_percent(text) for text in channels[1:3])
        if hue is None or one is None or two is None:
            return None
        return _clamped(_of_hsl(hue, one, two) if name != "hwb" else _of_hwb(hue, one, two), alpha)
    if name in ("lab", "lch", "oklab", "oklch"):
        is_ok = name.startswith("ok")
        light = _part(channels[0], 1.0 if is_ok else 100.0)
        one = _part(channels[1], 0.4 if is_ok else 125.0 if name == "lab" else 150.0)
        two = _hue(channels[2]) if name.endswith("ch") else _part(channels[2], 0.4 if is_ok else 125.0)
        if light is None or one is None or two is None:
            return None
        if name.endswith("ch"):
            one, two = one * math.cos(2 * math.pi * two), one * math.sin(2 * math.pi * two)
        return _clamped(_of_oklab(light, one, two) if is_ok else _of_lab(light, one, two), alpha)
    return None


def _hue(text: str) -> float | None:
    """In turns; a number is one of degrees."""
    if text == "none":
        return 0.0
    value = number(text)
    return turns(text) if value is None else value / 360


def _percent(text: str) -> float | None:
    if text == "none":
        return 0.0
    value = number(text)
    return value if value is None or "%" in text else value / 100


def _of_hsl(hue: float, saturation: float, light: float) -> tuple[float, ...]:
    def part(n: int) -> float:
        k = (n + hue * 12) % 12
        return light - saturation * min(light, 1 - light) * max(-1, min(k - 3, 9 - k, 1))

    return part(0), part(8), part(4)


def _of_hwb(hue: float, white: float, black: float) -> tuple[float, ...]:
    if white + black >= 1:
        grey = white / (white + black)
        return grey, grey, grey
    return tuple(part * (1 - white - black) + white for part in _of_hsl(hue, 1, 0.5))


def _of_oklab(light: float, a: float, b: float) -> tuple[float, ...]:
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def _of_lab(light: float, a: float, b: float) -> tuple[float, ...]:
    middle = (light + 16) / 116

    def part(value: float) -> float:
        return value**3 if value**3 > 0.008856 else (116 * value - 16) / 903.3

    return _of_xyz(0.96422 * part(middle + a / 500), part(middle), 0.82521 * part(middle - b / 200), is_d50=True)


def _of_xyz(x: float, y: float, z: float, *, is_d50: bool) -> tuple[float, ...]:
    if not is_d50:
        x, z = x * 0.96422 / 0.95047, z * 0.82521 / 1.08883
    # From a white of D50 to one of D65 and to linear light.
    return (
        _encoded(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
        _encoded(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z),
        _encoded(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
    )


def _in_oklab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _in_lab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    x = (0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / 0.96422
    y = 0.2225045 * red + 0.7168786 * green + 0.0606169 * blue
    z = (0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / 0.82521
    x, y, z = (math.cbrt(part) if part > 0.008856 else (903.3 * part + 16) / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _mixed(given: tuple[str, ...], depth: int) -> Colour | None:
    """``color-mix()``; in whatever space, mixed as painted light."""
    found, shares = [], []
    given = given[1:] if given and given[0].startswith("in ") else given
    if len(given) != 2:
        return None
    for text in given:
        given_shares = {word: number(word) for word in parts(text) if "%" in word and number(word) is not None}
        shares.append(next(iter(given_shares.values()), None))
        found.append(colour(" ".join(word for word in parts(text) if word not in given_shares), depth + 1))
    first, second = shares
    if first is None:
        first = 1 - second if second is not None else 0.5
    if second is None:
        second = 1 - first
    total = first + second
    # What has no share may be any colour.
    one, other = (CLEAR if share == 0 else each for each, share in zip(found, (first, second), strict=True))
    if total <= 0 or one is None or other is None:
        return None
    alpha = (one.alpha * first + other.alpha * second) / total
    if alpha <= 0:
        return CLEAR
    weights = [each.alpha * share / total / alpha for each, share in ((one, first), (other, second))]
    red, green, blue = (a * weights[0] + b * weights[1] for a, b in zip(one[:3], other[:3], strict=True))
    return Colour(red, green, blue, alpha * min(total, 1.0))


def _clamped(values: tuple[float, ...], alpha: float) -> Colour:
    red, green, blue = (min(max(value, 0.0), 1.0) for value in values[:3])
    return Colour(red, green, blue, alpha)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def colours_in(text: str) -> list[Colour]:
    """The colours of a value: of a gradient its stops, else at most one; none if one of them is not known.

    >>> colours_in("linear-gradient(90deg, white, #000 50%)") == [WHITE, BLACK]
    True
    """
    if (one := colour(text)) is not None:
        return [one]
    found: list[Colour] = []
    for name, args in calls(text):
        if not name.endswith("gradient"):
            return []
        for arg in args:
            stops = [stop for word in parts(arg) if (stop := colour(word)) is not None]
            if not stops and ("(" in arg or "currentcolor" in arg):
                return []
            found += stops
    return found
