"""Conditions in style sheets: ``@media``, ``@supports`` and ``@container``, as they are for people who read pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from functools import cache
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.read.properties import group_of, longhands
from duramen.read.style_selectors import is_known_selector
from duramen.read.style_sheets import Condition
from duramen.read.style_values import Basis, length, number
from duramen.tables import load

_COMPARED = lazy_pattern(r"([\w.%/-]++)?+\s*+(<=|>=|<|>|=)\s*+([\w.%/-]++)(?:\s*+(<=|>=|<|>)\s*+([\w.%/-]++))?")
_CONTAINER_NAME = lazy_pattern(r"(?!not\b|style\b|scroll-state\b)([\w-]+)\s+(?=\(|not\b|style\()")
_TESTED = lazy_pattern(r"(?:(?<![\w-])(selector|font-tech|font-format)\(|\(\s*([\w-]+\s*:))")
_FORMULAS = frozenset({"calc", "min", "max", "clamp"})
_INNERMOST = lazy_pattern(r"((?<![\w-])[\w-]++|)\(([^()]*+)\)")


class Screen(NamedTuple):
    """What a reader's window may be like."""

    width: float
    height: float


SCREENS = (Screen(1280, 800), Screen(390, 844), Screen(820, 1180))
"""A text is hidden if no reader sees it: at a desk, on a phone or on a tablet."""


class Containers(NamedTuple):
    """What queries of containers are about."""

    has_any: bool
    names: frozenset[str] = frozenset()
    variables: Mapping[str, Set[str]] = {}
    """The values that each variable has anywhere on the page."""


def is_met(condition: Condition, screen: Screen, containers: Containers) -> bool:
    """Whether an at-rule's condition holds for a reader."""
    text = condition.text.strip()
    if condition.kind == "media":
        return not text or any(_query(one.strip(), screen) for one in text.split(","))
    if condition.kind == "supports":
        return is_true(_declarations_tested(text), _is_supported)
    if condition.kind == "container":
        named = _CONTAINER_NAME.match(text)
        if named and named[1] not in containers.names:
            return False
        rest = text[named.end() :] if named else text
        return is_true(rest, lambda name, inside: _contained(name, inside, screen, containers))
    return True


def _contained(name: str, inside: str, screen: Screen, containers: Containers) -> bool | None:
    if name == "style":
        variable, colon, value = (part.strip() for part in inside.partition(":"))
        values = containers.variables.get(variable, ())
        return value in values if colon else bool(values)
    return _feature(inside, screen) if containers.has_any else None


def _declarations_tested(text: str) -> str:
    """A condition of ``@supports`` with the result of each declaration or selector in its place."""
    for _ in range(64):
        found = _TESTED.search(text)
        if found is None:
            break
        depth, end = 1, found.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        inside = f"{found[2] or ''}{text[found.end() : end - 1 if not depth else end]}"
        text = f"{text[: found.start()]} {int(_is_supported(found[1] or '', inside))} {text[end:]}"
    return text


def _query(text: str, screen: Screen) -> bool:
    negated = text.startswith("not ") and "(" not in text.partition(" ")[2][:1]
    words = text.removeprefix("only ").removeprefix("not ") if negated or text.startswith("only ") else text
    kind, _, rest = words.partition(" and ") if not words.startswith(("(", "not", "or")) else ("all", "", words)
    is_type = kind.strip() in ("all", "screen")
    found = is_type and (not rest or is_true(rest, lambda _, inside: _feature(inside, screen)))
    return not found if negated else found


def is_true(text: str, test: Callable[[str, str], bool | None]) -> bool:
    """A condition of tests in brackets with ``and``, ``or`` and ``not``, solved from the inside.

    What a browser does not know is neither true nor false.
    """
    for _ in range(64):
        found = _INNERMOST.search(text)
        if found is None:
            break
        name, inside = found[1], found[2].strip()
        if name in ("not", "and", "or"):
            text = f"{text[: found.start()]}{name} ({inside}){text[found.end() :]}"
            found = _INNERMOST.search(text, found.start() + len(name))
            if found is None:
                return False
            name = ""
        if name in _FORMULAS:
            text = f"{text[: found.start()]}{length(found[0], Basis()) or 0.0}px{text[found.end() :]}"
            continue
        truth = (
            _joined(inside)
            if not name and re.fullmatch(r"(?:(?:not|and|or|[01?])\s*)+", inside)
            else test(name, inside)
        )
        text = f"{text[: found.start()]} {'?' if truth is None else int(truth)} {text[found.end() :]}"
    return _joined(text) is True


