"""Where elements are, how large they are and what they cut off, as far as styles say so."""

from __future__ import annotations

from collections.abc import Callable

from duramen.lazy_pattern import lazy_pattern
from duramen.read.computed import Sight, Style, Why
from duramen.read.conditions import Screen
from duramen.read.shapes import Transformed, transformed
from duramen.read.style_values import Basis, length, number
from duramen.read.windows import cuts, is_outside
from duramen.tree import BLOCK_TAGS, Tree

FAR_LEFT = -700.0
_LEFT_OF_PLACE, _FAR_RIGHT = -1500.0, 3840.0
_FAR_UP, _ABOVE_PLACE = -500.0, -2000.0
"""In pixels: how far outside the window a positioned element is, and how far others are moved from their place."""
_THIN = 4.0
"""A box of so few pixels shows no line of text."""
_PARTS = frozenset("table td th tr tbody thead tfoot col colgroup caption".split())
_TRACKS = lazy_pattern(r"(?:\[[^\]]*\]|repeat\(\s*[\w-]+\s*,|minmax\(|0[a-z]*|[\s,)])+")
"""Rows or columns without a size."""
_TABLE_DISPLAYS = frozenset("table table-cell table-row table-row-group table-header-group table-footer-group".split())
Excuse = Callable[[int, str, Style], bool]
"""Whether an element that is hidden in some way will be shown by a click or a script."""


