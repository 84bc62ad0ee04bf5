"""A table as a grid of cells, and as lines of Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from duramen.render.content import Content

__all__ = ["Grid", "holds_blocks", "is_header", "is_layout", "number"]

MAX_SPAN, _MAX_HEIGHT = 100, 1000
"""Columns and rows that a cell is taken to span at most."""


_RULES = {"left": ":--", "center": ":-:", "right": "--:"}


class Grid:
    """Rows being read. All columns stay in place: a cell that spans others leaves them empty, or repeats itself."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self._header = False
        self._spans: dict[int, tuple[int, str]] = {}
        """Columns taken by a cell from above, with the rows still to go and what is written there."""
        self._sides: defaultdict[int, set[str]] = defaultdict(set)
        """The alignments of a column's cells, the header's apart."""
        self._head_sides: dict[int, str] = {}
        self._width = 0
        """The columns in which cells begin: a title is often said to span more than there are."""
        self._cells = 0
        self._blanks = 0

    def begin_row(self, is_header: bool) -> None:
        """Begin a row; the first may be the header."""
        if not self.rows:
            self._header = is_header
        self.rows.append([])

    def add(self, attributes: Mapping[str, str], text: str, spanned: str = "") -> None:
        """Add a cell to the row, and what is written in the others that it spans."""
        if self._spans:
            self._fill()
        row = self.rows[-1]
        column = len(row)
        row.append(text)
        self._width = max(self._width, len(row))
        self._cells += 1
        side = attributes.get("align", "")
        if self._header and len(self.rows) == 1:
            self._head_sides[column] = side
        elif text:
            self._sides[column].add(side)
        # A page can ask for more empty cells than it has content.
        if not attributes or self._blanks > 8 * self._cells + 1000:
            return
        width = min(number(attributes.get("colspan")) or 1, MAX_SPAN)
        height = min(number(attributes.get("rowspan")) or 1, _MAX_HEIGHT)
        row.extend([spanned] * (width - 1))
        self._blanks += width - 1
        if height > 1:
            self._spans.update((column + i, (height - 1, spanned)) for i in range(width))

    def place(self, attributes: Mapping[str, str]) -> int:
        """Make room for a cell that is written elsewhere; its column."""
        self._fill()
        column = len(self.rows[-1])
        self.add(attributes, "")
        return column

    def end_row(self) -> None:
        self._fill()

    def _fill(self) -> None:
        """Leave room for the cells that reach down into this row."""
        row = self.rows[-1]
        while span := self._spans.get(column := len(row)):
            rows, spanned = span
            if rows > 1:
                self._spans[column] = rows - 1, spanned
            else:
                del self._spans[column]
            row.append(spanned)
            self._blanks += 1

    def texts(self) -> list[list[str]]:
        """The rows, without columns that cells only reach into."""
        return [row[: self._width] for row in self.rows]

    def lines(self) -> list[str]:
        """The table, or nothing if its cells are empty. Rows may be short: renderers fill them."""
        rows = [row for row in self.texts() if row]
        if not any(map(any, rows)):
            return []
        width = max(map(len, rows))
        head = rows.pop(0) if self._header else []
        return [
            _line([*head, *[""] * (width - len(head))]),
            _line([self._rule(column) for column in range(width)]),
            *map(_line, rows),
        ]

    def _rule(self, column: int) -> str:
        """What is under a column's head; it has a side if its cells agree on one, or leave it to the head."""
        sides = self._sides.get(column, {""})
        side = next(iter(sides)) if len(sides) == 1 else None
        return _RULES.get(self._head_sides.get(column, "") if side == "" else side or "", "---")


def number(value: str | None) -> int:
    """A count as an attribute gives it; 1 when absent, negative or senseless."""
    return int(value) if value and value.isdecimal() and len(value) <= 9 else 1


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def is_layout(content: Content, table: int) -> bool:
    """Whether a table only lays things out: rows of one cell with blocks in them, or a table without heads in it."""
    inside = content.inside(table)
    if _BLOCKS.isdisjoint(inside):
        return False
    return not _has_second_cell(inside) or ("table" in inside and "th" not in inside[: inside.index("table")])


_BLOCKS = frozenset(("table", "ul", "ol", "dl", "pre", "blockquote", "hr", "details"))
"""What cannot be written in a line of Markdown."""


def holds_blocks(content: Content, table: int) -> bool:
    """Whether cells hold what cannot be written in a line of Markdown."""
    return not _BLOCKS.isdisjoint(content.inside(table))


def is_header(content: Content, row: int) -> bool:
    """Whether a table's first row names its columns, rather than itself by a ``th`` before its values."""
    cells = list(content.children(row))
    named = [content.names[i] == "th" for i in cells]
    return any(named) and all(is_th or not content.text(i).strip() for i, is_th in zip(cells, named, strict=True))


def _has_second_cell(names: list[str]) -> bool:
    """Whether some row has two cells."""
    tags = [name for name in names if name]
    return any(tag in ("td", "th") and before in ("/td", "/th") for before, tag in pairwise(tags))
