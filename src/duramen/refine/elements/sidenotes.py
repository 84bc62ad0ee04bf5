"""Notes that are beside their mark, in the margin or opened by it: they become footnotes."""

from __future__ import annotations

from duramen.dom import Element, Text
from duramen.refine.elements.survey import Survey, blank, element_sibling, tokens
from duramen.refine.elements.vocabulary import words

_NOTES = words("role-sidenote")
_SWITCHES = words("sidenote-switch")


def standardize_sidenotes(root: Element, survey: Survey) -> None:
    """Move the notes to a list at the end, and leave a reference to each; footnotes are brought into form later."""
    notes = [note for note in survey.roles["sidenote"] if note.tag in ("span", "small", "aside", "div")]
    listing = Element("ol")
    for note in notes:
        if note.parent is None or blank(note.text) or note.closest("pre"):
            continue
        if not _take_switches(note) and note.tag != "span":
            continue
        number = len(listing) + 1
        mark = Element("a", {"href": f"#fn-sidenote-{number}", "class": "footnote-ref"}, [Text(str(number))])
        item = Element("li", {"id": f"fn-sidenote-{number}"}, list(note.children))
        note.replace_with(Element("sup", None, [mark]))
        listing.append(item)
    if len(listing):
        section = Element("section", None, [listing])
        root.append(section)
        survey.roles["footnotes"].append(section)
        survey.tags |= {"a", "sup", "section", "ol", "li"}


def _take_switches(note: Element) -> bool:
    """Take out the mark, the label and the box before a note; whether there was one."""
    found = False
    for _ in range(2):
        before = element_sibling(note, before=True)
        if (
            before is None
            or before.tag not in ("label", "input", "div", "span", "sup")
            or _SWITCHES.isdisjoint(tokens(before))
        ):
            break
        before.extract()
        found = True
    return found
