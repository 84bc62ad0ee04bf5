"""The door to the compiled twin of the Markdown renderer: what it has to know of tags."""

from __future__ import annotations

from functools import cache
from typing import Any
from unicodedata import category

from duramen.native import core
from duramen.render.inline import dollars_matter
from duramen.render.text import has_invisible
from duramen.tables import load
from duramen.tree import BLOCK_TAGS

__all__ = ["compiled_markdown"]

# In the order of the numbers that ``markdown.c`` knows them by.
_FORMS = (
    "", "rp colgroup col wbr", "br", "", "h1 h2 h3 h4 h5 h6", "blockquote", "hr", "li", "ul", "ol", "dl", "dt", "dd",
    "pre", "table", "tr", "td th", "code samp", "a", "img", "span", "details", "summary",
)  # fmt: skip
_MARKS = (
    "strong b", "em i dfn var", "del s", "", "sub", "sup", "u", "ins", "mark", "kbd", "q", "rt",
)  # fmt: skip
_INLINE, _EDGE, _FIRST_MARK = 0, 3, 32
_BITS = {
    64: ("br", "col", "hr", "img", "wbr"),
    128: BLOCK_TAGS,
    256: ("table", "ul", "ol", "dl", "pre", "blockquote", "hr", "details"),
}
"""Empty elements; blocks; what no cell of a table in Markdown can hold."""


@cache
def _kinds() -> Any:
    allowed = [tag for group in load("policy.toml")["allow"] for tag in group["tags"]]
    kinds = {tag: _EDGE if tag in BLOCK_TAGS else _INLINE for tag in allowed}
    for first, forms in ((0, _FORMS), (_FIRST_MARK, _MARKS)):
        kinds |= {tag: kind for kind, tags in enumerate(forms, first) for tag in tags.split()}
    bits = {tag: sum(bit for bit, tags in _BITS.items() if tag in tags) for tag in allowed}
    return core.Lookup({tag: float(kinds[tag] + bits[tag]) for tag in allowed})


def compiled_markdown(html: str) -> str | None:
    """The Markdown of sanitized HTML; None without the core, and where the HTML holds what it leaves to Python:
    formulas, lists that count down, or anything that no sanitizer wrote."""
    if core is None:
        return None
    return core.markdown(html, _kinds(), has_invisible(html), dollars_matter(html), category)  # type: ignore[no-any-return]