class Boxes:
    """The boxes of a page on one screen."""

    def __init__(self, tree: Tree, screen: Screen, *, is_whole: bool, excuse: Excuse) -> None:
        self.tree, self.screen, self.excuse = tree, screen, excuse
        self.is_whole = is_whole
        """Whether all sheets are known."""

    def basis(self, sight: Sight, percent: float) -> Basis:
        return Basis(sight.font, sight.root_font, self.screen.width, self.screen.height, percent)

    def pixels(self, style: Style, name: str, sight: Sight, percent: float | None = None) -> float | None:
        value = style.get(name)
        if value is None or value in ("auto", "none", "normal"):
            return None
        return length(value, self.basis(sight, self.screen.width if percent is None else percent))

    def measure(self, i: int, sight: Sight, around: Sight, style: Style) -> None:
        """Where the element is, how large, and what it cuts off."""
        position = style.get("position", "static")
        is_out = position in ("absolute", "fixed")
        default = "block" if self.tree.tag[i] in BLOCK_TAGS else "inline"
        sight.display = style.get("display", default)
        is_item = around.node == self.tree.parent[i] and around.display.endswith(("flex", "grid", "-box"))
        is_box = (
            sight.display not in ("inline", "contents") or is_out or is_item or style.get("float", "none") != "none"
        )
        if is_out and around.cut is not None and around.cut_escaped:
            sight.cut = None
        sight.clips_x = False
        sight.is_back = False
        if not is_box:
            if position == "relative":
                self._move(i, sight, around, style, position)
            return
        if (indent := style.get("text-indent")) is not None:
            sight.indent = length(indent, self.basis(sight, around.room)) or 0.0
            sight.indent_node = i
        sight.is_table = sight.display.removeprefix("inline-") in _TABLE_DISPLAYS or (
            self.tree.tag[i] in _PARTS and "display" not in style
        )
        moved = self._move(i, sight, around, style, position)
        self._look_through(i, sight, around, style, moved)
        zoom = style.get("zoom")
        if zoom and (factor := number(zoom)) and factor > 0:
            sight.scale *= factor
        if sight.is_table:
            return
        clips_x, clips_y = (style.get(f"overflow-{axis}", "visible") != "visible" for axis in "xy")
        # Where one side scrolls or hides, the other does not show either.
        if clips_x != clips_y and "clip" not in (style.get("overflow-x"), style.get("overflow-y")):
            clips_x = clips_y = True
        if cuts(style):
            clips_x = clips_y = True
        sight.clips_x = clips_x
        is_grid = sight.display.endswith("grid")
        rows, columns = (style.get(f"grid-template-{name}", "none") for name in ("rows", "columns"))
        rows = style.get("grid-auto-rows", "auto") if rows == "none" else rows
        sight.has_no_rows, sight.has_no_columns = (
            is_grid and _TRACKS.fullmatch(tracks) is not None for tracks in (rows, columns)
        )
        if (clips_y and self._is_thin(sight, style, "height")) or (clips_x and self._is_thin(sight, style, "width")):
            if not self.excuse(i, "extent", style):
                sight.cut = Why(i, "extent", "no room to be seen in")
                sight.cut_escaped = position == "static" and "transform" not in style
        elif clips_x and (self.pixels(style, "padding-left", sight) or 0) > self.screen.width:
            sight.cut, sight.cut_escaped = Why(i, "extent", "no room to be seen in"), True

    def _is_thin(self, sight: Sight, style: Style, side: str) -> bool:
        room = self.screen.width if side == "width" else self.screen.height
        tall = sight.up.tall if side == "height" and sight.up is not None else None
        sizes = [self.pixels(style, name, sight, room if tall is None else tall) for name in (side, f"max-{side}")]
        known = [size for size in sizes if size is not None]
        least = style.get(f"min-{side}", "0")
        if least.endswith("-content"):
            return False
        in_grid = sight.up is not None and sight.up.node == self.tree.parent[sight.node]
        padding = [self.pixels(style, f"padding-{name}", sight) or 0.0 for name in ("top", "bottom", "left")]
        if side == "height" and "auto" in (style.get("height", "auto"),) and not known:
            is_empty = (
                sight.line <= 0.05
                or not {"size", "strict"}.isdisjoint(style.get("contain", "").split())
                or "size" in style.get("container-type", "").split()
                or sight.has_no_rows
                or (in_grid and sight.up is not None and sight.up.has_no_rows)
            )
            known = [0.0] if is_empty else []
        elif side == "width" and not known and in_grid and sight.up is not None and sight.up.has_no_columns:
            known = [0.0]
        if not known or min(known) > _THIN:
            return False
        if (self.pixels(style, f"min-{side}", sight, room) or 0.0) > _THIN:
            return False
        if (
            side == "width"
            and style.get("display") == "inline-block"
            and "max-width" not in style
            and "width" not in style
        ):
            return False
        return sum(padding[:2]) <= _THIN if side == "height" else padding[2] <= _THIN

    def _look_through(self, i: int, sight: Sight, around: Sight, style: Style, moved: tuple[float, float]) -> None:
        """Whether a box around an element, or the element itself, cuts off its text."""

        def measured(name: str, whole: float | None) -> float | None:
            return self.pixels(style, name, sight, whole)

        is_out = is_outside(sight, around, style, measured, moved)
        if is_out and not (self.excuse(i, "extent", style) or self.excuse(i, "place", style)):
            sight.out = Why(i, "extent", "outside of what the box around it shows")
            if sight.window is not None and sight.window.node == i and around.window is not None:
                sight.out = sight.out if around.out is None else around.out
        else:
            sight.out = None

    def _move(self, i: int, sight: Sight, around: Sight, style: Style, position: str) -> tuple[float, float]:
        """Adds up by how much an element is moved; by how much transformations move it."""
        width, height = self.screen
        left, right = (self.pixels(style, name, sight, width) for name in ("left", "right"))
        top, bottom = (self.pixels(style, name, sight, height) for name in ("top", "bottom"))
        x, y = around.x, around.y
        is_out = position in ("absolute", "fixed")
        if is_out and (left is not None or right is not None):
            base = 0.0 if position == "fixed" else around.absolute_x
            x = base + (left if left is not None else -(right or 0.0))
        elif position in ("relative", "sticky", "-webkit-sticky"):
            x += left if left is not None else -(right or 0.0)
        far_up = False
        if is_out and (top is not None or bottom is not None):
            y = top if top is not None else -(bottom or 0.0)
            far_up = y <= _FAR_UP
        elif position == "relative":
            y += top if top is not None else -(bottom or 0.0)
        x += self.pixels(style, "margin-left", sight, width) or 0.0
        x += self.pixels(style, "padding-left", sight, width) or 0.0
        if style.get("float") == "right" or (is_out and left is None and right is not None):
            x -= self.pixels(style, "margin-right", sight, width) or 0.0
        shift = self.pixels(style, "margin-top", sight, width) or 0.0
        far_up = far_up or (is_out and shift <= _FAR_UP)
        y += shift
        own_width = self.pixels(style, "width", sight, width)
        change = transformed(style, self.basis(sight, own_width or width), sight.perspective)
        sight.perspective = style.get("perspective", "none")
        x, y = x + change.x, y + change.y
        sight.scale *= change.scale
        sight.is_back = change.is_back
        sight.x, sight.y = x, y
        if position != "static":
            sight.absolute_x = x
        most = max(own_width or 0.0, 0.0)
        limit = (FAR_LEFT if is_out and left is not None else _LEFT_OF_PLACE) - most
        if is_out and left is None and right is not None:
            limit = -width
        is_far = x <= limit or x >= _FAR_RIGHT or far_up or y <= _ABOVE_PLACE
        is_far = is_far or self._is_off(sight, style, position)
        if position != "static" or change != Transformed():
            sight.is_anchored = True
        if not is_far:
            sight.place = 0
        elif not sight.place or x < around.x or y < around.y or x > around.x:
            sight.place = 0 if self.excuse(i, "place", style) else i or -1
            if not sight.place:
                sight.x = sight.y = 0.0
        return change.x, change.y

    def _is_off(self, sight: Sight, style: Style, position: str) -> bool:
        """Whether a box is outside the window, or where no scrolling leads, by its own edges."""
        if position not in ("absolute", "fixed") or sight.is_anchored or not (self.is_whole or position == "fixed"):
            return False
        for near, far, side, room in (
            ("left", "right", "width", self.screen.width),
            ("top", "bottom", "height", self.screen.height),
        ):
            start, end, size = (self.pixels(style, name, sight, room) for name in (near, far, side))
            if start is not None and position == "fixed":
                change = transformed(style, self.basis(sight, size or 0.0))
                start += change.x if near == "left" else change.y
                if start <= _FAR_UP - (size or room):
                    return True
            if start is not None and (
                (size is not None and start + size <= 0) or (position == "fixed" and start >= room)
            ):
                return True
            if start is None and end is not None and position == "fixed" and -end >= (room if size is None else size):
                return True
        return False
