"""The framework tier: the content of known generators and forum software, by selectors that are exact."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.framework_rows import Row, rows
from duramen.model import Candidate
from duramen.page import Page


def find_framework(page: Page) -> Iterator[Candidate]:
    """What the first content selector of the recognised framework finds, if it is the only such element; else parts."""
    if page.framework is None:
        return
    row = rows()[page.framework.id]
    for selector in (*row.content, *row.parts):
        nodes = page.tree.speaking_outermost(page.tree.select(selector))
        if nodes and (row.many or len(nodes) == 1 or selector in row.parts):
            evidence = f"{row.name} by {', '.join(page.framework.evidence)}; {selector}"
            confidence = page.framework.confidence
            yield Candidate("framework", f"framework-{row.id}", evidence, tuple(nodes), confidence=confidence)
            return


def row_of(page: Page, candidate: Candidate) -> Row | None:
    """The row that a candidate came from."""
    return rows()[page.framework.id] if candidate.tier == "framework" and page.framework is not None else None
