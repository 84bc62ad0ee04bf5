"""Footnotes: references and definitions of every generator, joined by numbers of our own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from duramen.dom import Element, Text
from duramen.refine.elements.links import local_target
from duramen.refine.elements.survey import Survey, blank, element_parent, squeezed, tokens

REFERENCE_NAMES = frozenset(
    "footnote-ref footnote-reference footnote footnoteref footnote-anchor footnote_ref fn".split()
)
_BACK = frozenset(
    "footnote-backref reversefootnote footnote-back fn-backref footnote-return data-footnote-backref backref".split()
)
_REFERENCE_ID = re.compile(
    r"(?:user-content-)?(?:fn|_?ftn|_?edn|footnote|endnote|cite_note|cite-note|note|sdfootnote|easy-footnote-bottom|fnote)"
    r"(?!ref)[-_:.]?\S*",
    re.IGNORECASE,
)
_BACK_SIGNS = "↩↑^⏎⤴↵⬆︎\ufe0e\ufe0f⇑⌃←\xa0 []()·.,"
_BACK_WORDS = frozenset(
    ("back", "return", "jump up", "jump back", "back to text", "back to content", "go back", "zurück")
)
BACK_LABELS = frozenset(("mw-cite-backlink", "backrefs", "label", "footnote-label"))
"""What stands in a note around the way back, or repeats its mark."""
_DEFINITION_TAGS = frozenset(("li", "aside", "dd", "p", "div", "dt", "tr", "td", "section"))
_LISTS = frozenset(("ol", "ul"))
_EMPTIED = frozenset(("ol", "ul", "dl", "aside", "tr", "tbody", "table", "div", "section"))

Attributes = Callable[[str], str | None]


def standardize_footnotes(root: Element, survey: Survey, base_url: str | None) -> None:
    """Number the notes, move them to the end, and point every reference at its note."""
    references = _references(root, survey, base_url)
    section: Element | None = None
    if references:
        identified = {ident: e for e in root.iter_elements() if (ident := e.attr("id") or _anchor_name(e))}
        containers = _containers(root, survey)
        definitions = _definitions(references, identified, containers, root)
        numbers, section = _gather(root, definitions, containers, references, base_url)
        for anchor, target in references:
            note = definitions.get(target)
            _write_reference(anchor, numbers.get(note) if note is not None else None)
    if section is not None or not survey.tags.isdisjoint(("sup", "section")):
        _remove_other_marks(root, section)


def _anchor_name(element: Element) -> str | None:
    return element.attr("name") if element.tag == "a" else None


# -- references ------------------------------------------------------------------------------------------------------


def _references(root: Element, survey: Survey, base_url: str | None) -> list[tuple[Element, str]]:
    """Links that look like the mark of a note, with the id they point to."""
    if "a" not in survey.tags:
        return []
    found: list[tuple[Element, str]] = []
    for anchor in root.iter_elements("a"):
        href = anchor.attr("href")
        if not href or "#" not in href:
            continue
        target = local_target(href, base_url)
        if target and _looks_like_reference(anchor, target):
            found.append((anchor, target))
    return found


def may_refer(href: str, cls: str, is_marked: bool, base_url: str | None) -> bool:
    """Whether a link could be the mark of a note by its address and class; ``is_marked``: by what else there is."""
    target = local_target(href, base_url)
    return target is not None and (
        is_marked or not REFERENCE_NAMES.isdisjoint(cls.lower().split()) or _REFERENCE_ID.fullmatch(target) is not None
    )


def reference(attr: Attributes, text: str, raised: bool, base_url: str | None) -> tuple[str, bool] | None:
    """What a link that is the mark of a note points to, and whether that is named like a note."""
    target = local_target(attr("href") or "", base_url)
    if target and looks_like_reference(attr, target, raised, lambda: text):
        return target, _REFERENCE_ID.fullmatch(target) is not None
    return None


def _looks_like_reference(anchor: Element, target: str) -> bool:
    parent = element_parent(anchor)
    raised = parent is not None and parent.tag == "sup"
    if not raised:
        children = [c for c in anchor.children if not (isinstance(c, Text) and blank(c.data))]
        raised = len(children) == 1 and isinstance(children[0], Element) and children[0].tag == "sup"
    return looks_like_reference(anchor.attr, target, raised, lambda: anchor.text)


def looks_like_reference(attr: Attributes, target: str, raised: bool, text: Callable[[], str]) -> bool:
    """Whether a link is the mark of a note by its attributes, by standing ``raised`` and by its text."""
    names = (attr("class") or "").lower().split()
    if _is_way_back(attr, names):
        return False
    marked = (
        not REFERENCE_NAMES.isdisjoint(names) or attr("data-footnote-ref") is not None or attr("role") == "doc-noteref"
    )
    if not (raised or marked or _REFERENCE_ID.fullmatch(target)):
        return False
    label = squeezed(text())
    if len(label) > (24 if marked else 12) or not label.strip(_BACK_SIGNS):
        return False
    return marked or raised or bool(re.fullmatch(r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§]+)[\])]?", label))


def _is_way_back(attr: Attributes, names: list[str]) -> bool:
    return not _BACK.isdisjoint(names) or attr("data-footnote-backref") is not None or attr("role") == "doc-backlink"


def _write_reference(anchor: Element, number: int | None) -> None:
    """The canonical mark; plain raised text when its note is not part of the content."""
    if anchor.parent is None:
        return
    label = squeezed(anchor.text)
    parent = element_parent(anchor)
    outer: Element = anchor
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


def _alone(anchor: Element, parent: Element) -> bool:
    return all(
        child is anchor or (isinstance(child, Text) and not child.data.strip(" \n\t\xa0[]()"))
        for child in parent.children
        if isinstance(child, (Element, Text))
    )


# -- definitions -----------------------------------------------------------------------------------------------------


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


def _definitions(
    references: list[tuple[Element, str]], identified: dict[str, Element], containers: list[Element], root: Element
) -> dict[str, Element]:
    """The note each target id stands for."""
    inside = set(containers)
    marks = {ident for anchor, _ in references for ident in _own_ids(anchor)}
    found: dict[str, Element] = {}
    # One element may hold the ids of thousands.
    points_back = cache(lambda note: _points_back(note, marks))
    for anchor, target in references:
        if target in found:
            continue
        element = identified.get(target)
        note = _note_of(element, root) if element is not None else None
        if note is None or any(ancestor is note for ancestor in anchor.ancestors):
            continue
        if (
            note in inside
            or any(ancestor in inside for ancestor in note.ancestors)
            or _REFERENCE_ID.fullmatch(target)
            or points_back(note)
        ):
            found[target] = note
    return found


def _own_ids(anchor: Element) -> Iterator[str]:
    for element in (anchor, element_parent(anchor)):
        if element is not None:
            ident = element.attr("id") or element.attr("name")
            if ident:
                yield ident


def _note_of(element: Element, root: Element) -> Element | None:
    """The block that holds the note an id stands on."""
    current: Element | None = element
    for _ in range(4):
        if current is None or current is root:
            return None
        if current.tag in _DEFINITION_TAGS:
            return current
        current = element_parent(current)
    return None


def _points_back(note: Element, marks: set[str]) -> bool:
    return any((anchor.attr("href") or "").lstrip("#") in marks for anchor in note.iter_elements("a"))


def _gather(
    root: Element,
    definitions: dict[str, Element],
    containers: list[Element],
    references: list[tuple[Element, str]],
    base_url: str | None,
) -> tuple[dict[Element, int], Element | None]:
    """Move the notes to a section at the end; says which number each got."""
    wanted = set(definitions.values())
    if not wanted:
        return {}, None
    used = [c for c in containers if c.parent is not None]
    for container in used:
        for items in _lists(container):
            if not wanted.isdisjoint(items):
                wanted.update(items)
    ordered = [e for e in root.iter_elements(_DEFINITION_TAGS) if e in wanted]
    marks = {ident for anchor, _ in references for ident in _own_ids(anchor)}
    numbers: dict[Element, int] = {}
    listing = Element("ol")
    taken: list[Element] = []
    for note in ordered:
        if any(ancestor in numbers for ancestor in note.ancestors):
            continue
        item = _item(note, marks, base_url)
        taken.append(note)
        if blank(item.text) and next(item.iter_elements("img"), None) is None:
            continue
        number = numbers[note] = len(numbers) + 1
        item.attrs["id"] = f"fn-{number}"
        listing.append(item)
    _remove_emptied(taken, root)
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


def _lists(container: Element) -> list[list[Element]]:
    """The items of each list in a container."""
    return [
        [child for child in listing.children if isinstance(child, Element) and child.tag == "li"]
        for listing in container.iter_elements(_LISTS, include_self=True)
    ]


def _item(note: Element, marks: set[str], base_url: str | None) -> Element:
    """A note as a list item without its own mark and the way back."""
    source = note
    if note.tag == "dt":
        source = _body_of(note) or note
    elif note.tag == "tr":
        cells = [child for child in note.children if isinstance(child, Element)]
        source = cells[-1] if cells else note
    around: dict[Element, None] = {}
    for element in list(source.iter_elements(("a", "span", "sup"))):
        if element.parent is not None and _leads_back(element, marks, base_url):
            outer = element_parent(element)
            element.extract()
            if outer is not None and outer.tag in ("sup", "span", "small"):
                around[outer] = None
    for outer in around:
        if outer.parent is not None and blank(outer.text):
            outer.extract()
    item = Element("li", None, list(source.children))
    _trim_end(item)
    return item


def _leads_back(element: Element, marks: set[str], base_url: str | None) -> bool:
    if element.tag != "a":
        return not BACK_LABELS.isdisjoint(tokens(element)) and len(element.text) < 60
    return leads_back(element.attr, element.text, marks, base_url)


def leads_back(attr: Attributes, text: str, marks: set[str], base_url: str | None) -> bool:
    """Whether a link in a note leads back to its mark."""
    if _is_way_back(attr, (attr("class") or "").lower().split()):
        return True
    target = local_target(attr("href") or "", base_url)
    if target is None:
        return False
    label = squeezed(text)
    if not label.strip(_BACK_SIGNS) or label.lower().strip(_BACK_SIGNS) in _BACK_WORDS:
        return True
    return target in marks and len(label) <= 8


def _trim_end(item: Element) -> None:
    """Take away the white space that stood before the way back, and paragraphs it stood alone in."""
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
