"""The properties that decide whether a text is seen: their short forms, valid values, and values that may hide it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from duramen.lazy_pattern import lazy_pattern
from duramen.read.colours import colour, old_colour
from duramen.read.style_values import Basis, calls, is_pending, length, number, parts, seconds
from duramen.tree import Tree

CSS_WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
FONT_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
    "xxx-large": 48.0, "smaller": 0.0, "larger": 0.0, "math": 0.0,
}  # fmt: skip
_DISPLAYS = frozenset(
    "none block inline inline-block flow flow-root flex inline-flex grid inline-grid table inline-table table-row"
    " table-cell table-row-group table-header-group table-footer-group table-column table-column-group table-caption"
    " list-item contents ruby ruby-base ruby-text run-in math -webkit-box -webkit-inline-box -webkit-flex"
    " -webkit-inline-flex -ms-flexbox -ms-grid".split()
)
_DISPLAY_PARTS = frozenset("block inline run-in flow flow-root flex grid table ruby math list-item".split())
_SHAPES = frozenset({"inset", "circle", "ellipse", "polygon", "path", "rect", "xywh", "shape", "url"})
_BASIS = Basis()


def _keywords(words: str) -> Callable[[str], bool]:
    known = frozenset(words.split())
    return lambda value: value in known


def _is_length(value: str) -> bool:
    return length(value, _BASIS) is not None


def _is_size(value: str) -> bool:
    return (
        value in ("auto", "none") or _is_length(value) or value.endswith("-content") or value.startswith("fit-content(")
    )


def _is_number(value: str) -> bool:
    return number(value) is not None


def _is_anything(value: str) -> bool:
    return bool(value)


def _is_colour(value: str) -> bool:
    # A colour in terms that are not known here is one nevertheless.
    return value == "currentcolor" or colour(value) is not None or "(from " in value


def _is_function_or(*words: str) -> Callable[[str], bool]:
    return lambda value: value in words or bool(calls(value))


_VALID: dict[str, Callable[[str], bool]] = {
    "display": lambda value: value in _DISPLAYS
    or (len(value.split()) in (2, 3) and all(word in _DISPLAY_PARTS for word in value.split())),
    "visibility": _keywords("visible hidden collapse"),
    "opacity": _is_number, "font-size-adjust": _is_anything,
    "filter": _is_function_or("none"),
    "content-visibility": _keywords("visible auto hidden"),
    "font-size": lambda value: value in FONT_SIZES
    or ((found := length(value, _BASIS)) is not None and (found >= 0 or "(" in value)),
    "position": _keywords("static relative absolute fixed sticky -webkit-sticky"),
    "left": _is_size, "right": _is_size, "top": _is_size, "bottom": _is_size,
    "margin-left": _is_size, "margin-top": _is_size, "margin-right": _is_size,
    "padding-left": _is_size, "padding-top": _is_size, "padding-bottom": _is_size,
    "text-indent": _is_length, "box-sizing": _keywords("content-box border-box"),
    "white-space": _is_anything,
    "clip": lambda value: value == "auto" or value.startswith("rect("),
    "clip-path": lambda value: value in ("none", "border-box", "padding-box", "content-box", "margin-box")
    or any(part.partition("(")[0] in _SHAPES for part in parts(value)),
    "transform": _is_function_or("none"), "scale": _is_anything, "translate": _is_anything, "rotate": _is_anything,
    "zoom": lambda value: value in ("normal", "reset") or _is_number(value),
    "height": _is_size, "width": _is_size, "max-height": _is_size, "max-width": _is_size, "min-height": _is_size,
    "min-width": _is_size, "overflow-x": _keywords("visible hidden clip scroll auto overlay"),
    "overflow-y": _keywords("visible hidden clip scroll auto overlay"),
    "line-height": lambda value: value == "normal" or _is_number(value) or _is_length(value),
    "letter-spacing": lambda value: value == "normal" or _is_length(value),
    "float": _keywords("left right none inline-start inline-end"),
    "content": _is_anything, "backface-visibility": _keywords("visible hidden"), "mask-image": _is_anything,
    "mask-size": _is_anything,
    "grid-template-rows": _is_anything, "grid-template-columns": _is_anything, "grid-auto-rows": _is_anything,
    "perspective": lambda value: value == "none" or _is_length(value),
    "-webkit-text-security": _keywords("none disc circle square"), "contain": _is_anything,
    "animation-name": _is_anything, "animation-fill-mode": _is_anything, "animation-iteration-count": _is_anything,
    "animation-play-state": _is_anything, "animation-duration": _is_anything, "animation-delay": _is_anything,
    "animation-direction": _is_anything, "transition": _is_anything, "container-type": _is_anything,
    "container-name": _is_anything,
    "z-index": lambda value: value == "auto" or _is_number(value),
    "color": _is_colour, "-webkit-text-fill-color": _is_colour, "background-color": _is_colour,
    "background-image": _is_anything, "background-clip": _is_anything, "text-shadow": _is_anything,
    "-webkit-text-stroke": _is_anything, "color-scheme": _is_anything,
}  # fmt: skip
_COLOURS = frozenset(
    "color -webkit-text-fill-color background-color background-image background-clip text-shadow color-scheme"
    " -webkit-text-stroke".split()
)
_BOTH = frozenset({"position", "z-index", "container-type", "container-name", "opacity", "display", "filter"})
_SAME = {
    "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top", "inset-block-end": "bottom",
    "margin-inline-start": "margin-left", "margin-inline-end": "margin-right",
    "margin-block-start": "margin-top", "padding-inline-start": "padding-left",
    "padding-block-start": "padding-top", "padding-block-end": "padding-bottom", "block-size": "height",
    "inline-size": "width", "max-block-size": "max-height", "max-inline-size": "max-width",
    "min-block-size": "min-height", "min-inline-size": "min-width", "overflow-block": "overflow-y",
    "overflow-inline": "overflow-x",
    "-webkit-mask-image": "mask-image", "-webkit-mask-size": "mask-size", "text-wrap": "white-space",
    "text-wrap-mode": "white-space", "-webkit-text-stroke-width": "-webkit-text-stroke",
    "-webkit-text-stroke-color": "-webkit-text-stroke", "-webkit-box-sizing": "box-sizing",
    "-webkit-background-clip": "background-clip",
    "transition-property": "transition", "transition-duration": "transition", "-webkit-transition": "transition",
    **{f"-webkit-{name}": name for name in (
        "transform", "clip-path", "opacity", "filter", "backface-visibility", "animation-name", "animation-fill-mode",
        "animation-iteration-count", "animation-play-state", "animation-duration", "animation-delay",
        "animation-direction")},
}  # fmt: skip
"""Other names of a property, in a text from left to right."""


def _sides(names: tuple[str, str, str, str]) -> Callable[[str], Iterator[tuple[str, str]]]:
    def four(value: str) -> Iterator[tuple[str, str]]:
        given = parts(value)
        if 1 <= len(given) <= 4:
            top = given[0]
            right = given[1] if len(given) > 1 else top
            bottom = given[2] if len(given) > 2 else top
            left = given[3] if len(given) > 3 else right
            yield from ((name, side) for name, side in zip(names, (top, right, bottom, left), strict=True) if name)

    return four


def _pair(first: str, second: str) -> Callable[[str], Iterator[tuple[str, str]]]:
    def two(value: str) -> Iterator[tuple[str, str]]:
        given = parts(value)
        if 1 <= len(given) <= 2:
            yield from ((name, side) for name, side in ((first, given[0]), (second, given[-1])) if name)

    return two


def _font(value: str) -> Iterator[tuple[str, str]]:
    given = parts(value)
    for k, part in enumerate(given[:-1]):
        size, *line = parts(part, "/")
        if part[0] != "/" and _VALID["font-size"](size) and not (size[-1:].isdigit() and number(size) != 0):
            if k + 2 < len(given) and given[k + 1] == "/":
                line = [given[k + 2]]
            yield "font-size", size
            yield "line-height", line[0] if line else "normal"
            return


def _background(value: str) -> Iterator[tuple[str, str]]:
    layers = parts(value, ",")
    images = [part for layer in layers for part in parts(layer) if "(" in part and colour(part) is None]
    words = parts(layers[-1])
    colours = [part for part in words if _is_colour(part)]
    yield "background-color", colours[0] if colours else "transparent"
    yield "background-image", " ".join(images) or "none"
    yield "background-clip", "text" if "text" in words else "border-box"


def _animation(value: str) -> Iterator[tuple[str, str]]:
    timed = re.compile(r"ease.*|linear.*|step.*|cubic.*|normal")
    rows: list[dict[str, str]] = []
    for one in parts(value, ","):
        row = {"name": "none", "fill-mode": "none", "iteration-count": "1", "play-state": "running",
               "direction": "normal", "duration": "0s", "delay": "0s"}  # fmt: skip
        times = iter(("duration", "delay"))
        for word in parts(one):
            if word in ("forwards", "backwards", "both"):
                row["fill-mode"] = word
            elif word in ("paused", "running"):
                row["play-state"] = word
            elif word in ("reverse", "alternate", "alternate-reverse"):
                row["direction"] = word
            elif seconds(word) is not None:
                row[next(times, "delay")] = word
            elif word == "infinite" or number(word) is not None:
                row["iteration-count"] = word
            elif word != "none" and not timed.fullmatch(word):
                row["name"] = word
        rows.append(row)
    for name in rows[0]:
        yield f"animation-{name}", ",".join(row[name] for row in rows)


def _mask(value: str) -> Iterator[tuple[str, str]]:
    yield "mask-image", ",".join(" ".join(part for part in parts(layer) if "(" in part) for layer in parts(value, ","))
    # Behind a slash is the size; what follows it is not one.
    sized = [layer.partition("/")[2].split() for layer in parts(value, ",")] if "/" in value else []
    yield "mask-size", ",".join(" ".join(size[:2]) or "auto" for size in sized) or "auto"


def _grid(value: str) -> Iterator[tuple[str, str]]:
    rows, _, columns = value.partition("/")
    yield "grid-template-rows", rows.strip() or "none"
    yield "grid-template-columns", columns.strip() or "none"


def _container(value: str) -> Iterator[tuple[str, str]]:
    name, _, kind = value.partition("/")
    yield "container-name", name.strip()
    yield "container-type", kind.strip() or "normal"


def _all(value: str) -> Iterator[tuple[str, str]]:
    if value in CSS_WIDE:
        yield from ((name, value) for name in _VALID if not name.startswith("container-"))


_SHORT: dict[str, tuple[tuple[str, ...], Callable[[str], Iterator[tuple[str, str]]]]] = {
    "font": (("font-size", "line-height"), _font),
    "margin": (
        ("margin-top", "margin-right", "margin-left"),
        _sides(("margin-top", "margin-right", "", "margin-left")),
    ),
    "padding": (
        ("padding-top", "padding-bottom", "padding-left"),
        _sides(("padding-top", "", "padding-bottom", "padding-left")),
    ),
    "inset": (("top", "right", "bottom", "left"), _sides(("top", "right", "bottom", "left"))),
    "inset-inline": (("left", "right"), _pair("left", "right")),
    "inset-block": (("top", "bottom"), _pair("top", "bottom")),
    "margin-inline": (("margin-left", "margin-right"), _pair("margin-left", "margin-right")),
    "margin-block": (("margin-top",), _pair("margin-top", "")),
    "overflow": (("overflow-x", "overflow-y"), _pair("overflow-x", "overflow-y")),
    "background": (("background-color", "background-image", "background-clip"), _background),
    **dict.fromkeys(("mask", "-webkit-mask"), (("mask-image", "mask-size"), _mask)),
    **dict.fromkeys(("grid-template", "grid"), (("grid-template-rows", "grid-template-columns"), _grid)),
    "container": (("container-type", "container-name"), _container),
    **dict.fromkeys(
        ("animation", "-webkit-animation"),
        (tuple(name for name in _VALID if name.startswith("animation-")), _animation),
    ),
    "all": (tuple(_VALID), _all),
}  # fmt: skip

WANTED = frozenset(_VALID) | frozenset(_SAME) | frozenset(_SHORT)
"""The properties that are read."""
PENDING = "\0"
"""Between the name and the value of a short form that has variables in it, and is expanded when these are known."""


@lru_cache(maxsize=8192)
def longhands(name: str, value: str) -> tuple[tuple[str, str], ...]:
    """A declaration as declarations of single properties; none if it is not valid."""
    name = _SAME.get(name, name)
    if name.startswith("--"):
        return ((name, value),)
    if is_pending(value):
        if name in _SHORT:
            return tuple((each, f"{name}{PENDING}{value}") for each in _SHORT[name][0])
        return ((name, value),) if name in _VALID else ()
    if name in _SHORT:
        if value in CSS_WIDE:
            return tuple((each, value) for each in _SHORT[name][0])
        found = tuple(_SHORT[name][1](value))
        return found if all(_VALID[each](given) or given in CSS_WIDE for each, given in found) else ()
    if name in _VALID and (value in CSS_WIDE or _VALID[name](value)):
        return ((name, value),)
    return ()


_SYNTAXES: dict[str, Callable[[str], bool]] = {
    "<number>": lambda value: value[-1:] != "%" and _is_number(value), "<percentage>": lambda value: value[-1:] == "%",
    "<integer>": lambda value: (found := number(value)) is not None and found == int(found),
    "<length>": lambda value: "%" not in value and _is_length(value), "<length-percentage>": _is_length,
    "<color>": lambda value: value == "transparent" or _is_colour(value),
}  # fmt: skip


def fits(value: str, syntax: str) -> bool:
    """Whether a value is of a kind that ``@property`` or ``attr()`` names; any may be of a kind that is not known."""
    kinds = [kind.strip() for kind in syntax.split("|")]
    return any(kind not in _SYNTAXES or _SYNTAXES[kind](value) for kind in kinds)


def group_of(name: str) -> str:
    """``colour``, ``other`` or ``both`` for the properties that are read."""
    name = _SAME.get(name, name)
    if name in _BOTH or name == "all":
        return "both"
    if name in _COLOURS or name == "background":
        return "colour"
    return "other" if name in _VALID or name in _SHORT else ""


_FAR = r"-?[0-9]{3}|v[wh]|scale|rotate|matrix|[a-z0-9]\(|em|in\b|cm|[0-9]{2}ch"
_SMALL = r"(?:0|[0-4](?:\.[0-9]*)?|\.[0-9]+)(?:[a-z]+|%)?(?![0-9])|[0-9.]+e-|[a-z-]+\("
_SUSPECT: dict[str, re.Pattern[str]] = {
    name: lazy_pattern(pattern)
    for names, pattern in (
        ("display", "none|table-column"),
        ("visibility", "hidden|collapse"),
        ("opacity", r"[-+.]|0|[a-z-]+\(|1?[0-9]%|[0-9.]+e"),
        ("filter", ".*(?:opacity|blur|brightness|contrast|invert)"),
        ("content-visibility", "hidden"),
        ("font-size-adjust", r"0?\.?0*\Z"),
        ("font-size font", rf"(?:.*\s)?(?:{_SMALL}|[0-9]{{1,2}}%|0?\.[0-9]+|[0-9.]+e-)"),
        ("left right top bottom inset inset-inline inset-block margin-left margin-top margin margin-inline margin-block"
         " margin-right text-indent translate transform padding-left padding", rf".*(?:{_FAR})"),
        ("padding-top", r"[0-9]{2}|.*\("),
        ("letter-spacing", r"-|.*\("),
        ("grid-template-rows grid-template-columns grid-template grid grid-auto-rows", r".*\b0"),
        ("container container-type", r".*\bsize"),
        ("perspective", "[0-9]"),
        ("clip", "rect"),
        ("clip-path", "(?!none)"),
        ("mask mask-image mask-size -webkit-mask", ".*(?:gradient|0)"),
        ("scale", "(?!none)"),
        ("rotate", "(?!none)"),
        ("zoom", r"[0.-]|.*\(|[0-9]%"),
        ("height width max-height max-width", _SMALL),
        ("line-height", r"0?\.?0*(?:px|em|%)?\Z|[0-9.]+e-|.*\(|[0-9]{2,4}(?:em)?\Z"),
        ("content", ".*url"),
        ("backface-visibility", "hidden"),
        ("-webkit-text-security", "(?!none)"),
        ("contain", ".*(?:size|strict)"),
        ("all", ""),
        ("color -webkit-text-fill-color background-color background background-image", "(?!inherit|none)"),
        ("z-index", "-"),
    )
    for name in names.split()
}  # fmt: skip


_LONGEST = 300
"""Characters of a value; a longer one is looked at in full."""


@lru_cache(maxsize=8192)
def is_suspicious(name: str, value: str) -> bool:
    """Whether a declaration may hide a text, alone or with others."""
    name = _SAME.get(name, name)
    if name.startswith("--") or name not in _SUSPECT:
        return False
    return is_pending(value) or len(value) > _LONGEST or _SUSPECT[name].match(value) is not None


_LOW = lazy_pattern(r"[0-9]{1,2}(?:\.[0-9]*)?(?:px|pt)|[0-5](?:\.[0-9]*)?r?em")


def may_cut_off(declarations: Sequence[tuple[str, str, bool]]) -> bool:
    """Whether they make a box of a line or two that cuts off what is beyond it."""
    given = {name: value for name, value, _ in declarations}
    is_cutting = any(given.get(name, "") in ("hidden", "clip") for name in ("overflow", "overflow-y"))
    return is_cutting and any(_LOW.fullmatch(given.get(name, "")) for name in ("height", "max-height"))


_HINTED = (("font", "color", "color"), ("body", "text", "color"))
_IN_FORMULAS = (("mathcolor", "color"), ("mathbackground", "background-color"), ("mathsize", "font-size"))
_PAINTED = frozenset({"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"})


def presentational(tree: Tree) -> dict[int, tuple[tuple[str, str, bool], ...]]:
    """What attributes and the tag itself mean for an element, as declarations that any rule overrides."""
    found: dict[int, list[tuple[str, str, bool]]] = {}
    for tag, attribute, name in _HINTED:
        for i, value in tree.stated(tag, (attribute,)):
            if painted := old_colour(value):
                found.setdefault(i, []).append((name, _written(painted), False))
    for i, value in tree.valued("bgcolor"):
        if tree.tag[i] in _PAINTED and (painted := old_colour(value)):
            found.setdefault(i, []).append(("background-color", _written(painted), False))
    for i, value in tree.valued("background"):
        if tree.tag[i] in _PAINTED and value.strip():
            found.setdefault(i, []).append(("background-image", "url()", False))
    for attribute, name in _IN_FORMULAS:
        for i, value in tree.valued(attribute):
            found.setdefault(i, []).append((name, value.strip().lower(), False))
    for i in tree.tagged(frozenset({"mark"})):
        found.setdefault(i, []).extend([("background-color", "mark", False), ("color", "marktext", False)])
    hidden = {i for i, value in tree.valued("hidden") if value.lower() != "until-found"}
    hidden.update(i for i, value in tree.valued("popover"))
    hidden.update(i for i in tree.tagged(frozenset({"dialog"})) if "open" not in tree.attrs[i])
    hidden.update(tree.tagged(frozenset({"rp", "mphantom"})))
    for i in tree.tagged(frozenset({"maction"})):  # the first of several that take turns
        hidden.update([j for j in tree.children(i) if tree.tag[j]][1:])
    for i in hidden:
        found.setdefault(i, []).append(("display", "none", False))
    return {i: tuple(declarations) for i, declarations in found.items()}


def _written(painted: tuple[float, float, float, float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in painted[:3])
