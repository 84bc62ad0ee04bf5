"""Values in style sheets: lengths, numbers, angles and what is calculated from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern

_TOKEN = lazy_pattern(
    r"\s*+([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)(%|[a-z]+)?|\s*+([a-z-]+)?\s*+([()+*/,-])"
)
_PIXELS = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54,
}  # fmt: skip
_RADIANS = {"deg": math.pi / 180, "grad": math.pi / 200, "rad": 1.0, "turn": 2 * math.pi}
_CONSTANTS = {"pi": "3.141592653589793", "e": "2.718281828459045", "infinity": "3e38"}
_CONSTANT = lazy_pattern(r"(?<![\w.-])(-?)(pi|e|infinity)(?![\w.(-])")
_ROUNDED = lazy_pattern(r"round\(\s*+(up|down|to-zero|nearest)\s*+,")
_MOST_TOKENS = 200
_SUBSTITUTED = lazy_pattern(r"(?<![\w-])(var|env|attr|if)\(")
"""Functions that another value takes the place of, before anything else is known of it."""


class Basis(NamedTuple):
    """What relative lengths refer to, in pixels."""

    font: float = 16.0
    root: float = 16.0
    width: float = 1280.0
    """Of the window."""
    height: float = 800.0
    percent: float = 1280.0
    """What 100 % are."""


def number(text: str) -> float | None:
    """A number or a percentage (100 % are 1), which may be calculated; ``None`` for what has a unit."""
    return None if text[-1:].isalpha() else calculated(text, Basis(percent=1.0))


def length(text: str, basis: Basis) -> float | None:
    """A length in pixels; ``None`` for anything else, such as a number without a unit that is not 0."""
    value = calculated(text, basis)
    return None if value and text[-1:].isdigit() else value


def turns(text: str) -> float | None:
    """An angle in turns."""
    value = calculated(text, Basis(percent=math.nan))
    return None if value is None else value / _RADIANS["turn"]


def seconds(text: str) -> float | None:
    """A time in seconds."""
    for unit, factor in (("ms", 0.001), ("s", 1.0)):
        if text.endswith(unit) and (value := calculated(text.removesuffix(unit), Basis())) is not None:
            return value * factor
    return None


@lru_cache(maxsize=4096)
def calculated(text: str, basis: Basis) -> float | None:
    """The value of a number with or without a unit, or of a formula; ``None`` for what is neither."""
    tokens = _tokens(text)
    if tokens is None:
        return None
    try:
        value = _Formula(tokens, basis).whole()
    except (ValueError, TypeError, ZeroDivisionError, OverflowError, IndexError):
        return None
    return value if math.isfinite(value) else None


def _tokens(text: str) -> list[tuple[str, str]] | None:
    found: list[tuple[str, str]] = []
    at = 0
    text = text.strip()
    if "(" in text:
        text = _CONSTANT.sub(lambda found: found[1] + _CONSTANTS[found[2]], _ROUNDED.sub(r"round-\1(", text))
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or len(found) >= _MOST_TOKENS:
            return None
        digits, unit, name, sign = token.groups()
        # After a value, a sign is an operator: "1px -2px" has no value, "1px - 2px" has.
        found.append((digits, unit or "") if digits is not None else (f"{name or ''}{sign}", "#"))
        at = token.end()
    return found


class _Formula:
    """Calculates by recursive descent; the number of tokens bounds its depth."""

    def __init__(self, tokens: list[tuple[str, str]], basis: Basis) -> None:
        self.tokens, self.basis, self.at, self.depth = tokens, basis, 0, 0

    def whole(self) -> float:
        value = self.value()
        if self.at != len(self.tokens):
            raise ValueError
        return value

    def sum(self) -> float:
        value = self.product()
        while self.at < len(self.tokens) and self.tokens[self.at] in (("+", "#"), ("-", "#")):
            self.at += 1
            factor = 1 if self.tokens[self.at - 1][0] == "+" else -1
            value += factor * self.product()
        return value

    def product(self) -> float:
        value = self.value()
        while self.at < len(self.tokens) and self.tokens[self.at] in (("*", "#"), ("/", "#")):
            self.at += 1
            is_times = self.tokens[self.at - 1][0] == "*"
            other = self.value()
            value = value * other if is_times else value / other
        return value

    def value(self) -> float:
        text, unit = self.tokens[self.at]
        self.at += 1
        if unit != "#":
            return float(text) * self.unit(unit)
        name = text[:-1]
        if not text.endswith("(") or name not in _FUNCTIONS:
            raise ValueError
        self.depth += 1
        if self.depth > 32:
            raise ValueError
        values = [self.sum()]
        while self.at < len(self.tokens) and self.tokens[self.at] == (",", "#"):
            self.at += 1
            values.append(self.sum())
        if self.at < len(self.tokens):  # a formula may end with the text
            if self.tokens[self.at] != (")", "#"):
                raise ValueError
            self.at += 1
        self.depth -= 1
        return _FUNCTIONS[name](*values)

    def unit(self, unit: str) -> float:
        basis = self.basis
        if not unit:
            return 1.0
        if unit == "%":
            return basis.percent / 100
        if unit in _PIXELS:
            return _PIXELS[unit]
        if unit in _RADIANS:
            return _RADIANS[unit]
        if unit in ("em", "ex", "ch", "lh", "cap", "ic"):
            return basis.font * (1.0 if unit in ("em", "lh", "ic") else 0.5)
        if unit in ("rem", "rlh", "rex", "rch"):
            return basis.root
        window = unit.removeprefix("s").removeprefix("l").removeprefix("d")
        if unit.startswith("cq"):  # of a container, which is not wider than the window
            window = f"v{unit[2:]}"
        if unit in ("s", "ms") or window not in ("vw", "vh", "vi", "vb", "vmin", "vmax"):
            raise ValueError
        sides = {"vw": basis.width, "vi": basis.width, "vh": basis.height, "vb": basis.height}
        return sides.get(window, min(basis.width, basis.height) if window == "vmin" else basis.width) / 100


def _clamp(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))


def _rounded(way: Callable[[float], float]) -> Callable[..., float]:
    return lambda value, step=1.0: way(value / step) * step


def _same(value: float) -> float:
    return value


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "": _same, "calc": _same, "-webkit-calc": _same, "-moz-calc": _same, "min": min, "max": max, "clamp": _clamp,
    "abs": abs, "sign": lambda value: math.copysign(1.0, value) if value else 0.0,
    **dict.fromkeys(("round", "round-nearest"), _rounded(round)), "round-up": _rounded(math.ceil),
    "round-down": _rounded(math.floor), "round-to-zero": _rounded(math.trunc),
    "mod": lambda value, step: value % step, "rem": math.fmod, "pow": math.pow, "sqrt": math.sqrt,
    "hypot": math.hypot, "exp": math.exp, "log": math.log,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "atan2": math.atan2,
}  # fmt: skip


def is_pending(value: str) -> bool:
    """Whether a value is not known before that of a variable, an attribute or a condition is."""
    return "(" in value and _SUBSTITUTED.search(value) is not None


def innermost(value: str) -> tuple[int, int, str, str] | None:
    """The last function that another value takes the place of: where it is, its name, and what is in its brackets.

    >>> innermost("calc(var(--a, 1px) * 2)")
    (5, 18, 'var', '--a, 1px')
    """
    *_, last = None, *_SUBSTITUTED.finditer(value)
    if last is None:
        return None
    depth, end = 1, last.end()
    while end < len(value) and depth:
        depth += {"(": 1, ")": -1}.get(value[end], 0)
        end += 1
    return last.start(), end, last[1], value[last.end() : end - (depth == 0)]


_PART = lazy_pattern(r"""[^\s(),/]*\(|[^\s(),/]+|[(),/]|\s++""")


@lru_cache(maxsize=4096)
def parts(text: str, separator: str = " ") -> tuple[str, ...]:
    """The parts of a value between spaces, commas or slashes that are in no brackets.

    >>> parts("rgb(0, 0, 0) 0 1px"), parts("1px / 2", "/")
    (('rgb(0, 0, 0)', '0', '1px'), ('1px', '2'))
    """
    found, depth, current = [], 0, ""
    for token in _PART.findall(text):
        depth += token.endswith("(")
        if depth == 0 and (token.isspace() if separator == " " else token == separator):
            found.append(current.strip())
            current = ""
        else:
            current += token
        depth -= token == ")" and depth > 0
    found.append(current.strip())
    return tuple(part for part in found if part or separator != " ")


@lru_cache(maxsize=4096)
def calls(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The functions of a value such as that of ``transform``, each with its arguments.

    >>> calls("scale(0) translate(1px, 2px)")
    (('scale', ('0',)), ('translate', ('1px', '2px')))
    """
    found = []
    for part in parts(text):
        name, opened, inside = part.partition("(")
        if not opened:
            return ()
        inside = inside.removesuffix(")").strip()
        found.append((name, parts(inside, ",") if "," in inside else parts(inside)))
    return tuple(found)
