"""The site-rule tier: what a person wrote down about one site."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.model import Candidate
from duramen.page import Page


def find_site_rule(page: Page) -> Iterator[Candidate]:
    """The first content selector of the site's rule that finds enough words."""
    rule = page.rule
    if rule is None:
        return
    for level, selectors in rule.levels:
        for selector in selectors:
            nodes = page.tree.speaking_outermost(page.tree.selected(selector))
            if sum(map(page.tree.words_in, nodes)) >= rule.words:
                evidence = f"{rule.source}: {level} selector {selector}"
                yield Candidate("site_rule", f"site-{rule.id}", evidence, tuple(nodes), confidence=0.95)
                return
