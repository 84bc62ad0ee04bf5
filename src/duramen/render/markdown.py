"""GitHub-flavoured Markdown of sanitized canonical HTML.

Two promises shape it. What is text on the page stays text: whatever a CommonMark renderer would read as markup is
escaped, so that no tag, attribute or address appears that the sanitized HTML did not have. And code is kept to the
byte. Where Markdown has no notation (``<sub>``, ``<kbd>``, ``<details>``, tables with lists in their cells) the bare
HTML elements are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from duramen.dom import Element, Node, Text, fragment
from duramen.render.compiled import compiled_markdown
from duramen.render.grid import Grid, number
from duramen.render.inline import HARD_BREAK, INLINE, Leave, Line, tex_of
from duramen.render.preamble import front_matter
from duramen.render.raw_html import html_inside, html_lines
from duramen.render.sheet import Box, Sheet
from duramen.render.text import LANGUAGE, code_text
from duramen.tree import BLOCK_TAGS

__all__ = ["front_matter", "render_markdown"]

MAX_LEVELS = 18
"""Levels of nesting written (a list takes two, a quotation one); what lies deeper is written at the deepest level.
Renderers drop content below about twenty levels."""

_CALLOUTS = frozenset(("note", "tip", "important", "warning", "caution"))
_SKIPPED = frozenset(("rp", "script", "style", "template", "colgroup", "col", "wbr"))
_NOT_IN_CELLS = frozenset("table ul ol dl pre blockquote hr details".split())
_CLOSING_HASHES = re.compile(r"(?:^|(?<= ))#+$")
_ESCAPED = r"\\\g<0>"
_TICKS = re.compile(r"`{3,}")
_NOTE = re.compile(r"fn-([\w-]{1,80})\Z")


def render_markdown(html: str, front_matter: str = "") -> str:
    """Write sanitized HTML as GitHub-flavoured Markdown, after the front matter if there is any.

    >>> print(render_markdown("<p>Call <code>a|b</code>, <b>not</b> 2*3.</p><ol><li>One<ul><li>Two</ul></ol>"))
    Call `a|b`, **not** 2\\*3.
    <BLANKLINE>
    1. One
       - Two
    """
    text = compiled_markdown(html)
    if text is None:
        text = _Writer(html).write(fragment(html))
    return f"{front_matter.rstrip()}\n\n{text}" if front_matter else text


@dataclass(slots=True)
class _List:
    """An open list; without a bullet it lies too deep and its items are plain blocks."""

    kind: str
    bullet: str
    number: int = 1
    step: int = 1
    item: Box | None = None
    described: bool = False


class _Writer:
    """One pass over the tree with a stack of its own, since depth is the page's choice."""

    def __init__(self, html: str) -> None:
        self.sheet = Sheet()
        self.line = Line(html)
        self.in_line = False
        """Whether blocks cannot begin here: in headings and table cells they only part words or lines."""
        self.levels = 0
        self.lists: list[_List] = []
        self.grid: Grid | None = None
        self.summaries: list[Element] = []
        """Summaries written already with the ``details`` they belong to."""

    def write(self, root: Element) -> str:
        line = self.line
        stack: list[tuple[Iterator[Node], Leave | None]] = [(iter(root.children), None)]
        while stack:
            nodes, leave = stack[-1]
            for node in nodes:
                if type(node) is Text:
                    if (data := node.data).isspace():
                        line.space = True
                    else:
                        line.text(data)
                    continue
                if not isinstance(node, Element) or (tag := node.tag) in _SKIPPED:
                    continue
                done: Leave | None = None
                if tag in BLOCK_TAGS:
                    if self.in_line or tag not in _BLOCKS:
                        self.edge()
                        done = self.edge
                    elif (done := _BLOCKS[tag](self, node)) is None:
                        continue
                elif tag == "br":
                    self.br()
                    continue
                elif inline := INLINE.get(tag):
                    if tag == "span" and self.display(node):
                        continue
                    if (done := inline(line, node)) is None:
                        continue
                stack.append((iter(node.children), done))
                break
            else:
                stack.pop()
                if leave:
                    leave()
        self.flush()
        return "\n".join(self.sheet.lines)

    def flush(self) -> None:
        """Write the paragraph read so far."""
        if text := self.line.take():
            self.sheet.paragraph(text)

    def edge(self) -> None:
        """A block without a form of its own begins or ends here."""
        if self.in_line:
            self.line.broken = True
        else:
            self.flush()

    def br(self) -> None:
        line = self.line
        if line.broken and not self.in_line:
            self.flush()
        elif line.parts:
            line.broken = True

    def display(self, element: Element) -> bool:
        """Write a formula as a block, if it is one and a block can stand here."""
        if self.in_line or element.attr("data-math") != "display":
            return False
        self.flush()
        tex, plain = tex_of(element)
        if plain:
            self.sheet.block("formula", [f"$${tex}$$"])
        elif tex:
            self.fence("math", tex)
        return True

    def begin_line(self, line_break: str) -> None:
        self.flush()
        self.in_line, self.line.line_break = True, line_break

    def end_line(self) -> str:
        self.in_line, self.line.line_break = False, HARD_BREAK
        return self.line.take()

    def heading(self, element: Element) -> Leave:
        self.begin_line(" ")
        marks = "#" * int(element.tag[1])

        def leave() -> None:
            if text := self.end_line():
                self.sheet.block("heading", [f"{marks} {_CLOSING_HASHES.sub(_ESCAPED, text)}"])

        return leave

    def rule(self, element: Element) -> None:
        self.flush()
        # At the beginning `---` would open front matter, in a list `- ---` would be a rule without an item.
        plain = self.sheet.lines and self.sheet.first is None
        self.sheet.block("rule", ["---" if plain else "___"])

    def preformatted(self, element: Element) -> None:
        self.flush()
        text = code_text(element)
        if text.strip():
            language = LANGUAGE.search(next(element.iter_elements("code"), element).attr("class") or "")
            self.fence(language[1] if language else "", text.removesuffix("\n"))

    def fence(self, language: str, text: str) -> None:
        ticks = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
        self.sheet.block("code", [ticks + language, *text.split("\n"), ticks])

    def quotation(self, element: Element) -> Leave:
        self.flush()
        if self.levels + 1 > MAX_LEVELS:
            return self.flush
        self.levels += 1
        sheet = self.sheet
        box = sheet.enter("> ", "> ")
        if (kind := (element.attr("data-callout") or "").lower()) in _CALLOUTS:
            sheet.block("callout", [f"[!{kind.upper()}]"])
            sheet.glue = True

        def leave() -> None:
            self.flush()
            self.levels -= 1
            sheet.glue = False
            if sheet.leave(box):
                sheet.end()
                sheet.previous = "quotation"

        return leave

    def details(self, element: Element) -> Leave:
        self.flush()
        lines = ["<details>"]
        summary = next((c for c in element.children if isinstance(c, Element) and c.tag == "summary"), None)
        if summary:
            self.summaries.append(summary)
            lines.append(f"<summary>{html_inside(summary)}</summary>")
        self.html(lines)

        def leave() -> None:
            self.flush()
            self.html(["</details>"])

        return leave

    def html(self, lines: list[str]) -> None:
        self.sheet.block("html", lines)
        # Only an empty line ends HTML, also in an item that has no other.
        self.sheet.blanks += 1

    def summary(self, element: Element) -> Leave | None:
        self.flush()
        if self.summaries and self.summaries[-1] == element:
            self.summaries.pop()
            return None
        return self.flush

    def list_(self, element: Element) -> Leave:
        self.flush()
        opened = _opened_list(element)
        self.lists.append(opened)
        sheet = self.sheet
        name = ""
        if self.levels + 2 <= MAX_LEVELS:
            self.levels += 2
            bullets = ".)" if opened.kind == "ol" else "-*"
            # Two lists with one bullet would become one list.
            opened.bullet = bullets[sheet.previous == opened.kind + bullets[0]]
            name = opened.kind + opened.bullet
            in_item = sheet.prefix[-1:] == " " and sheet.prefix[-2:] != "> "
            if in_item and sheet.previous == "paragraph" and _may_interrupt(element, opened):
                sheet.owed = None

        def leave() -> None:
            self.flush()
            self.leave_item(opened)
            self.lists.pop()
            if name:
                self.levels -= 2
                sheet.end()
                sheet.previous = name

        return leave

    def item(self, element: Element) -> Leave:
        self.flush()
        if not self.lists or not self.lists[-1].bullet:
            return self.flush
        opened = self.lists[-1]
        self.leave_item(opened)
        self.enter_item(opened, element.attr("id") or "")

        def leave() -> None:
            self.flush()
            self.leave_item(opened)

        return leave

    def enter_item(self, opened: _List, name: str = "") -> None:
        sheet = self.sheet
        sheet.pay()
        marker, indent = f"{opened.bullet} ", "  "
        if opened.kind == "ol":
            marker = f"{min(max(opened.number, 0), 999_999_999)}{opened.bullet} "
            indent = " " * len(marker)
        elif opened.kind == "notes":
            match = _NOTE.match(name)
            marker, indent = f"[^{match[1] if match else opened.number}]: ", "    "
        opened.number += opened.step
        opened.item = sheet.enter(marker, indent)
        opened.described = False
        sheet.in_note = opened.kind == "notes"
        self.line.in_item = True

    def leave_item(self, opened: _List) -> None:
        box, opened.item = opened.item, None
        if box is None:
            return
        sheet = self.sheet
        if sheet.first is not None:
            sheet.lines.append(sheet.first.rstrip())
            sheet.first = None
        sheet.in_note = False
        sheet.leave(box)
        sheet.previous = "item"
        # An item with an empty line in it stands apart from the next.
        sheet.owed = sheet.prefix.rstrip() if sheet.blanks > box.blanks or opened.kind == "notes" else None

    def term(self, element: Element) -> Leave:
        return self.line.bold() if self.described_item(element) else self.flush

    def description(self, element: Element) -> Leave:
        opened = self.described_item(element)
        if opened:
            line = self.line
            if line.parts and not opened.described:
                # The last piece closes the emphasis.
                if "".join(line.parts[-2:]).rstrip("*")[-1:] not in ":?!":
                    line.parts.append(":")
                line.space, line.broken = True, False
            else:
                self.flush()
            opened.described = True
        return self.flush

    def described_item(self, element: Element) -> _List | None:
        """The open item of a description list, a new one when a term follows a description."""
        if not self.lists or (opened := self.lists[-1]).kind != "dl" or not opened.bullet:
            self.flush()
            return None
        is_term = element.tag == "dt"
        if is_term and opened.described:
            self.flush()
            self.leave_item(opened)
        if not opened.item:
            self.flush()
            self.enter_item(opened)
        elif is_term and self.line.parts:
            self.line.broken = True
        return opened

    def table(self, element: Element) -> Leave | None:
        self.flush()
        if next(element.iter_elements(_NOT_IN_CELLS), None) is not None:
            # Tables for layout are no tables.
            if next(element.iter_elements("table"), None) is not None or not _has_columns(element):
                return self.flush
            self.html(html_lines(element))
            return None
        grid = self.grid = Grid()

        def leave() -> None:
            self.grid = None
            self.flush()
            if lines := grid.lines():
                self.sheet.block("table", lines)

        return leave

    def row(self, element: Element) -> Leave:
        self.flush()
        if self.grid is None:
            return self.flush
        self.grid.begin_row(element)
        return self.grid.end_row

    def cell(self, element: Element) -> Leave:
        grid = self.grid
        if grid is None:
            self.flush()
            return self.flush
        self.begin_line("<br>")
        return lambda: grid.add(element, self.end_line())


