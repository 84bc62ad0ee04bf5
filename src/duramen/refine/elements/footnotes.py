"""Footnotes: references and definitions of every generator, joined by numbers of our own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from duramen.dom import Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.links import local_target
from duramen.refine.elements.note_list import NOTE_ID, NOTE_TAGS, gather_notes
from duramen.refine.elements.survey import Survey, blank, element_parent, squeezed, tokens
from duramen.refine.elements.vocabulary import words

_REFERENCE_NAMES = words("note-reference")
_BACK = words("note-back")
_BACK_SIGNS = "↩↑^⏎⤴↵⬆︎\ufe0e\ufe0f⇑⌃←\xa0 []()·.,"
_BACK_WORDS = words("note-back-words")
_BACK_LABELS = words("note-label")
_SEPARATORS = " \n\t\xa0,;-\u2013"
_MOST_MARKS = 24
"""Marks and what is between them in one pair of brackets."""
_LABEL = 8
"""Characters that a note may show before its named place: a number, a bracket, a word."""
_MARK = lazy_pattern(r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§]+)[\])]?")
"""What is written as the mark of a note."""


def standardize_footnotes(root: Element, survey: Survey, base_url: str | None) -> bool:
    """Number the notes, move them to the end, and point every reference at its note; whether there is any."""
    _open_tables(survey)
    containers = _containers(root, survey)
    links = _candidates(root, survey, base_url, containers)
    section: Element | None = None
    if links:
        identified = {ident: e for e in root.iter_elements() if (ident := e.attr("id") or _anchor_name(e))}
        references, definitions, ways_back = _pairs(links, identified, containers, root)
        marks = {ident for anchor, _ in references for ident in _own_ids(anchor)}
        wanted = {
            definitions[to]: squeezed(anchor.text).strip("[]().") for anchor, to in references if to in definitions
        }
        numbers, section = gather_notes(root, wanted, containers, lambda e: _leads_back(e, ways_back, marks, base_url))
        if section is not None:
            _free_numbered_ids(identified, section)
        for anchor, target in references:
            note = definitions.get(target)
            _write_reference(anchor, numbers.get(note) if note is not None else None)
    if section is not None or not survey.tags.isdisjoint(("sup", "section")):
        _remove_other_marks(root, section)
    return section is not None


def _free_numbered_ids(identified: dict[str, Element], section: Element) -> None:
    """Take ids such as ``fn-1`` off what is left in place: they belong to our notes now."""
    own = set(section.iter_elements("li"))
    for ident, element in identified.items():
        if ident.startswith("fn-") and element not in own and element.attr("id") == ident:
            del element.attrs["id"]


def _anchor_name(element: Element) -> str | None:
    return element.attr("name") if element.tag == "a" else None


# -- references ------------------------------------------------------------------------------------------------------


def _candidates(
    root: Element, survey: Survey, base_url: str | None, containers: list[Element]
) -> list[tuple[Element, str]]:
    """Links that look like the mark of a note, with the id they point to."""
    if "a" not in survey.tags:
        return []
    listed = {ident for container in containers for e in container.iter_elements() if (ident := e.attr("id"))}
    found: list[tuple[Element, str]] = []
    for anchor in root.iter_elements("a"):
        href = anchor.attr("href")
        if not href or "#" not in href:
            continue
        target = local_target(href, base_url)
        # In preformatted text a mark would not be read as one.
        if target and _looks_like_reference(anchor, target, target in listed) and not anchor.closest("pre"):
            found.append((anchor, target))
    return found


def _looks_like_reference(anchor: Element, target: str, is_listed: bool) -> bool:
    """Whether a link is the mark of a note by its attributes, by being raised and by its text.

    A number in brackets is one as well if what it leads to is in a list of notes or of literature.
    """
    if _is_way_back(anchor):
        return False
    marked = (
        not _REFERENCE_NAMES.isdisjoint(tokens(anchor))
        or "data-footnote-ref" in anchor.attrs
        or anchor.attr("role") == "doc-noteref"
    )
    raised = _is_raised(anchor)
    if not (raised or marked or NOTE_ID.fullmatch(target) or (is_listed and _is_in_brackets(anchor))):
        return False
    label = squeezed(anchor.text)
    if len(label) > (24 if marked else 12) or not label.strip(_BACK_SIGNS):
        return False
    return marked or raised or _MARK.fullmatch(label) is not None


def _is_raised(anchor: Element) -> bool:
    parent = element_parent(anchor)
    if parent is not None and parent.tag == "sup":
        return True
    children = [c for c in anchor.children if not (isinstance(c, Text) and blank(c.data))]
    return len(children) == 1 and isinstance(children[0], Element) and children[0].tag == "sup"


def _is_in_brackets(anchor: Element) -> bool:
    """Whether a link is one of the numbers in ``[1, 2-4]``."""
    before = anchor.previous_sibling
    return isinstance(before, Text) and before.data.rstrip()[-1:] in tuple("[(,;-\u2013")


def _is_way_back(anchor: Element) -> bool:
    return (
        not _BACK.isdisjoint(tokens(anchor))
        or "data-footnote-backref" in anchor.attrs
        or anchor.attr("role") == "doc-backlink"
    )


def _write_reference(anchor: Element, number: int | None) -> None:
    """The canonical mark; plain raised text when its note is not part of the content."""
    if anchor.parent is None:
        return
    label = squeezed(anchor.text)
    parent = element_parent(anchor)
    outer: Element = anchor
    _drop_brackets(anchor)
    if parent is not None and parent.tag == "sup":
        if _alone(anchor, parent):
            outer = parent
        elif parent.parent is not None:  # It may have gone with a note.
            parent.unwrap()
    if outer.parent is None:
        return
    if number is None:
        outer.replace_with(Element("sup", None, [Text(squeezed(outer.text) or label)]))
        return
    link = Element("a", {"href": f"#fn-{number}"}, [Text(label or str(number))])
    outer.replace_with(Element("sup", {"data-footnote-ref": str(number)}, [link]))


def _drop_brackets(anchor: Element) -> None:
    """Take the brackets off marks that are alone in them, as in ``[1, 2]``: the canonical mark needs none."""
    before, after = anchor.previous_sibling, anchor.next_sibling
    if not isinstance(before, Text) or before.data[-1:] != "[":
        return
    for _ in range(_MOST_MARKS):
        if isinstance(after, Text) and after.data[:1] == "]":
            before.data, after.data = before.data[:-1], after.data[1:]
            return
        is_mark = isinstance(after, Element) and after.tag in ("a", "sup")
        if after is None or not (is_mark or (isinstance(after, Text) and not after.data.strip(_SEPARATORS))):
            return
        after = after.next_sibling


def _alone(anchor: Element, parent: Element) -> bool:
    return all(
        child is anchor or (isinstance(child, Text) and not child.data.strip(" \n\t\xa0[]()"))
        for child in parent.children
        if isinstance(child, (Element, Text))
    )


# -- definitions -----------------------------------------------------------------------------------------------------


def _open_tables(survey: Survey) -> None:
    """Old reStructuredText has a table for each note: a cell with its mark, and one with its text."""
    for table in survey.roles["footnotes"]:
        if table.tag == "table" and table.parent is not None:
            cells = list(table.iter_elements("td"))
            if len(cells) == 2:
                table.tag = "div"
                parts = [Element("span", None, list(cells[0].children)), *cells[1].children]
                table.clear()
                table.extend(parts)


def _containers(root: Element, survey: Survey) -> list[Element]:
    """Elements that hold the notes, by class or attribute."""
    found = [
        e
        for e in survey.roles["footnotes"]
        if e.parent is not None and e.tag in ("div", "section", "aside", "ol", "dl", "ul")
    ]
    if "section" in survey.tags:
        known = set(found)
        found += [e for e in root.iter_elements("section") if "data-footnotes" in e.attrs and e not in known]
    return found


def _pairs(
    links: list[tuple[Element, str]], identified: dict[str, Element], containers: list[Element], root: Element
) -> tuple[list[tuple[Element, str]], dict[str, Element], set[Element]]:
    """The links that are references, the note that each of their targets names, and the links back.

    A note often links back to its mark just as the mark links to the note, and both may be a raised number. A link is
    the way back when the block it leads to holds a reference, or when the link begins its block and its target is in
    the middle of another.
    """
    inside = set(containers)
    notes = _notes(links, identified, root)
    marks = {ident for anchor, _ in links for ident in _own_ids(anchor)}
    # One element may hold the ids of thousands.
    points_back = cache(lambda note: _points_back(note, marks))
    held = cache(lambda note: list(note.iter_elements("a")))
    references: dict[Element, str] = {}
    found: dict[str, Element] = {}
    ways_back: set[Element] = set()
    taken: set[Element] = set()
    for anchor, target in links:
        note, place = notes.get(target), identified.get(target)
        if note not in taken and (
            (place is not None and _leads_to_middle(anchor, place, root))
            or (note is not None and not references.keys().isdisjoint(held(note)))
        ):
            ways_back.add(anchor)
            continue
        references[anchor] = target
        if note is None or any(ancestor is note for ancestor in anchor.ancestors):
            continue
        if (
            note in taken
            or note in inside
            or any(ancestor in inside for ancestor in note.ancestors)
            or NOTE_ID.fullmatch(target)
            or points_back(note)
        ):
            taken.add(note)
            found[target] = note
    return list(references.items()), found, ways_back


def _notes(links: list[tuple[Element, str]], identified: dict[str, Element], root: Element) -> dict[str, Element]:
    """The block that each target may be a note in; a block with the places of several notes is none of them."""
    found: dict[str, Element] = {}
    holding: dict[Element, list[str]] = {}
    for target in dict.fromkeys(target for _, target in links):
        place = identified.get(target)
        note = _note_of(place, root) if place is not None else None
        if note is not None:
            found[target] = note
            if note is not place:
                holding.setdefault(note, []).append(target)
    for targets in holding.values():
        if len(targets) > 1:
            for target in targets:
                del found[target]
    return found


def _leads_to_middle(anchor: Element, place: Element, root: Element) -> bool:
    """Whether a link begins its block and leads to a place in a block that begins with something else."""
    own, other = _block_of(anchor, root), _block_of(place, root)
    return own is not None and other is not None and _text_before(anchor, own) == 0 and _text_before(place, other) > 0


def _text_before(place: Element, block: Element) -> int:
    """How many characters a block shows before a place in it; not counted much beyond :data:`_LABEL`."""
    size = 0
    for node in block.descendants if place is not block else ():
        if node is place or size > _LABEL:
            break
        if isinstance(node, Text):
            size += len(node.data.strip(_BACK_SIGNS + "\n\t"))
    return size


def _own_ids(anchor: Element) -> Iterator[str]:
    for element in (anchor, element_parent(anchor)):
        if element is not None:
            ident = element.attr("id") or element.attr("name")
            if ident:
                yield ident


def _note_of(place: Element, root: Element) -> Element | None:
    """The block that begins with an element, or is that element: the note that the element's id names."""
    block = _block_of(place, root)
    if block is None or _text_before(place, block) > _LABEL:
        return None
    item = element_parent(block)
    return item if item is not None and item.tag == "li" and _text_before(block, item) <= _LABEL else block


