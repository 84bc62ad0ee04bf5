"""The site-rule tier: what a person wrote down about one site."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.model import Candidate
from duramen.page import Page
from duramen.selectors import SelectorSyntaxError
from duramen.tree import Tree


def find_site_rule(page: Page) -> Iterator[Candidate]:
    """The first content selector of the site's rule that finds enough words."""
    rule = page.rule
    if rule is None:
        return
    for level, selectors in rule.levels:
        for selector in selectors:
            nodes = outermost(page.tree, selector)
            if sum(map(page.tree.words_in, nodes)) >= rule.words:
                evidence = f"{rule.source}: {level} selector {selector}"
                yield Candidate("site_rule", f"site-{rule.id}", evidence, nodes, confidence=0.95)
                return


def outermost(tree: Tree, selector: str) -> tuple[int, ...]:
    """What a selector finds and has text, without what is inside another find; nothing if it is not a selector."""
    try:
        found = tree.select(selector)
    except SelectorSyntaxError:
        return ()
    nodes: list[int] = []
    stop = -1
    for i in found:
        if i >= stop and tree.chars_in(i):
            nodes.append(i)
            stop = tree.end[i]
    return tuple(nodes)
