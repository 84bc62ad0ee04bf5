"""Lists: every item in a list, nothing in a list but items."""

from __future__ import annotations

from duramen.dom import Element, Text
from duramen.refine.elements.inline import shows
from duramen.refine.elements.survey import blank


def repair_list(element: Element) -> None:
    """Put whatever is in a list but in no item into one; a list in a list belongs to the item before it."""
    item: Element | None = None
    loose: Element | None = None
    made: list[Element] = []
    for child in list(element.children):
        if isinstance(child, Element) and child.tag == "li":
            item, loose = child, None
        elif not shows(child):
            if isinstance(child, Element):
                child.extract()
        elif isinstance(child, Element) and child.tag in ("ul", "ol") and item is not None:
            item.append(child)
        else:
            if loose is None:
                item = loose = Element("li")
                made.append(loose)
                child.insert_before(loose)
            loose.append(child)
    for item in made:
        adopt_orphans(item)


def repair_definitions(element: Element) -> None:
    loose: Element | None = None
    made: list[Element] = []
    for child in list(element.children):
        if isinstance(child, Element) and child.tag in ("dt", "dd"):
            loose = None
        elif not shows(child):
            if isinstance(child, Element):
                child.extract()
        elif isinstance(child, Element) and child.tag == "dl" and loose is None:
            child.unwrap()
        else:
            if loose is None:
                loose = Element("dd")
                made.append(loose)
                child.insert_before(loose)
            loose.append(child)
    for item in made:
        adopt_orphans(item)


def adopt_orphans(element: Element) -> None:
    """Give items outside a list one of their own."""
    made: Element | None = None
    kind = ""
    for child in list(element.children):
        tag = child.tag if isinstance(child, Element) else ""
        wanted = "ul" if tag == "li" else "dl" if tag in ("dt", "dd") else ""
        if not wanted:
            if not (isinstance(child, Text) and blank(child.data)):
                made = None
            continue
        if made is None or kind != wanted:
            made, kind = Element(wanted), wanted
            child.insert_before(made)
        made.append(child)
