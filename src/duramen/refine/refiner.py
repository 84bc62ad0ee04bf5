"""The refining stage: the chosen blocks become one canonical, safe piece of HTML, with a verdict on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duramen.blocks import segment
from duramen.budget import Budget
from duramen.dom import Text
from duramen.dom import fragment as parse_fragment
from duramen.flatten import parse_tree
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Removal
from duramen.options import Options
from duramen.page import Page
from duramen.refine.captions import Captions, find_captions
from duramen.refine.compose import compose, compose_plainly
from duramen.refine.elements.attribute_texts import drop_attribute_texts, drop_stand_ins
from duramen.refine.elements.tex import opening_delimiters
from duramen.refine.lead import find_lead
from duramen.refine.sanitize import Draft, sanitize
from duramen.refine.standardize import bring_into_form
from duramen.refine.switches import find_switches
from duramen.zero_width import strip_zero_width

_SHOWN = lazy_pattern(r"(?:^|>)(?:\s|&nbsp;)*+(?:[^\s<&]|&(?!nbsp;))")
"""Text in sanitized HTML, in which no attribute holds a bare ``>``."""


class Refinement:
    """Content on its way from the page's blocks to safe HTML.

    It takes two steps, so that the page can be released between them: each form that the content takes may be as long
    as the page.
    """

    __slots__ = ("_base_url", "_draft", "_opening", "_output", "_visible_only", "captions", "hidden", "limits")

    def __init__(
        self,
        page: Page,
        kept: Sequence[int],
        gone: set[int],
        fragment: str,
        renamed: Mapping[int, str],
        options: Options,
        budget: Budget,
    ) -> None:
        """Copy the chosen part out of the page; headings and paragraphs alone where there is no time for more."""
        output = options.output
        self._base_url, self._output, self._visible_only = page.base_url, output, options.visible_only
        self.hidden: list[Removal] = []
        """Texts in attributes that were left out, once it is finished."""
        self.captions = find_captions(page, kept, gone) if output.images and not fragment else Captions()
        tree, blocks = page.tree, page.blocks
        if fragment:
            # Content that is only data is copied out of a page of its own, all of which is kept.
            tree = parse_tree(fragment)
            blocks = segment(tree)
            kept, gone, renamed = range(len(blocks)), set(), {}
        draft: Draft = ""
        in_time = not budget.is_overspent()
        if in_time:
            switches = find_switches(tree, blocks, kept)
            chosen = (*kept, *self.captions.blocks)
            lead = find_lead(page, kept, gone) if output.images and not fragment else None
            draft = compose(tree, blocks, chosen, gone, options.limits.max_depth, renamed, switches, lead)
        self.limits: tuple[str, ...] = ()
        if not (in_time and budget.covers(draft)):
            self.limits = (f"no time left of {options.limits.seconds} s to keep more than headings and paragraphs",)
            draft = compose_plainly(tree, blocks, kept)
        self._draft = draft
        self._opening = opening_delimiters(page.tree, draft)

    def finish(self) -> str:
        """The safe HTML; empty when it shows no text."""
        draft, self._draft = self._draft, ""
        output = self._output
        form = parse_fragment(draft)
        del draft
        if self._visible_only:
            self.hidden = drop_attribute_texts(form)
        # Without time for the canonical form the draft is only read, as the parser does.
        if not self.limits:
            bring_into_form(form, self._base_url, output, self._opening)
        if self._visible_only:
            drop_stand_ins(form)
            for text in [node for node in form.descendants if isinstance(node, Text)]:
                text.data = strip_zero_width(text.data)[0]
        html = sanitize(form, output)
        return html if _SHOWN.search(html) else ""
