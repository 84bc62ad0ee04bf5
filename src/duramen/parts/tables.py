"""The tables of the content, as rows of text."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from duramen.parts.outline import alternative, line_of, walk
from duramen.render.content import Content
from duramen.render.grid import Grid, is_header, is_layout

__all__ = ["Table", "tables_of"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: every row has a text for every column, and a cell that spans several is repeated in each."""

    rows: tuple[tuple[str, ...], ...]
    """All rows, those of the header first."""
    header_rows: int
    """How many of the rows name the columns."""
    caption: str
    headings: tuple[str, ...]
    """The headings that it is under, outermost first."""

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """The rows below the header."""
        return self.rows[self.header_rows :]

    @property
    def columns(self) -> tuple[str, ...]:
        """A name for each column, no two alike: the texts of the header, or else the column's number from 1.

        >>> Table((("Wood", "Density", "Density"), ("Oak", "720", "kg")), 1, "", ()).columns
        ('Wood', 'Density', 'Density (2)')
        """
        names: list[str] = []
        taken: set[str] = set()
        # What is above all columns names none of them.
        heads = [row for row in self.rows[: self.header_rows] if self.header_rows == 1 or len(set(row)) > 1]
        for column in range(len(self.rows[0]) if self.rows else 0):
            stated = dict.fromkeys(row[column] for row in heads if row[column])
            name = plain = " / ".join(stated) or str(column + 1)
            count = 1
            while name in taken:
                count += 1
                name = f"{plain} ({count})"
            taken.add(name)
            names.append(name)
        return tuple(names)

    def to_dicts(self) -> list[dict[str, str]]:
        """A mapping from column names to texts for each row of the body."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.body]

    def to_json(self) -> str:
        return json.dumps(self.to_dicts(), ensure_ascii=False)

    def to_csv(self) -> str:
        """The names of the columns and the body as CSV (RFC 4180)."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(self.columns)
        writer.writerows(self.body)
        return out.getvalue()

    def to_pandas(self) -> Any:
        """The body as a :class:`pandas.DataFrame` of texts; pandas must be installed."""
        import pandas

        return pandas.DataFrame(list(self.body), columns=list(self.columns), dtype="object")

    def to_polars(self) -> Any:
        """The body as a :class:`polars.DataFrame` of texts; polars must be installed."""
        import polars

        columns = dict.fromkeys(self.columns, polars.String)
        return polars.DataFrame(list(self.body), schema=columns, orient="row")


def tables_of(html: str) -> tuple[Table, ...]:
    """The tables of sanitized HTML that hold text, in document order; what only lays out the page is no table.

    >>> table, = tables_of("<table><tr><th>Wood<th>Use<tr><td rowspan=2>Oak<td>ships<tr><td>casks</table>")
    >>> table.columns, table.body
    (('Wood', 'Use'), (('Oak', 'ships'), ('Oak', 'casks')))
    """
    content = Content(html, b"")
    found: list[Table] = []
    done = -1
    for at, name, headings in walk(content):
        if name == "table" and at > done and not is_layout(content, at):
            # A table in a cell is text of the cell.
            done = content.ends[at]
            if table := _table(content, at, headings):
                found.append(table)
    return tuple(found)


def _table(content: Content, at: int, headings: tuple[str, ...]) -> Table | None:
    grid, caption, header_rows = Grid(), "", 0
    in_header = True
    for row, section in _rows(content, at):
        if content.names[row] == "caption":
            caption = caption or line_of(content, row)
            continue
        cells = [i for i in content.children(row) if content.names[i] in ("td", "th")]
        if not cells:
            continue
        texts = [line_of(content, cell) or alternative(content, cell) for cell in cells]
        # A single name below the header is that of the rows below it.
        goes_on = is_header(content, row) and (not header_rows or sum(map(bool, texts)) > 1)
        in_header = in_header and (section == "thead" or goes_on)
        grid.begin_row(in_header)
        for cell, text in zip(cells, texts, strict=True):
            grid.add(content.values[cell], text, text)
        grid.end_row()
        header_rows += in_header
    lines = grid.texts()
    if not any(map(any, lines)):
        return None
    width = max(map(len, lines))
    rows = tuple((*row, *[""] * (width - len(row))) for row in lines)
    # A table of nothing but heads has its values in them.
    return Table(rows, header_rows if header_rows < len(rows) else 0, caption, headings)


def _rows(content: Content, table: int) -> list[tuple[int, str]]:
    """The rows of a table and its caption, each with the section it is in: not those of a table in a cell."""
    found: list[tuple[int, str]] = []
    for i in content.children(table):
        name = content.names[i]
        if name in ("tr", "caption"):
            found.append((i, ""))
        elif name in ("thead", "tbody", "tfoot"):
            found += [(row, name) for row in content.children(i) if content.names[row] == "tr"]
    return found
