"""The values of an element's properties: variables and animations resolved, and what it hands on to what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from duramen.read.cascade import Declared
from duramen.read.colours import BLACK, Colour
from duramen.read.conditions import Containers, Screen, is_met, is_true
from duramen.read.properties import CSS_WIDE, PENDING, fits, longhands
from duramen.read.style_sheets import Condition, Declarations, Keyframes, Sheet, lowered
from duramen.read.style_values import Basis, calls, innermost, is_pending, length, number, parts, seconds

_LONGEST_VALUE = 2_000
_BLURRED = 16.0
"""Pixels by which letters are blurred until nothing is left of them."""
_LONG_WAIT, _LONG_ANIMATION = 30.0, 600.0
"""Seconds: nobody waits that long for a text, or sees one come so slowly."""
_MOST_VARIABLES = 20
MOST_ANCESTORS = 200
_INHERITED_RESET: Mapping[str, str] = {
    "color": "#000", "visibility": "visible", "font-size": "medium", "text-indent": "0", "letter-spacing": "normal",
    "line-height": "normal", "-webkit-text-fill-color": "currentcolor", "text-shadow": "none", "white-space": "normal",
    "-webkit-text-security": "none",
}  # fmt: skip
"""What ``initial`` means for properties that are inherited."""


class Why(NamedTuple):
    """Why a text is not seen."""

    node: int
    """The element that hides it."""
    rule: str
    reason: str
    since: int = -1
    """The outermost element that has a part in it, if that is another."""


class Window(NamedTuple):
    """A box that cuts off what is outside it."""

    node: int
    width: float
    """At most."""
    height: float | None
    is_anchor: bool
    """Whether it also cuts off what is positioned in it."""


Style = dict[str, str]


class Sight:
    """What an element hands on to what is in it."""

    def __init__(self, canvas: Colour | None, screen_width: float) -> None:
        self.node, self.display = 0, "block"
        self.gone: Why | None = None
        self.cut: Why | None = None
        self.cut_escaped = False
        """Whether what is positioned in a thin box is not cut by it."""
        self.visibility, self.visibility_node = "visible", 0
        self.font, self.root_font, self.scale, self.font_node = 16.0, 16.0, 1.0, 0
        self.is_back = False
        self.opacity = 1.0
        self.colour: Colour | None = BLACK
        self.fill: Colour | None = None
        self.fill_node = 0
        self.back, self.back_node = canvas, 0
        self.paint = 0
        """The element with an opaque background that is painted over what has a negative z-index."""
        self.indent, self.indent_node, self.nowrap, self.clips_x = 0.0, 0, False, False
        self.spacing, self.line, self.secure = 0.0, 1.0, 0
        self.x = self.y = self.absolute_x = 0.0
        self.place = 0
        self.shadows: tuple[Colour | None, ...] = ()
        self.strokes: tuple[Colour | None, ...] = ()
        self.in_letters: tuple[Colour | None, ...] = ()
        """The colours of a background that only the letters show."""
        self.filters: tuple[tuple[int, tuple[tuple[str, tuple[str, ...]], ...]], ...] = ()
        self.window: Window | None = None
        self.out: Why | None = None
        """Why the window does not show the text."""
        self.dx = self.dy = 0.0
        """From the corner of the window."""
        self.anchor, self.is_anchored = (0.0, 0.0), False
        """What positions refer to, and whether it is another element than the root."""
        self.room = screen_width
        self.tall: float | None = None
        self.has_no_rows = self.has_no_columns = self.is_table = False
        self.perspective = "none"
        self.variables: dict[str, str] = {}
        self.up: Sight | None = None
        self.own: Style = {}


def resolved(sight: Sight, declared: Declared, sheet: Sheet, attributes: Mapping[str, str], screen: Screen) -> Style:
    """The values of properties, without variables and animations; without what is inherited."""
    style: Style = {}
    for name, (_, value) in declared.items():
        if name.startswith("--"):
            continue
        if is_pending(value):
            short, pending, text = value.partition(PENDING)
            known = _substituted(text if pending else value, _Known(sight, sheet, attributes, screen))
            found = dict(longhands(short if pending else name, known)) if known is not None else {}
            # What is not valid after all is as if it were not set.
            if name not in found:
                continue
            value = found[name]
        if value in CSS_WIDE:
            if name == "display" and value in ("initial", "unset"):
                style[name] = "inline"
            if value != "initial" or name not in _INHERITED_RESET:
                continue
            value = _INHERITED_RESET[name]
        style[name] = value
    if "animation-name" in style:
        _animate(style, declared, sheet)
    return style


class _Known(NamedTuple):
    """What may take the place of a function in a value."""

    sight: Sight
    sheet: Sheet
    attributes: Mapping[str, str]
    screen: Screen


def _substituted(value: str, known: _Known) -> str | None:
    for _ in range(_MOST_VARIABLES):
        found = innermost(value)
        if found is None:
            return value.strip()
        start, end, name, inside = found
        given = _if(inside, known) if name == "if" else _named(name, inside, known)
        if given is None:
            return None
        value = f"{value[:start]}{given}{value[end:]}"
        if len(value) > _LONGEST_VALUE:
            return None
    return None


def _named(function: str, inside: str, known: _Known) -> str | None:
    """The value of a variable, of the browser's environment or of an attribute, or what is given in its stead."""
    name, comma, instead = (part.strip() for part in inside.partition(","))
    value: str | None = None
    if function == "var":
        value = _variable(name, known)
    elif function == "env":
        value = "0px" if name.startswith("safe-area-") else None
    elif parts(name):
        name, _, kind = name.partition(" ")
        value = known.attributes.get(name)
        if value is not None and kind:
            value = _of_kind(value.strip().lower(), kind.strip())
    return value if value is not None else instead if comma else None


