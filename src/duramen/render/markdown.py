"""GitHub-flavoured Markdown of sanitized canonical HTML.

Two promises shape it. What is text on the page stays text: whatever a CommonMark renderer would read as markup is
escaped, so that no tag, attribute or address appears that the sanitized HTML did not have. And code is kept to the
byte. Where Markdown has no notation (``<sub>``, ``<kbd>``, ``<details>``, tables with lists in their cells) the bare
HTML elements are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, pairwise

from duramen.lazy_pattern import lazy_pattern
from duramen.render.grid import Grid, number
from duramen.render.inline import INLINE, Leave, nothing
from duramen.render.markdown_blocks import MAX_LEVELS, BlockWriter, Handlers
from duramen.render.markdown_lines import Box
from duramen.render.raw_html import html_lines
from duramen.tree import BLOCK_TAGS

__all__ = ["render_markdown"]

_SKIPPED = ("rp", "script", "style", "template", "colgroup", "col", "wbr")
_NOT_IN_CELLS = frozenset(("table", "ul", "ol", "dl", "pre", "blockquote", "hr", "details"))
_NOTE = lazy_pattern(r"fn-([\w-]{1,80})\Z")


def render_markdown(html: str, front_matter: str = "") -> str:
    """Write sanitized HTML as GitHub-flavoured Markdown, after the front matter if there is any.

    >>> print(render_markdown("<p>Call <code>a|b</code>, <b>not</b> 2*3.</p><ol><li>One<ul><li>Two</ul></ol>"))
    Call `a|b`, **not** 2\\*3.
    <BLANKLINE>
    1. One
       - Two
    """
    text = _Writer(html).write()
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


class _Writer(BlockWriter):
    """One loop over the flat content, with a stack of what to do at the ends of open elements."""

    def __init__(self, html: str) -> None:
        super().__init__(html, _IN_FLOW, _IN_LINE)
        self.lists: list[_List] = []
        self.grid: Grid | None = None
        self.in_head = False
        """Whether the open part of the table is its ``thead``."""
        self.notes_depth = 0
        """The depth of what is directly inside the section of footnotes."""
        self.leaves: list[Leave] = []
        """What to do at the ends of open elements."""

    def write(self) -> str:
        line, leaves = self.line, self.leaves
        values, ends = self.content.values, self.content.ends
        entries = enumerate(self.content.names)
        for at, name in entries:
            if not name:
                data = values[at]
                if data == " ":
                    line.space = True
                elif data:
                    line.text(data, ends[at])
            elif name[0] == "/":
                leaves.pop()()
            else:
                if handler := self.handlers.get(name):
                    leave = handler(self, at)
                elif inline := INLINE.get(name):
                    leave = inline(line, at)
                else:
                    leave = nothing
                if leave:
                    if ends[at] > at:
                        leaves.append(leave)
                elif ends[at] > at:
                    # All of it is written, or left out.
                    next(islice(entries, ends[at] - at - 1, None), None)
        self.flush()
        return "\n".join(self.lines.lines)

    def section(self, at: int) -> Leave:
        self.flush()
        if self.content.attribute(at, "data-footnotes") is not None:
            self.notes_depth = len(self.leaves) + 1
        return self.flush

    def list_(self, at: int) -> Leave:
        self.flush()
        opened = self.opened_list(at)
        self.lists.append(opened)
        lines = self.lines
        name = ""
        if self.levels + 2 <= MAX_LEVELS:
            self.levels += 2
            bullets = ".)" if opened.kind == "ol" else "-*"
            # Two lists with one bullet would become one list.
            opened.bullet = bullets[lines.previous == opened.kind + bullets[0]]
            name = opened.kind + opened.bullet
            in_item = lines.prefix[-1:] == " " and lines.prefix[-2:] != "> "
            if in_item and lines.previous == "paragraph" and self.may_interrupt(at, opened):
                lines.due = None

        def leave() -> None:
            self.flush()
            self.leave_item(opened)
            self.lists.pop()
            if name:
                self.levels -= 2
                lines.end()
                lines.previous = name

        return leave

    def opened_list(self, at: int) -> _List:
        content = self.content
        opened = _List(content.names[at], "")
        if opened.kind == "ol":
            start = content.attribute(at, "start")
            opened.number = number(start)
            if self.notes_depth == len(self.leaves) > 0:
                opened.kind = "notes"
            elif content.attribute(at, "reversed") is not None:
                opened.step = -1
                if start is None:
                    opened.number = sum(content.names[i] == "li" for i in content.children(at))
        return opened

    def may_interrupt(self, at: int, opened: _List) -> bool:
        """Whether a list can follow a line of text directly: not with a number other than 1, nor with an empty item."""
        if opened.kind == "notes" or opened.number != 1:
            return False
        first = next(self.content.children(at), None)
        if first is None or self.content.attribute(first, "value") not in (None, "1"):
            return False
        return bool(self.content.text(first).strip()) or "img" in self.content.inside(first)

    def item(self, at: int) -> Leave:
        self.flush()
        if not self.lists or not self.lists[-1].bullet:
            return self.flush
        opened = self.lists[-1]
        self.leave_item(opened)
        if value := self.content.attribute(at, "value"):
            opened.number = number(value)
        self.enter_item(opened, self.content.attribute(at, "id") or "")

        def leave() -> None:
            self.flush()
            self.leave_item(opened)

        return leave

    def enter_item(self, opened: _List, name: str = "") -> None:
        lines = self.lines
        lines.write_due()
        marker, indent = f"{opened.bullet} ", "  "
        if opened.kind == "ol":
            marker = f"{min(max(opened.number, 0), 999_999_999)}{opened.bullet} "
            indent = " " * len(marker)
        elif opened.kind == "notes":
            match = _NOTE.match(name)
            marker, indent = f"[^{match[1] if match else opened.number}]: ", "    "
        opened.number += opened.step
        opened.item = lines.enter(marker, indent)
        opened.described = False
        lines.in_note = opened.kind == "notes"
        self.line.in_item = True

    def leave_item(self, opened: _List) -> None:
        box, opened.item = opened.item, None
        if box is None:
            return
        lines = self.lines
        if lines.first is not None:
            lines.lines.append(lines.first.rstrip())
            lines.first = None
        lines.in_note = False
        lines.leave(box)
        lines.previous = "item"
        # An item with an empty line in it is set apart from the next.
        lines.due = lines.prefix.rstrip() if lines.blanks > box.blanks or opened.kind == "notes" else None

    def term(self, at: int) -> Leave:
        return self.line.bold() if self.described_item(is_term=True) else self.flush

    def description(self, at: int) -> Leave:
        opened = self.described_item(is_term=False)
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

    def described_item(self, is_term: bool) -> _List | None:
        """The open item of a description list, a new one when a term follows a description."""
        if not self.lists or (opened := self.lists[-1]).kind != "dl" or not opened.bullet:
            self.flush()
            return None
        if is_term and opened.described:
            self.flush()
            self.leave_item(opened)
        if not opened.item:
            self.flush()
            self.enter_item(opened)
        elif is_term and self.line.parts:
            self.line.broken = True
        return opened

    def table(self, at: int) -> Leave | None:
        self.flush()
        inside = self.content.inside(at)
        if not _NOT_IN_CELLS.isdisjoint(inside):
            # Tables for layout are no tables.
            if not _has_second_cell(inside) or ("table" in inside and "th" not in inside[: inside.index("table")]):
                return self.flush
            self.html(html_lines(self.content, at))
            return None
        grid = self.grid = Grid()

        def leave() -> None:
            self.grid = None
            self.flush()
            if lines := grid.lines():
                self.lines.block("table", lines)

        return leave

    def row(self, at: int) -> Leave:
        self.flush()
        grid = self.grid
        if grid is None:
            return self.flush
        grid.begin_row(self.in_head or (not grid.rows and self.is_header(at)))
        return grid.end_row

    def head(self, at: int) -> Leave:
        self.flush()
        self.in_head = True

        def leave() -> None:
            self.flush()
            self.in_head = False

        return leave

    def is_header(self, row: int) -> bool:
        """Whether a table's first row names its columns, rather than itself by a ``th`` before its values."""
        content = self.content
        cells = list(content.children(row))
        named = [content.names[i] == "th" for i in cells]
        return any(named) and all(is_th or not content.text(i).strip() for i, is_th in zip(cells, named, strict=True))

    def cell(self, at: int) -> Leave:
        grid = self.grid
        if grid is None:
            self.flush()
            return self.flush
        self.begin_line("<br>")
        return lambda: grid.add(self.content.values[at], self.end_line())


