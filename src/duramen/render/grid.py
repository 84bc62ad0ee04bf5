"""A table as a grid of cells, each one line of Markdown."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Grid", "number"]

MAX_SPAN = 100
"""Columns or rows a cell is taken to span at most."""


_RULES = {"left": ":--", "center": ":-:", "right": "--:"}


class Grid:
    """Rows being read. A cell that spans others leaves them empty, so that all columns stay in place."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self._header = False
        self._spans: dict[int, int] = {}
        """Columns taken by a cell from above, with the rows still to go."""
        self._sides: dict[int, set[str]] = {}
        """The alignments of a column's cells, the header's apart."""
        self._head_sides: dict[int, str] = {}
        self._cells = 0
        self._blanks = 0

    def begin_row(self, is_header: bool) -> None:
        """Begin a row; the first may be the header."""
        if not self.rows:
            self._header = is_header
        self.rows.append([])

    def add(self, attributes: Mapping[str, str], text: str) -> None:
        """Add a cell to the row."""
        self._fill()
        row = self.rows[-1]
        column = len(row)
        row.append(text.replace("|", "\\|"))
        self._cells += 1
        side = attributes.get("align", "")
        if self._header and len(self.rows) == 1:
            self._head_sides[column] = side
        elif text:
            self._sides.setdefault(column, set()).add(side)
        # A page can ask for more empty cells than it has content.
        if self._blanks > 8 * self._cells + 1000:
            return
        width = min(number(attributes.get("colspan")) or 1, MAX_SPAN)
        height = min(number(attributes.get("rowspan")) or 1, MAX_SPAN)
        row.extend([""] * (width - 1))
        self._blanks += width - 1
        if height > 1:
            self._spans.update((column + i, height - 1) for i in range(width))

    def end_row(self) -> None:
        self._fill()

    def _fill(self) -> None:
        """Leave room for the cells that reach down into this row."""
        row = self.rows[-1]
        while rows := self._spans.get(column := len(row)):
            if rows > 1:
                self._spans[column] = rows - 1
            else:
                del self._spans[column]
            row.append("")
            self._blanks += 1

    def lines(self) -> list[str]:
        """The table, or nothing if its cells are empty. Rows may be short: renderers fill them."""
        rows = [row for row in self.rows if row]
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
