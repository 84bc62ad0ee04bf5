"""Lists: every item in a list, nothing in a list but items."""

from __future__ import annotations

from duramen.dom import Element, Text
from duramen.refine.elements.inline import shows
from duramen.refine.elements.survey import blank


def repair_list(element: Element) -> None:
    """Put whatever is in a list but in no item into one; a list in a list belongs to the item before it."""
    is_glossary = element.tag == "dl"
    items = ("dt", "dd") if is_glossary else ("li",)
    item: Element | None = None
    loose: Element | None = None
    made: list[Element] = []
    for child in list(element.children):
        tag = child.tag if isinstance(child, Element) else ""
        if isinstance(child, Element) and tag in items:
            item, loose = child, None
        elif not shows(child):
            if tag:
                child.extract()
        elif is_glossary and tag == "dl" and loose is None:
            child.unwrap()
        elif not is_glossary and tag in ("ul", "ol") and item is not None:
            item.append(child)
        else:
            if loose is None:
                item = loose = Element(items[-1])
                made.append(loose)
                child.insert_before(loose)
            loose.append(child)
    for orphaned in made:
        adopt_orphans(orphaned)


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
