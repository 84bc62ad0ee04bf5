"""The page as the finding stage sees it: everything that was read, nothing decided yet."""

from __future__ import annotations

from dataclasses import dataclass

from duramen.blocks import Blocks
from duramen.dom import Tree
from duramen.model import DocumentType, Framework, Metadata, SiteRule, StructuredData


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
