"""A table as a grid of cells, each one line of Markdown."""

from __future__ import annotations

from duramen.dom import Element

__all__ = ["Grid", "number"]

MAX_SPAN = 100
"""Columns or rows a cell is taken to span at most."""


class Grid:
    """Rows being read. A cell that spans others leaves them empty, so that all columns stay in place."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._header = False
        self._spans: dict[int, int] = {}
        """Columns taken by a cell from above, with the rows still to go."""
        self._cells = 0
        self._blanks = 0

    def begin_row(self, row: Element) -> None:
        if not self._rows:
            self._header = _is_header(row)
        self._rows.append([])

    def add(self, cell: Element, text: str) -> None:
        self._fill()
        row = self._rows[-1]
        column = len(row)
        row.append(text.replace("|", "\\|"))
        self._cells += 1
        # A page can ask for more empty cells than it has content.
        if self._blanks > 8 * self._cells + 1000:
            return
        width = min(number(cell.attr("colspan")) or 1, MAX_SPAN)
        height = min(number(cell.attr("rowspan")) or 1, MAX_SPAN)
        row.extend([""] * (width - 1))
        self._blanks += width - 1
        if height > 1:
            self._spans.update((column + i, height - 1) for i in range(width))

    def end_row(self) -> None:
        self._fill()

    def _fill(self) -> None:
        """Leave room for the cells that reach down into this row."""
        row = self._rows[-1]
        while rows := self._spans.get(column := len(row)):
            if rows > 1:
                self._spans[column] = rows - 1
            else:
                del self._spans[column]
            row.append("")
            self._blanks += 1

    def lines(self) -> list[str]:
        """The table, or nothing if its cells are empty. Rows may be short: renderers fill them."""
        rows = [row for row in self._rows if row]
        if not any(map(any, rows)):
            return []
        width = max(map(len, rows))
        head = rows.pop(0) if self._header else []
        return [_line([*head, *[""] * (width - len(head))]), _line(["---"] * width), *map(_line, rows)]


def number(value: str | None) -> int:
    """A count as an attribute gives it; 1 when absent, negative or senseless."""
    return int(value) if value and value.isdecimal() and len(value) <= 9 else 1


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_header(row: Element) -> bool:
    """Whether a table's first row names its columns, rather than itself by a ``th`` before its values."""
    parent = row.parent
    if isinstance(parent, Element) and parent.tag == "thead":
        return True
    cells = [c for c in row.children if isinstance(c, Element)]
    return any(c.tag == "th" for c in cells) and all(c.tag == "th" or not c.text.strip() for c in cells)
