"""The refining stage: the chosen blocks become one canonical, safe piece of HTML, with a verdict on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duramen.budget import Budget
from duramen.dom import fragment as parse_fragment
from duramen.lazy_pattern import lazy_pattern
from duramen.options import Options
from duramen.page import Page
from duramen.refine.captions import Captions, find_captions
from duramen.refine.compose import compose, compose_plainly
from duramen.refine.elements.tex import opening_delimiters
from duramen.refine.sanitize import Draft, sanitize
from duramen.refine.standardize import canonical_form
from duramen.refine.switches import find_switches

_SHOWN = lazy_pattern(r"(?:^|>)(?:\s|&nbsp;)*+(?:[^\s<&]|&(?!nbsp;))")
"""Text in sanitized HTML, in which no attribute holds a bare ``>``."""


class Refinement:
    """Content on its way from the page's blocks to safe HTML.

    It takes two steps, so that the page can be released between them: each form that the content takes may be as long
    as the page.
    """

    __slots__ = ("_base_url", "_draft", "_opening", "_output", "captions", "limits")

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
        self._base_url, self._output = page.base_url, output
        self.captions = find_captions(page, kept, gone) if output.images and not fragment else Captions()
        draft: Draft = fragment
        in_time = not budget.is_overspent()
        if in_time and not fragment:
            wanted = [False] * len(page.blocks)
            for b in (*kept, *self.captions.blocks):
                wanted[b] = True
            switches = find_switches(page, kept)
            draft = compose(page.tree, page.blocks, wanted, gone, options.limits.max_depth, renamed, switches)
        self.limits: tuple[str, ...] = ()
        if not (in_time and budget.covers(draft)):
            self.limits = (f"no time left of {options.limits.seconds} s to keep more than headings and paragraphs",)
            draft = fragment or compose_plainly(page.tree, page.blocks, kept)
        self._draft = draft
        self._opening = opening_delimiters(page.tree, draft)

    def finish(self) -> str:
        """The safe HTML; empty when it shows no text."""
        draft, self._draft = self._draft, ""
        # Without time for the canonical form the draft is only read, as the parser does.
        output = self._output
        form = parse_fragment(draft) if self.limits else canonical_form(draft, self._base_url, output, self._opening)
        del draft
        html = sanitize(form, output)
        return html if _SHOWN.search(html) else ""
