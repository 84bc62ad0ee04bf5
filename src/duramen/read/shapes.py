"""What transformations and clip paths leave of an element."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.read.style_values import Basis, calls, length, number, parts, turns

_POINT = 2.0
"""A circle of so many pixels shows nothing."""
_SIDES = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
_NUMBER = lazy_pattern(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_STRAIGHT = lazy_pattern(r"[mlhvz0-9.,\s-]*")
_STEP = lazy_pattern(r"[hv]|" + _NUMBER.pattern)


def transformations(style: dict[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """All transformations of an element."""
    if (value := style.get("translate", "none")) != "none":
        yield "translate", parts(value)
    if (value := style.get("rotate", "none")) != "none":
        given = parts(value)
        axis = given[0] if len(given) == 2 and given[0] in ("x", "y", "z") else ""
        yield ((f"rotate{axis}", given[1:]) if axis else ("rotate3d", given) if len(given) == 4 else ("rotate", given))
    if (value := style.get("scale", "none")) != "none":
        yield "scale", parts(value)
    if (value := style.get("transform", "none")) != "none":
        yield from calls(value)


Matrix = tuple[tuple[float, ...], ...]
_UNIT: Matrix = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


class Transformed(NamedTuple):
    """Where the transformations of an element leave its middle, and what they leave of it."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    """The shortest that a line of length 1 gets; 0 for what is behind the viewer."""
    is_back: bool = False
    """Whether its back is seen."""


def transformed(style: dict[str, str], basis: Basis, perspective: str = "none") -> Transformed:
    """What all transformations of an element come to, seen from where the element around it says."""
    whole = _UNIT
    functions = list(transformations(style))
    if functions and perspective != "none":
        functions.insert(0, ("perspective", (perspective,)))
    for name, args in functions:
        one = _matrix(name, args, basis)
        if one is not None:
            whole = _times(whole, one)
    if whole is _UNIT:
        return Transformed()
    x, y, depth = whole[0][3], whole[1][3], whole[3][3]
    if depth <= 0:
        return Transformed(scale=0.0)
    # The plane as it is seen near the middle: a and b are where its two directions go.
    a, b, c, d = ((whole[i][j] * depth - whole[3][j] * at) / depth**2 for i, at in ((0, x), (1, y)) for j in (0, 1))
    half, area = (a * a + b * b + c * c + d * d) / 2, a * d - b * c
    shortest = math.sqrt(max(half - math.sqrt(max(half * half - area * area, 0.0)), 0.0))
    normal = area * _determinant(whole)
    return Transformed(x / depth, y / depth, shortest, normal < -1e-9)


def _times(one: Matrix, other: Matrix) -> Matrix:
    columns = tuple(zip(*other, strict=True))
    # What is too large to be counted with is beyond any window.
    return tuple(
        tuple(max(-1e30, min(sum(a * b for a, b in zip(row, column, strict=True)), 1e30)) for column in columns)
        for row in one
    )


def _determinant(whole: Matrix) -> float:
    (a, b, c, _), (d, e, f, _), (g, h, i, _), _ = whole
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _matrix(name: str, args: tuple[str, ...], basis: Basis) -> Matrix | None:
    """One transformation; ``None`` for what is none."""
    if name in ("matrix", "matrix3d"):
        given = [number(arg) for arg in args]
        if None in given or len(given) not in (6, 16):
            return None
        n = [value or 0.0 for value in given]
        if len(n) == 6:
            return ((n[0], n[2], 0, n[4]), (n[1], n[3], 0, n[5]), (0, 0, 1, 0), (0, 0, 0, 1))
        return tuple(zip(n[0:4], n[4:8], n[8:12], n[12:16], strict=True))
    kind = name.removesuffix("3d").rstrip("xyz")
    axis = name.removeprefix(kind).removesuffix("3d")
    if kind == "translate":
        moved = [length(arg, basis) or 0.0 for arg in args[:3]]
        moved = [0.0] * ("xyz".index(axis) if axis else 0) + moved + [0.0] * 3
        x, y, z = moved[:3]
        return ((1, 0, 0, x), (0, 1, 0, y), (0, 0, 1, z), (0, 0, 0, 1))
    if kind == "scale":
        factors = [number(arg) for arg in args]
        if not factors or None in factors:
            return None
        f = [value or 0.0 for value in factors]
        x, y, z = (
            tuple(f[0] if one == axis else 1.0 for one in "xyz")
            if axis
            else (f[0], f[1] if len(f) > 1 else f[0], f[2] if len(f) > 2 else 1.0)
        )
        return ((x, 0, 0, 0), (0, y, 0, 0), (0, 0, z, 0), (0, 0, 0, 1))
    if kind == "skew" and args:
        angles = [turns(arg) or 0.0 for arg in args]
        across = math.tan(2 * math.pi * angles[0])
        down = math.tan(2 * math.pi * angles[1]) if len(angles) > 1 else 0.0
        one, two = (0.0, across) if axis == "y" else (across, down)
        return ((1, one, 0, 0), (two, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    if kind == "perspective" and args:
        depth = length(args[0], basis)
        return (
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, -1 / max(depth, 1.0), 1)) if depth is not None else None
        )
    return _rotation(name, args) if kind == "rotate" else None


def _rotation(name: str, args: tuple[str, ...]) -> Matrix | None:
    along = {"rotatex": (1.0, 0.0, 0.0), "rotatey": (0.0, 1.0, 0.0)}.get(name, (0.0, 0.0, 1.0))
    if name == "rotate3d" and len(args) == 4:
        x, y, z = (number(arg) or 0.0 for arg in args[:3])
        size = math.hypot(x, y, z) or 1.0
        along = (x / size, y / size, z / size)
    angle = turns(args[-1]) if args else None
    if angle is None:
        return None
    (x, y, z), cos, sin = along, math.cos(2 * math.pi * angle), math.sin(2 * math.pi * angle)
    rest = 1 - cos
    return (
        (cos + x * x * rest, x * y * rest - z * sin, x * z * rest + y * sin, 0),
        (y * x * rest + z * sin, cos + y * y * rest, y * z * rest - x * sin, 0),
        (z * x * rest - y * sin, z * y * rest + x * sin, cos + z * z * rest, 0),
        (0, 0, 0, 1),
    )


def shows_nothing(name: str, args: tuple[str, ...]) -> bool:
    """Whether a shape of ``clip-path`` shows nothing; lengths are taken for parts of 1,000 pixels."""
    basis = Basis(percent=1000.0)
    words = [word for arg in args for word in parts(arg)]
    if name == "inset":
        sides = [length(word, basis) for word in words[: words.index("round") if "round" in words else None]]
        if not sides or None in sides:
            return False
        top, right, bottom, left = _four(sides)
        return top + bottom >= 990 or left + right >= 990
    if name in ("circle", "ellipse"):
        at = words.index("at") if "at" in words else len(words)
        radii = [length(word, basis) for word in words[:at]]
        if any(radius is not None and radius <= _POINT for radius in radii):
            return True
        middle = [length(_SIDES.get(word, word), basis) for word in words[at + 1 :]]
        if None in middle or not middle:
            return False
        if at and set(words[:at]) == {"closest-side"}:
            return any(place is not None and place % 1000.0 == 0.0 for place in middle)
        reach = max((radius or 1e9 for radius in radii), default=1e9)
        places = [(place or 0.0, "%" in word) for place, word in zip(middle, words[at + 1 :], strict=True)]
        return any(place + reach <= 0 or (is_part and place - reach >= 1000) for place, is_part in places)
    if name == "polygon":
        corners = [" ".join(args)] if all(len(parts(arg)) == 1 for arg in args) else args
        points = [[length(word, basis) for word in parts(arg)] for arg in corners if arg not in ("evenodd", "nonzero")]
        if any(len(point) != 2 or None in point for point in points):
            return False
        return _is_flat([(x or 0.0, y or 0.0) for x, y in points], "px" not in "".join(args))
    if name == "path":
        text = " ".join(args).removeprefix("evenodd").removeprefix("nonzero").strip("\"' ")
        # Only straight lines to places are followed.
        if not _STRAIGHT.fullmatch(text):
            return False
        return _is_flat(_corners(text), False)
    if name == "shape":
        return _is_flat(_places(args, basis), False)
    if name in ("rect", "xywh"):
        ends = ("0%", "100%", "100%", "0%")
        sides = [length(end if word == "auto" else word, basis) for word, end in zip(words, ends, strict=False)]
        if len(sides) == 4 and None not in sides:
            a, b, c, d = (side or 0.0 for side in sides)
            if name == "xywh":
                a, b, c, d = b, a + c, b + d, a
            is_beyond = "%" in "".join(words) and max(a, d) >= 1000
            return b - d <= 1 or c - a <= 1 or b <= 1 or c <= 1 or is_beyond
    return False


def _places(args: tuple[str, ...], basis: Basis) -> list[tuple[float, float]]:
    """The places that the commands of ``shape()`` lead to; none if a command is not a straight line to a place."""
    places: list[tuple[float, float]] = []
    for arg in args:
        words = parts(arg)
        name, last = words[0], [length(word, basis) for word in words[-2:]]
        if name == "close":
            continue
        x, y = places[-1] if places else (0.0, 0.0)
        if name == "hline" and "to" in words and last[-1] is not None:
            places.append((last[-1], y))
        elif name == "vline" and "to" in words and last[-1] is not None:
            places.append((x, last[-1]))
        elif len(last) == 2 and last[0] is not None and last[1] is not None and "by" not in words:
            places.append((last[0], last[1]))
        else:
            return []
    return places


def _corners(path: str) -> list[tuple[float, float]]:
    """The places that a path of straight lines leads to."""
    corners: list[tuple[float, float]] = []
    numbers: list[float] = []
    turn = ""
    for step in _STEP.findall(path):
        if step in ("h", "v"):
            turn = step
            continue
        numbers.append(float(step))
        x, y = corners[-1] if corners else (0.0, 0.0)
        if turn or len(numbers) == 2:
            corners.append((numbers[0], y) if turn == "h" else (x, numbers[0]) if turn else (numbers[0], numbers[1]))
            numbers, turn = [], ""
    return corners


def _is_flat(points: list[tuple[float, float]], is_relative: bool) -> bool:
    """Whether a polygon has no area, or is outside the element."""
    if not points:
        return False
    area = sum(a * d - b * c for (a, b), (c, d) in zip(points, points[1:] + points[:1], strict=True))
    far = 1000.0 if is_relative else math.inf
    return abs(area) / 2 <= 20 or any(max(side) <= 0 or min(side) >= far for side in zip(*points, strict=True))


def _four(sides: list[float | None]) -> tuple[float, float, float, float]:
    given = [side or 0.0 for side in sides]
    top = given[0]
    right = given[1] if len(given) > 1 else top
    bottom = given[2] if len(given) > 2 else top
    return top, right, bottom, given[3] if len(given) > 3 else right