def _joined(text: str) -> bool | None:
    words = text.split()
    values: list[bool | None] = []
    negate = False
    any_of = "or" in words
    for word in words:
        if word == "not":
            negate = not negate
        elif word in ("0", "1"):
            values.append((word == "1") != negate)
            negate = False
        elif word == "?":
            values.append(None)
            negate = False
        elif word not in ("and", "or"):
            return False
    decides = any_of
    if decides in values:
        return decides
    return None if None in values else bool(values) and not decides


_FIXED: Mapping[str, str] = {
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference", "hover": "hover",
    "any-hover": "hover", "pointer": "fine", "any-pointer": "fine", "scripting": "enabled", "update": "fast",
    "display-mode": "browser", "forced-colors": "none", "overflow-block": "scroll",
    "overflow-inline": "scroll", "dynamic-range": "standard", "color-gamut": "srgb", "grid": "0", "monochrome": "0",
    "horizontal-viewport-segments": "1", "vertical-viewport-segments": "1",
}  # fmt: skip
"""Features of a reader's window that are not its size."""
_NONE = ("none", "no-preference", "0")


def _feature(text: str, screen: Screen) -> bool | None:
    name, colon, value = (part.strip() for part in text.partition(":"))
    sizes = {"width": screen.width, "height": screen.height, "device-width": screen.width,
             "device-height": screen.height,
             "inline-size": screen.width, "block-size": screen.height, "aspect-ratio": screen.width / screen.height,
             "device-aspect-ratio": screen.width / screen.height, "resolution": 1.0, "-webkit-device-pixel-ratio": 1.0,
             "device-pixel-ratio": 1.0, "color": 8.0}  # fmt: skip
    if not colon:
        if compared := _COMPARED.fullmatch(text.strip()):
            return _compare(compared, sizes)
        if name in _FIXED:
            return _FIXED[name] not in _NONE
        return True if name in sizes else None
    if name == "orientation":
        return value == ("landscape" if screen.width > screen.height else "portrait")
    if name in _FIXED:
        return value == _FIXED[name]
    bare = name.replace("-webkit-min-", "min--webkit-").replace("-webkit-max-", "max--webkit-")
    for prefix in ("min-", "max-"):
        if bare.startswith(prefix) and bare[4:] in sizes:
            limit = _size(value)
            return limit is not None and (sizes[bare[4:]] >= limit if prefix == "min-" else sizes[bare[4:]] <= limit)
    limit = _size(value)
    return sizes[name] == limit if name in sizes and limit is not None else None


def _size(text: str) -> float | None:
    if "/" in text:
        over, _, under = text.partition("/")
        one, two = number(over), number(under)
        return one / two if one is not None and two else None
    for unit, factor in (("dppx", 1.0), ("dpi", 1 / 96), ("x", 1.0)):
        if text.endswith(unit) and (value := number(text.removesuffix(unit))) is not None:
            return value * factor
    value = length(text, Basis())
    return number(text) if value is None else value


def _compare(found: re.Match[str], sizes: Mapping[str, float]) -> bool:
    left, first, middle, second, right = found.groups()
    terms, signs = [left, middle], [first]
    if second:
        terms, signs = [left, middle, right], [first, second]
    values = [sizes.get(term, _size(term)) if term else None for term in terms]
    if None in values:
        return False
    tests = {"<": float.__lt__, ">": float.__gt__, "<=": float.__le__, ">=": float.__ge__, "=": float.__eq__}
    pairs = zip(values, signs, values[1:], strict=False)
    return all(tests[sign](float(a or 0), float(b or 0)) for a, sign, b in pairs)


def _is_supported(name: str, inside: str) -> bool:
    """Whether browsers know a property with a value, as far as this page's reader needs to."""
    if name == "selector":
        return is_known_selector(inside)
    if name in ("font-tech", "font-format"):
        return True
    prop, colon, value = (part.strip() for part in inside.partition(":"))
    if name or not colon or not value:
        return False
    if prop.startswith("--") or longhands(prop, value):
        return True
    return prop in _properties() and (not group_of(prop) or prop.startswith("text-wrap"))


@cache
def _properties() -> frozenset[str]:
    """The properties that browsers know."""
    return frozenset(word for row in load("hiding.toml")["conditions"] for word in row["words"].split())
