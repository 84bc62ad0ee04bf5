"""From a page's text to its :class:`~duramen.tree.Tree`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from duramen.dom import named_characters
from duramen.model import PageText
from duramen.native import core
from duramen.tree import BLOCK_TAGS, INLINE_FAMILIES, NAMING_ATTRIBUTES, SILENT_TAGS, Tree

_SILENT, _LINK, _SPACED, _DRAWING, _BLOCK = 1, 2, 4, 8, 16
"""What a tag means for the text inside it: never shown; a link; white space counts; no text at all; it is a block."""
_LIMITS = (
    (1, "bold, italics and the like left out: too much of it is never closed, and would fill the page"),
    (2, "attributes of repeated <html> and <body> left out: there are too many of them"),
    (4, "the end of the page left out: it is too long"),
)


def parse_tree(html: PageText, max_nodes: int = 1_000_000, limits: list[str] | None = None) -> Tree:
    """Parse a page, as browsers do with scripting off, and flatten it.

    What had to be left out is added to ``limits``.
    """
    parsed = core.parse(html, max_nodes, _tag_meanings(), _naming(), named_characters())
    if limits is not None:
        met = parsed.parsing()[0]
        limits.extend(message for bit, message in _LIMITS if met & bit)
    return _as_tree(parsed)


def without(tree: Tree, nodes: Iterable[int]) -> Tree:
    """A page without some of its elements and all that is in them."""
    return _as_tree(tree.core.without(list(nodes), _tag_meanings(), _naming()))


def _as_tree(parsed: core.Tree) -> Tree:
    parent, end, depth, tag, attrs, cls, ident, text, chars, links, words, gap, body, cut = parsed.columns()
    return Tree(
        parent, end, depth, tag, attrs, cls, ident, text, chars, links, words, gap, body, cut, parsed.valued, parsed
    )  # fmt: skip


@cache
def _tag_meanings() -> core.Lookup:
    meanings = dict.fromkeys(INLINE_FAMILIES, 0) | dict.fromkeys(BLOCK_TAGS, _BLOCK)
    inside = (
        dict.fromkeys(SILENT_TAGS, _SILENT)
        | {"a": _LINK}
        | dict.fromkeys(("pre", "code", "listing", "xmp", "plaintext", "samp", "kbd"), _SPACED)
        | {"svg": _SILENT | _DRAWING, "textarea": _SILENT | _SPACED}
    )
    return core.Lookup({tag: float(meanings.get(tag, 0) | inside.get(tag, 0)) for tag in meanings | inside})


@cache
def _naming() -> core.Lookup:
    return core.Lookup(dict.fromkeys(NAMING_ATTRIBUTES, 1.0))