_IN_LINE: Handlers = {
    **dict.fromkeys(BLOCK_TAGS, _Writer.block_in_line),
    **dict.fromkeys(_SKIPPED, _Writer.skip),
    "br": _Writer.br_in_line,
    "hr": _Writer.rule_in_line,
}
"""In headings and table cells."""
_IN_FLOW: Handlers = {
    **dict.fromkeys(BLOCK_TAGS, _Writer.block),
    **dict.fromkeys(_SKIPPED, _Writer.skip),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Writer.heading),
    "blockquote": _Writer.quotation,
    "br": _Writer.br,
    "dd": _Writer.description,
    "details": _Writer.details,
    "dl": _Writer.list_,
    "dt": _Writer.term,
    "hr": _Writer.rule,
    "li": _Writer.item,
    "ol": _Writer.list_,
    "p": _Writer.paragraph,
    "pre": _Writer.preformatted,
    "section": _Writer.section,
    "span": _Writer.span,
    "summary": _Writer.summary,
    "table": _Writer.table,
    "td": _Writer.cell,
    "th": _Writer.cell,
    "thead": _Writer.head,
    "tr": _Writer.row,
    "ul": _Writer.list_,
}
"""Everywhere else."""


def _has_second_cell(names: list[str]) -> bool:
    """Whether some row has two cells."""
    tags = [name for name in names if name]
    return any(tag in ("td", "th") and before in ("/td", "/th") for before, tag in pairwise(tags))
