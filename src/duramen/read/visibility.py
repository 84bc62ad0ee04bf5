"""What of a page a reader can see, by the declarations that apply to its elements.

There is no layout: a text counts as hidden only where its styles leave no doubt, wherever its element is on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duramen.read.boxes import FAR_LEFT, Boxes, Excuse
from duramen.read.cascade import Declared
from duramen.read.colours import WHITE, colours_in
from duramen.read.computed import MOST_ANCESTORS, Sight, Style, Why, opacity_of, resolved
from duramen.read.conditions import Screen
from duramen.read.painting import FAINT, paint, unreadable
from duramen.read.properties import FONT_SIZES
from duramen.read.shapes import shows_nothing
from duramen.read.style_sheets import Sheet
from duramen.read.style_values import Basis, calls, length, number, parts
from duramen.read.windows import is_indented_away
from duramen.tree import Tree

_TINY = 4.0
"""Letters of so many pixels are no letters."""
_SHORT_CLIP = 2.0
"""A clip of so few pixels shows no line of text."""
_PLAIN = frozenset("span b i u s em strong font small big mark code a abbr cite q sub sup tt ins del".split())
"""Elements that sheets at other addresses seldom give a size or a colour, as long as they have no class."""


class Viewer(Boxes):
    """Looks at a page on one screen."""

    def __init__(self, tree: Tree, sheet: Sheet, screen: Screen, *, is_whole: bool, excuse: Excuse) -> None:
        super().__init__(tree, screen, is_whole=is_whole, excuse=excuse)
        self.sheet = sheet
        self._media: list[int] | None = None

    def hidden(self, declared: Mapping[int, Declared]) -> Iterator[tuple[int, int, Why]]:
        """The ranges of nodes that are not seen, in order, each with the reason."""
        tree = self.tree
        stack = [Sight(WHITE if self.is_whole else None, self.screen.width)]
        at = 0
        for i in (*sorted(declared), len(tree)):
            while len(stack) > 1 and (i >= tree.end[stack[-1].node]):
                done = stack.pop()
                yield from self._range(done, at, tree.end[done.node])
                at = tree.end[done.node]
            yield from self._range(stack[-1], at, i)
            at = max(at, i)
            if i < len(tree):
                stack.append(self._inside(i, stack[-1], declared[i]))

    def _range(self, sight: Sight, start: int, stop: int) -> Iterator[tuple[int, int, Why]]:
        if start >= stop:
            return
        why = self.why(sight)
        if why is None:
            return
        if why.rule in _DOUBTFUL and not self.is_whole:
            outer = why.since if why.since >= 0 else why.node
            yield from (
                (k, k + 1, why) for k in range(start, stop) if not self.tree.tag[k] and self._is_plain(k, outer)
            )
        else:
            yield start, stop, why

    def _is_plain(self, text: int, node: int) -> bool:
        """Whether nothing between a text and an element is likely to have a style in a sheet that is not known."""
        tree, i = self.tree, self.tree.parent[text]
        for _ in range(MOST_ANCESTORS):
            if i <= node:
                return i == node
            if tree.tag[i] not in _PLAIN or tree.cls[i] or tree.ident[i]:
                return False
            i = tree.parent[i]
        return False

    # One element.

    def _inside(self, i: int, around: Sight, declared: Declared) -> Sight:
        sight = Sight.__new__(Sight)
        sight.__dict__.update(around.__dict__)
        sight.node, sight.up = i, around
        sight.variables = {name: declared[name][1] for name in declared if name[0] == "-" and name[1] == "-"}
        if around.gone is not None:
            return sight
        style = sight.own = resolved(sight, declared, self.sheet, self.tree.attrs[i], self.screen)
        self._text(sight, style)
        self.measure(i, sight, around, style)
        self._paint(i, sight, around, style)
        sight.gone = self._gone(i, sight, around, style)
        return sight

    def _text(self, sight: Sight, style: Style) -> None:
        """Properties of letters."""
        i = sight.node
        if size := style.get("font-size"):
            if size in ("smaller", "larger"):
                sight.font *= 0.83 if size == "smaller" else 1.2
            elif size in FONT_SIZES:
                sight.font = FONT_SIZES[size] or sight.font
            else:
                found = length(size, self.basis(sight, sight.font))
                sight.font = sight.font if found is None else max(found, 0.0)
            sight.font_node = i
            if i == 0:
                sight.root_font = sight.font
        if number(style.get("font-size-adjust", "none")) == 0:
            sight.font, sight.font_node = 0.0, i
        if value := style.get("visibility"):
            sight.visibility, sight.visibility_node = value, i
            if value != "visible" and self.excuse(i, "visibility", style):
                sight.visibility = "visible"
        if "white-space" in style:
            sight.nowrap = style["white-space"] in ("nowrap", "pre")
        if "letter-spacing" in style:
            sight.spacing = (self.pixels(style, "letter-spacing", sight) or 0.0) / (sight.font or 1.0)
        if (line := style.get("line-height")) is not None:
            height = number(line) if line[-1:].isdigit() else length(line, self.basis(sight, sight.font))
            sight.line = 1.2 if height is None else height if line[-1:].isdigit() else height / (sight.font or 1.0)
        if "-webkit-text-security" in style:
            sight.secure = i if style["-webkit-text-security"] != "none" else 0

    def _paint(self, i: int, sight: Sight, around: Sight, style: Style) -> None:
        """Colours, and what is behind the letters."""
        is_opaque = paint(i, sight, around, style)
        is_positioned = style.get("position", "static") != "static"
        if sight.back_node != i and is_positioned and self._has_media(around.back_node, i):
            # It may be in front of a picture.
            sight.back = None
        is_stacking = (
            (is_positioned and style.get("z-index", "auto") != "auto")
            or any(style.get(name, "none") != "none" for name in _STACKING)
            or style.get("opacity", "1") not in ("1", "100%")
            or style.get("position") in ("fixed", "sticky")
        )
        if is_stacking:
            sight.paint = 0
        elif is_opaque and self.tree.tag[i] not in ("html", "body"):
            sight.paint = i

    def _has_media(self, outer: int, inner: int) -> bool:
        if self._media is None:
            self._media = self.tree.tagged(frozenset({"img", "video", "picture", "svg", "canvas", "iframe", "object"}))
        near = self.tree.parent[self.tree.parent[inner]] if self.tree.parent[inner] > 0 else 0
        start = max(outer, near)
        return any(start <= k < self.tree.end[start] for k in self._media)

    # Whether it is seen.

    def _gone(self, i: int, sight: Sight, around: Sight, style: Style) -> Why | None:
        """Why an element hides all that is in it."""
        for rule, reason, test in (
            ("display", "display: none", self._is_not_displayed),
            ("clip", "clipped away", self._is_clipped),
            ("transform", "turned or shrunk to nothing", self._is_flat),
            ("mask", "masked away", self._is_masked),
            ("behind", "behind a background", self._is_behind),
        ):
            if test(i, sight, around, style) and not self.excuse(i, rule, style):
                return Why(i, rule, reason)
        opacity = opacity_of(style)
        if opacity < 1:
            if opacity < FAINT and self.excuse(i, "opacity", style):
                opacity = 1.0
            sight.opacity *= opacity
            if sight.opacity < FAINT:
                return Why(i, "opacity", "opacity: 0")
        return None

    def _is_not_displayed(self, i: int, sight: Sight, around: Sight, style: Style) -> bool:
        if style.get("display", "").startswith(("none", "table-column")):
            return True
        return style.get("content-visibility") == "hidden" or "url(" in style.get("content", "")

    def _is_clipped(self, i: int, sight: Sight, around: Sight, style: Style) -> bool:
        clip = style.get("clip", "auto")
        if clip.startswith("rect(") and style.get("position") in ("absolute", "fixed"):
            ends = ("0", "9999px", "9999px", "0")
            given = zip(calls(clip)[0][1], ends, strict=False)
            sides = [length(end if part == "auto" else part, self.basis(sight, 0.0)) for part, end in given]
            if len(sides) == 4 and None not in sides:
                top, right, bottom, left = (side or 0.0 for side in sides)
                if min(right - left, bottom - top, right, bottom) <= _SHORT_CLIP:
                    return True
        path = style.get("clip-path", "none")
        shapes = " ".join(part for part in parts(path) if "(" in part)
        return path != "none" and any(shows_nothing(name, args) for name, args in calls(shapes))

    def _is_flat(self, i: int, sight: Sight, around: Sight, style: Style) -> bool:
        if sight.scale != around.scale and abs(sight.scale) < 0.05:
            return True
        return sight.is_back and style.get("backface-visibility") == "hidden"

    def _is_masked(self, i: int, sight: Sight, around: Sight, style: Style) -> bool:
        mask = style.get("mask-image", "none")
        sizes = parts(style.get("mask-size", "auto"), ",")
        if mask != "none" and all(any(length(side, Basis()) == 0 for side in parts(size)) for size in sizes):
            return True
        stops = [stop for layer in parts(mask, ",") for stop in colours_in(layer)] if "gradient" in mask else []
        return bool(stops) and all(stop.alpha < FAINT for stop in stops)

    def _is_behind(self, i: int, sight: Sight, around: Sight, style: Style) -> bool:
        if not self.is_whole or around.paint == 0 or style.get("position", "static") == "static":
            return False
        return (number(style.get("z-index", "0")) or 0.0) < 0

    def why(self, sight: Sight) -> Why | None:
        """Why the text of an element is not seen; ``None`` if it is, or may be."""
        if sight.gone is not None:
            return sight.gone
        if sight.cut is not None or sight.out is not None:
            return sight.cut or sight.out
        if sight.visibility != "visible":
            return Why(sight.visibility_node, "visibility", "visibility: hidden")
        if sight.place:
            return Why(max(sight.place, 0), "place", "outside the page")
        if sight.font * abs(sight.scale) <= _TINY:
            return Why(sight.font_node or sight.node, "size", "letters without size")
        if (
            sight.indent <= FAR_LEFT
            or (sight.indent >= -FAR_LEFT and sight.nowrap and sight.clips_x)
            or is_indented_away(sight)
        ):
            return Why(sight.indent_node, "indent", "outside the page")
        if sight.spacing <= -0.5:
            return Why(sight.node, "indent", "letters on top of each other")
        if sight.secure:
            return Why(sight.secure, "size", "letters that are covered")
        return unreadable(sight)


_DOUBTFUL = frozenset({"size", "indent", "colour"})
"""What a sheet that is not known often undoes further inside."""
_STACKING = ("transform", "filter", "scale", "rotate", "translate")
