"""The only door to the HTML parser.

Its own nodes (``Element``, ``Text``) are what the refine and render stages edit, in private copies; the page itself is
read through :mod:`duramen.tree`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape
from itertools import islice
from typing import Any

from turbohtml import Document
from turbohtml import Element as ParsedElement
from turbohtml import Node as ParsedNode
from turbohtml import parse as _parse

from duramen._native import Comment, Element, Node, SelectorSyntaxError, Text
from duramen.model import PageText
from duramen.native import core

__all__ = [
    "Comment",
    "Document",
    "Element",
    "Node",
    "ParsedElement",
    "ParsedNode",
    "SelectorSyntaxError",
    "Text",
    "count_of",
    "escape",
    "formatting_cost",
    "fragment",
    "is_tame",
    "named_characters",
    "parse",
    "raw_attributes",
    "read_selector",
    "tamed",
]


_FORMATTING = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_REST = r"""(?:[^>=]++|=[ \t\n\f\r]*+(?:"[^"]*+"?+|'[^']*+'?+)?+)*+"""
_NAMED = re.compile(rf"<(/?)(a|{_FORMATTING})(?=[ \t\n\f\r/>])(>?)", re.IGNORECASE | re.ASCII)
_REST_OF_TAG = re.compile(_REST)
_TAGS = tuple(
    re.compile(rf"</?(?:{names})(?=[ \t\n\f\r/>]){_REST}>?", re.IGNORECASE | re.ASCII) for names in (_FORMATTING, "a")
)
_ROOTS = re.compile(rf"<(?:html|body)(?=[ \t\n\f\r/>]){_REST}>?", re.IGNORECASE | re.ASCII)
_MOST_ROOTS = 1_000
_SMALL = 2_000


def parse(html: str, limits: list[str] | None = None) -> Document:
    """Parse a page as browsers do with scripting off, shadow roots left where they were declared.

    What had to be left out is added to ``limits``.
    """
    tame = str(tamed(html, limits))
    rooted = _rooted(tame)
    if limits is not None and rooted is not tame:
        limits.append(f"<html> and <body> left out after the first {_MOST_ROOTS:,}")
    return _parse(rooted, positions=False, allow_declarative_shadow_roots=False)


def _rooted(html: str) -> str:
    """With so many tags of the page's root as it can take: for each, the parser looks at all attributes it has."""
    if len(html) <= 6 * _MOST_ROOTS:
        return html
    more = next(islice(_ROOTS.finditer(html), _MOST_ROOTS, None), None)
    return html if more is None else html[: more.start()] + _ROOTS.sub("", html[more.start() :])


def tamed(html: PageText, limits: list[str] | None = None) -> PageText:
    """Without formatting elements where they stay open.

    The standard repeats them in every block that follows: a few kilobytes become millions of elements.
    """
    if is_tame(html):
        return html
    if limits is not None:
        limits.append("bold, italics and the like left out: too much of it is never closed, and would fill the page")
    most = _most_formatting(html)
    html = _TAGS[0].sub("", str(html))
    return _TAGS[1].sub("", html) if formatting_cost(html, most) >= most else html


def is_tame(html: PageText) -> bool:
    """Whether formatting elements that stay open are no more than the parser can repeat."""
    most = _most_formatting(html)
    return len(html) <= _SMALL or formatting_cost(html, most) < most


def _most_formatting(html: PageText) -> int:
    return 200_000 + len(html) // 8


def formatting_cost(html: PageText, most: int) -> int:
    """The weight of formatting elements and links left open before a tag, summed over all tags that may repeat them.

    Of elements without attributes three of a name count, since no more are repeated; others weigh by their length. It
    is not counted beyond ``most``.

    >>> formatting_cost("<b><font size=1><p>a<p>b</b><p>", 100)
    7
    """
    html = str(html)
    alike: dict[str, int] = {}
    opened: dict[str, list[int]] = {}
    cost = depth = seen = looked = 0
    for match in _NAMED.finditer(html):
        name = match[2].lower()
        start = match.start()
        # A formatting element opens no block, so it repeats nothing.
        cost += depth * html.count("<", seen, start + 1 if match[1] else start)
        seen = start + 1
        weights = opened.setdefault(name, [])
        if match[1] or name in ("a", "nobr"):
            # A second <a> closes the first.
            if weights:
                depth -= weights.pop()
            elif alike.get(name):
                alike[name] -= 1
                depth -= alike[name] < 3
        if match[1]:
            continue
        if match[3]:
            alike[name] = alike.get(name, 0) + 1
            depth += alike[name] <= 3
            continue
        rest = _REST_OF_TAG.match(html, match.end())
        size = (rest.end() if rest else match.end()) - start
        looked += size
        if looked > 4 * len(html):
            return most
        weights.append(1 + size // 32)
        depth += weights[-1]
    return min(most, cost + depth * html.count("<", seen))


@cache
def named_characters() -> Any:
    """The standard's named characters for the core: the number of the first, a second one shifted by 21 bits."""
    from html.entities import html5

    return core.Lookup({name: float(sum(ord(c) << 21 * k for k, c in enumerate(text))) for name, text in html5.items()})


def count_of(text: PageText, character: str) -> int:
    """How often a character stands in a text, which may be a whole page.

    >>> count_of("<p>Oaks</p>", "<")
    2
    """
    return str(text).count(character) if core is None else core.count_of(text, character)


def fragment(html: PageText) -> Element:
    """Parse a piece of HTML into a ``div`` of its own, free to be edited."""
    return core.fragment(html, named_characters())  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def read_selector(selector: str) -> Any:
    """A CSS selector for ``Tree.select``; raises :class:`SelectorSyntaxError` with what is wrong, and where.

    >>> read_selector("main > p[")
    Traceback (most recent call last):
    duramen.dom.SelectorSyntaxError: expected a name at character 10
    """
    return core.selector(selector)


def raw_attributes(element: ParsedElement) -> Iterator[tuple[str, str]]:
    """Attributes as written (the parser splits ``class`` and ``rel`` into lists)."""
    for name, value in element.attrs.items():
        if value is None:
            yield name, ""
        elif isinstance(value, str):
            yield name, value
        else:
            yield name, " ".join(value)
