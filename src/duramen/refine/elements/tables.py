"""Tables: those that only lay a page out are taken apart, those that hold data are tidied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from duramen.dom import Element
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import Survey, blank, squeezed, tokens
from duramen.refine.elements.vocabulary import words

_MAX_SPAN = 1000
_PROSE = 400
"""Characters in one cell beyond which a table without headers is a layout."""
_CELL_BLOCKS = ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "pre", "figure", "hr")
_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_LEGACY = ("bgcolor", "background", "height", "cellpadding")
_DATA = words("table-data")
_SIDES = {side: side for side in ("left", "center", "right")} | {"start": "left", "end": "right", "middle": "center"}
_COUNT = lazy_pattern(r"\s*\+?([0-9]{1,6})")
"""A number as the HTML standard reads it: what follows is no part of it."""
_TEXT_ALIGN = lazy_pattern(r"\btext-align\s*:\s*(\w+)", re.IGNORECASE)


def standardize_tables(root: Element, survey: Survey) -> None:
    """Unwrap layout tables in reading order; in the others bound spans, drop empty rows and put the foot last."""
    has_sides = any(survey.attributes[name] for name in ("style", "align", "data-align"))
    # Innermost first: most tables with a table left in one of their cells are layouts.
    for table in reversed(list(root.iter_elements("table"))):
        rows = _without_empty([(row, list(_cells(row))) for row in _rows(table)])
        if _is_layout(table, rows):
            _unwrap(table)
        else:
            if has_sides:
                _align(rows)
            _move_foot(table)


def _rows(table: Element) -> Iterator[Element]:
    """The rows of this table, not of tables inside it."""
    for child in table.children:
        if isinstance(child, Element):
            for row in child.children if child.tag in _GROUPS else (child,):
                if isinstance(row, Element) and row.tag == "tr":
                    yield row


def _cells(row: Element) -> Iterator[Element]:
    for cell in row.children:
        if isinstance(cell, Element) and cell.tag in ("td", "th"):
            yield cell


def _without_empty(rows: list[tuple[Element, list[Element]]]) -> list[list[Element]]:
    """The cells of the rows that show something; the others are removed unless a cell reaches down into them."""
    below = Counter(id(row.parent) for row, _ in rows)
    for row, cells in rows:
        for cell in cells:
            if cell.attr("colspan") is not None:
                _bound(cell, "colspan", 1, _MAX_SPAN)
            if cell.attr("rowspan") is not None:
                # A cell ends with its group of rows, and one that spans none reaches so far.
                _bound(cell, "rowspan", below[id(row.parent)], below[id(row.parent)])
        below[id(row.parent)] -= 1
    reaching = any(cell.attr("rowspan") is not None for _, cells in rows for cell in cells)
    kept: list[list[Element]] = []
    for row, cells in rows:
        if cells and (reaching or not all(map(_is_empty, cells))):
            kept.append(cells)
        else:
            row.extract()
    return kept


def _is_empty(cell: Element) -> bool:
    return blank(cell.text) and next(cell.iter_elements(("img", "hr")), None) is None


def _is_layout(table: Element, rows: list[list[Element]]) -> bool:
    if table.attr("role") in ("presentation", "none"):
        return True
    widest = max(map(len, rows), default=0)
    if next(table.iter_elements("table"), None) is not None and not _names_columns(rows, widest):
        return True
    if widest == 0 or (widest == 1 and len(rows) == 1):
        return True
    if any(child.tag in ("caption", "thead") for child in table.children if isinstance(child, Element)):
        return False
    if any(cell.tag == "th" for row in rows for cell in row):
        return False
    if widest == 1:
        return True
    if not _DATA.isdisjoint(tokens(table)):
        return False
    legacy = any(name in table.attrs for name in _LEGACY) or table.attr("border") == "0"
    limit = _PROSE // 2 if legacy or len(rows) == 1 else _PROSE
    for row in rows:
        for cell in row:
            text = cell.text
            if len(text) > limit and (legacy or len(rows) < 4 or _holds_blocks(cell)) and len(squeezed(text)) > limit:
                return True
    return (legacy or len(rows) == 1) and any(_holds_blocks(cell) for row in rows for cell in row)


def _names_columns(rows: list[list[Element]], widest: int) -> bool:
    """Whether a table with tables in its cells holds data: its first row names the columns, no cell is long."""
    return (
        widest > 1
        and len(rows) > 1
        and len(rows[0]) == widest
        and all(cell.tag == "th" for cell in rows[0])
        and all(len(squeezed(cell.text)) <= _PROSE for row in rows for cell in row)
    )


def _align(rows: list[list[Element]]) -> None:
    """Leave of the alignment of cells, in whichever way it is written, the attribute ``align``."""
    for row in rows:
        outer = row[0].parent
        of_row = _side(outer) if isinstance(outer, Element) else None
        for cell in row:
            side = _side(cell) or of_row
            if side:
                cell.attrs["align"] = side
            elif cell.attr("align") is not None:
                del cell.attrs["align"]


def _side(element: Element) -> str | None:
    style = element.attr("style")
    found = _TEXT_ALIGN.search(style) if style else None
    value = found[1] if found else element.attr("align") or element.attr("data-align")
    return _SIDES.get(value.strip().lower()) if value else None


def _move_foot(table: Element) -> None:
    """Put the last rows behind the others, where they are shown wherever the source has them."""
    for foot in [child for child in table.children if isinstance(child, Element) and child.tag == "tfoot"]:
        if foot.next_sibling is not None:
            table.append(foot)


def _holds_blocks(cell: Element) -> bool:
    blocks = cell.iter_elements(_CELL_BLOCKS)
    first = next(blocks, None)
    return first is not None and (first.tag not in ("p", "div") or next(blocks, None) is not None)


def _unwrap(table: Element) -> None:
    """Turn a layout table into blocks that follow each other as its cells did."""
    for child in list(table.children):
        if not isinstance(child, Element):
            continue
        if child.tag in _GROUPS:
            for row in list(child.children):
                if isinstance(row, Element):
                    _open_row(row)
            child.tag = "div"
        elif child.tag == "tr":
            _open_row(child)
        elif child.tag in ("colgroup", "col"):
            child.extract()
        else:
            child.tag = "div"
    table.tag = "div"


def _open_row(row: Element) -> None:
    for cell in row.children:
        if isinstance(cell, Element):
            cell.tag = "div"
    row.tag = "div"


def _bound(cell: Element, name: str, none: int, most: int) -> None:
    """Write a span as a number up to this one, and without the attribute if it is 1; ``none`` is what 0 stands for."""
    written = cell.attr(name) or ""
    digits = _COUNT.match(written)
    span = min(int(digits[1]) or none, most) if digits else 1
    if span < 2:
        del cell.attrs[name]
    elif written != str(span):
        cell.attrs[name] = str(span)
