"""Boxes that cut off what is outside them, and where what is in them begins.

There is no layout: only offsets count that styles state, from the corner of the box to the first line of a text.
"""

from __future__ import annotations

from collections.abc import Callable

from duramen.read.computed import Sight, Style, Window

Pixels = Callable[[str, float | None], float | None]
"""A property's value in pixels; the second is what 100 % are."""
_LINE = 4.0
"""Pixels of a line that are not enough to read it."""
_FAR = 500.0
"""Pixels above or before a box that hold more than a short text."""
_CUTTING = frozenset({"hidden", "clip"})
"""Values of ``overflow``; to where a box can be scrolled, a reader comes."""
_PAINTED = frozenset({"paint", "strict", "content"})


def cuts(style: Style) -> bool:
    """Whether an element cuts off what is outside of it, whatever its overflow is."""
    return not _PAINTED.isdisjoint(style.get("contain", "").split())


def is_outside(sight: Sight, around: Sight, style: Style, pixels: Pixels, moved: tuple[float, float]) -> bool:
    """Whether the text of a box is cut off by a box around it, or by this one itself.

    ``moved`` is by how much transformations move it. Stores in ``sight`` where what is in the box begins.
    """
    position = style.get("position", "static")
    is_out = position in ("absolute", "fixed")
    window = around.window
    if window is not None and is_out and (position == "fixed" or not window.is_anchor):
        window = None
    room = around.room
    left, right = (pixels(name, room) for name in ("left", "right"))
    top, bottom = (pixels(name, around.tall or 0.0) for name in ("top", "bottom"))
    dx, dy = around.dx, around.dy
    if is_out:
        if left is not None:
            dx = around.anchor[0] + left
        if top is not None:
            dy = around.anchor[1] + top
        elif bottom is not None:
            dy = -bottom if around.tall is None else around.anchor[1] + around.tall - bottom - _LINE
    elif position in ("relative", "sticky", "-webkit-sticky"):
        dx += left if left is not None else -(right or 0.0)
        dy += top if top is not None else -(bottom or 0.0)
    dx += (pixels("margin-left", room) or 0.0) + moved[0]
    dy += (pixels("margin-top", room) or 0.0) + moved[1]
    was_outside = window is not None and _is_beyond(window, dx, dy, sight)
    width, height = pixels("width", room), _height(style, around, pixels)
    padding = {name: pixels(f"padding-{name}", room) or 0.0 for name in ("left", "top", "bottom")}
    widest = pixels("max-width", room)
    width = room if width is None else width
    sight.room = max(width if widest is None else min(width, widest), pixels("min-width", room) or 0.0)
    sight.tall = height
    if position != "static" or "transform" in style:
        sight.anchor = (dx, dy)
    if (
        not was_outside
        and not sight.is_table
        and (cuts(style) or {style.get("overflow-x"), style.get("overflow-y")} & _CUTTING)
    ):
        is_border = style.get("box-sizing") == "border-box"
        whole = (
            None if height is None else max(height, 0.0 if is_border else height + padding["top"] + padding["bottom"])
        )
        shown = whole if style.get("overflow-y") != "visible" or cuts(style) else None
        window = Window(sight.node, sight.room, shown, position != "static" or "transform" in style)
        dx = dy = 0.0
        sight.anchor = (0.0, 0.0)
    sight.window, sight.dx, sight.dy = window, dx + padding["left"], dy + padding["top"]
    return was_outside or (window is not None and _is_beyond(window, sight.dx, sight.dy, sight))


def _height(style: Style, around: Sight, pixels: Pixels) -> float | None:
    """The height that an element has at most, if its styles say so."""

    def known(name: str) -> float | None:
        value = style.get(name, "")
        return None if value.endswith("%") and around.tall is None else pixels(name, around.tall)

    if style.get("min-height", "").endswith("-content"):
        return None
    sizes = [size for size in (known("height"), known("max-height")) if size is not None]
    return max(min(sizes), known("min-height") or 0.0) if sizes else None


def _is_beyond(window: Window, dx: float, dy: float, sight: Sight) -> bool:
    line = dy + max(sight.line - 1.0, 0.0) * sight.font / 2
    if window.height is not None and (line >= window.height - _LINE or dy <= -_FAR):
        return True
    return dx >= window.width or dx <= -_FAR - window.width


def is_indented_away(sight: Sight) -> bool:
    """Whether a single line begins outside of the box that cuts it off."""
    return sight.nowrap and sight.window is not None and sight.dx + sight.indent >= sight.window.width