def _of_kind(value: str, kind: str) -> str | None:
    """The value of an attribute as ``attr()`` demands it."""
    if kind.startswith("type("):
        return value if fits(value, kind.removeprefix("type(").removesuffix(")")) else None
    return f"{value}{'' if kind == 'number' else kind}" if fits(value, "<number>") else None


def _if(inside: str, known: _Known) -> str | None:
    """The value behind the first condition that holds."""

    def holds(name: str, text: str) -> bool:
        if name == "style":
            variable, _, value = (part.strip() for part in text.partition(":"))
            return (_variable(variable, known) or "") == value if value else _variable(variable, known) is not None
        return is_met(Condition(name, text if text.isalpha() else f"({text})"), known.screen, Containers(False))

    for clause in inside.split(";"):
        condition, colon, value = clause.rpartition(":")
        if colon and (condition.strip() == "else" or is_true(condition, holds)):
            return value.strip()
    return None


def _variable(name: str, known: _Known) -> str | None:
    """The value of a variable, in lower case; ``None`` without one."""
    at: Sight | None = known.sight
    registered = known.sheet.registered.get(name)
    value = None
    for _ in range(MOST_ANCESTORS):
        if at is None:
            break
        value = at.variables.get(name)
        if value is not None and registered is not None and not (is_pending(value) or fits(value, registered.syntax)):
            value = None
        if value == "inherit" or (value in (None, "unset") and (registered is None or registered.inherits)):
            at, value = at.up, None
            continue
        break
    if value in (None, "initial", "unset"):
        value = registered.initial if registered is not None else None
    return None if value is None else lowered(value.strip())


def _animate(style: Style, declared: Declared, sheet: Sheet) -> None:
    """Sets what an animation leaves when it is over, or what a reader sees while it lasts."""
    names = style["animation-name"].split(",")
    for k, name in enumerate(names):
        frames = sheet.keyframes.get(name.strip().strip("\"'"))
        if frames is None:
            continue
        style.pop("animation-name", None)
        for prop, value, _ in _left(style, k, frames):
            for each, text in longhands(prop, value):
                if not (each in declared and declared[each][0][0] == 1):
                    style[each] = text


def _left(style: Style, k: int, frames: Keyframes) -> Declarations:
    """The declarations that one of an element's animations leaves."""

    def given(name: str) -> str:
        row = style.get(f"animation-{name}", "").split(",")
        return row[k % len(row)].strip()

    steps = {at.strip(): step for where, step in frames.steps for at in where.split(",")}
    first, last = (steps.get(a, steps.get(b, ())) for a, b in (("from", "0%"), ("to", "100%")))
    fill, count, direction = given("fill-mode"), given("iteration-count"), given("direction")
    if direction in ("reverse", "alternate-reverse"):
        first, last = last, first
    if given("play-state") == "paused":
        return first
    if count == "infinite":
        return tuple(one for one in first if all(one in step for step in steps.values()) and len(steps) > 1)
    waits, lasts = (seconds(given(name)) or 0.0 for name in ("delay", "duration"))
    if (waits >= _LONG_WAIT and fill in ("backwards", "both")) or lasts >= _LONG_ANIMATION:
        return first
    if fill not in ("forwards", "both"):
        return ()
    is_even = (number(count) or 1.0) % 2 == 0
    return first if direction.startswith("alternate") and is_even else last


def opacity_of(style: Style) -> float:
    """The opacity of an element by itself."""
    value = 1.0
    if "opacity" in style:
        value = min(max(number(style["opacity"]) or 0.0, 0.0), 1.0)
    for name, args in calls(style.get("filter", "none")):
        if name == "blur" and (length(args[0] if args else "0", Basis()) or 0.0) >= _BLURRED:
            value = 0.0
        elif name == "opacity":
            value *= min(max(number(args[0]) or 0.0, 0.0), 1.0) if args and args[0] else 1.0
    return value