def _block_of(element: Element, root: Element) -> Element | None:
    """The nearest block that an element is, or is in."""
    current: Element | None = element
    for _ in range(4):
        if current is None or current is root:
            return None
        if current.tag in NOTE_TAGS:
            return current
        current = element_parent(current)
    return None


def _points_back(note: Element, marks: set[str]) -> bool:
    return any((anchor.attr("href") or "").lstrip("#") in marks for anchor in note.iter_elements("a"))


def _leads_back(element: Element, ways_back: set[Element], marks: set[str], base_url: str | None) -> bool:
    """Whether a part of a note is its label, or a link back to its mark."""
    if element.tag != "a":
        return not _BACK_LABELS.isdisjoint(tokens(element)) and len(element.text) < 60
    if element in ways_back or _is_way_back(element):
        return True
    target = local_target(element.attr("href") or "", base_url)
    if target is None:
        return False
    label = squeezed(element.text)
    if not label.strip(_BACK_SIGNS) or label.lower().strip(_BACK_SIGNS) in _BACK_WORDS:
        return True
    return target in marks and len(label) <= 8


def _remove_other_marks(root: Element, section: Element | None) -> None:
    """Marks of the canonical form mean something only where we wrote them."""
    for element in root.iter_elements(("sup", "section")):
        attrs = element.attrs
        if "data-footnotes" in attrs and element is not section:
            del attrs["data-footnotes"]
        elif "data-footnote-ref" in attrs:
            link = element[0] if len(element) == 1 else None
            href = link.attr("href") if isinstance(link, Element) and link.tag == "a" else None
            if section is None or href != f"#fn-{element.attr('data-footnote-ref')}":
                del attrs["data-footnote-ref"]


def release_unreferenced(root: Element) -> None:
    """Make notes that no reference leads to a plain list: renderers drop a definition without its reference."""
    section = next((e for e in root.iter_elements("section") if "data-footnotes" in e.attrs), None)
    if section is None:
        return
    items = list(section.iter_elements("li"))
    referred = {f"fn-{mark.attr('data-footnote-ref')}" for mark in root.iter_elements("sup")}
    loose = [item for item in items if (item.attr("id") or "").startswith("fn-") and item.attr("id") not in referred]
    if not loose:
        return
    listing = Element("ol")
    section.insert_before(listing)
    for item in loose:
        del item.attrs["id"]
        listing.append(item)
    if len(loose) == len(items):
        section.extract()
