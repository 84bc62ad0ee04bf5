"""The colours of letters and of what is behind them, and whether one can be read on the other."""

from __future__ import annotations

from duramen.read.colours import CLEAR, NEAR, Colour, colour, colours_in, contrast, distance
from duramen.read.computed import Sight, Style, Why
from duramen.read.style_values import Basis, calls, length, number, parts

FAINT = 0.06
"""Less opacity than this leaves nothing to read."""
_CONTRAST = 1.2
"""Letters in a colour so near to the one behind them cannot be read; light grey on white can."""
_BESIDE = 500.0
"""Pixels from the letters at which their shadow is not where one reads."""
_Filter = tuple[int, tuple[tuple[str, tuple[str, ...]], ...]]


def paint(i: int, sight: Sight, around: Sight, style: Style) -> bool:
    """Take over an element's colours; whether it has an opaque background."""
    if (value := style.get("color")) is not None:
        sight.colour = around.colour if value == "currentcolor" else colour(value)
        sight.fill_node = i
    if (value := style.get("-webkit-text-fill-color")) is not None:
        sight.fill = None if value == "currentcolor" else colour(value)
        sight.fill_node = i
    if (value := style.get("text-shadow")) is not None:
        sight.shadows = tuple(_traced(one, sight) for one in parts(value, ",") if value != "none")
    if (value := style.get("-webkit-text-stroke")) is not None:
        is_none = any(part[:1] == "0" and number(part.rstrip("pxemt")) == 0 for part in parts(value))
        sight.strokes = () if is_none else (_traced(value, sight),)
    if style.get("filter", "none") != "none":
        sight.filters = ((i, calls(style["filter"])), *sight.filters)
    scheme = style.get("color-scheme", "")
    if i == 0 and "dark" in scheme and "light" not in scheme:
        sight.back = None
    painted = style.get("background-color", "transparent")
    own: Colour | None = sight.colour if painted == "currentcolor" else colour(painted)
    stops: list[Colour] = []
    picture = style.get("background-image", "none")
    if picture != "none":
        stops = colours_in(picture)
        own = stops[0] if stops and all(stop == stops[0] for stop in stops) else None
    if "text" in style.get("background-clip", ""):
        # Only the letters show what is painted.
        sight.in_letters = tuple(stops) or (own,)
        return False
    if own is None:
        sight.back, sight.back_node = None, i
    elif own.alpha > 0:
        is_opaque = own.alpha >= 0.95
        sight.back = own if is_opaque else own.over(sight.back) if sight.back is not None else None
        sight.back_node = i
        if is_opaque:
            sight.in_letters = ()
        return is_opaque
    return False


def _traced(value: str, sight: Sight) -> Colour | None:
    """The colour of a shadow or an outline of letters; ``None`` if it is not known."""
    if any(abs(length(part, Basis()) or 0.0) >= _BESIDE for part in parts(value)):
        return CLEAR
    words = [part for part in parts(value) if not part[:1].isdigit() and part[:1] not in ("-", ".", "+")]
    if not words or words == ["currentcolor"]:
        return sight.colour
    return next((found for word in words if (found := colour(word)) is not None), None)


def unreadable(sight: Sight) -> Why | None:
    """Why letters cannot be read, whatever they are; ``None`` if they can, or may."""
    letters = sight.fill if sight.fill is not None else sight.colour
    traces = (letters, *sight.shadows, *sight.strokes, *sight.in_letters)
    node = sight.fill_node or sight.back_node or sight.node
    if all(one is not None and one.alpha * sight.opacity < FAINT for one in traces):
        return Why(node, "colour", "letters without colour")
    back = _filtered(sight.back, sight.filters, sight.back_node)
    if back is None or None in traces:
        return None
    for one in traces:
        front = _filtered(one, sight.filters, sight.node)
        if front is None:
            return None
        seen = front._replace(alpha=front.alpha * sight.opacity).over(back)
        if contrast(seen, back) >= _CONTRAST or distance(seen, back) >= NEAR:
            return None
    nodes = sorted((sight.fill_node, sight.back_node))
    return Why(nodes[1], "colour", "letters in the colour behind them", nodes[0])


def _filtered(given: Colour | None, filters: tuple[_Filter, ...], node: int) -> Colour | None:
    """A colour that is painted in an element, after the filters of this element and of those around it."""
    if given is None:
        return None
    for outer, functions in filters:
        if node < outer:  # what is behind the element that has the filter
            continue
        for name, args in functions:
            amount = number(args[0]) if args else 1.0
            if amount is None or name not in ("brightness", "contrast", "invert"):
                continue
            shift = {"brightness": 0.0, "contrast": (1 - amount) / 2, "invert": amount}[name]
            factor = 1 - 2 * amount if name == "invert" else amount
            red, green, blue = (min(max(part * factor + shift, 0.0), 1.0) for part in given[:3])
            given = Colour(red, green, blue, given.alpha)
    return given
