"""Plain text of sanitized canonical HTML."""

from __future__ import annotations

from functools import cache

from duramen.dom import named_characters
from duramen.native import core
from duramen.tree import BLOCK_TAGS

__all__ = ["render_text"]

_SKIPPED = ("img", "rp", "script", "style", "template", "colgroup", "col", "wbr")
_OWN_LINE = ("caption", "dd", "div", "dt", "figcaption", "summary", "tbody", "tfoot", "thead")
"""Blocks that only begin and end a line; others have a blank line on both sides."""
_LAYOUT = "table pre ul ol dl blockquote h1 h2 h3 h4 h5 h6 hr details".split()
"""A table holding one of these is laid out cell by cell, since a row no longer fits on a line."""


@cache
def _kinds() -> core.Lookup:
    """What becomes of tags, in the numbers of ``plain.c``."""
    kinds = {
        **dict.fromkeys(BLOCK_TAGS, 15),
        **dict.fromkeys(_OWN_LINE, 14),
        **dict.fromkeys(_SKIPPED, 1),
        **{tag: kind for kind, tag in enumerate("br ul ol li pre table tr td sup rt q code".split(), 2)},
    }
    kinds["th"] = kinds["td"]
    return core.Lookup({tag: float(kind + 32 * (tag in _LAYOUT)) for tag, kind in kinds.items()})


def render_text(html: str) -> str:
    """The text a reader sees: blocks apart by a blank line, list items and table rows on lines of their own.

    Items of numbered lists begin with a dash, too: their numbers are no words of the page. A power is written with a
    sign before it (``10^6``), other raised text as it is (``4th``); the marks of footnotes are in brackets.

    >>> print(render_text("<h2>Fruit</h2><ul><li>Pears<li>Figs</ul><table><tr><td>Pear<td>2</table>"))
    Fruit
    <BLANKLINE>
    - Pears
    - Figs
    <BLANKLINE>
    Pear | 2
    """
    return core.plain_text(html, _kinds(), named_characters())
