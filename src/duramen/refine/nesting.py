"""The nesting rules of the HTML parser, which the sanitizer obeys while it writes.

A paragraph around a block becomes a division, a link in a link is left out, stray text in a table gets a cell, and so
on: whatever tree is written, a parser has nothing to repair in the result.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["MISSING", "TABLE_PARTS", "forms"]

# What parsing does to a tree is not policy but the HTML standard; each set follows a rule of its tree construction.
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_VOID = frozenset({"br", "col", "hr", "img", "wbr"})
_CLOSES_P = frozenset(
    {
        *_HEADINGS,
        *("address", "article", "blockquote", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "hr", "li"),
        *("ol", "p", "pre", "section", "summary", "table", "ul"),
    }
)
_BOUNDS_P = frozenset({"caption", "table", "td", "th"})
_BOUNDS_ITEM = (_CLOSES_P | _BOUNDS_P | frozenset({"tbody", "tfoot", "thead", "tr"})) - {"address", "div", "p"}
_KEPT_EMPTY = frozenset({"colgroup", "td", "th", "tr"})
_GROUPS = ("thead", "tbody", "tfoot")
TABLE_PARTS: dict[str, frozenset[str]] = {
    "table": frozenset({"caption", "colgroup", *_GROUPS}),
    "colgroup": frozenset({"col"}),
    "tr": frozenset({"td", "th"}),
    **dict.fromkeys(_GROUPS, frozenset({"tr"})),
}
_ONLY_IN_TABLE = frozenset().union(*TABLE_PARTS.values())
_FLOW = ""
MISSING: dict[str, dict[str, tuple[str, ...]]] = {
    "table": {
        "tr": ("tbody",),
        "td": ("tbody", "tr"),
        "th": ("tbody", "tr"),
        "col": ("colgroup",),
        _FLOW: ("tbody", "tr", "td"),
    },
    "colgroup": {},
    "tr": {_FLOW: ("td",)},
    **{group: {"td": ("tr",), "th": ("tr",), _FLOW: ("tr", "td")} for group in _GROUPS},
}
_STRAY_BLOCKS = frozenset({"caption", "td", "th", "tr"})

# What holds inside an open element, as bits. A list item, an entry, a heading and a link end the one they are in.
_ITEM, _ENTRY, _HEADING, _LINK, _, _TABLE, _PRE = (1 << bit for bit in range(7))
_AROUND = _ITEM | _ENTRY | _HEADING | _LINK


def _inside(tag: str) -> tuple[int, int]:
    """Which bits an element hands on from outside, and which it adds."""
    keeps = _HEADING | _LINK if tag in _BOUNDS_ITEM else _AROUND
    adds = {"li": _ITEM, "dd": _ENTRY, "dt": _ENTRY, "a": _LINK, "pre": _PRE}.get(tag, 0)
    return keeps, adds | (_HEADING if tag in _HEADINGS else 0) | (_TABLE if tag in TABLE_PARTS else 0)


def forms(tags: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """What the sanitizer has to know of tags: traits in the bits of ``sanitizer.c``, and the bits that they hand on and
    add."""
    sets = (_VOID, _CLOSES_P, _BOUNDS_P, _KEPT_EMPTY, _ONLY_IN_TABLE, _STRAY_BLOCKS, _HEADINGS)
    return {tag: (sum(1 << bit for bit, names in enumerate(sets) if tag in names), *_inside(tag)) for tag in tags}
