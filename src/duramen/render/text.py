"""Plain text of sanitized canonical HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from duramen.dom import Element, Node, Text, fragment
from duramen.native import core
from duramen.tables import load
from duramen.tree import BLOCK_TAGS, folded

__all__ = ["render_text"]

CELL_SEPARATOR = " | "
MAX_INDENT = 24
"""Lists indented by so many characters hold lists that are indented no further."""

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]+")
"""Characters without width, which break words for whoever searches the text; the joiners of emoji and of Persian
stay."""

LANGUAGE = re.compile(r"(?:^|\s)language-([\w+#.-]+)(?=\s|$)")
"""The language of a code block in its ``class``."""

_ALPHANUMERIC = re.compile(r"[^\W_]")
_SKIPPED = frozenset(("img", "rp", "script", "style", "template", "colgroup", "col", "wbr"))
_CLOSE = frozenset(("caption", "dd", "div", "dt", "figcaption", "summary", "tbody", "tfoot", "thead"))
"""Blocks that only begin and end a line; others have a blank line on both sides."""
_LAYOUT = "table, pre, ul, ol, dl, blockquote, h1, h2, h3, h4, h5, h6, hr, details"
"""A table holding one of these is laid out cell by cell, since a row no longer fits on a line."""

_Leave = Callable[[], None]


@cache
def _kinds() -> Any:
    """What becomes of the tags that the sanitizer lets out, in the numbers and bits of ``plain.c``."""
    allowed = [tag for group in load("policy.toml")["allow"] for tag in group["tags"]]
    kinds = {tag: 0 if tag not in BLOCK_TAGS else 14 if tag in _CLOSE else 15 for tag in allowed}
    kinds |= {tag: 1 for tag in allowed if tag in _SKIPPED}
    kinds |= {tag: kind for kind, tag in enumerate("br ul ol li pre table tr td sup rt q code".split(), 2)}
    kinds["th"] = kinds["td"]
    bits = dict.fromkeys(_LAYOUT.split(", "), 32)
    for tag in ("br", "col", "hr", "img", "wbr"):
        bits[tag] = bits.get(tag, 0) + 64
    return core.Lookup({tag: float(kind + bits.get(tag, 0)) for tag, kind in kinds.items()})


def render_text(html: str) -> str:
    """The text a reader sees: blocks apart by a blank line, list items and table rows on lines of their own.

    >>> print(render_text("<h2>Fruit</h2><ul><li>Pears<li>Figs</ul><table><tr><td>Pear<td>2</table>"))
    Fruit
    <BLANKLINE>
    - Pears
    - Figs
    <BLANKLINE>
    Pear | 2
    """
    if core is not None:
        # HTML that did not come from the sanitizer is left to the parser.
        text: str | None = core.plain_text(html, _kinds(), has_invisible(html))
        if text is not None:
            return text
    return _Writer(html).write(fragment(html))


def has_invisible(html: str) -> bool:
    """Whether :data:`INVISIBLE` can be found; much faster than to look for it."""
    return not html.isascii() and any(char in html for char in "\u00ad\u200b\u2060\ufeff")


def code_text(element: Element) -> str:
    """The characters of a code block, unchanged but for line ends; ``<br>`` counts as one."""
    if len(children := element.children) == 1 and type(child := children[0]) is Text:
        text = child.data
    else:
        text = "".join(
            "\n" if isinstance(node, Element) and node.tag == "br" else node.data if isinstance(node, Text) else ""
            for node in element.descendants
        )
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class _Writer:
    """One pass over the tree with a stack of its own, since depth is the page's choice."""

    def __init__(self, html: str) -> None:
        self.out: list[str] = []
        self.invisible = has_invisible(html)
        self.line: list[str] = []
        self.gap = 0
        """Line ends owed before the next line: 1 ends the line, 2 leaves a blank one."""
        self.marker = ""
        """What the next line begins with instead of its indentation: a list item's bullet or number."""
        self.lists: list[tuple[str, int, int]] = []
        """Open lists: the number format, the next number, its step."""
        self.indent = ""
        self.cells: list[str] | None = None
        """Cells of the open table row; within one, blocks only part words."""
        self.in_grid = False
        """Whether the open table's rows fit on a line each."""
        self.keep = False
        """Whether the line stays although it may hold no letter: it has code in it."""
        self.enter: dict[str, Callable[[Element], _Leave | None]] = {
            "br": self.br,
            "ul": self.list_,
            "ol": self.list_,
            "li": self.item,
            "pre": self.pre,
            "table": self.table,
            "tr": self.row,
            "td": self.cell,
            "th": self.cell,
            "sup": self.sup,
            "rt": self.rt,
            "q": self.quote,
            "code": self.code,
        }

    def write(self, root: Element) -> str:
        stack: list[tuple[Iterator[Node], _Leave | None]] = [(iter(root.children), None)]
        enter, add = self.enter, self.line.append
        while stack:
            nodes, leave = stack[-1]
            for node in nodes:
                if type(node) is Text:
                    add(node.data)
                    continue
                if not isinstance(node, Element):
                    continue
                tag = node.tag
                if tag in _SKIPPED:
                    continue
                if handler := enter.get(tag):
                    done = handler(node)
                    if done is not None:
                        stack.append((iter(node.children), done))
                        break
                elif tag in BLOCK_TAGS:
                    done = self.block if tag in _CLOSE else self.apart
                    done()
                    stack.append((iter(node.children), done))
                    break
                else:
                    stack.append((iter(node.children), None))
                    break
            else:
                stack.pop()
                if leave:
                    leave()
        self.apart()
        return "".join(self.out).strip("\n")

    def end_line(self) -> None:
        if not self.line:
            return
        text = "".join(self.line)
        self.line.clear()
        if self.invisible:
            text = INVISIBLE.sub("", text)
        if _ALPHANUMERIC.search(text) or (self.keep and text.strip()):
            self.emit(folded(text))
        self.keep = False

    def emit(self, line: str) -> None:
        out = self.out
        if self.gap:
            out.append("\n" if self.gap == 1 else "\n\n")
        out.append(self.marker or self.indent)
        out.append(line)
        self.marker = ""
        self.gap = 1

    def block(self) -> None:
        if self.cells is None:
            self.end_line()
        else:
            self.line.append(" ")

    def apart(self) -> None:
        if self.cells is None:
            self.end_line()
            # A marker still waiting means that the item has not begun: its first paragraph stays beside it.
            if self.out and not self.marker:
                self.gap = 2
        else:
            self.line.append(" ")

    def br(self, element: Element) -> None:
        self.block()

    def quote(self, element: Element) -> _Leave:
        self.line.append('"')
        return lambda: self.line.append('"')

    def rt(self, element: Element) -> _Leave:
        self.line.append("(")
        return lambda: self.line.append(")")

    def code(self, element: Element) -> _Leave:
        self.keep = True
        return _nothing

    def sup(self, element: Element) -> _Leave | None:
        if element.attr("data-footnote-ref") is None:
            return _nothing
        self.line.append(f"[{element.text.strip('[]() ')}]")
        return None

    def list_(self, element: Element) -> _Leave:
        self.block()
        if self.out and not self.marker:
            self.gap = 1 if self.lists else 2
        style, number, step = "", 1, 1
        if element.tag == "ol":
            style = "{}. "
            parent = element.parent
            if isinstance(parent, Element) and parent.tag == "section" and parent.attr("data-footnotes") is not None:
                style = "[{}] "
            number = _int(element.attr("start"), 1)
            if element.attr("reversed") is not None:
                step = -1
                if element.attr("start") is None:
                    number = sum(1 for c in element.children if isinstance(c, Element) and c.tag == "li")
        self.lists.append((style, number, step))
        outer = self.indent

        def leave() -> None:
            self.block()
            self.lists.pop()
            self.indent = outer
            self.marker = ""
            if self.out and self.cells is None:
                self.gap = 1 if self.lists else 2

        return leave

    def item(self, element: Element) -> _Leave:
        self.block()
        if self.cells is not None:
            return self.block
        style, number, step = self.lists[-1] if self.lists else ("", 0, 0)
        if self.lists:
            self.lists[-1] = (style, number + step, step)
        outer = self.indent
        mark = style.format(number) if style else "- "
        self.marker = (self.marker or outer) + mark
        if len(outer) < MAX_INDENT:
            self.indent += " " * len(mark)

        def leave() -> None:
            self.end_line()
            self.marker = ""
            self.indent = outer
            if self.out:
                self.gap = 1

        return leave

    def pre(self, element: Element) -> None:
        text = code_text(element).strip("\n")
        if not text.strip():
            return
        if self.cells is not None:
            self.line.append(f" {text} ")
            return
        self.apart()
        lines = text.split("\n")
        self.emit(lines[0])
        self.out.extend(f"\n{self.indent}{line}" if line else "\n" for line in lines[1:])
        self.gap = 2

    def table(self, element: Element) -> _Leave:
        self.apart()
        outer = self.in_grid
        self.in_grid = next(element.iter_elements(_LAYOUT.split(", ")), None) is None

        def leave() -> None:
            self.apart()
            self.in_grid = outer

        return leave

    def row(self, element: Element) -> _Leave:
        self.block()
        if not self.in_grid or self.cells is not None:
            return self.block
        self.cells = []

        def leave() -> None:
            cells, self.cells = self.cells or [], None
            self.line.clear()
            row = CELL_SEPARATOR.join(cells).strip()
            if any(cells):
                self.emit(row)

        return leave

    def cell(self, element: Element) -> _Leave:
        if self.cells is None:
            self.block()
            return self.block
        self.line.clear()

        def leave() -> None:
            text = "".join(self.line)
            self.line.clear()
            if self.invisible:
                text = INVISIBLE.sub("", text)
            if self.cells is not None:
                self.cells.append(" ".join(text.split()))

        return leave


def _nothing() -> None:
    """Leave an element that needs no closing."""


def _int(value: str | None, default: int) -> int:
    try:
        return int(value or default)
    except ValueError:
        return default
