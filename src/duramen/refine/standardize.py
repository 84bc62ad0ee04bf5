"""The canonical form: one shape for code, tables, formulas, notes, callouts, pictures and links."""

from __future__ import annotations

import re

from duramen.dom import Element, Text, fragment
from duramen.options import Output
from duramen.refine.elements.callouts import read_raw_callouts, standardize_callouts
from duramen.refine.elements.code import standardize_code
from duramen.refine.elements.embeds import standardize_embeds
from duramen.refine.elements.flow import standardize_flow
from duramen.refine.elements.footnotes import release_unreferenced, standardize_footnotes
from duramen.refine.elements.images import drop_repeated_images, standardize_images
from duramen.refine.elements.leftovers import (
    part_attributions,
    part_words,
    remove_doubled_marks,
    remove_last_headings,
    remove_pointers,
    remove_shortcodes,
)
from duramen.refine.elements.links import HEADINGS, drop_echoing_titles, remove_permalinks, standardize_links
from duramen.refine.elements.math import standardize_math
from duramen.refine.elements.preformatted import keep_styled_lines
from duramen.refine.elements.survey import (
    Survey,
    blank,
    element_parent,
    element_sibling,
    first_child,
    near,
    squeezed,
)
from duramen.refine.sanitize import Draft

__all__ = ["bring_into_form", "canonical_form", "standardize"]

_SILENT = frozenset(
    "script style template svg canvas button input select option datalist textarea map area param track link meta"
    " head title base applet frame frameset dialog-polyfill progress meter".split()
)
"""Elements whose text is not part of the running text."""
_SHORT = 80
"""Characters up to which text for screen readers only is a remark, not content."""


def canonical_form(
    draft: Draft, base_url: str | None, output: Output, opening: re.Pattern[str] | None = None
) -> Element:
    """The canonical form of a draft, inside an element; it is not yet sanitized."""
    root = fragment(draft)
    bring_into_form(root, base_url, output, opening)
    return root


def bring_into_form(
    root: Element, base_url: str | None, output: Output, opening: re.Pattern[str] | None = None
) -> None:
    """Edit a whole draft in place into canonical form."""
    standardize(root, base_url, output, opening)
    remove_last_headings(root)


def standardize(root: Element, base_url: str | None, output: Output, opening: re.Pattern[str] | None = None) -> None:
    """Edit a draft in place into canonical form: the hard elements, then the flow around them.

    The order matters, since each step relies on those before it. ``opening`` is what opens TeX in its texts. What few
    pages have is imported when a page has it.
    """
    survey = Survey(root)
    _remove_remarks(survey)
    if survey.attributes["role"]:
        from duramen.refine.elements.roles import standardize_roles

        standardize_roles(survey)
    if survey.attributes["style"]:
        keep_styled_lines(survey)
    standardize_code(root, survey)
    remove_shortcodes(root)
    standardize_math(root, survey, opening)
    standardize_embeds(root, survey, base_url)
    if survey.roles["sidenote"]:
        from duramen.refine.elements.sidenotes import standardize_sidenotes

        standardize_sidenotes(root, survey)
    if not survey.tags.isdisjoint(_SILENT):
        _remove_silent(root)
    standardize_images(root, survey, base_url, keep=output.images)
    if "a" in survey.tags or survey.roles["permalink"]:
        remove_permalinks(root, survey)
    has_notes = standardize_footnotes(root, survey, base_url)
    standardize_callouts(root, survey)
    if "table" in survey.tags:
        from duramen.refine.elements.tables import standardize_tables

        standardize_tables(root, survey)
    drop_repeated_images(root, survey)
    standardize_links(root, base_url, keep=output.links, strip=output.strip_tracking)
    part_words(root)
    if "q" in survey.tags:
        remove_doubled_marks(root)
    if "cite" in survey.tags:
        part_attributions(root)
    standardize_flow(root, keep_classes=output.keep_classes)
    if survey.attributes["title"]:
        drop_echoing_titles(root)
    if "a" in survey.tags:
        remove_pointers(root, base_url)
    if "blockquote" in survey.tags:
        read_raw_callouts(root)
    if has_notes:
        release_unreferenced(root)


def _remove_remarks(survey: Survey) -> None:
    """Take out short text for screen readers only, and the buttons of wikis."""
    for element in survey.roles["aside"]:
        is_remark = element.parent is not None and (len(element.text) <= _SHORT or _is_label(element))
        if is_remark and not _fills_cell(element):
            element.extract()
    for element in survey.roles["control"]:
        if element.parent is not None and len(element.text) <= _SHORT:
            element.extract()


def _is_label(element: Element) -> bool:
    """Whether it is inside an element that has visible text of its own."""
    parent = element_parent(element)
    return parent is not None and parent.tag in ("a", "button", "figcaption", *HEADINGS)


def _fills_cell(element: Element) -> bool:
    """Whether a table's cell has no other text: "Yes" or "No" beside a drawn tick or cross."""
    cell = next((outer for outer in near(element, 3) if outer.tag in ("td", "th")), None)
    return cell is not None and squeezed(cell.text) == squeezed(element.text)


def _remove_silent(root: Element) -> None:
    for element in list(root.iter_elements(_SILENT)):
        parent = element_parent(element)
        if parent is None:
            continue
        is_box = element.tag == "input" and (element.attr("type") or "").lower() == "checkbox"
        if is_box and any(outer.tag in ("li", "p") for outer in near(element, 2)):
            _write_box(element, parent)
        else:
            element.extract()


def _write_box(box: Element, parent: Element) -> None:
    """A box to tick as a character, at the beginning of the text that it belongs to."""
    following = element_sibling(parent, before=False)
    box.replace_with(made := Text("☑ " if "checked" in box.attrs else "☐ "))
    if parent.tag == "span" and blank(parent.text.strip(made.data)) and following is not None:
        while isinstance(first := first_child(following), Element) and first.tag in ("div", "p"):
            following = first
        if first is None:
            following.append(made)
        else:
            first.insert_before(made)
