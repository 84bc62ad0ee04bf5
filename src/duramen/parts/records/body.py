"""The content of one record: blocks of the page, copied out and made safe like the content of the page."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from duramen.options import Output
from duramen.page import Page
from duramen.parts.records.fields import Region
from duramen.refine.compose import compose
from duramen.refine.elements.tex import opening_delimiters
from duramen.refine.sanitize import sanitize
from duramen.refine.standardize import canonical_form

__all__ = ["Bodies"]

_DEPTH = 200
_ENOUGH = 0.3
"""The share of a record's characters that must be content of the page, for the rest of it to be left out."""


class Bodies:
    """Writes records of one page as HTML."""

    def __init__(self, page: Page, kept: Collection[int], output: Output) -> None:
        self.page, self.output = page, output
        self.kept = frozenset(kept)
        self.gone: set[int] = set()
        """Elements that are left out of every record."""

    def blocks_of(self, region: Region) -> list[int]:
        """The blocks that begin in a region."""
        first = self.page.blocks.first
        return [b for b in range(*self.page.range_of(region.node)) if region.has(first[b])]

    def html(self, region: Region, without: Collection[int] = ()) -> str:
        """A region as safe HTML: what of it is content, or all of it where little is."""
        blocks = [b for b in self.blocks_of(region) if b not in without]
        chars = self.page.blocks.chars
        kept = [b for b in blocks if b in self.kept]
        if sum(chars[b] for b in kept) >= _ENOUGH * sum(chars[b] for b in blocks):
            blocks = kept
        return self.written(blocks)

    def written(self, blocks: Iterable[int]) -> str:
        page = self.page
        draft = compose(page.tree, page.blocks, blocks, self.gone, _DEPTH)
        if not draft:
            return ""
        opening = opening_delimiters(page.tree, draft)
        return sanitize(canonical_form(draft, page.base_url, self.output, opening), self.output)
