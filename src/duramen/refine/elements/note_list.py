"""The notes of a page, taken from where they are and put into one list at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from duramen.dom import Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import blank, element_parent
from duramen.refine.elements.vocabulary import any_of

NOTE_ID = lazy_pattern(
    rf"{any_of('note-id-prefixes')}?{any_of('note-ids')}(?!ref)[-_:.]?\S*",
    re.IGNORECASE,
)
"""The ids of notes."""
NOTE_TAGS = frozenset(("li", "aside", "dd", "p", "div", "dt", "tr", "td", "section"))
"""Blocks that may be a note."""
_EMPTIED = frozenset(("ol", "ul", "dl", "aside", "tr", "tbody", "table", "div", "section"))
"""Blocks that go when their last note is taken out."""


def gather_notes(
    root: Element, wanted: Mapping[Element, str], containers: list[Element], leads_back: Callable[[Element], bool]
) -> tuple[dict[Element, int], Element | None]:
    """Move the notes to a section at the end; the number of each.

    ``wanted`` has the mark that refers to each. A note loses its own, and the parts that ``leads_back`` is true for.
    """
    if not wanted:
        return {}, None
    used = [c for c in containers if c.parent is not None]
    ordered = [e for e in root.iter_elements(NOTE_TAGS) if e in wanted]
    numbers: dict[Element, int] = {}
    listing = Element("ol")
    taken: list[Element] = []
    for note in ordered:
        if any(ancestor in numbers for ancestor in note.ancestors):
            continue
        item = _item(note, leads_back)
        _remove_mark(item, wanted[note])
        taken.append(note)
        if blank(item.text) and next(item.iter_elements("img"), None) is None:
            continue
        number = numbers[note] = len(numbers) + 1
        item.attrs["id"] = f"fn-{number}"
        listing.append(item)
    _keep_numbers(taken)
    lists = {parent for note in taken if note.tag == "li" and (parent := element_parent(note)) is not None}
    _remove_emptied(taken, root)
    for left in [item for listing in lists for item in listing.children if isinstance(item, Element)]:
        _remove_ways_back(left, leads_back)  # No reference leads to it, so it is text.
    for container in used:
        if (
            container.parent is not None
            and blank(container.text)
            and next(container.iter_elements("img"), None) is None
        ):
            container.extract()
    if not numbers:
        return {}, None
    section = Element("section", {"data-footnotes": ""}, [listing])
    root.append(section)
    return numbers, section


def _keep_numbers(taken: list[Element]) -> None:
    """Items that stay in a numbered list of which others are taken keep their numbers."""
    for listing in {parent for note in taken if note.tag == "li" and (parent := element_parent(note)) is not None}:
        items = [child for child in listing.children if isinstance(child, Element) and child.tag == "li"]
        if listing.tag == "ol" and not (listing.attrs.keys() & {"start", "reversed"}):
            for number, item in enumerate(items, 1):
                item.attrs.setdefault("value", str(number))


def _item(note: Element, leads_back: Callable[[Element], bool]) -> Element:
    """A note as a list item without its own mark and the way back."""
    source = note
    if note.tag == "dt":
        source = _body_of(note) or note
    elif note.tag == "tr":
        cells = [child for child in note.children if isinstance(child, Element)]
        source = cells[-1] if cells else note
    _remove_ways_back(source, leads_back)
    return Element("li", None, list(source.children))


def _remove_mark(item: Element, mark: str) -> None:
    """Take the mark off the text that a note begins with: ``[1]``, ``1.`` or ``*``."""
    first = next((node for node in item.descendants if isinstance(node, Text) and not blank(node.data)), None)
    begun = first.data.lstrip().lstrip("[(") if first is not None else ""
    if first is not None and begun[:1] in (".", ":") and begun[1:2].isspace():
        first.data = begun[1:].lstrip()  # The number before it was a link, which is gone.
        return
    if first is None or not mark or not begun.startswith(mark):
        return
    rest = begun[len(mark) :]
    bare = rest.lstrip("])").lstrip(".:")
    if not bare.strip() and len(bare) < len(rest) and first.data.strip() != item.text.strip():
        first.data = ""  # The mark has an element of its own.
        return
    # A number that a sentence begins with is no mark: "1 metre", "1.5".
    if bare.strip() and bare[0].isspace() and (len(bare) < len(rest) or not mark.isalnum()):
        first.data = bare.lstrip()


def _remove_ways_back(note: Element, leads_back: Callable[[Element], bool]) -> None:
    """Take the ways back out of a note, and what is empty without them."""
    around: dict[Element, None] = {}
    for element in list(note.iter_elements(("a", "span", "sup"))):
        if element.parent is not None and leads_back(element):
            outer = element_parent(element)
            element.extract()
            if outer is not None and outer.tag in ("sup", "span", "small"):
                around[outer] = None
    for outer in around:
        if outer.parent is not None and blank(outer.text):
            outer.extract()
    _trim_end(note)


def _trim_end(item: Element) -> None:
    """Take away white space before the removed way back, and paragraphs that held nothing else."""
    current: Element | None = item
    for _ in range(4):
        if current is None or not len(current):
            return
        last = current[-1]
        if isinstance(last, Text):
            bare = last.data.rstrip(" \n\t\xa0")
            if bare:
                last.data = bare
                return
            last.extract()
        elif isinstance(last, Element):
            if last.tag == "p" and blank(last.text) and next(last.iter_elements("img"), None) is None:
                last.extract()
            else:
                current = last
        else:
            last.extract()


def _remove_emptied(taken: list[Element], root: Element) -> None:
    """Remove what held the notes, and the lists that are empty now."""
    outer: dict[Element, None] = {}
    for note in taken:
        parent = element_parent(note)
        if parent is not None:
            outer[parent] = None
        if note.tag == "dt":
            body = _body_of(note)
            if body is not None and not len(body):
                body.extract()
        note.extract()
    for _ in range(3):
        above: dict[Element, None] = {}
        for element in outer:
            parent = element_parent(element)
            if parent is None or element is root or element.tag not in _EMPTIED:
                continue
            if blank(element.text) and next(element.iter_elements(("img", "li")), None) is None:
                element.extract()
                above[parent] = None
        outer = above


def _body_of(term: Element) -> Element | None:
    """The ``<dd>`` that belongs to a ``<dt>``."""
    following = term.next_sibling
    while following is not None and not isinstance(following, Element):
        following = following.next_sibling
    return following if isinstance(following, Element) and following.tag == "dd" else None
