"""Elements that are headings and tables only by their ``role``: they become real ones."""

from __future__ import annotations

from duramen.dom import Element
from duramen.refine.elements.survey import Survey, blank

_PLAIN = frozenset(("div", "span", "p", "strong", "b", "section", "li", "ul", "ol", "dl", "dt", "dd"))
"""Elements whose role says more than their tag."""
_LINES = frozenset(("div", "span", "p", "strong", "b"))
_TABLES = frozenset(("table", "grid", "treegrid"))
_CELLS = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_MOST_NESTED = 6
"""So many elements above a cell its row has to be, and above a row its table."""
_SPANS = (("aria-colspan", "colspan"), ("aria-rowspan", "rowspan"))


def standardize_roles(survey: Survey) -> None:
    """Make headings and tables of the elements that name themselves so."""
    rows: dict[Element, list[Element]] = {}
    tables: dict[Element, list[Element]] = {}
    for element in survey.attributes["role"]:
        role = (element.attr("role") or "").strip().lower()
        if role == "heading" and element.tag in _LINES:
            level = (element.attr("aria-level") or "").strip()
            element.tag = f"h{level}" if level in tuple("123456") else "h2"
        elif role in _TABLES and element.tag in _PLAIN:
            tables[element] = []
        elif role == "row" and element.tag in _PLAIN:
            rows[element] = []
            table = _holder(element, tables)
            if table is not None:
                tables[table].append(element)
        elif role in _CELLS and element.tag in _PLAIN:
            row = _holder(element, rows)
            if row is not None:
                rows[row].append(element)
    for table, of_table in tables.items():
        _make_table(table, [rows[row] for row in of_table if rows[row]], survey)
    for cells in rows.values():
        for cell in cells:
            if cell.parent is not None and cell.tag == "span":
                cell.tag = "div"  # Cells outside a table are still apart.


def _holder(element: Element, among: dict[Element, list[Element]]) -> Element | None:
    outer = element.parent
    for _ in range(_MOST_NESTED):
        if not isinstance(outer, Element):
            return None
        if outer in among:
            return outer
        outer = outer.parent
    return None


def _make_table(table: Element, rows: list[list[Element]], survey: Survey) -> None:
    """Put the cells into a real table; only if nothing is shown between them."""
    if table.parent is None or max(map(len, rows), default=0) < 2:
        return
    if sum(_size(cell) for row in rows for cell in row) < _size(table):
        return
    body = Element("tbody")
    for row in rows:
        line = Element("tr")
        body.append(line)
        for cell in row:
            attributes = {name: value for own, name in _SPANS if (value := cell.attr(own))}
            role = (cell.attr("role") or "").strip().lower()
            line.append(Element(_CELLS[role], attributes, list(cell.children)))
    table.replace_with(Element("table", None, [body]))
    survey.tags.add("table")


def _size(element: Element) -> int:
    return sum(len(part) for part in map(str.strip, element.strings) if not blank(part))
