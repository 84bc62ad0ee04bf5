"""HTML as elements and texts that may be edited; all of it compiled (``src/native/dom.c``).

The refine and render stages edit such trees, in private copies; the page itself is read through :mod:`duramen.tree`.
"""

from __future__ import annotations

from functools import cache
from html import escape

from duramen.native import core  # isort: skip  # before the core's own names: it reports a core that is missing
from duramen._native import Comment, Element, Node, Text
from duramen.model import PageText

__all__ = [
    "Comment",
    "Element",
    "Node",
    "Text",
    "escape",
    "fragment",
    "named_characters",
]


def fragment(html: PageText | bytes) -> Element:
    """Parse a piece of HTML, as text or in UTF-8, into a ``div`` of its own, free to be edited.

    >>> fragment("<li>one<li>two").inner_html
    '<li>one</li><li>two</li>'
    """
    if isinstance(html, bytes):
        html = core.utf8(html) or html.decode()
    return core.fragment(html, named_characters())


@cache
def named_characters() -> core.Lookup:
    """The standard's named characters for the core: the number of the first, a second one shifted by 21 bits."""
    from html.entities import html5

    return core.Lookup({name: float(sum(ord(c) << 21 * k for k, c in enumerate(text))) for name, text in html5.items()})
