"""GitHub-flavoured Markdown of sanitized canonical HTML.

Two promises shape it. What is text on the page stays text: whatever a CommonMark renderer would read as markup is
escaped, so that no tag, attribute or address appears that the sanitized HTML did not have. And code is kept to the
byte. Where Markdown has no notation (``<sub>``, ``<kbd>``, ``<details>``, tables with lists in their cells) the bare
HTML elements are written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from duramen.lazy_pattern import lazy_pattern
from duramen.options import Output
from duramen.render.grid import Grid, holds_blocks, is_header, is_layout, number
from duramen.render.inline import CELL_BREAK, INLINE, Leave, nothing
from duramen.render.markdown_blocks import MAX_LEVELS, BlockWriter, Handlers
from duramen.render.markdown_lines import Box
from duramen.render.markdown_units import MarkedLines, Unit
from duramen.render.raw_html import html_lines
from duramen.tree import BLOCK_TAGS

__all__ = ["markdown_units", "render_markdown"]

_SKIPPED = ("rp", "script", "style", "template", "colgroup", "col", "wbr")
_NOTE = lazy_pattern(r"fn-([\w-]{1,80})\Z")


def render_markdown(html: str, front_matter: str = "", output: Output | None = None) -> str:
    """Write sanitized HTML as GitHub-flavoured Markdown, after the front matter if there is any.

    >>> print(render_markdown("<p>Call <code>a|b</code>, <b>not</b> 2*3.</p><ol><li>One<ul><li>Two</ul></ol>"))
    Call `a|b`, **not** 2\\*3.
    <BLANKLINE>
    1. One
       - Two
    """
    writer = _Writer(html, output)
    text = writer.write()
    if writer.line.references:
        text += "\n\n" + "\n".join(f"[{number}]: {target}" for target, number in writer.line.references.items())
    return f"{front_matter.rstrip()}\n\n{text}" if front_matter else text


def markdown_units(html: str) -> list[Unit]:
    """The blocks of the Markdown that :func:`render_markdown` writes, an item of an outermost list being one.

    >>> [(unit.kind, unit.text) for unit in markdown_units("<h2>Oaks</h2><ul><li>Red<li>White</ul>")]
    [('heading', '## Oaks\\n\\n'), ('item', '- Red\\n'), ('item', '- White')]
    """
    writer = _Writer(html)
    lines = writer.lines = MarkedLines()
    writer.write()
    return lines.units(writer.content)


@dataclass(slots=True)
class _List:
    """An open list; without a bullet it lies too deep and its items are plain blocks."""

    kind: str
    bullet: str
    number: int = 1
    step: int = 1
    item: Box | None = None
    described: bool = False


@dataclass(slots=True)
class _NamedCells:
    """A table that is written as a list: each row an item, each cell behind the name of its column."""

    items: _List
    grid: Grid = field(default_factory=Grid)
    names: dict[int, str] = field(default_factory=dict)


class _Writer(BlockWriter):
    """One loop over the flat content, with a stack of what to do at the ends of open elements."""

    def __init__(self, html: str, output: Output | None = None) -> None:
        # Renderers in JavaScript take these for the ends of lines.
        html = html.replace("\u2028", "\n").replace("\u2029", "\n")
        super().__init__(html, _IN_FLOW, _IN_LINE, output or Output())
        self.lists: list[_List] = []
        self.grid: Grid | None = None
        self.named: list[_NamedCells | None] = []
        """The open tables that are written as lists; None for one that only lays things out."""
        self.in_head = False
        """Whether the open part of the table is its ``thead``."""
        self.notes_depth = 0
        """The depth of what is directly inside the section of footnotes."""
        self.leaves: list[Leave] = []
        """What to do at the ends of open elements."""

    def write(self) -> str:
        line, leaves = self.line, self.leaves
        names, values, ends = self.content.names, self.content.values, self.content.ends
        at, count = 0, len(names)
        while at < count:
            name, end = names[at], ends[at]
            if not name:
                data = values[at]
                if data == " ":
                    line.space = True
                elif data:
                    line.text(data, end)
            elif end < at:
                leaves.pop()()
            else:
                if handler := self.handlers.get(name):
                    leave = handler(self, at)
                elif inline := INLINE.get(name):
                    leave = inline(line, at)
                else:
                    leave = nothing
                if not leave:
                    at = end  # All of it is written, or left out.
                elif end > at:
                    leaves.append(leave)
            at += 1
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
        # Wikis indent with definitions that have no term: these are plain blocks.
        is_list = opened.kind != "dl" or "dt" in self.content.inside(at)
        if is_list and self.levels + 2 <= MAX_LEVELS:
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
        attributes = self.content.values[at]
        if value := attributes.get("value"):
            opened.number = number(value)
        self.enter_item(opened, attributes.get("id", ""))

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
        if holds_blocks(self.content, at):
            # Tables for layout are no tables.
            if is_layout(self.content, at):
                return self.among_tables(None, self.flush)
            if self.output.tables == "lists" and self.levels + 2 <= MAX_LEVELS and "td" in self.content.inside(at):
                leave_list = self.list_(at)
                return self.among_tables(_NamedCells(self.lists[-1]), leave_list)
            self.html(html_lines(self.content, at))
            return None
        grid = self.grid = Grid()

        def leave() -> None:
            self.grid = None
            self.line.free_brackets()
            self.flush()
            if lines := grid.lines():
                self.lines.block("table", lines)

        return leave

    def row(self, at: int) -> Leave | None:
        self.flush()
        grid = self.grid
        if grid is None:
            return self.row_as_item(table, at) if self.named and (table := self.named[-1]) else self.flush
        grid.begin_row(self.in_head or (not grid.rows and is_header(self.content, at)))
        return grid.end_row

    def among_tables(self, table: _NamedCells | None, leave: Leave) -> Leave:
        self.named.append(table)

        def leave_both() -> None:
            leave()
            self.named.pop()

        return leave_both

    def row_as_item(self, table: _NamedCells, at: int) -> Leave | None:
        content, grid, names = self.content, table.grid, table.names
        grid.begin_row(False)
        if self.in_head or (len(grid.rows) == 1 and is_header(content, at)):
            for cell in content.children(at):
                column = grid.place(content.values[cell])
                name = " ".join(content.text(cell).split()).rstrip(":")
                names.update(
                    (i, f"{names.get(i, '')} {name}".strip())
                    for i in range(column, max(column + 1, len(grid.rows[-1])))
                )
            grid.end_row()
            return None
        self.leave_item(table.items)
        self.enter_item(table.items)

        def leave() -> None:
            self.flush()
            self.leave_item(table.items)
            grid.end_row()

        return leave

    def name_cell(self, table: _NamedCells, at: int) -> None:
        """Write what a cell is about before what it says: the name of its column, or its own as the row's."""
        content = self.content
        column = table.grid.place(content.values[at])
        name = table.names.get(column)
        if name and (content.text(at).strip() or "img" in content.inside(at)):
            leave = self.line.bold()
            self.line.text(f"{name}:", 1)
            leave()
            self.line.space = True

    def head(self, at: int) -> Leave:
        self.flush()
        self.in_head = True

        def leave() -> None:
            self.flush()
            self.in_head = False

        return leave

    def cell(self, at: int) -> Leave:
        grid = self.grid
        if grid is None:
            self.flush()
            if self.named and (table := self.named[-1]):
                self.name_cell(table, at)
            return self.flush
        self.begin_line(CELL_BREAK)
        return lambda: grid.add(self.content.values[at], self.end_line().replace("|", "\\|"))


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
