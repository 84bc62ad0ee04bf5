"""The page as the finding stage sees it: everything that was read, nothing decided yet."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from duramen.blocks import Blocks
from duramen.dom import Tree
from duramen.model import DocumentType, Framework, Metadata, Removal, SiteRule, StructuredData


@dataclass(frozen=True, slots=True)
class Page:
    tree: Tree
    blocks: Blocks
    url: str | None
    base_url: str | None
    document_type: DocumentType
    structured: StructuredData
    metadata: Metadata
    framework: Framework | None
    rule: SiteRule | None
    hidden: tuple[Removal, ...] = ()
    """What was taken out for being hidden, with ``Options.visible_only``."""

    def range_of(self, node: int) -> tuple[int, int]:
        """The blocks that begin inside a node: the first, and the one after the last."""
        first = self.blocks.first
        return bisect_left(first, node), bisect_left(first, self.tree.end[node])

    def blocks_in(self, nodes: Iterable[int]) -> set[int]:
        """The blocks that begin inside any of these nodes."""
        return {b for node in nodes for b in range(*self.range_of(node))}
