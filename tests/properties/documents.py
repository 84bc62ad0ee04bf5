"""What a document consists of, read from HTML, to be compared with what its text and Markdown say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from duramen.dom import Element, Node, Text, fragment
from duramen.tree import BLOCK_TAGS

PLAIN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
RICH = (
    MarkdownIt("commonmark", {"html": True})
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_space=False, allow_digits=False)
)


@dataclass
class Document:
    """What two renderings must have in common."""

    words: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    images: list[tuple[str, str]] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    code: list[tuple[str, str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    items: list[tuple[str, int]] = field(default_factory=list)
    quotations: list[int] = field(default_factory=list)
    emphasis: dict[str, str] = field(default_factory=dict)


def shown(node: Node) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, Text):
            yield child.data
        elif isinstance(child, Element):
            edge = " " if child.tag in BLOCK_TAGS or child.tag == "br" else ""
            yield edge
            yield from shown(child)
            yield edge


def visible(node: Node) -> str:
    text = re.sub("[\u00ad\u200b\u2060\ufeff]", "", "".join(shown(node)))
    return " ".join(re.sub(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]", " ", text).split())


def inside(element: Element, names: str) -> int:
    return sum(1 for a in element.ancestors if isinstance(a, Element) and a.tag in names.split())


def describe(html: str) -> Document:
    root = fragment(html)
    d = Document(words=visible(root).split())
    for element in root.iter_elements():
        tag = element.tag
        if tag == "a" and (visible(element) or next(element.iter_elements("img"), None)):
            d.links.append((unquote(element.attr("href") or ""), visible(element)))
        elif tag == "img":
            d.images.append((unquote(element.attr("src") or ""), " ".join((element.attr("alt") or "").split())))
        elif tag[0] == "h" and tag[1:].isdigit():
            d.headings.append((int(tag[1:]), visible(element)))
        elif tag == "pre":
            language = (element.children[0].attr("class") or "") if isinstance(element.children[0], Element) else ""
            d.code.append((language, element.text.removesuffix("\n")))
        elif tag == "tr" and (cells := [visible(c) for c in element.children if isinstance(c, Element)]) and any(cells):
            while not cells[-1]:
                cells.pop()
            d.rows.append(cells)
        elif not visible(element) and next(element.iter_elements(("img", "hr")), None) is None:
            continue
        elif tag == "li":
            d.items.append((element.parent.tag if isinstance(element.parent, Element) else "", inside(element, "li")))
        elif tag == "blockquote":
            d.quotations.append(inside(element, "blockquote"))
    for name, tags in {"strong": "strong b", "em": "em i", "del": "del s", "sub": "sub", "kbd": "kbd"}.items():
        found = [e for e in root.iter_elements(tags.split()) if not inside(e, tags)]
        d.emphasis[name] = "".join("".join(visible(e).split()) for e in found if not inside(e, "code"))
    return d


def spoken(text: str) -> list[str]:
    """The words as such, without the numbers that lists add."""
    return re.findall(r"[^\W\d_]+", re.sub("[\u00ad\u200b\u2060\ufeff]", "", text))