_BLOCKS: dict[str, Callable[[_Writer, Element], Leave | None]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Writer.heading),
    "blockquote": _Writer.quotation,
    "dd": _Writer.description,
    "details": _Writer.details,
    "dl": _Writer.list_,
    "dt": _Writer.term,
    "hr": _Writer.rule,
    "li": _Writer.item,
    "ol": _Writer.list_,
    "pre": _Writer.preformatted,
    "summary": _Writer.summary,
    "table": _Writer.table,
    "td": _Writer.cell,
    "th": _Writer.cell,
    "tr": _Writer.row,
    "ul": _Writer.list_,
}


def _opened_list(element: Element) -> _List:
    opened = _List(element.tag, "")
    if opened.kind == "ol":
        opened.number = number(element.attr("start"))
        if isinstance(parent := element.parent, Element) and parent.attr("data-footnotes") is not None:
            opened.kind = "notes"
        elif element.attr("reversed") is not None:
            opened.step = -1
            if element.attr("start") is None:
                opened.number = sum(1 for c in element.children if isinstance(c, Element) and c.tag == "li")
    return opened


def _has_columns(table: Element) -> bool:
    """Whether some row of a table has a second cell."""
    cells = (sum(isinstance(c, Element) and c.tag in ("td", "th") for c in row) for row in table.iter_elements("tr"))
    return any(count > 1 for count in cells)


def _may_interrupt(element: Element, opened: _List) -> bool:
    """Whether a list can follow a line of text directly: not with a number other than 1, nor with an empty item."""
    if opened.kind == "notes" or opened.number != 1:
        return False
    first = next((c for c in element.children if isinstance(c, Element)), None)
    return first is not None and (bool(first.text.strip()) or next(first.iter_elements("img"), None) is not None)
