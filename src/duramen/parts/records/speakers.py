"""A thread as HTML that says who speaks: each post below a heading."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from duramen.parts.records.values import Post, Record

__all__ = ["with_headings"]

_LEVEL, _DEEPEST = 2, 6


def with_headings(records: Sequence[Record]) -> str:
    """The posts, each below its author and date, deeper for replies; empty if there are none.

    >>> with_headings([Post(html="<p>Oaks.</p>", position=0, confidence=1, author="Ines", published="2026-01-31")])
    '<h2>Ines, 2026-01-31</h2><p>Oaks.</p>'
    """
    made: list[str] = []
    for number, post in enumerate((one for one in records if isinstance(one, Post)), start=1):
        level = min(_LEVEL + post.depth, _DEEPEST)
        about = ", ".join(value for value in (post.author, post.published) if value) or f"#{number}"
        made.append(f"<h{level}>{escape(about)}</h{level}>{post.html}")
    return "".join(made)
