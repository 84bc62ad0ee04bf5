"""The door to the compiled twin of the flow: what it has to know of tags."""

from __future__ import annotations

from functools import cache
from typing import Any

from duramen.dom import Element
from duramen.native import core
from duramen.refine.elements.flow import PUSHED, RENAMED, RUN_HOLDERS, SINGLE
from duramen.refine.elements.inline import BLOCKS, FLOW, INLINE, ITEMS, KNOWN, TABLE, VOID
from duramen.refine.elements.links import HEADINGS

_LEFT_OUT = frozenset("script style xmp listing iframe noembed noframes plaintext textarea template".split())
"""Elements whose text parsers and serializers treat in a way of their own."""
_TRAITS = (INLINE, BLOCKS, FLOW, ITEMS, TABLE, VOID, HEADINGS, RUN_HOLDERS, PUSHED, SINGLE, _LEFT_OUT)
"""In the order of the bits of ``flow.h``."""
_NAMES = ("", "div", "code", "s", "abbr", "ul", "p")
"""New names of elements, by the number above those bits."""


@cache
def _tags() -> Any:
    traits = {
        tag: sum(1 << bit for bit, tags in enumerate(_TRAITS) if tag in tags) for tag in (*KNOWN, *RENAMED, *_LEFT_OUT)
    }
    for tag, name in RENAMED.items():
        if tag not in _LEFT_OUT:
            traits[tag] += _NAMES.index(name) << len(_TRAITS)
    return core.Lookup({tag: float(value) for tag, value in traits.items()})


def compiled_flow(root: Element) -> str | None:
    """A draft whose hard elements are in form, with the rest brought into form as well, and without titles that only
    repeat their link's text; None without the core, and where the draft holds what it leaves to Python."""
    if core is None:
        return None
    # Texts that stand side by side, since something between them was taken out, are still several to the flow.
    return core.flow(root.inner_html, list(map(len, root.strings)), _tags())  # type: ignore[no-any-return]
