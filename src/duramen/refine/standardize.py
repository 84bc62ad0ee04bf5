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
    part_words,
    remove_doubled_marks,
    remove_last_headings,
    remove_pointers,
    remove_shortcodes,
)
from duramen.refine.elements.links import HEADINGS, drop_echoing_titles, remove_permalinks, standardize_links
from duramen.refine.elements.math import standardize_math
from duramen.refine.elements.preformatted import keep_styled_lines
from duramen.refine.elements.roles import standardize_roles
from duramen.refine.elements.sidenotes import standardize_sidenotes
from duramen.refine.elements.survey import Survey, blank, element_parent, lead, near, squeezed
from duramen.refine.elements.tables import standardize_tables
from duramen.refine.sanitize import Draft

__all__ = ["canonical_form", "standardize"]

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
    standardize(root, base_url, output, opening)
    remove_last_headings(root)
    return root


def standardize(root: Element, base_url: str | None, output: Output, opening: re.Pattern[str] | None = None) -> None:
    """Edit a draft in place into canonical form: the hard elements, then the flow around them.

    The order matters, since each step relies on those before it. ``opening`` is what opens TeX in its texts.
    """
    survey = Survey(root)
    _remove_remarks(survey)
    if survey.attributes["role"]:
        standardize_roles(survey)
    if survey.attributes["style"]:
        keep_styled_lines(survey)
    standardize_code(root, survey)
    remove_shortcodes(root)
    standardize_math(root, survey, opening)
    standardize_embeds(root, survey, base_url)
    if survey.roles["sidenote"]:
        standardize_sidenotes(root, survey)
    if not survey.tags.isdisjoint(_SILENT):
        _remove_silent(root)
    standardize_images(root, survey, base_url, keep=output.images)
    if "a" in survey.tags or survey.roles["permalink"]:
        remove_permalinks(root, survey)
    has_notes = standardize_footnotes(root, survey, base_url)
    standardize_callouts(root, survey)
    if "table" in survey.tags:
        standardize_tables(root)
    drop_repeated_images(root)
    standardize_links(root, base_url, keep=output.links)
    part_words(root)
    if "q" in survey.tags:
        remove_doubled_marks(root)
    standardize_flow(root, keep_classes=output.keep_classes)
    if "a" in survey.tags:
        drop_echoing_titles(root)
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
    _open_switches(root)
    for element in list(root.iter_elements(_SILENT)):
        parent = element_parent(element)
        if parent is None:
            continue
        if element.tag == "button" and _is_switch(element):
            element.unwrap()
        elif (
            element.tag == "input"
            and (element.attr("type") or "").lower() == "checkbox"
            and parent.tag in ("li", "p", "label")
        ):
            element.replace_with(Text("☑ " if "checked" in element.attrs else "☐ "))
        else:
            element.extract()


def _open_switches(root: Element) -> None:
    """A button that unfolds a text is that text's heading, unless its label is a word or two."""
    switches = [
        (button, target)
        for button in root.iter_elements("button")
        if (target := button.attr("aria-controls")) and lead(button, 120).count(" ") in range(2, 20)
    ]
    if switches:
        wanted = {target for _, target in switches}
        folded = {ident: element for element in root.iter_elements() if (ident := element.attr("id")) in wanted}
        for button, target in switches:
            if target in folded and len(lead(folded[target], _SHORT)) > _SHORT:
                button.tag = "div"


def _is_switch(button: Element) -> bool:
    """Whether a button is the heading of something folded away."""
    parent = element_parent(button)
    for _ in range(3):
        if parent is None:
            return False
        if parent.tag in HEADINGS or parent.tag in ("summary", "dt"):
            return not blank(button.text)
        parent = element_parent(parent)
    return False
