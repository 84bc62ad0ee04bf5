"""What a site rule does beyond proposing: it takes out, keeps, renames, and names the page's type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duramen.find.frameworks import row_of
from duramen.find.judge import Judgement
from duramen.find.removals import selected_nodes
from duramen.model import Candidate, PageKind
from duramen.page import Page


def apply_rule_page_type(page: Page, proposals: Sequence[Candidate], judgement: Judgement) -> Judgement:
    """The page type that a site rule names, where the rule has found its content."""
    rule = page.rule
    if rule is None or rule.page_type is None or not any(c.tier == "site_rule" for c in proposals):
        return judgement
    return judgement._replace(kind=PageKind(rule.page_type, 1.0, (f"site rule {rule.id}",)))


def removed_from(page: Page, candidate: Candidate, sure: set[int]) -> set[int]:
    """What is taken out of a candidate: by sure rows, and by the rule or framework that proposed it."""
    tree = page.tree
    if candidate.tier == "site_rule" and page.rule is not None:
        kept = selected_nodes(tree, page.rule.keep)
        free = {s for s in sure if not any(tree.contains(k, s) or tree.contains(s, k) for k in kept)}
        return free | selected_nodes(tree, page.rule.remove) - kept
    row = row_of(page, candidate)
    if row is None:
        return sure
    own = selected_nodes(tree, row.remove) - selected_nodes(tree, row.keep)
    return own if row.whole else sure | own


def removed_blocks(page: Page, proposals: Sequence[Candidate]) -> set[int]:
    """The blocks that a site rule removes, where it has found its content: no candidate is better for having them.

    Rules are written for pages of which the judge is wrong, and would lose there for what they are right to leave out.
    """
    if page.rule is None or not any(c.tier == "site_rule" for c in proposals):
        return set()
    gone = selected_nodes(page.tree, page.rule.remove) - selected_nodes(page.tree, page.rule.keep)
    return {b for b in page.blocks_in(gone) if any(page.tree.contains(i, page.blocks.owner[b]) for i in gone)}


def renamed(page: Page, winner: Candidate | None) -> Mapping[int, str]:
    """Elements that the winning rule writes under another name."""
    if winner is None or winner.tier != "site_rule" or page.rule is None:
        return {}
    return {node: tag for selector, tag in page.rule.rename.items() for node in selected_nodes(page.tree, (selector,))}
